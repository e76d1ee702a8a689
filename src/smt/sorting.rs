//! Checks that a formula respects the declared ranks, before a solver sees it.
//!
//! Elaboration already guarantees this for everything a user writes; here it guards against errors
//! in the program, which the solver would answer with an abrupt end or, worse, a silent conversion.

use thiserror::Error;

use crate::logic::{
    Declarations, Formula, Node, Vocabulary, ill_sorted_part, print_formula, print_term,
};

/// A term or formula that is not well-sorted.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("ill-sorted query: `{0}`")]
pub struct IllSorted(String);

/// Refuses a formula with an ill-sorted part.
pub(super) fn check<V: Vocabulary>(
    declarations: &dyn Declarations<V>,
    formula: &Formula<V>,
) -> Result<(), IllSorted> {
    match ill_sorted_part(declarations, Node::Formula(formula)) {
        None => Ok(()),
        Some(Node::Term(term)) => Err(IllSorted(print_term(declarations, term))),
        Some(Node::Formula(formula)) => Err(IllSorted(print_formula(declarations, formula))),
    }
}
