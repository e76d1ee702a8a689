//! Obligations put to a prover, all at once.

use crate::certificate::{Obligation, TwoSystems};
use crate::smt::{Discharge, ProverError, Query, UnknownReason, discharge_all};

use super::JudgeConfig;

/// An obligation and its answer.
#[derive(Clone, Debug)]
pub struct Judged {
    /// The obligation.
    pub obligation: Obligation,
    /// The answer.
    pub discharge: Discharge<TwoSystems>,
}

impl Judged {
    /// Whether it was proved.
    pub fn is_valid(&self) -> bool {
        self.discharge.is_valid()
    }

    /// Whether it was not put to the prover.
    pub fn is_unchecked(&self) -> bool {
        matches!(self.discharge, Discharge::Unknown(UnknownReason::NotAsked))
    }
}

/// Discharges the obligations that are wanted, the answers in the order of the obligations.
///
/// # Errors
/// When the prover cannot be run.
pub fn judge_obligations(
    obligations: Vec<Obligation>,
    config: &JudgeConfig<'_>,
) -> Result<Vec<Judged>, ProverError> {
    let wanted: Vec<bool> =
        obligations.iter().map(|obligation| (config.wanted)(&obligation.title())).collect();
    let chosen = obligations.iter().zip(&wanted).filter(|(_, wanted)| **wanted);
    let queries: Vec<Query<'_, TwoSystems>> =
        chosen.map(|(obligation, _)| query(obligation)).collect();
    let mut answers = discharge_all(config.prover, &queries, &config.budget)?.into_iter();
    drop(queries);
    let judged = obligations.into_iter().zip(wanted).map(|(obligation, wanted)| {
        let discharge = if wanted {
            answers.next().expect("one answer to each query")
        } else {
            Discharge::Unknown(UnknownReason::NotAsked)
        };
        Judged { obligation, discharge }
    });
    Ok(judged.collect())
}

/// An obligation as a question.
pub fn query(obligation: &Obligation) -> Query<'_, TwoSystems> {
    let hypotheses = obligation.hypotheses.iter();
    Query {
        declarations: &*obligation.names,
        hypotheses: hypotheses.map(|hypothesis| hypothesis.formula.clone()).collect(),
        goal: obligation.goal.clone(),
        observed: Vec::new(),
    }
}
