//! What the solvers are trusted with: their answers against our own evaluation, and what happens
//! when they have none.

mod answers;
mod formulas;
mod second;
mod split;
mod texts;
mod toy;

use std::time::Duration;

use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use rmlcut::budget::Budget;
use rmlcut::logic::{VariableAssignment, evaluate_formula};
use rmlcut::smt::z3::{ModelSize, Z3};
use rmlcut::smt::{Discharge, Prover, Query, Standing};

use toy::{Names, Toy, ToyFormula};

pub(crate) const Z3_ANY: Z3 = Z3 { models: ModelSize::Any };
pub(crate) const Z3_SMALL: Z3 = Z3 { models: ModelSize::Small };

/// What the prover says about `hypotheses ⊢ goal`.
pub(crate) fn ask(prover: Z3, hypotheses: &[ToyFormula], goal: &ToyFormula) -> Discharge<Toy> {
    let query = query(hypotheses, goal);
    prover.discharge(&query, &budget()).expect("the query is well-sorted")
}

pub(crate) fn query(hypotheses: &[ToyFormula], goal: &ToyFormula) -> Query<'static, Toy> {
    Query {
        declarations: &Names,
        hypotheses: hypotheses.to_vec(),
        goal: goal.clone(),
        observed: Vec::new(),
    }
}

/// The same, without much patience.
pub(crate) fn ask_briefly(hypotheses: &[ToyFormula], goal: &ToyFormula) -> Discharge<Toy> {
    let brief = Budget { resources: Some(100_000), ..budget() };
    Z3_ANY.discharge(&query(hypotheses, goal), &brief).expect("the query is well-sorted")
}

pub(crate) fn budget() -> Budget {
    Budget::of_time(Duration::from_secs(10))
}

fn cases(cases: u32) -> ProptestConfig {
    ProptestConfig {
        cases,
        rng_seed: RngSeed::Fixed(20_251_116),
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

proptest! {
    #![proptest_config(cases(400))]

    /// In a structure that is pinned down completely, Z3 and our evaluation agree on every formula.
    #[test]
    fn z3_agrees_with_evaluation(structure in toy::structures(), formula in formulas::formulas()) {
        let truth = evaluate_formula(&structure, &VariableAssignment::new(), &formula)
            .expect("closed, and no quantifier over the integers");
        let (yes, no) =
            if truth { (formula.clone(), formula.negate()) } else { (formula.negate(), formula) };
        let diagram = toy::diagram(&structure);
        prop_assert_eq!(ask(Z3_ANY, &diagram, &yes), Discharge::Valid);
        let refuted = ask(Z3_ANY, &diagram, &no);
        let model = refuted.counter_model();
        prop_assert_eq!(model.map(|model| &model.standing), Some(&Standing::Evaluated));
    }

    /// Nothing that Z3 calls valid is false anywhere.
    #[test]
    fn valid_formulas_hold_everywhere(
        hypothesis in formulas::formulas(),
        goal in formulas::formulas(),
        structures in prop::collection::vec(toy::structures(), 20),
    ) {
        if ask_briefly(std::slice::from_ref(&hypothesis), &goal).is_valid() {
            for structure in structures {
                let holds = |formula| evaluate_formula(&structure, &VariableAssignment::new(), formula);
                prop_assert!(holds(&hypothesis) == Ok(false) || holds(&goal) == Ok(true));
            }
        }
    }
}
