//! Instances of a protocol: sizes, and states as finite structures.

use std::collections::BTreeMap;

use crate::logic::{Extent, Name, Structure, Table, Value};

use super::{OneState, Protocol, Signature, Sort, SortId, Symbol};

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

/// A size as users write it, in the order of the declarations.
pub fn print_size(protocol: &Protocol, size: &Size) -> String {
    let sizes =
        size.iter().map(|(sort, count)| format!("{}={count}", protocol.signature.sort_name(*sort)));
    let sizes: Vec<String> = sizes.collect();
    if sizes.is_empty() { "the only size".to_owned() } else { sizes.join(", ") }
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

/// What an element is called in reports: its own name, or the sort's and a number, `node0`.
pub fn element_name(signature: &Signature, sort: Sort, value: Value) -> Name {
    match (sort, value) {
        (Sort::Declared(id), Value::Element(index)) => {
            let own = signature.element(id, index).cloned();
            own.unwrap_or_else(|| format!("{}{index}", signature.sort_name(id)).into())
        }
        (_, Value::Int(int)) => int.to_string().into(),
        (_, Value::Bool(truth)) => truth.to_string().into(),
        (Sort::Int, Value::Element(index)) => index.to_string().into(),
    }
}
