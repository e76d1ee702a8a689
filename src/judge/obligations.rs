//! Obligations put to a prover, all at once.

use crate::certificate::{Obligation, ProductSymbol, TwoSystems};
use crate::protocol::Rigidity;
use crate::smt::{Discharge, ProverError, Query, discharge_all};

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
}

/// Discharges obligations, the answers in the order of the obligations.
///
/// # Errors
/// When the prover cannot be asked at all.
pub fn judge_obligations(
    obligations: Vec<Obligation>,
    config: &JudgeConfig<'_>,
) -> Result<Vec<Judged>, ProverError> {
    let queries: Vec<Query<'_, TwoSystems>> = obligations.iter().map(query).collect();
    let answers = discharge_all(config.prover, &queries, &config.budget)?;
    drop(queries);
    let judged = obligations.into_iter().zip(answers);
    Ok(judged.map(|(obligation, discharge)| Judged { obligation, discharge }).collect())
}

/// An obligation as a question; a counter-model shows both states whole.
pub(super) fn query(obligation: &Obligation) -> Query<'_, TwoSystems> {
    let mutable = obligation.names.signature.symbols().filter(|(_, symbol)| {
        symbol.rigidity == Rigidity::Mutable
    });
    let mentioned = obligation.goal.symbols();
    let both = mutable.flat_map(|(id, _)| [ProductSymbol::Large(id), ProductSymbol::Cutoff(id)]);
    let hypotheses: Vec<_> =
        obligation.hypotheses.iter().map(|hypothesis| hypothesis.formula.clone()).collect();
    let known = |symbol: &ProductSymbol| {
        mentioned.contains(symbol)
            || hypotheses.iter().any(|hypothesis| hypothesis.symbols().contains(symbol))
    };
    let observed = both.filter(known).collect();
    Query { declarations: &*obligation.names, hypotheses, goal: obligation.goal.clone(), observed }
}
