//! An invariant from clauses that another method has found: what is inductive of them, if that is
//! enough.

use crate::budget::Budget;
use crate::certificate::{Invariant, InvariantSystem};
use crate::protocol::StateFormula;
use crate::smt::z3::isolated;
use crate::smt::{IllSorted, ProverError};

use super::candidate_clauses::CandidateClauses;
use super::goals::goals;
use super::induction::{InductionAnswer, frame};

/// What is inductive of given clauses.
#[derive(Clone, Debug)]
pub struct GivenProof {
    /// The clauses that the properties need.
    pub invariant: Invariant,
    /// Whether all given clauses are inductive together with the properties, needed or not.
    pub all_hold: bool,
}

/// The clauses that are needed to prove all properties of the system, if these clauses prove them.
///
/// # Errors
/// When the system is ill-sorted, or the solver cannot be used.
pub fn invariant_of(
    system: InvariantSystem<'_>,
    given: &[StateFormula],
    budget: &Budget,
) -> Result<Option<GivenProof>, ProverError> {
    let frame = frame(system);
    let found = isolated(&budget.stop, || {
        Ok::<_, IllSorted>(match CandidateClauses::new(system, &frame, budget)? {
            Err(_) => None,
            Ok(clauses) => proved(system, clauses, given, budget)?,
        })
    })??;
    Ok(found)
}

fn proved(
    system: InvariantSystem<'_>,
    mut clauses: CandidateClauses<'_>,
    given: &[StateFormula],
    budget: &Budget,
) -> Result<Option<GivenProof>, IllSorted> {
    let mut properties = Vec::new();
    for (name, formula) in goals(system) {
        properties.push(clauses.state(&formula, Some(name))?);
    }
    for formula in given {
        if !clauses.entries.iter().any(|entry| entry.formula == *formula) {
            clauses.state(formula, None)?;
        }
    }
    for clause in clauses.alive() {
        if !matches!(clauses.induction.initially(clause)?, InductionAnswer::Valid(_)) {
            clauses.drop_clause(clause);
        }
    }
    clauses.keep_inductive(&budget.stop)?;
    if !properties.iter().all(|property| clauses.entries[*property].alive) {
        return Ok(None);
    }
    let all_hold = clauses.entries.iter().all(|entry| entry.alive);
    clauses.minimise(&budget.stop.share(1, 2))?;
    Ok(Some(GivenProof { invariant: clauses.invariant(), all_hold }))
}
