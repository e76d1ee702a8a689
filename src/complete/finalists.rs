//! Completions as texts, read back and judged like any other protocol.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use super::beyond::{Seen, looked_at, smallest_violated};
use super::search::{Plausible, Search};
use super::sketch::Sketch;
use super::{CompleteError, CompleteRequest, CompleteTimes, protocol_name};
use crate::budget::{Budget, Stop};
use crate::certificate::print_certificate;
use crate::diagnostic::Diagnostic;
use crate::elaborate::certificate::elaborate_certificate;
use crate::elaborate::{Elaborated, elaborate};
use crate::finite::{Silent, Wanted};
use crate::frontend::syntax::surface::Module;
use crate::frontend::{Parsed, format, parse, parse_certificate, print_expression};
use crate::judge::request::JudgeRequest;
use crate::judge::{self, Verdict};
use crate::logic::Name;
use crate::protocol::{Protocol, Size, Trace};
use crate::prove::{ProofOutcome, prove_equals};
use crate::source::SourceFile;

/// More unproved completions than this are not tried for each one that is wanted.
const MOST_UNPROVED: usize = 3;

/// The part of the time of a proof for certificates of other completions, and for a first try.
const CARRIED_SHARE: f64 = 0.25;
const FIRST_SHARE: f64 = 0.25;

/// A completion, and what is known of it.
pub struct Completion {
    /// The completed text.
    pub text: String,
    /// The protocol that the text describes.
    pub protocol: Protocol,
    /// How each hole was filled.
    pub fillings: Vec<Filling>,
    /// The outcome of its proof.
    pub outcome: ProofOutcome,
    /// Whether the certificate is that of another completion.
    pub carried: bool,
    /// What tells it from the completion before it.
    pub distinction: Option<Distinction>,
    /// How many states it reaches at the sizes looked at before the proof, if they were counted.
    pub(super) states: Option<u64>,
    /// The values of the flags.
    pub(super) values: Vec<bool>,
}

/// A run that one of two completions has, and the other has not.
pub struct Distinction {
    /// The run: its last step is what the other one cannot do.
    pub run: Trace,
    /// Whether it is a run of the later one.
    pub is_new: bool,
}

/// How a hole was filled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Filling {
    /// The name of the hole.
    pub hole: Name,
    /// The text that fills it.
    pub text: String,
    /// The action of its first place.
    pub action: Name,
    /// The line of its first place.
    pub line: usize,
}

impl Completion {
    /// Whether the judge calls it safe.
    pub fn is_safe(&self) -> bool {
        self.rank() == 0
    }

    fn rank(&self) -> u8 {
        match &self.outcome.verdict {
            Verdict::Safe => 0,
            Verdict::SafeUpTo(_) => 1,
            Verdict::Unproved(_) => 2,
            Verdict::Unsafe(_) => 3,
        }
    }
}

/// How values of the flags become a text.
pub(super) trait Completing {
    /// The completed text.
    fn text(&self, values: &[bool]) -> String;

    /// What each hole becomes.
    fn fillings(&self, values: &[bool]) -> Vec<Filling>;
}

/// A protocol in RML with its holes filled.
pub(super) struct CompletedProtocol<'a> {
    pub(super) source: &'a SourceFile,
    pub(super) parsed: &'a Parsed,
    pub(super) sketch: &'a Sketch,
    /// How values of the flags become a module.
    pub(super) completed: fn(&Sketch, &[bool]) -> Module,
}

impl Completing for CompletedProtocol<'_> {
    fn text(&self, values: &[bool]) -> String {
        let module = (self.completed)(self.sketch, values);
        format(&Parsed { module, ..self.parsed.clone() }, self.source)
    }

    fn fillings(&self, values: &[bool]) -> Vec<Filling> {
        let fillings = self.sketch.fillings(values);
        let holes = self.sketch.holes.iter().zip(&fillings);
        let filling = holes.map(|(hole, expression)| Filling {
            hole: hole.name.clone(),
            text: print_expression(expression),
            action: hole.action.clone(),
            line: self.source.position(hole.span.start).line,
        });
        filling.collect()
    }
}

/// A size at which a completion is looked at before it is proved.
pub(super) struct Beyond {
    /// The size.
    pub(super) size: Size,
    /// What must be possible there.
    pub(super) wanted: Vec<Wanted>,
    /// For repairs: how many states the original reaches there, if they were counted.
    pub(super) states: Option<u64>,
}

/// A completion that is wrong at a size beyond those of the search.
pub(super) struct Refuted {
    /// The size.
    pub(super) size: Size,
    /// The values of the flags.
    pub(super) values: Vec<bool>,
}

