//! Two solvers for the same question: a proof counts when those that must agree do.

use super::cvc5::{Cvc5, Opinion};
use super::smtlib::ScriptStatus;
use super::z3::Z3;
use super::{Discharge, Prover, ProverError, Query, UnknownReason, smtlib};
use crate::budget::Budget;
use crate::logic::Vocabulary;

/// Whose proof is needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AgreementNeed {
    /// That of cvc5; Z3 only shows counter-models.
    Second,
    /// That of both.
    Both,
}

/// Z3 and cvc5 together.
#[derive(Clone, Debug)]
pub struct Agreement<'a> {
    /// Whose proof is needed.
    pub need: AgreementNeed,
    /// The first solver, which has counter-models.
    pub first: Z3,
    /// The second solver, which has none.
    pub second: &'a Cvc5,
}

impl<V: Vocabulary> Prover<V> for Agreement<'_> {
    fn discharge_group(
        &self,
        queries: &[Query<'_, V>],
        budget: &Budget,
    ) -> Result<Vec<Discharge<V>>, ProverError> {
        match self.need {
            AgreementNeed::Both => {
                let first = self.first.ask(queries, budget)?;
                let both = first.into_iter().zip(queries);
                both.map(|(first, query)| Ok(combine(first, self.ask(query, budget)?))).collect()
            }
            AgreementNeed::Second => {
                queries.iter().map(|query| self.second_first(query, budget)).collect()
            }
        }
    }
}

impl Agreement<'_> {
    fn ask<V: Vocabulary>(
        &self,
        query: &Query<'_, V>,
        budget: &Budget,
    ) -> Result<Opinion, ProverError> {
        let script = smtlib::script(query, ScriptStatus::Unknown)?;
        Ok(self.second.ask(&script, budget)?)
    }

    /// The second solver decides; the first is only asked for the counter-model.
    fn second_first<V: Vocabulary>(
        &self,
        query: &Query<'_, V>,
        budget: &Budget,
    ) -> Result<Discharge<V>, ProverError> {
        Ok(match self.ask(query, budget)? {
            Opinion::Unsat => Discharge::Valid,
            Opinion::Unknown(reason) => Discharge::Unknown(reason),
            Opinion::Sat => match self.first.discharge(query, budget)? {
                Discharge::Unknown(_) => {
                    let why = "cvc5 refutes the goal and shows no model".to_owned();
                    Discharge::Unknown(UnknownReason::Unreadable(why))
                }
                decided => combine(decided, Opinion::Sat),
            },
        })
    }
}

/// Combines two answers: a proof only if both are one.
fn combine<V: Vocabulary>(first: Discharge<V>, second: Opinion) -> Discharge<V> {
    let disagreement = |who: &str| Discharge::Unknown(UnknownReason::Disagreement(who.to_owned()));
    let unconfirmed = |who: String| Discharge::Unknown(UnknownReason::Unconfirmed(who));
    match (first, second) {
        (Discharge::Valid, Opinion::Unsat) => Discharge::Valid,
        (Discharge::Valid, Opinion::Sat) => disagreement("Z3 proves it, cvc5 refutes it"),
        (Discharge::Valid, Opinion::Unknown(reason)) => {
            unconfirmed(format!("Z3 proves it, cvc5 does not: {reason}"))
        }
        (Discharge::Refuted(_), Opinion::Unsat) => disagreement("Z3 refutes it, cvc5 proves it"),
        (refuted @ Discharge::Refuted(_), Opinion::Sat | Opinion::Unknown(_)) => refuted,
        (Discharge::Unknown(reason), Opinion::Unsat) => {
            unconfirmed(format!("cvc5 proves it, Z3 does not: {reason}"))
        }
        (unknown @ Discharge::Unknown(_), Opinion::Sat | Opinion::Unknown(_)) => unknown,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::logic::{Structure, VariableAssignment};
    use crate::protocol::OneState;
    use crate::smt::{CounterModel, Standing};

    fn refuted() -> Discharge<OneState> {
        let structure = Structure::new(std::collections::BTreeMap::new());
        let assignment = VariableAssignment::new();
        let standing = Standing::Evaluated;
        Discharge::Refuted(Box::new(CounterModel { structure, assignment, standing }))
    }

    #[test]
    fn only_two_proofs_are_a_proof() {
        let unsure = || Opinion::Unknown(UnknownReason::Timeout);
        assert_eq!(combine::<OneState>(Discharge::Valid, Opinion::Unsat), Discharge::Valid);
        for (first, second) in [
            (Discharge::Valid, Opinion::Sat),
            (Discharge::Valid, unsure()),
            (refuted(), Opinion::Unsat),
            (Discharge::Unknown(UnknownReason::Timeout), Opinion::Unsat),
            (Discharge::Unknown(UnknownReason::Timeout), Opinion::Sat),
        ] {
            assert!(matches!(combine(first, second), Discharge::Unknown(_)));
        }
        assert_eq!(combine(refuted(), Opinion::Sat), refuted());
        assert_eq!(combine(refuted(), unsure()), refuted());
    }

    #[test]
    fn a_contradiction_is_called_one() {
        for (first, second) in [(Discharge::Valid, Opinion::Sat), (refuted(), Opinion::Unsat)] {
            let Discharge::Unknown(reason) = combine(first, second) else { unreachable!() };
            assert!(matches!(reason, UnknownReason::Disagreement(_)), "{reason}");
        }
    }
}
