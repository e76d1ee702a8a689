//! Whether the protocol has runs at all: without an initial state everything holds.

use crate::certificate::{
    Invariant, InvariantSystem, StateClause, TwoSystems, invariant_obligations,
};
use crate::finite::{FiniteOutcome, Question, check_with_any};
use crate::logic::Formula;
use crate::protocol::{Protocol, StateFormula};
use crate::smt::{Discharge, ProverError};
use crate::source::Span;

use super::{JudgeConfig, JudgeError, query};

/// Whether some instance has an initial state: without one everything holds vacuously.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum InitialState {
    /// One was seen.
    Seen,
    /// There is none, at any size.
    Impossible,
    /// None was found, and it is not proved that there is none.
    Unknown,
}

/// Sizes at which an initial state is looked for where the prover does not know: so many elements
/// of every sort.
const SMALL: std::ops::RangeInclusive<u32> = 1..=3;

/// Looks for an initial state of some instance.
pub(super) fn start(user: &Protocol, config: &JudgeConfig<'_>) -> Result<InitialState, JudgeError> {
    Ok(match initially(user, Formula::truth(false), config)? {
        Discharge::Valid => InitialState::Impossible,
        Discharge::Refuted(_) => InitialState::Seen,
        Discharge::Unknown(_) => match SMALL.clone().any(|count| starts_at(user, count, config)) {
            true => InitialState::Seen,
            false => InitialState::Unknown,
        },
    })
}

/// Whether an instance with so many elements of every sort has an initial state.
fn starts_at(user: &Protocol, count: u32, config: &JudgeConfig<'_>) -> bool {
    let Some(finite) = config.finite.as_ref().filter(|_| !user.signature.uses_int()) else {
        return false;
    };
    let size = user.sizes(|_| count);
    let question =
        Question { claims: Vec::new(), actions: Vec::new(), ..Question::new(user, size) };
    let budget = finite.budget.one_question();
    let found = check_with_any(&question, &budget, finite.progress);
    matches!(found, Ok((_, FiniteOutcome::Safe(_))))
}

/// Whether a formula follows from the axioms and the initial condition.
pub(super) fn initially(
    user: &Protocol,
    formula: StateFormula,
    config: &JudgeConfig<'_>,
) -> Result<Discharge<TwoSystems>, ProverError> {
    let clause = StateClause { name: "initially".into(), formula, span: Span::default() };
    let system = InvariantSystem::of_protocol(user, &[]);
    let obligations = invariant_obligations(system, &Invariant { clauses: vec![clause] });
    // Without actions there is one initiation and what follows from the clause.
    let initiation = obligations.first().expect("every clause has an initiation");
    config.prover.discharge(&query(initiation), &config.budget)
}