/// A completion that waits for its proof.
struct Waiting {
    values: Vec<bool>,
    cost: usize,
    text: String,
    parsed: Parsed,
    protocol: Protocol,
    states: Option<u64>,
}

/// The completions that passed the search.
pub(super) struct Finalists<'a> {
    source: &'a SourceFile,
    completing: &'a dyn Completing,
    beyond: Vec<Beyond>,
    /// How many more than are wanted wait before one is proved.
    together: usize,
    waiting: Vec<Waiting>,
    found: Vec<Completion>,
    start: Instant,
    times: CompleteTimes,
}

impl<'a> Finalists<'a> {
    pub(super) fn new(
        (source, completing): (&'a SourceFile, &'a dyn Completing),
        beyond: Vec<Beyond>,
        (together, start): (usize, Instant),
    ) -> Self {
        let (found, times) = (Vec::new(), CompleteTimes::default());
        let waiting = Vec::new();
        Finalists { source, completing, beyond, together, waiting, found, start, times }
    }

    /// What must be possible at a size beyond those of the search.
    pub(super) fn wanted_at(&self, size: &Size) -> &[Wanted] {
        let own = self.beyond.iter().find(|own| own.size == *size);
        own.map_or(&[], |own| &own.wanted)
    }

    /// Whether several wait before one is proved: others were excluded as larger than these.
    pub(super) fn compares(&self) -> bool {
        self.together > 1
    }

    /// Whether as many wait as are proved together.
    pub(super) fn is_full(&self, wanted: usize) -> bool {
        let more = if self.compares() { wanted } else { 0 };
        self.waiting.len() >= self.together + more
    }

    /// Where the time went until now.
    pub(super) fn times(&self) -> CompleteTimes {
        CompleteTimes { total: self.start.elapsed(), ..self.times }
    }

    /// Whether enough were found: so many proved ones, or a few times as many others.
    pub(super) fn is_enough(&self, wanted: usize) -> bool {
        self.proved() >= wanted || self.found.len() >= wanted + MOST_UNPROVED - 1
    }

    /// Whether nothing was found.
    pub(super) fn is_empty(&self) -> bool {
        self.found.is_empty()
    }

    /// The best of what was found, proved ones first.
    pub(super) fn ranked(mut self, wanted: usize, search: &mut Search<'_>) -> Vec<Completion> {
        self.found.sort_by_key(Completion::rank);
        self.found.truncate(wanted.max(1));
        for later in 1..self.found.len() {
            let (before, after) = (&self.found[later - 1].values, &self.found[later].values);
            self.found[later].distinction = search.distinction(before, after);
        }
        self.found
    }

    /// What each hole becomes for some values of the flags.
    pub(super) fn fillings(&self, values: &[bool]) -> Vec<Filling> {
        self.completing.fillings(values)
    }

    /// The text for some values of the flags.
    pub(super) fn text(&self, values: &[bool]) -> String {
        self.completing.text(values)
    }

    /// Reads a completion as text and looks at it at larger sizes; it waits for its proof, unless it
    /// is wrong there.
    pub(super) fn look_at(
        &mut self,
        found: &Plausible,
        excused: &BTreeMap<Wanted, Vec<usize>>,
        stop: &Stop,
    ) -> Result<Option<Refuted>, CompleteError> {
        let values = found.values.clone();
        let text = self.text(&values);
        let parsed = parse(&SourceFile::new(self.source.name(), text.as_str()));
        let protocol = protocol_of(self.source, &parsed).map_err(CompleteError::Text)?;
        let excuses = |wanted: &Wanted| {
            excused.get(wanted).is_some_and(|flags| flags.iter().any(|flag| values[*flag]))
        };
        let mut states = Some(0);
        for beyond in &self.beyond {
            let open = beyond.wanted.iter().filter(|own| !excuses(own)).cloned().collect();
            match looked_at(&protocol, &beyond.size, open, stop) {
                Seen::Violated => {
                    let size = smallest_violated(&protocol, &beyond.size, stop);
                    return Ok(Some(Refuted { size, values }));
                }
                Seen::Lacks => {
                    return Ok(Some(Refuted { size: beyond.size.clone(), values }));
                }
                Seen::States(count) if beyond.states.is_some() => {
                    states = states.map(|all| all + count);
                }
                Seen::States(_) => {}
                Seen::TooMuch if beyond.states.is_some() => states = None,
                Seen::TooMuch => {}
            }
        }
        self.times.first.get_or_insert_with(|| self.start.elapsed());
        let cost = found.cost;
        self.waiting.push(Waiting { values, cost, text, parsed, protocol, states });
        Ok(None)
    }

