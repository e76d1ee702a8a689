//! What the parts of a certificate speak of: which systems, and which sorts variables range over.

use std::collections::BTreeSet;

use crate::logic::{Node, bound_sorts, symbols};
use crate::protocol::Protocol;

use super::{Case, ProductDefinition, ProductFormula, ProductSort, ProductSymbol, TwoSystems};

/// Whether a formula says nothing of `C`, not even of its elements: *cover* is about all cases at
/// once, and none of their cutoff instances exists there.
pub fn is_about_large(formula: &ProductFormula) -> bool {
    let mut symbols = formula.symbols().into_iter();
    symbols.all(|symbol| match symbol {
        ProductSymbol::Large(_)
        | ProductSymbol::LargePost(_)
        | ProductSymbol::LargeChoice(_)
        | ProductSymbol::Param(_) => true,
        ProductSymbol::Cutoff(_)
        | ProductSymbol::CutoffChoice(_)
        | ProductSymbol::Element(..)
        | ProductSymbol::Sim(_) => false,
    }) && !mentions_cut_sort(formula)
}

/// Whether a variable or a term is an element of a cut sort of `C`.
fn mentions_cut_sort(formula: &ProductFormula) -> bool {
    let is_cut = |sort: ProductSort| matches!(sort, ProductSort::Cutoff(_));
    let mut found = bound_sorts(Node::Formula(formula)).into_iter().any(is_cut);
    Node::Formula(formula).visit(&mut |node| {
        if let Node::Term(term) = node {
            found |= is_cut(term.sort());
        }
    });
    found
}

/// Whether variables range over sorts of `L`, ℤ, and the sorts that the case cuts.
pub(super) fn may_bind(large: &Protocol, case: &Case, node: Node<'_, TwoSystems>) -> bool {
    let sorts = large.signature.sorts().count();
    bound_sorts(node).into_iter().all(|sort| match sort {
        ProductSort::Large(id) => (id.0 as usize) < sorts,
        ProductSort::Cutoff(id) => case.cut.iter().any(|cut| cut.sort == id),
        ProductSort::Int => true,
    })
}

/// Every symbol in the body of a definition.
pub(super) fn definition_symbols(definition: &ProductDefinition) -> BTreeSet<ProductSymbol> {
    symbols(definition.body.node())
}
