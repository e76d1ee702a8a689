//! The smallest edits that make an unsafe protocol safe.
//!
//! The protocol becomes a sketch in which every edit is a hole whose first alternative changes
//! nothing: a further guard, a further update at the end of an action, a statement left out. Whatever
//! the protocol could do before, violation or not, it must still be able to do.

use std::time::Instant;

use super::diff::diff;
use super::edits::{edited, with_edits};
use super::finalists::{CompletedProtocol, Finalists, read};
use super::kept;
use super::progress::abilities_of;
use super::search::Search;
use super::{
    CompleteEnding, CompleteError, CompleteRequest, CompleteTimes, Completion, Iterations, codes,
};
use super::{completions, small_sizes, template, with_flags};
use crate::budget::{Budget, Stop};
use crate::diagnostic::Diagnostic;
use crate::finite::{
    Claim, ClaimFailure, ENGINES, FiniteOutcome, Question, SMALL_INTEGERS, Silent, SmallSizes,
    check,
};
use crate::frontend::{Parsed, format};
use crate::judge::{FiniteViolation, Verdict};
use crate::protocol::{PropertyKind, Protocol};
use crate::prove::prove;
use crate::source::SourceFile;

/// The part of the time in which a violation of the protocol is looked for.
const DIAGNOSIS_SHARE: u32 = 4;

/// The sizes at which a violation is looked for first, and the most states of one of them.
const DIAGNOSIS_SIZES: std::ops::RangeInclusive<u32> = 1..=4;
const DIAGNOSIS_STATES: u64 = 100_000;

/// A repaired protocol.
pub struct Repair {
    /// The completion.
    pub completion: Completion,
    /// The lines that differ from the canonical form of the original.
    pub diff: Vec<String>,
    /// How many states it reaches at the sizes tried, and how many the original reached; `None` if
    /// they were not counted to the end.
    pub states: Option<(u64, u64)>,
}

/// The result of repairing a protocol.
pub struct RepairAnswer {
    /// The protocol as it was.
    pub protocol: Protocol,
    /// A run that violates it, if one is known.
    pub violation: Option<Box<FiniteViolation>>,
    /// The repairs, proved ones first.
    pub repairs: Vec<Repair>,
    /// How it ended.
    pub ending: RepairEnding,
    /// What was tried.
    pub iterations: Iterations,
    /// Where the time went.
    pub times: CompleteTimes,
}

/// How a repair ended.
pub enum RepairEnding {
    /// The protocol is safe: there is nothing to repair.
    AlreadySafe,
    /// It is not known to be unsafe.
    NotKnownUnsafe,
    /// The search for repairs ended this way.
    Searched(CompleteEnding),
}

/// Repairs an unsafe protocol.
///
/// # Errors
/// When the text is wrong, or a proof cannot be judged.
pub fn repair(
    source: &SourceFile,
    parsed: &Parsed,
    request: &CompleteRequest,
) -> Result<RepairAnswer, CompleteError> {
    let start = Instant::now();
    let holes = template(&parsed.module).map_err(CompleteError::Text)?.holes;
    if let Some(hole) = holes.first() {
        let message = "a sketch cannot be repaired";
        let refusal = Diagnostic::error(codes::HOLES, message, hole.span)
            .hint("`rmlcut complete` fills its holes");
        return Err(CompleteError::Text(vec![refusal]));
    }
    let canonical = format(parsed, source);
    let protocol = read(source, &canonical).map_err(CompleteError::Text)?;
    let unrepaired = |violation, ending| RepairAnswer {
        protocol: protocol.clone(),
        violation,
        repairs: Vec::new(),
        ending,
        iterations: Iterations::default(),
        times: CompleteTimes { total: start.elapsed(), ..CompleteTimes::default() },
    };
    let violation = match diagnosis(&protocol, request)? {
        Diagnosis::Safe => return Ok(unrepaired(None, RepairEnding::AlreadySafe)),
        Diagnosis::Unknown => return Ok(unrepaired(None, RepairEnding::NotKnownUnsafe)),
        Diagnosis::Unsafe(violation) => violation,
    };
    let sketch = with_edits(&parsed.module);
    let flagged = with_flags(source, &sketch)?;
    let budget = Budget::until(request.stop.clone());
    let mut sizes = small_sizes(&flagged);
    if !sizes.contains(&violation.size) {
        sizes.push(violation.size.clone());
    }
    let mut search = Search::new((&sketch, &flagged), &sizes, Some(request.most_edits), &budget);
    search.learning = request.learning;
    let unchanged = vec![false; sketch.flags()];
    let able = search.abilities(&unchanged, &abilities_of(&protocol, &[]));
    search.keep(able, true);
    let keep = (&request.keep[..], Some(request.most_edits));
    kept::keep_traces(&mut search, &sketch, &protocol, keep, &budget)?;
    let before = search.states(&unchanged);
    let completing = CompletedProtocol { source, parsed, sketch: &sketch, completed: edited };
    let mut finalists = Finalists::new(source, &completing, start);
    let ending = completions(&mut search, &mut finalists, request)?;
    let (iterations, times) = (search.iterations, finalists.times());
    let found = finalists.ranked(request.answers, &mut search);
    let repairs = found.into_iter().map(|completion| Repair {
        diff: diff(&canonical, &completion.text),
        states: search.states(&completion.values).zip(before),
        completion,
    });
    let repairs = repairs.collect();
    let ending = RepairEnding::Searched(ending);
    let violation = Some(violation);
    Ok(RepairAnswer { protocol, violation, repairs, ending, iterations, times })
}

enum Diagnosis {
    Safe,
    Unknown,
    Unsafe(Box<FiniteViolation>),
}

/// Whether the protocol is unsafe to begin with.
fn diagnosis(protocol: &Protocol, request: &CompleteRequest) -> Result<Diagnosis, CompleteError> {
    if let Some(violation) = small_violation(protocol, &request.stop) {
        return Ok(Diagnosis::Unsafe(Box::new(violation)));
    }
    let config = request.proof_config(request.stop.share(1, DIAGNOSIS_SHARE));
    Ok(match prove(protocol, &config)?.verdict {
        Verdict::Unsafe(violation) => Diagnosis::Unsafe(Box::new(violation)),
        Verdict::Safe => Diagnosis::Safe,
        Verdict::SafeUpTo(_) | Verdict::Unproved(_) => Diagnosis::Unknown,
    })
}

/// A violation of a safety property in a small instance, replayed by the engine.
fn small_violation(protocol: &Protocol, stop: &Stop) -> Option<FiniteViolation> {
    let small = SmallSizes::new(protocol);
    let budget =
        Budget { max_states: DIAGNOSIS_STATES, max_memory: 1 << 30, ..Budget::until(stop.clone()) };
    DIAGNOSIS_SIZES.map(|count| small.alike(count)).find_map(|size| {
        let mut question = Question::new(protocol, size.clone());
        let safety = protocol.properties.iter().filter(|own| own.kind == PropertyKind::Safety);
        question.claims = safety.map(Claim::from).collect();
        question.window = protocol.signature.uses_int().then_some(SMALL_INTEGERS);
        let outcome = check(ENGINES[0], &question, &budget, &Silent);
        let Ok(FiniteOutcome::Unsafe(violation, _)) = outcome else { return None };
        let ClaimFailure::Claim(position, _) = &violation.failure else { return None };
        let claim = question.claims[*position].name.clone();
        Some(FiniteViolation { violation, claim, claims: question.claims, size })
    })
}
