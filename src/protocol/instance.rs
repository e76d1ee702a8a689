//! Instances of a protocol: sizes, and states as finite structures.

use std::collections::BTreeMap;

use crate::logic::{Extent, Structure, Table, Value};

use super::{OneState, Signature, Sort, SortId, Symbol};

/// A number of elements for every declared sort, but the enumerations: theirs is fixed.
pub type Size = BTreeMap<SortId, u32>;

/// A size with every number of elements from 1 to the largest one of each of some sorts, the last
/// sort growing fastest.
pub fn sizes_up_to(size: Size, largest: impl IntoIterator<Item = (SortId, u32)>) -> Vec<Size> {
    largest.into_iter().fold(vec![size], |all, (sort, most)| {
        let grown = |size: &Size, count| {
            size.iter().map(|(own, n)| (*own, *n)).chain([(sort, count)]).collect()
        };
        all.iter().flat_map(|size| (1..=most).map(move |count| grown(size, count))).collect()
    })
}

/// A state of an instance: the rigid symbols and the mutable ones.
pub type State = Structure<OneState>;

/// How many elements a declared sort has at a size.
pub fn element_count(signature: &Signature, size: &Size, sort: SortId) -> Option<u32> {
    match signature.elements(sort) {
        Some(elements) => u32::try_from(elements.len()).ok(),
        None => size.get(&sort).copied(),
    }
}

/// The elements that a sort has at least: all of an enumeration, otherwise one.
pub fn least_extent(signature: &Signature, sort: SortId) -> Extent {
    Extent::Elements(element_count(signature, &Size::new(), sort).unwrap_or(1))
}

/// What every sort ranges over at a size, with a window for the integers.
pub fn extents(
    signature: &Signature,
    size: &Size,
    window: Option<(i64, i64)>,
) -> BTreeMap<Sort, Extent> {
    let counts = signature.sorts().filter_map(|sort| {
        let count = element_count(signature, size, sort)?;
        Some((Sort::Declared(sort), Extent::Elements(count)))
    });
    let mut extents: BTreeMap<Sort, Extent> = counts.collect();
    let (low, high) = window.unwrap_or((0, -1));
    extents.insert(Sort::Int, Extent::Window { low, high });
    extents
}

/// A state with every relation empty, every function at element 0 and every integer 0.
pub fn blank_state(signature: &Signature, extents: &BTreeMap<Sort, Extent>) -> State {
    let mut state = Structure::new(extents.clone());
    for (id, symbol) in signature.symbols() {
        state.tables.insert(id, blank_table(symbol, extents));
    }
    state
}

fn blank_table(symbol: &Symbol, extents: &BTreeMap<Sort, Extent>) -> Table {
    let value = match symbol.result {
        None => Value::Bool(false),
        Some(Sort::Declared(_)) => Value::Element(0),
        Some(Sort::Int) => Value::Int(0),
    };
    Table::constant(symbol.params.iter().map(|sort| extents[sort]).collect(), value)
}
