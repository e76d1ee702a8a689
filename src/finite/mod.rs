//! Is this finite instance safe? Grounding, enumeration of instances, and engines that search.
//!
//! Every `Unsafe` carries a trace of the whole protocol that the concrete semantics has replayed.

mod engine;
mod error;
mod explicit;
mod ground;
mod model;
pub mod question;
pub mod replay;
mod sample;
mod sat;
mod symbolic;
mod symmetry;

pub use engine::{ENGINES, Engine, EngineSearch};
pub use error::EngineError;
pub use ground::GroundSystem;
pub use ground::formulas::GroundError;
pub use question::coverage::{Counted, Coverage, Progress, Silent, StateCounts, Unseen};
pub use question::reason::FiniteReason;
pub use question::{
    Claim, ClaimFailure, ClaimViolation, Deadlocks, FiniteOutcome, Question, Slicing, Symmetry,
};
pub use sample::random::Random;
pub use sample::random_walk::{Walks, unseen_on_walks, walk};
pub use sample::reachable::{Reachable, ReachableInstance, Sample, reachable, sample};
pub use sample::small_sizes::{SMALL_INTEGERS, SmallSizes, places};

use engine::SearchEnding;
use question::coverage::Seen;
use question::slice::Slice;

use crate::budget::Budget;
use crate::effort;
use crate::effort::EffortPart;
use crate::logic::Extent;
use crate::protocol::{Sort, extents};
use std::collections::BTreeMap;

/// Every engine that can be chosen for an exploration.
pub const ALL_ENGINES: &[&dyn Engine] = &[ENGINES[0], ENGINES[1], &symbolic::Symbolic];

/// The most integers of a range.
const MAX_WINDOW: usize = 1 << 16;

/// The most invocations of one instance.
const MAX_INVOCATIONS: u128 = 1 << 22;

/// Searches every instance of the size that the question is about.
///
/// # Errors
/// When the question is wrong or too large, or two parts of the tool disagree.
pub fn check(
    engine: &dyn Engine,
    question: &Question<'_>,
    budget: &Budget,
    progress: &dyn Progress,
) -> Result<FiniteOutcome, EngineError> {
    let answer =
        effort::measured(EffortPart::Instances, || surveyed(engine, question, budget, progress));
    answer.map_err(|error| match error {
        EngineError::Ground(GroundError::IntegerQuantifier) => {
            EngineError::IntegerQuantifier(question::int_range::integer_quantifier(question))
        }
        error => error,
    })
}

fn surveyed(
    engine: &dyn Engine,
    question: &Question<'_>,
    budget: &Budget,
    progress: &dyn Progress,
) -> Result<FiniteOutcome, EngineError> {
    let prepared = prepare(question)?;
    let mut survey = Survey::new(&prepared.slice, question);
    let instances =
        model::instances::instances(question, &prepared.slice, &prepared.extents, budget)?;
    let instances = match instances {
        Ok(instances) => instances,
        Err(reason) => return Ok(survey.stopped(reason, None)),
    };
    if instances.rigid.is_empty() {
        return Ok(survey.nothing(FiniteReason::NoInstance, instances.truncated));
    }
    survey.bound_hit = prepared.truncated || instances.truncated;
    survey.coverage.counted = survey.coverage.counted.max(instances.counted);
    // Each instance yields its own shortest run; the answer is the shortest of them all.
    let mut shortest: Option<ClaimViolation> = None;
    for rigid in instances.rigid {
        let parts = (&prepared.slice, &prepared.extents);
        let mut system = match ground::ground(question, parts, rigid, &budget.stop)? {
            Ok(system) => system,
            Err(reason) => return Ok(survey.stopped(reason, shortest)),
        };
        survey.bound_hit |= system.truncated;
        match model::initial::has_initial_state(&system, budget) {
            Ok(true) => {}
            Ok(false) => {
                survey.coverage.instances += 1;
                continue;
            }
            Err(reason) => return Ok(survey.stopped(reason, shortest)),
        }
        survey.started = true;
        let total = Total { progress, before: survey.coverage.visited.unwrap_or_default() };
        let search = engine.search(&mut system, question.deadlocks, budget, &total)?;
        // An engine that does not use symmetries has dropped them.
        survey.coverage.counted = survey.coverage.counted.max(system.symmetries.counted());
        survey.add(&search);
        match search.ending {
            SearchEnding::Exhausted => survey.coverage.instances += 1,
            SearchEnding::Stopped(reason) => return Ok(survey.stopped(reason, shortest)),
            SearchEnding::Violated(path) => {
                match replay::lift::lift(question, &system, &path, budget)? {
                    Ok(violation) => {
                        survey.coverage.instances += 1;
                        shortest = Some(shorter(shortest, violation));
                    }
                    Err(reason) => return Ok(survey.stopped(reason, shortest)),
                }
            }
        }
    }
    Ok(match shortest {
        Some(violation) => survey.violated(violation),
        None => survey.outcome(),
    })
}

/// The shorter of two runs, the first if they are equally long.
fn shorter(known: Option<ClaimViolation>, found: ClaimViolation) -> ClaimViolation {
    match known {
        Some(known) if known.trace.steps.len() <= found.trace.steps.len() => known,
        _ => found,
    }
}

/// What is known about a question before any instance is.
struct Prepared {
    slice: Slice,
    extents: BTreeMap<Sort, Extent>,
    /// Whether an integer may start outside the window.
    truncated: bool,
}

