//! States in which a run can begin.

use crate::budget::{Budget, Stop};
use crate::finite::{EngineError, Question, Slicing, Symmetry, Walks, sample, walk};
use crate::logic::{VariableAssignment, evaluate_formula};
use crate::protocol::{Protocol, Size, State};

/// So many states are looked at for initial ones.
const LOOKED_AT: u64 = 200;

/// Random runs that begin where there are too many initial states to list.
const WALKS: Walks = Walks { runs: 16, steps: 1 };

/// Initial states of instances of a size, as many as are easily found.
///
/// # Errors
/// When the size is wrong or too large.
pub fn initial_states(
    protocol: &Protocol,
    size: &Size,
    window: Option<(i64, i64)>,
    stop: &Stop,
) -> Result<Vec<State>, EngineError> {
    let question = Question {
        window,
        symmetry: Symmetry::Reduced,
        slicing: Slicing::Whole,
        ..Question::new(protocol, size.clone())
    };
    let budget = Budget { max_states: LOOKED_AT, ..Budget::until(stop.clone()) };
    let found = match sample(&question, &budget) {
        Ok(found) => found.reachable,
        Err(EngineError::TooManyInitialStates { .. } | EngineError::TooManyChoices(_)) => {
            walk(&question, WALKS, &budget)?
        }
        Err(error) => return Err(error),
    };
    let initial = protocol.initial();
    let is_initial =
        |state: &State| evaluate_formula(state, &VariableAssignment::new(), &initial) == Ok(true);
    let states = found.instances.iter().flat_map(|instance| instance.states());
    Ok(states.filter(is_initial).collect())
}
