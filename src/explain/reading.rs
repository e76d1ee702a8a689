//! One-state formulas read in `L` or in `C`, their symbols as they are.

use crate::certificate::{
    CutSort, ProductFormula, ProductNames, ProductSort, ProductSymbol, ProductTerm, TwoSystems,
    element_var, large_sort,
};
use crate::logic::{Formula, Term, Translation, translate_formula};
use crate::protocol::{OneState, Sort, StateFormula, Statement, SymbolId};

/// A formula about `L`.
pub(super) fn in_large(formula: &StateFormula) -> ProductFormula {
    translate_formula(formula, std::collections::BTreeMap::new(), AsLarge)
}

/// A formula about `C`, or about the one system there is; elements go by their names.
pub(super) fn in_cutoff(names: &ProductNames, formula: &StateFormula) -> ProductFormula {
    let elements = names.cut.iter().flat_map(|cut: &CutSort| {
        (0..cut.elements.len()).map(|index| {
            let symbol =
                ProductSymbol::Element(cut.sort, u32::try_from(index).expect("few elements"));
            let term = Term::apply(symbol, Vec::new(), ProductSort::Cutoff(cut.sort));
            (element_var(cut, index), term)
        })
    });
    translate_formula(formula, elements.collect(), AsCutoff(names))
}

/// The formula of a statement, by its label or its number.
pub(super) fn statement<'a>(all: &'a [Statement], name: &str) -> Option<&'a StateFormula> {
    let found = all.iter().enumerate().find(|(index, statement)| match &statement.label {
        Some(label) => **label == *name,
        None => (index + 1).to_string() == name,
    });
    found.map(|(_, statement)| &statement.formula)
}

/// Reads a one-state formula in `L`.
struct AsLarge;

impl Translation<OneState, TwoSystems> for AsLarge {
    fn sort(&self, sort: Sort) -> ProductSort {
        large_sort(sort)
    }

    fn apply(&self, symbol: SymbolId, args: Vec<ProductTerm>, sort: ProductSort) -> ProductTerm {
        Term::apply(ProductSymbol::Large(symbol), args, sort)
    }

    fn holds(&self, symbol: SymbolId, args: Vec<ProductTerm>) -> ProductFormula {
        Formula::holds(ProductSymbol::Large(symbol), args)
    }
}

/// Reads a one-state formula in `C`.
struct AsCutoff<'a>(&'a ProductNames);

impl Translation<OneState, TwoSystems> for AsCutoff<'_> {
    fn sort(&self, sort: Sort) -> ProductSort {
        self.0.cutoff_sort(sort)
    }

    fn apply(&self, symbol: SymbolId, args: Vec<ProductTerm>, sort: ProductSort) -> ProductTerm {
        Term::apply(ProductSymbol::Cutoff(symbol), args, sort)
    }

    fn holds(&self, symbol: SymbolId, args: Vec<ProductTerm>) -> ProductFormula {
        Formula::holds(ProductSymbol::Cutoff(symbol), args)
    }
}
