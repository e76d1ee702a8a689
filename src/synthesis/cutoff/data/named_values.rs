//! Which values of a violation have an element of `C` to themselves.

use std::collections::BTreeMap;

use crate::certificate::{
    Param, ProductFormula, ProductSort, ProductSymbol, ProductTerm, large_sort, read_in_large,
};
use crate::logic::{Formula, Node, Term, TermKind};
use crate::protocol::{Protocol, Rigidity, Sort, SortId};

use crate::synthesis::cutoff::plan::maps::{Others, SortMap, names};
use crate::synthesis::cutoff::plan::violator_shapes::{ViolatorShape, fresh};

/// One choice of the values that are named.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct NamedValues {
    /// The violation, with a parameter for each value.
    pub(super) shape: ViolatorShape,
    /// How the values become elements of `C`.
    pub(super) maps: Vec<SortMap>,
    /// What is named, as a term about the state of `L`, and its name.
    pub(super) named: Vec<(ProductTerm, ProductTerm)>,
}

/// Every choice worth trying, those with few names first.
///
/// A property that compares two values is violated if they differ: one of them needs a name. What
/// the property does not mention may matter before it is violated.
pub(super) fn ways_to_name(
    protocol: &Protocol,
    shape: &ViolatorShape,
    sorts: &[SortId],
) -> Vec<NamedValues> {
    let options: Vec<Vec<Vec<ProductTerm>>> =
        sorts.iter().map(|sort| options(protocol, shape, *sort)).collect();
    let most = options.iter().map(Vec::len).max().unwrap_or(0);
    let mut ways: Vec<NamedValues> = Vec::new();
    for index in 0..most {
        let chosen = options.iter().map(|own| own[index.min(own.len() - 1)].clone());
        let way = name_values(protocol, shape, sorts.iter().copied().zip(chosen));
        if !ways.contains(&way) {
            ways.push(way);
        }
    }
    ways
}

/// The terms of one sort that may be named together: all that the property compares but one, all,
/// none, then what it does not mention.
fn options(protocol: &Protocol, shape: &ViolatorShape, sort: SortId) -> Vec<Vec<ProductTerm>> {
    let compared = compared(protocol, shape, sort);
    let other: Vec<ProductTerm> = at_violators(protocol, shape, sort)
        .into_iter()
        .filter(|term| !compared.contains(term))
        .collect();
    let mut all = Vec::new();
    if let Some((_, init)) = compared.split_last() {
        all.push(init.to_vec());
    }
    all.push(compared.clone());
    all.push(Vec::new());
    all.extend(other.iter().map(|term| vec![term.clone()]));
    all.push(compared.into_iter().chain(other).collect());
    let mut distinct: Vec<Vec<ProductTerm>> = Vec::new();
    for option in all {
        if !distinct.contains(&option) {
            distinct.push(option);
        }
    }
    distinct
}

/// The terms of a sort in the property, about the violators.
fn compared(protocol: &Protocol, shape: &ViolatorShape, sort: SortId) -> Vec<ProductTerm> {
    let property = &protocol.properties[shape.property];
    let violators = shape.violators.iter().map(|param| shape.param(*param));
    let bindings: BTreeMap<_, _> = property.vars.iter().cloned().zip(violators).collect();
    let matrix: ProductFormula = read_in_large(&property.matrix, bindings);
    let mut found: Vec<ProductTerm> = Vec::new();
    Node::Formula(&matrix).visit(&mut |node| {
        if let Node::Term(term) = node
            && term.sort() == ProductSort::Large(sort)
            && matches!(term.kind(), TermKind::Apply(..))
            && term.free_vars().is_empty()
            && !found.contains(term)
        {
            found.push(term.clone());
        }
    });
    found
}

/// The values that functions have at violators.
fn at_violators(protocol: &Protocol, shape: &ViolatorShape, sort: SortId) -> Vec<ProductTerm> {
    let own = Sort::Declared(sort);
    let stores = protocol.signature.mutable().filter(|(_, symbol)| symbol.result == Some(own));
    let mut found = Vec::new();
    for (id, symbol) in stores {
        let at = |args| Term::apply(ProductSymbol::Large(id), args, large_sort(own));
        match symbol.params.as_slice() {
            [] => found.push(at(Vec::new())),
            [param] => {
                found.extend(shape.of_sort(*param).into_iter().map(|violator| at(vec![violator])));
            }
            _ => {}
        }
    }
    found
}

/// The shape and the maps in which terms are named.
fn name_values(
    protocol: &Protocol,
    open: &ViolatorShape,
    sorts: impl Iterator<Item = (SortId, Vec<ProductTerm>)>,
) -> NamedValues {
    let (mut shape, mut maps, mut named) = (open.clone(), Vec::new(), Vec::new());
    let mut selected = Vec::new();
    for (sort, terms) in sorts {
        let mut kept = Vec::new();
        for term in terms {
            if is_fixed(protocol, &term) {
                kept.push(term);
                continue;
            }
            let name = fresh(protocol, &shape, &[], protocol.signature.sort_name(sort));
            shape.params.push(Param { name, sort: Sort::Declared(sort) });
            let value = shape.param(shape.params.len() - 1);
            selected.push(Formula::equal(term.clone(), value.clone()));
            named.push((term, value.clone()));
            kept.push(value);
        }
        maps.push((sort, kept));
    }
    shape.select = Formula::and([open.select.clone()].into_iter().chain(selected));
    let maps = maps.into_iter().map(|(sort, kept)| {
        let elements = names(protocol, &shape, sort, kept.len() + 1);
        let (rest, others) = (kept.len(), Others::Merged);
        SortMap { sort, kept, elements, rest, others, arcs: None }
    });
    NamedValues { maps: maps.collect(), shape, named }
}

/// Whether a term never changes: a violator, or a constant.
fn is_fixed(protocol: &Protocol, term: &ProductTerm) -> bool {
    term.symbols().into_iter().all(|symbol| match symbol {
        ProductSymbol::Param(_) => true,
        ProductSymbol::Large(id) => protocol.signature.symbol(id).rigidity == Rigidity::Rigid,
        _ => false,
    })
}
