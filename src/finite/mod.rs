//! Is this finite instance safe? Grounding, enumeration of instances, and engines that search.
//!
//! Every `Unsafe` carries a trace of the whole protocol that the concrete semantics has replayed.

mod automatic;
mod engine;
mod error;
mod explicit;
mod frozen;
mod ground;
mod model;
pub mod question;
pub mod replay;
mod sample;
mod sat;
mod symbolic;
mod symmetry;

pub use automatic::check_with_any;
pub use engine::{ENGINES, Engine, EngineSearch, Experience};
pub use error::EngineError;
pub(crate) use frozen::{
    CandidateOrder, Effect, Exits, FairSearch, FlagGroup, FrozenCondition, FrozenRun, FrozenSearch,
    FrozenSize, Learner, Learnt, LivenessGoal, ReachedStates, Wanted,
};
pub use ground::GroundSystem;
pub use ground::formulas::GroundError;
pub use question::coverage::{Counted, Coverage, Progress, Silent, StateCounts, Unseen};
pub use question::int_range::IntegerQuantifiers;
pub use question::reason::FiniteReason;
pub use question::{
    Claim, ClaimFailure, ClaimViolation, Deadlocks, FiniteOutcome, Question, Slicing, Symmetry,
};
pub use sample::random::Random;
pub use sample::random_walk::{Walks, unseen_on_walks, walk};
pub use sample::reachable::{Reachable, ReachableInstance, Sample, reachable, sample};
pub use sample::small_sizes::{SMALL_INTEGERS, SmallSizes, places, renamings};
pub use symbolic::reachable_set::{ReachableSets, reachable_sets};
pub use symbolic::summary::{Combination, Place, PlaceArgument, SeenValue, Summary, summarize};

use engine::SearchEnding;
use question::coverage::Tally;
use question::slice::Slice;

use crate::budget::Budget;
use crate::effort;
use crate::effort::EffortPart;
use crate::logic::Extent;
use crate::protocol::{Sort, extents};
use std::collections::BTreeMap;

/// What a gate of a ground system costs, in nodes of diagrams.
const EFFORT_OF_A_GATE: u64 = 4;

/// The most integers of a range.
const MAX_WINDOW: usize = 1 << 16;

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
    check_instances(engine, question, &Instances::of(question, budget)?, budget, progress)
}

/// What a question is about, whichever engine answers it.
struct Instances {
    prepared: Prepared,
    found: Result<model::instances::Instances, FiniteReason>,
}

impl Instances {
    /// # Errors
    /// When the question is wrong or too large.
    fn of(question: &Question<'_>, budget: &Budget) -> Result<Self, EngineError> {
        let found = effort::measured(EffortPart::Instances, || {
            let prepared = prepare(question)?;
            let Prepared { slice, extents, .. } = &prepared;
            let found = model::instances::instances(question, slice, extents, budget)?;
            Ok(Instances { prepared, found })
        });
        found.map_err(|error| about_integers(question, error))
    }
}

fn about_integers(question: &Question<'_>, error: EngineError) -> EngineError {
    match error {
        EngineError::Ground(GroundError::IntegerQuantifier) => {
            EngineError::IntegerQuantifier(question::int_range::integer_quantifier(question))
        }
        error => error,
    }
}

/// Searches every instance with one engine.
fn check_instances(
    engine: &dyn Engine,
    question: &Question<'_>,
    instances: &Instances,
    budget: &Budget,
    progress: &dyn Progress,
) -> Result<FiniteOutcome, EngineError> {
    let answer = effort::measured(EffortPart::Instances, || {
        survey_instances(engine, question, instances, budget, progress)
    });
    answer.map_err(|error| about_integers(question, error))
}

