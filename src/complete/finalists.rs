//! Completions as texts, read back and judged like any other protocol.

use std::time::Instant;

use super::search::Search;
use super::sketch::Sketch;
use super::{CompleteError, CompleteRequest, CompleteTimes, protocol_name};
use crate::budget::{Budget, Stop};
use crate::certificate::print_certificate;
use crate::diagnostic::Diagnostic;
use crate::elaborate::certificate::elaborate_certificate;
use crate::elaborate::{Elaborated, elaborate};
use crate::finite::{ENGINES, FiniteOutcome, Question, SMALL_INTEGERS, Silent, SmallSizes, check};
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

/// The sizes of all sorts that a completion is looked at before it is proved, and how many states
/// it may have there.
const BEYOND: std::ops::RangeInclusive<u32> = 4..=5;
const BEYOND_STATES: u64 = 20_000;

/// The part of the time of a proof for certificates of other completions.
const CARRIED_SHARE: f64 = 0.25;

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

/// The completions that passed the search.
pub(super) struct Finalists<'a> {
    source: &'a SourceFile,
    completing: &'a dyn Completing,
    found: Vec<Completion>,
    start: Instant,
    times: CompleteTimes,
}

impl<'a> Finalists<'a> {
    pub(super) fn new(
        source: &'a SourceFile,
        completing: &'a dyn Completing,
        start: Instant,
    ) -> Self {
        let (found, times) = (Vec::new(), CompleteTimes::default());
        Finalists { source, completing, found, start, times }
    }

    /// Where the time went until now.
    pub(super) fn times(&self) -> CompleteTimes {
        CompleteTimes { total: self.start.elapsed(), ..self.times }
    }

    /// Whether enough were found: so many proved ones, or a few times as many others.
    pub(super) fn is_enough(&self, wanted: usize) -> bool {
        let proved = self.found.iter().filter(|own| own.is_safe()).count();
        proved >= wanted || self.found.len() >= wanted + MOST_UNPROVED - 1
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

    /// Reads a completion as text and has it judged; the size at which it turns out to be unsafe,
    /// if it does.
    pub(super) fn judge(
        &mut self,
        values: &[bool],
        request: &CompleteRequest,
    ) -> Result<Option<Size>, CompleteError> {
        let begun = Instant::now();
        self.times.first.get_or_insert_with(|| begun - self.start);
        let judged = self.judged(values, request);
        self.times.proofs += begun.elapsed();
        judged
    }

    fn judged(
        &mut self,
        values: &[bool],
        request: &CompleteRequest,
    ) -> Result<Option<Size>, CompleteError> {
        let text = self.text(values);
        let parsed = parse(&SourceFile::new(self.source.name(), text.as_str()));
        let protocol = protocol_of(self.source, &parsed).map_err(CompleteError::Text)?;
        if let Some(size) = violated_beyond(&protocol, &request.stop) {
            return Ok(Some(size));
        }
        let values = values.to_vec();
        let fillings = self.fillings(&values);
        if let Some(outcome) = self.carried_over(&protocol, request)? {
            let (carried, distinction) = (true, None);
            let found =
                Completion { text, protocol, fillings, outcome, carried, distinction, values };
            self.found.push(found);
            return Ok(None);
        }
        let config = request.proof_config(request.stop.within(request.proof_time));
        let (outcome, _) = prove_equals(&protocol, parsed.process.as_ref(), &config)?;
        if let Some(violation) = outcome.violation() {
            return Ok(Some(violation.size.clone()));
        }
        let (carried, distinction) = (false, None);
        let found = Completion { text, protocol, fillings, outcome, carried, distinction, values };
        self.found.push(found);
        Ok(None)
    }

    /// The certificate of an earlier completion, if it proves this one too.
    fn carried_over(
        &self,
        protocol: &Protocol,
        request: &CompleteRequest,
    ) -> Result<Option<ProofOutcome>, CompleteError> {
        let stop = request.stop.within(request.proof_time.mul_f64(CARRIED_SHARE));
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

/// A size beyond those of the search at which a protocol is unsafe, if one can be searched.
fn violated_beyond(protocol: &Protocol, stop: &Stop) -> Option<Size> {
    let small = SmallSizes::new(protocol);
    let budget =
        Budget { max_states: BEYOND_STATES, max_memory: 1 << 30, ..Budget::until(stop.clone()) };
    BEYOND.map(|count| small.alike(count)).find(|size| {
        let mut question = Question::new(protocol, size.clone());
        question.window = protocol.signature.uses_int().then_some(SMALL_INTEGERS);
        matches!(check(ENGINES[0], &question, &budget, &Silent), Ok(FiniteOutcome::Unsafe(..)))
    })
}

/// A text as a protocol.
pub(super) fn read(source: &SourceFile, text: &str) -> Result<Protocol, Vec<Diagnostic>> {
    protocol_of(source, &parse(&SourceFile::new(source.name(), text)))
}

fn protocol_of(source: &SourceFile, parsed: &Parsed) -> Result<Protocol, Vec<Diagnostic>> {
    let Elaborated { protocol, diagnostics } =
        elaborate(protocol_name(source.name()), &parsed.module);
    let all = parsed.diagnostics.iter().cloned().chain(diagnostics);
    protocol.ok_or_else(|| all.collect())
}
