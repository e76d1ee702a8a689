//! The finite engines: against each other, against the concrete semantics, against counts known
//! from mathematics, and at their limits.

// A helper that cannot do its part fails the test.
#![allow(clippy::panic)]

mod agreement;
mod automatic;
mod concrete;
mod declared_structures;
mod enumerations;
mod kinds_of_questions;
mod limits;
mod reachable_sets;
mod renaming;
mod slicing;
mod structures;
mod values;

use rmlcut::budget::{Budget, Stop};
use rmlcut::finite;
use rmlcut::finite::{ENGINES, EngineError, FiniteOutcome, Question, Silent, StateCounts};
use rmlcut::pipeline::read_protocol;
use rmlcut::protocol::{Protocol, Size};
use rmlcut::source::SourceFile;

const EXPLICIT: usize = 0;
const SAT: usize = 1;
/// The engine on decision diagrams.
const SYMBOLIC: usize = 2;

/// A protocol text as a protocol.
fn protocol(text: &str) -> Protocol {
    read_protocol(&SourceFile::new("test.rml", text)).expect("the text is accepted").0
}

/// A size written `node=2 key=1`.
fn size(protocol: &Protocol, text: &str) -> Size {
    let size = crate::support::corpus::size(text).expect("a size");
    let sort = |name: &str| protocol.signature.find_sort(name).expect("a sort of the protocol");
    let count = |count: usize| u32::try_from(count).expect("a small size");
    size.iter().map(|(name, elements)| (sort(name), count(*elements))).collect()
}

/// No limit that a test would hit.
fn budget(threads: usize) -> Budget {
    Budget { max_states: 1 << 24, max_memory: 1 << 30, threads, ..Budget::until(Stop::never()) }
}

/// What an engine says, within that budget.
fn ask(engine: usize, question: &Question<'_>) -> Result<FiniteOutcome, EngineError> {
    finite::check(ENGINES[engine], question, &budget(1), &Silent)
}

/// What the explicit engine visits where nothing is violated.
fn visited(question: &Question<'_>) -> StateCounts {
    let outcome = ask(EXPLICIT, question).expect("an answer");
    let counts = match &outcome {
        FiniteOutcome::Safe(coverage) => coverage.visited,
        FiniteOutcome::Unsafe(..) | FiniteOutcome::Unknown(..) => None,
    };
    assert!(counts.is_some(), "not safe, or not counted: {}", verdict(&outcome));
    counts.unwrap_or_default()
}

/// The answer in one word, with the length of the trace.
fn verdict(outcome: &FiniteOutcome) -> String {
    match outcome {
        FiniteOutcome::Safe(_) => "safe".to_owned(),
        FiniteOutcome::Unsafe(violation, _) => format!("unsafe in {}", violation.trace.steps.len()),
        FiniteOutcome::Unknown(reason, _) => format!("unknown: {reason}"),
    }
}