fn survey_instances(
    engine: &dyn Engine,
    question: &Question<'_>,
    Instances { prepared, found }: &Instances,
    budget: &Budget,
    progress: &dyn Progress,
) -> Result<FiniteOutcome, EngineError> {
    let mut survey = Survey::new(Tally::new(question, &prepared.slice.left_out), question);
    let instances = match found {
        Ok(instances) => instances,
        Err(reason) => return Ok(survey.stopped(reason.clone(), None)),
    };
    if instances.rigid.is_empty() {
        return Ok(survey.nothing(FiniteReason::NoInstance, instances.truncated));
    }
    survey.bound_hit = prepared.truncated || instances.truncated;
    survey.tally.count_once(instances.counted);
    // Each instance yields its own shortest run; the answer is the shortest of them all.
    let mut shortest: Option<ClaimViolation> = None;
    let mut experience = Experience::default();
    for rigid in &instances.rigid {
        let parts = (&prepared.slice, &prepared.extents);
        let mut system = match ground::ground(question, parts, rigid.clone(), &budget.stop)? {
            Ok(system) => system,
            Err(reason) => return Ok(survey.stopped(reason, shortest)),
        };
        budget.stop.spend_turn(system.circuit.gate_count() * EFFORT_OF_A_GATE);
        survey.bound_hit |= system.truncated;
        match model::initial::has_initial_state(&system, budget) {
            Ok(true) => {}
            Ok(false) => {
                survey.tally.decided();
                continue;
            }
            Err(reason) => return Ok(survey.stopped(reason, shortest)),
        }
        survey.started = true;
        let total = survey.tally.with_earlier(progress);
        let deadlocks = question.deadlocks;
        let search = engine.search(&mut system, deadlocks, &mut experience, budget, &total)?;
        // An engine that does not use symmetries has dropped them.
        survey.tally.count_once(system.symmetries.counted());
        survey.add(&search);
        match search.ending {
            SearchEnding::Safe(()) => survey.tally.decided(),
            SearchEnding::Unknown(reason, ()) => return Ok(survey.stopped(reason, shortest)),
            SearchEnding::Unsafe(path, ()) => {
                match replay::lift::lift(question, &system, &path, budget)? {
                    Ok(violation) => {
                        survey.tally.decided();
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
    for sort in signature.sized_sorts() {
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
    let extents = extents(signature, &question.size, question.window);
    let count = extents[&Sort::Int].len();
    if count > MAX_WINDOW {
        return Err(EngineError::WindowTooLarge { count, limit: MAX_WINDOW });
    }
    question::size_estimate::refuse_large(question, &slice, &extents)?;
    let truncated = !question::int_range::starts_inside(question, &slice)?;
    Ok(Prepared { slice, extents, truncated })
}

fn needs_window(question: &Question<'_>, slice: &Slice) -> bool {
    let mut kept = slice.state.iter().chain(&slice.rigid);
    let mut params =
        question.actions.iter().flat_map(|action| &question.protocol.actions[*action].params);
    kept.any(|id| ground::has_int(question, *id)) || params.any(|param| param.sort == Sort::Int)
}

/// What has been seen over all instances.
struct Survey<'a> {
    question: &'a Question<'a>,
    tally: Tally<'a>,
    bound_hit: bool,
    /// Whether some instance had an initial state.
    started: bool,
}

impl<'a> Survey<'a> {
    fn new(tally: Tally<'a>, question: &'a Question<'a>) -> Self {
        Survey { question, tally, bound_hit: false, started: false }
    }

    fn add(&mut self, search: &EngineSearch) {
        self.bound_hit |= search.bound_hit;
        self.tally.add(search.counts.as_ref(), search.total.as_ref(), search.seen.as_ref());
    }

    /// The search ended early: what was found before stands.
    fn stopped(self, reason: FiniteReason, found: Option<ClaimViolation>) -> FiniteOutcome {
        match found {
            Some(violation) => self.violated(violation),
            None => FiniteOutcome::Unknown(reason, self.tally.coverage()),
        }
    }

    fn violated(self, violation: ClaimViolation) -> FiniteOutcome {
        FiniteOutcome::Unsafe(Box::new(violation), self.tally.coverage())
    }

    fn outcome(self) -> FiniteOutcome {
        if !self.started {
            let truncated = self.bound_hit;
            return self.nothing(FiniteReason::NoInitialState, truncated);
        }
        if self.bound_hit {
            // Without a window nothing may hit it; if something did, nothing was decided.
            let (low, high) = self.question.window.unwrap_or((0, -1));
            return FiniteOutcome::Unknown(FiniteReason::Window(low, high), self.tally.coverage());
        }
        FiniteOutcome::Safe(self.tally.coverage())
    }

    /// Nothing to look at; inside a window that may be the window's fault.
    fn nothing(self, reason: FiniteReason, truncated: bool) -> FiniteOutcome {
        let window = self.question.window.filter(|_| truncated);
        let reason = window.map_or(reason, |(low, high)| FiniteReason::Window(low, high));
        FiniteOutcome::Unknown(reason, self.tally.coverage())
    }
}

#[cfg(test)]
mod tests;
