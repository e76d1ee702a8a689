//! How many elements of each sort a violation names, and where it needs others.

use crate::protocol::{Protocol, Signature, Sort, SortId};

use super::atom::{AtomEntry, AtomValue, Violator};
use super::backward::Relevance;
use super::violation::NegatedProperty;

/// What a violation needs of one sort.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SortNeed {
    /// The sort.
    pub sort: SortId,
    /// The violators of that sort.
    pub violators: Vec<Violator>,
    /// Whether elements beyond the violators take part: `*` stands at this sort in `S` or `A`.
    pub others: bool,
}

/// What a violation needs of every declared sort, in order; an enumeration has its elements anyway.
///
/// The paper's cutoff instance has one element for each violator (§5.3).
pub fn sort_needs(
    protocol: &Protocol,
    violation: &NegatedProperty,
    relevance: &Relevance,
) -> Vec<SortNeed> {
    let starred = starred(protocol, relevance);
    let need = |sort: SortId| {
        let named = violation.violators.iter().enumerate();
        let own = named.filter(|(_, var)| var.sort == Sort::Declared(sort));
        let violators = own.map(|(index, _)| Violator(index)).collect();
        SortNeed { sort, violators, others: starred.contains(&Sort::Declared(sort)) }
    };
    protocol.signature.sized_sorts().map(need).collect()
}

/// The sorts of every `*` in `S` and `A`.
fn starred(protocol: &Protocol, relevance: &Relevance) -> Vec<Sort> {
    let signature: &Signature = &protocol.signature;
    let mut sorts = Vec::new();
    for clause in relevance.state() {
        let symbol = signature.symbol(clause.symbol);
        sorts.extend(stars(&clause.args, symbol.params.iter().copied()));
        sorts.extend(symbol.result.filter(|_| clause.output == AtomValue::Any));
    }
    for invocation in relevance.actions() {
        let params = &protocol.actions[invocation.action].params;
        sorts.extend(stars(&invocation.args, params.iter().map(|param| param.sort)));
    }
    sorts
}

fn stars(
    entries: &[AtomEntry<Violator>],
    sorts: impl Iterator<Item = Sort>,
) -> impl Iterator<Item = Sort> {
    entries.iter().zip(sorts).filter(|(entry, _)| **entry == AtomEntry::Any).map(|(_, sort)| sort)
}
