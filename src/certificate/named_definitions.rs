//! The definitions of a protocol, read in a state of `L` or of `C`.

use std::collections::BTreeMap;

use crate::logic::{Formula, Term, Translation, Var, translate_formula};
use crate::protocol::{NamedDefinition, OneState, Rigidity, Sort, StateFormula, SymbolId};

use super::product::large_sort;
use super::{
    ProductFormula, ProductNames, ProductSort, ProductSymbol, ProductTerm, ProductVar, TwoSystems,
    read_in_cutoff, read_in_large,
};

/// A state of one of the two systems.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SystemState {
    /// Of `L`, before the step.
    Large,
    /// Of `L`, after the step.
    LargePost,
    /// Of `C`.
    Cutoff,
}

impl ProductNames {
    /// The parameters and the body of a definition, read in a state of one system.
    pub fn definition_in(
        &self,
        state: SystemState,
        definition: &NamedDefinition,
    ) -> (Vec<ProductVar>, ProductFormula) {
        let body = &definition.body;
        let body = match state {
            SystemState::Large => read_in_large(body, BTreeMap::new()),
            SystemState::LargePost => self.read_after(body),
            SystemState::Cutoff => read_in_cutoff(self, body, BTreeMap::new()),
        };
        let sort = |sort: Sort| match state {
            SystemState::Large | SystemState::LargePost => large_sort(sort),
            SystemState::Cutoff => self.cutoff_sort(sort),
        };
        let params = definition.params.iter();
        (params.map(|param| Var::new(param.name.clone(), sort(param.sort))).collect(), body)
    }

    fn read_after(&self, formula: &StateFormula) -> ProductFormula {
        translate_formula(formula, BTreeMap::new(), AfterStep { names: self })
    }
}

/// Reads a one-state formula in `L` after the step.
struct AfterStep<'a> {
    names: &'a ProductNames,
}

impl AfterStep<'_> {
    fn symbol(&self, symbol: SymbolId) -> ProductSymbol {
        match self.names.signature.symbol(symbol).rigidity {
            Rigidity::Mutable => ProductSymbol::LargePost(symbol),
            Rigidity::Rigid => ProductSymbol::Large(symbol),
        }
    }
}

impl Translation<OneState, TwoSystems> for AfterStep<'_> {
    fn sort(&self, sort: Sort) -> ProductSort {
        large_sort(sort)
    }

    fn apply(&self, symbol: SymbolId, args: Vec<ProductTerm>, sort: ProductSort) -> ProductTerm {
        Term::apply(self.symbol(symbol), args, sort)
    }

    fn holds(&self, symbol: SymbolId, args: Vec<ProductTerm>) -> ProductFormula {
        Formula::holds(self.symbol(symbol), args)
    }
}