    /// Has everything that waits judged, the cheapest first and of equal ones what reaches most; what
    /// turns out to be wrong. Each gets little time at first, and more if that is not enough.
    pub(super) fn prove(
        &mut self,
        request: &CompleteRequest,
    ) -> Result<Vec<Refuted>, CompleteError> {
        let begun = Instant::now();
        let mut waiting = std::mem::take(&mut self.waiting);
        waiting.sort_by_key(|own| (own.cost, std::cmp::Reverse(own.states)));
        let rounds = if waiting.len() > 1 { 2 } else { 1 };
        let mut refuted = Vec::new();
        for round in 1..=rounds {
            let mut unproved = Vec::new();
            let mut open = waiting.into_iter();
            while let Some(own) = open.next() {
                if self.proved() >= request.answers {
                    break;
                }
                let rest = request.stop.remaining() / (open.len() as u32 + 1);
                let time = match round == rounds {
                    true => request.proof_time.min(rest),
                    false => request.proof_time.mul_f64(FIRST_SHARE).min(rest),
                };
                let outcome = self.proof(&own, (time, request))?;
                if let Some(violation) = outcome.0.violation() {
                    refuted.push(Refuted { size: violation.size.clone(), values: own.values });
                } else if round == rounds || matches!(outcome.0.verdict, Verdict::Safe) {
                    self.add(own, outcome);
                } else {
                    unproved.push(own);
                }
            }
            waiting = unproved;
        }
        self.times.proofs += begun.elapsed();
        Ok(refuted)
    }

    fn proved(&self) -> usize {
        self.found.iter().filter(|own| own.is_safe()).count()
    }

    fn add(&mut self, own: Waiting, (outcome, carried): (ProofOutcome, bool)) {
        let Waiting { values, text, protocol, states, .. } = own;
        let (fillings, distinction) = (self.fillings(&values), None);
        self.found.push(Completion {
            text,
            protocol,
            fillings,
            outcome,
            carried,
            distinction,
            states,
            values,
        });
    }

    /// The outcome of a proof, and whether it is that of another completion.
    fn proof(
        &self,
        own: &Waiting,
        (time, request): (Duration, &CompleteRequest),
    ) -> Result<(ProofOutcome, bool), CompleteError> {
        if let Some(outcome) = self.carried_over(&own.protocol, (time, request))? {
            return Ok((outcome, true));
        }
        let config = request.proof_config(request.stop.within(time));
        let (outcome, _) = prove_equals(&own.protocol, own.parsed.process.as_ref(), &config)?;
        Ok((outcome, false))
    }

    /// The certificate of an earlier completion, if it proves this one too.
    fn carried_over(
        &self,
        protocol: &Protocol,
        (time, request): (Duration, &CompleteRequest),
    ) -> Result<Option<ProofOutcome>, CompleteError> {
        let stop = request.stop.within(time.mul_f64(CARRIED_SHARE));
        let budget = Budget { threads: request.threads, ..Budget::until(stop) };
        for earlier in self.found.iter().filter(|own| own.is_safe()) {
            let Some(judged) = &earlier.outcome.judged else { continue };
            let text = print_certificate(&earlier.protocol, &judged.0, "");
            let file = parse_certificate(&SourceFile::new("carried.cut", text)).file;
            let Some(certificate) = elaborate_certificate(protocol, &file).certificate else {
                continue;
            };
            let judge = JudgeRequest::new(budget.clone());
            let judgement = judge::request::check(protocol, &certificate, &judge, None, &Silent)?;
            if matches!(judgement.verdict, Verdict::Safe) {
                return Ok(Some(ProofOutcome::of_judgement(certificate, judgement)));
            }
        }
        Ok(None)
    }
}

/// A text as a protocol.
pub(super) fn read(source: &SourceFile, text: &str) -> Result<Protocol, Vec<Diagnostic>> {
    protocol_of(source, &parse(&SourceFile::new(source.name(), text)))
}

pub(super) fn protocol_of(
    source: &SourceFile,
    parsed: &Parsed,
) -> Result<Protocol, Vec<Diagnostic>> {
    let Elaborated { protocol, diagnostics } =
        elaborate(protocol_name(source.name()), &parsed.module);
    let all = parsed.diagnostics.iter().cloned().chain(diagnostics);
    protocol.ok_or_else(|| all.collect())
}
