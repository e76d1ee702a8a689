//! Step formulas that speak of the state before only, as one-state formulas.

use std::collections::BTreeMap;

use crate::logic::{Formula, Term, Translation, translate_formula};
use crate::protocol::{
    OneState, Sort, StateFormula, StateTerm, StepFormula, StepSymbol, SymbolId, TwoStates,
};

/// The same formula about one state; `None` if it mentions a choice or the state after.
pub(crate) fn one_state(formula: &StepFormula) -> Option<StateFormula> {
    let before = formula.symbols().into_iter().all(|symbol| matches!(symbol, StepSymbol::Pre(_)));
    before.then(|| translate_formula(formula, BTreeMap::new(), BeforeStep))
}

struct BeforeStep;

impl Translation<TwoStates, OneState> for BeforeStep {
    fn sort(&self, sort: Sort) -> Sort {
        sort
    }

    fn apply(&self, symbol: StepSymbol, args: Vec<StateTerm>, sort: Sort) -> StateTerm {
        Term::apply(before(symbol), args, sort)
    }

    fn holds(&self, symbol: StepSymbol, args: Vec<StateTerm>) -> StateFormula {
        Formula::holds(before(symbol), args)
    }
}

fn before(symbol: StepSymbol) -> SymbolId {
    match symbol {
        StepSymbol::Pre(id) | StepSymbol::Post(id) => id,
        StepSymbol::Choice(_) => unreachable!("choices were excluded"),
    }
}
