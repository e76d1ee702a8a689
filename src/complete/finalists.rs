//! Completions as texts, read back and judged like any other protocol.

use super::sketch::Sketch;
use super::{CompleteError, CompleteRequest, protocol_name};
use crate::budget::{Budget, Stop};
use crate::elaborate::{Elaborated, elaborate};
use crate::finite::{ENGINES, FiniteOutcome, Question, SMALL_INTEGERS, Silent, SmallSizes, check};
use crate::frontend::syntax::surface::Module;
use crate::frontend::{Parsed, format, parse, print_expression};
use crate::judge::Verdict;
use crate::logic::Name;
use crate::protocol::{Protocol, Size};
use crate::prove::{ProofOutcome, prove};
use crate::source::SourceFile;

/// More unproved completions than this are not tried for each one that is wanted.
const MOST_UNPROVED: usize = 3;

/// The sizes of all sorts that a completion is looked at before it is proved, and how many states
/// it may have there.
const BEYOND: std::ops::RangeInclusive<u32> = 4..=5;
const BEYOND_STATES: u64 = 20_000;

/// A completion, and what is known of it.
pub struct Completion {
    /// The completed text.
    pub text: String,
    /// The protocol that it is.
    pub protocol: Protocol,
    /// What each hole became.
    pub fillings: Vec<Filling>,
    /// The outcome of its proof.
    pub outcome: ProofOutcome,
    /// The values of the flags.
    pub(super) values: Vec<bool>,
}

/// What a hole became.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Filling {
    /// The name of the hole.
    pub hole: Name,
    /// What it became.
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

/// The completions that passed the search.
pub(super) struct Finalists<'a> {
    source: &'a SourceFile,
    parsed: &'a Parsed,
    sketch: &'a Sketch,
    /// How values of the flags become a module.
    completed: &'a dyn Fn(&Sketch, &[bool]) -> Module,
    found: Vec<Completion>,
}

impl<'a> Finalists<'a> {
    pub(super) fn new(source: &'a SourceFile, parsed: &'a Parsed, sketch: &'a Sketch) -> Self {
        Finalists { source, parsed, sketch, completed: &Sketch::completed, found: Vec::new() }
    }

    /// The same with another way to complete.
    pub(super) fn completing(self, completed: &'a dyn Fn(&Sketch, &[bool]) -> Module) -> Self {
        Finalists { completed, ..self }
    }

    /// Whether enough were found: so many proved ones, or a few times as many others.
    pub(super) fn is_enough(&self, wanted: usize) -> bool {
        let proved = self.found.iter().filter(|own| own.is_safe()).count();
        proved >= wanted || self.found.len() >= wanted + MOST_UNPROVED - 1
    }

    /// The best of what was found, proved ones first.
    pub(super) fn ranked(mut self, wanted: usize) -> Vec<Completion> {
        self.found.sort_by_key(Completion::rank);
        self.found.truncate(wanted.max(1));
        self.found
    }

    /// What each hole becomes for some values of the flags.
    pub(super) fn fillings(&self, values: &[bool]) -> Vec<Filling> {
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

    /// The text for some values of the flags.
    pub(super) fn text(&self, values: &[bool]) -> String {
        let module = (self.completed)(self.sketch, values);
        format(&Parsed { module, ..self.parsed.clone() }, self.source)
    }

    /// Reads a completion as text and has it judged; the size at which it turns out to be unsafe,
    /// if it does.
    pub(super) fn judge(
        &mut self,
        values: &[bool],
        request: &CompleteRequest,
    ) -> Result<Option<Size>, CompleteError> {
        let text = self.text(values);
        let protocol = read(self.source, &text).map_err(CompleteError::Text)?;
        if let Some(size) = violated_beyond(&protocol, &request.stop) {
            return Ok(Some(size));
        }
        let config = request.proof_config(request.stop.within(request.proof_time));
        let outcome = prove(&protocol, &config)?;
        if let Some(violation) = outcome.violation() {
            return Ok(Some(violation.size.clone()));
        }
        let fillings = self.fillings(values);
        self.found.push(Completion { text, protocol, fillings, outcome, values: values.to_vec() });
        Ok(None)
    }
}

/// A size beyond those of the search at which a protocol is unsafe, if it is small enough to say.
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
pub(super) fn read(
    source: &SourceFile,
    text: &str,
) -> Result<Protocol, Vec<crate::diagnostic::Diagnostic>> {
    let source = SourceFile::new(source.name(), text);
    let Parsed { module, mut diagnostics, .. } = parse(&source);
    let Elaborated { protocol, diagnostics: more } =
        elaborate(protocol_name(source.name()), &module);
    diagnostics.extend(more);
    protocol.ok_or(diagnostics)
}
