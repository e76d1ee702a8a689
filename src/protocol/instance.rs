//! Instances of a protocol: sizes, and states as finite structures.

use std::collections::BTreeMap;

use crate::logic::{Extent, Structure, Table, Value};

use super::{OneState, Signature, Sort, SortId, Symbol};

/// A number of elements for every declared sort.
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

/// What every sort ranges over at a size, with a window for the integers.
pub fn extents(size: &Size, window: Option<(i64, i64)>) -> BTreeMap<Sort, Extent> {
    let mut extents: BTreeMap<Sort, Extent> = size
        .iter()
        .map(|(sort, count)| (Sort::Declared(*sort), Extent::Elements(*count)))
        .collect();
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