fn prepare(question: &Question<'_>) -> Result<Prepared, EngineError> {
    let signature = &question.protocol.signature;
    for sort in signature.sorts() {
        let name = signature.sort_name(sort).to_string();
        match question.size.get(&sort) {
            None => return Err(EngineError::MissingSize(name)),
            Some(0) => return Err(EngineError::EmptySort(name)),
            Some(_) => {}
        }
    }
    let slice = question::slice::slice(question);
    if question.window.is_none() && needs_window(question, &slice) {
        return Err(EngineError::NoWindow);
    }
    let extents = extents(&question.size, question.window);
    let count = extents[&Sort::Int].len();
    if count > MAX_WINDOW {
        return Err(EngineError::WindowTooLarge { count, limit: MAX_WINDOW });
    }
    refuse_large(question, &slice, &extents)?;
    let truncated = !question::int_range::starts_inside(question, &slice)?;
    Ok(Prepared { slice, extents, truncated })
}

fn needs_window(question: &Question<'_>, slice: &Slice) -> bool {
    let mut kept = slice.state.iter().chain(&slice.rigid);
    let mut params =
        question.actions.iter().flat_map(|action| &question.protocol.actions[*action].params);
    kept.any(|id| ground::has_int(question, *id)) || params.any(|param| param.sort == Sort::Int)
}

/// Refuses what would not fit before anything is built.
fn refuse_large(
    question: &Question<'_>,
    slice: &Slice,
    extents: &BTreeMap<Sort, Extent>,
) -> Result<(), EngineError> {
    let signature = &question.protocol.signature;
    let symbols = signature.symbols().map(|(id, _)| id);
    let symbols =
        symbols.filter(|id| !(slice.left_out.contains(id) && ground::has_int(question, *id)));
    let bits = ground::bit_layout::bits_needed(signature, extents, symbols);
    if bits > ground::bit_layout::MAX_STATE_BITS {
        return Err(EngineError::StateTooLarge { bits, limit: ground::bit_layout::MAX_STATE_BITS });
    }
    let count = question.actions.iter().fold(0_u128, |sum, action| {
        let params = &question.protocol.actions[*action].params;
        let tuples = params.iter().fold(1_u128, |tuples, param| {
            tuples.saturating_mul(extents[&param.sort].len() as u128)
        });
        sum.saturating_add(tuples)
    });
    if count > MAX_INVOCATIONS {
        return Err(EngineError::TooManyInvocations { count, limit: MAX_INVOCATIONS });
    }
    let weight = question::size_estimate::weight(question, extents);
    if weight > question::size_estimate::MAX_WEIGHT {
        return Err(EngineError::FormulasTooLarge {
            weight,
            limit: question::size_estimate::MAX_WEIGHT,
        });
    }
    Ok(())
}

/// What has been seen over all instances.
struct Survey<'a> {
    question: &'a Question<'a>,
    coverage: Coverage,
    bound_hit: bool,
    /// Whether some instance had an initial state.
    started: bool,
    /// Unknown where states are not visited.
    seen: Option<Seen>,
}

impl<'a> Survey<'a> {
    fn new(slice: &Slice, question: &'a Question<'a>) -> Self {
        let coverage = Coverage {
            instances: 0,
            visited: None,
            total: None,
            left_out: slice.left_out.clone(),
            counted: match question.may_rename_states() {
                true => Counted::UpToSymmetry,
                false => Counted::Each,
            },
            unseen: None,
        };
        let seen = Some(Seen::default());
        Survey { question, coverage, bound_hit: false, started: false, seen }
    }

    fn add(&mut self, search: &EngineSearch) {
        self.bound_hit |= search.bound_hit;
        if let Some(counts) = &search.counts {
            let before = self.coverage.visited.unwrap_or_default();
            self.coverage.visited = Some(before.plus(counts));
        }
        if let Some(total) = &search.total {
            let before = self.coverage.total.take().unwrap_or_default();
            self.coverage.total = Some(before.plus(total));
        }
        self.seen = match (self.seen.take(), &search.seen) {
            (Some(before), Some(seen)) => Some(before.or(seen)),
            _ => None,
        };
    }

    /// The search ended early: what was found before stands.
    fn stopped(self, reason: FiniteReason, found: Option<ClaimViolation>) -> FiniteOutcome {
        match found {
            Some(violation) => self.violated(violation),
            None => FiniteOutcome::Unknown(reason, self.coverage()),
        }
    }

    fn violated(self, violation: ClaimViolation) -> FiniteOutcome {
        FiniteOutcome::Unsafe(Box::new(violation), self.coverage())
    }

    fn outcome(self) -> FiniteOutcome {
        if !self.started {
            let truncated = self.bound_hit;
            return self.nothing(FiniteReason::NoInitialState, truncated);
        }
        if self.bound_hit {
            // Without a window nothing may hit it; if something did, nothing was decided.
            let (low, high) = self.question.window.unwrap_or((0, -1));
            return FiniteOutcome::Unknown(FiniteReason::Window(low, high), self.coverage());
        }
        FiniteOutcome::Safe(self.coverage())
    }

    /// Nothing to look at; inside a window that may be the window's fault.
    fn nothing(self, reason: FiniteReason, truncated: bool) -> FiniteOutcome {
        let window = self.question.window.filter(|_| truncated);
        let reason = window.map_or(reason, |(low, high)| FiniteReason::Window(low, high));
        FiniteOutcome::Unknown(reason, self.coverage())
    }

    fn coverage(self) -> Coverage {
        let unseen = self.seen.map(|seen| seen.missing(self.question));
        Coverage { unseen, ..self.coverage }
    }
}

/// Adds the counts of earlier instances to what is reported.
struct Total<'a> {
    progress: &'a dyn Progress,
    before: StateCounts,
}

impl Progress for Total<'_> {
    fn report(&self, counts: &StateCounts) {
        self.progress.report(&self.before.plus(counts));
    }
}

#[cfg(test)]
mod tests;
