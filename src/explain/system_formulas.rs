//! One-state formulas read in `L` or in `C`, their symbols as they are.

use std::collections::BTreeMap;

use crate::certificate::{
    ProductFormula, ProductNames, element, element_var, read_in_cutoff, read_in_large,
    statement_name,
};
use crate::protocol::{StateFormula, Statement};

/// A formula about `L`.
pub(super) fn in_large(formula: &StateFormula) -> ProductFormula {
    read_in_large(formula, BTreeMap::new())
}

/// A formula about `C`, or about the one system there is; elements go by their names.
pub(super) fn in_cutoff(names: &ProductNames, formula: &StateFormula) -> ProductFormula {
    let elements = names.cut.iter().flat_map(|cut| {
        (0..cut.elements.len()).map(|index| (element_var(cut, index), element(cut.sort, index)))
    });
    read_in_cutoff(names, formula, elements.collect())
}

/// The formula of a statement, by its label or its number.
pub(super) fn statement<'a>(all: &'a [Statement], name: &str) -> Option<&'a StateFormula> {
    let mut numbered = all.iter().enumerate();
    let found = numbered.find(|(index, own)| *statement_name(own.label.as_ref(), *index) == *name);
    found.map(|(_, statement)| &statement.formula)
}
