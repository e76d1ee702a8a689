//! Chooses the engine: states are visited one by one while they are few, then held as sets.
//!
//! Neither engine is better everywhere, and none knows beforehand how many states there are. So
//! they take turns, each turn several times as long as the one before. Turns are measured in states
//! and steps, not in seconds: the same engine answers on every machine.

use super::check;
use super::engine::Engine;
use super::error::EngineError;
use super::explicit::Explicit;
use super::question::coverage::{Coverage, Progress};
use super::question::reason::FiniteReason;
use super::question::{FiniteOutcome, Question};
use super::sat::Sat;
use super::symbolic::Symbolic;
use crate::budget::{Budget, Meter};

/// The states of an instance that are visited in the first turn: a few milliseconds, or tenths of a
/// second where many elements are sorted.
const FIRST_STATES: u64 = 1 << 11;

/// The steps of the symbolic engine's first turn, which take about as long.
const FIRST_STEPS: u64 = 1 << 18;

/// By how much the turns grow: what is lost in earlier turns is a small part of the last one.
const GROWTH: u64 = 8;

/// Searches every instance of the size that the question is about, with the engine that suits.
///
/// # Errors
/// When the question is wrong or too large, or two parts of the tool disagree.
pub fn check_with_any(
    question: &Question<'_>,
    budget: &Budget,
    progress: &dyn Progress,
) -> Result<(&'static str, FiniteOutcome), EngineError> {
    let (mut visits, mut holds_sets) = (true, true);
    let (mut states, mut steps) = (FIRST_STATES, FIRST_STEPS);
    let mut visited = None;
    while visits || holds_sets {
        if visits {
            let limit = if holds_sets { states } else { u64::MAX };
            match visit(question, limit, budget, progress)? {
                Turn::Answered(outcome) => return Ok((Explicit.name(), outcome)),
                Turn::Unfinished(coverage) => visited = Some(coverage),
                Turn::Unsuitable => visits = false,
            }
        }
        if holds_sets {
            let limit = if visits { steps } else { u64::MAX };
            match hold_sets(question, limit, budget, progress)? {
                // What the other engine has visited is all that is known.
                Turn::Answered(FiniteOutcome::Unknown(reason, _)) if visited.is_some() => {
                    let coverage = visited.unwrap_or_default();
                    return Ok((Explicit.name(), FiniteOutcome::Unknown(reason, coverage)));
                }
                Turn::Answered(outcome) => return Ok((Symbolic.name(), outcome)),
                Turn::Unfinished(_) => {}
                Turn::Unsuitable => holds_sets = false,
            }
        }
        (states, steps) = (states.saturating_mul(GROWTH), steps.saturating_mul(GROWTH));
    }
    Ok((Sat.name(), check(&Sat, question, budget, progress)?))
}

/// How a turn of an engine ended.
enum Turn {
    Answered(FiniteOutcome),
    /// It needs more than this turn allows, and has looked at this.
    Unfinished(Coverage),
    /// It will not answer, however long it may work.
    Unsuitable,
}

/// Visits at most so many states of each instance.
fn visit(
    question: &Question<'_>,
    states: u64,
    budget: &Budget,
    progress: &dyn Progress,
) -> Result<Turn, EngineError> {
    let limited = Budget { max_states: budget.max_states.min(states), ..budget.clone() };
    match check(&Explicit, question, &limited, progress) {
        Ok(FiniteOutcome::Unknown(FiniteReason::MaxStates(limit), coverage))
            if limit < budget.max_states =>
        {
            Ok(Turn::Unfinished(coverage))
        }
        Ok(FiniteOutcome::Unknown(FiniteReason::MaxMemory(_), _))
        | Err(EngineError::TooManyInitialStates { .. } | EngineError::TooManyChoices(_)) => {
            Ok(Turn::Unsuitable)
        }
        Ok(outcome) => Ok(Turn::Answered(outcome)),
        Err(error) => Err(error),
    }
}

/// Holds the states of all instances as sets, for at most so many steps.
fn hold_sets(
    question: &Question<'_>,
    steps: u64,
    budget: &Budget,
    progress: &dyn Progress,
) -> Result<Turn, EngineError> {
    let meter = Meter::default();
    meter.allow(steps);
    let limited = Budget { stop: budget.stop.metered(&meter), ..budget.clone() };
    match check(&Symbolic, question, &limited, progress) {
        Ok(FiniteOutcome::Unknown(FiniteReason::Interrupted, coverage))
            if meter.is_overdrawn() && !budget.stop.is_set() =>
        {
            Ok(Turn::Unfinished(coverage))
        }
        Ok(FiniteOutcome::Unknown(FiniteReason::MaxMemory(_), _)) => Ok(Turn::Unsuitable),
        Ok(outcome) => Ok(Turn::Answered(outcome)),
        Err(error) => Err(error),
    }
}
