//! States in the solver's models: the elements that one of the two systems has there.

use std::collections::BTreeMap;

use crate::certificate::{ProductSort, TwoSystems};
use crate::logic::{Extent, Structure};
use crate::protocol::{Signature, Sort, SortId, State, blank_state, least_extent};

/// A state with the elements of `L` in a model, in which nothing holds yet.
pub(crate) fn blank_large(signature: &Signature, model: &Structure<TwoSystems>) -> State {
    blank(signature, model, |id| model.extent(ProductSort::Large(id)))
}

/// A state with the elements of `C` in a model: those of `L` where a sort is not cut.
pub(crate) fn blank_cutoff(signature: &Signature, model: &Structure<TwoSystems>) -> State {
    blank(signature, model, |id| {
        let cut = model.extent(ProductSort::Cutoff(id));
        cut.or_else(|| model.extent(ProductSort::Large(id)))
    })
}

fn blank(
    signature: &Signature,
    model: &Structure<TwoSystems>,
    extent: impl Fn(SortId) -> Option<Extent>,
) -> State {
    let sorts = signature.sorts();
    let least = |id| least_extent(signature, id);
    let mut extents: BTreeMap<Sort, Extent> =
        sorts.map(|id| (Sort::Declared(id), extent(id).unwrap_or_else(|| least(id)))).collect();
    let window = model.extent(ProductSort::Int);
    extents.insert(Sort::Int, window.unwrap_or(Extent::Window { low: 0, high: -1 }));
    blank_state(signature, &extents)
}
