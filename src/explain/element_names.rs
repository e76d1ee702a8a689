//! What the elements of a counter-model are called: by the case's own names where it has some.

use std::collections::BTreeMap;

use crate::certificate::{ProductNames, ProductSort, ProductSymbol, TwoSystems};
use crate::logic::{Declarations as _, Structure, Value};
use crate::protocol::{Sort, SortId, element_name};

/// Names for the elements of both systems.
pub(super) struct ElementNames<'a> {
    names: &'a ProductNames,
    /// The elements of `L` that a parameter of the case stands for.
    known: BTreeMap<(ProductSort, Value), String>,
}

impl<'a> ElementNames<'a> {
    /// Names for the elements of a structure.
    pub(super) fn new(names: &'a ProductNames, structure: &Structure<TwoSystems>) -> Self {
        let mut known = BTreeMap::new();
        for (index, (name, sort)) in (0..).zip(&names.params) {
            let table = structure.tables.get(&ProductSymbol::Param(index));
            let value = table.and_then(|table| table.get(&[]));
            if let (Some(value), Sort::Declared(id)) = (value, sort) {
                known.entry((ProductSort::Large(*id), value)).or_insert_with(|| name.to_string());
            }
        }
        for sort in names.signature.sorts() {
            known.extend(enumerated(names, structure, sort));
        }
        ElementNames { names, known }
    }

    /// The name of an element of a sort of the product.
    pub(super) fn name(&self, sort: ProductSort, value: Value) -> String {
        if let Some(name) = self.known.get(&(sort, value)) {
            return name.clone();
        }
        let signature = &self.names.signature;
        match (sort, value) {
            (ProductSort::Cutoff(id), Value::Element(index)) => {
                let cut = self.names.cut_sort(id);
                let element = cut.and_then(|cut| cut.elements.get(index as usize));
                element.map_or_else(|| format!("{index}"), ToString::to_string)
            }
            (ProductSort::Large(id) | ProductSort::Cutoff(id), _) => {
                element_name(signature, Sort::Declared(id), value).to_string()
            }
            (ProductSort::Int, _) => element_name(signature, Sort::Int, value).to_string(),
        }
    }

    /// A symbol at arguments: `table_C(na, kc)`.
    pub(super) fn applied(&self, symbol: ProductSymbol, args: &[Value]) -> String {
        let declared = self.names.symbol(symbol);
        let args = declared.rank.params.iter().zip(args);
        let args: Vec<String> = args.map(|(sort, arg)| self.name(*sort, *arg)).collect();
        if args.is_empty() {
            declared.name.to_string()
        } else {
            format!("{}({})", declared.name, args.join(", "))
        }
    }

    /// What a symbol is at arguments, if it is worth saying.
    pub(super) fn fact(
        &self,
        symbol: ProductSymbol,
        args: &[Value],
        value: Value,
    ) -> Option<String> {
        let place = self.applied(symbol, args);
        match (self.names.symbol(symbol).rank.result, value) {
            (None, Value::Bool(true)) => Some(place),
            (None, _) => None,
            (Some(sort), value) => Some(format!("{place} = {}", self.name(sort, value))),
        }
    }
}

/// The constants that are the elements of a sort: nothing, unless each element has one of its own.
fn enumerated(
    names: &ProductNames,
    structure: &Structure<TwoSystems>,
    id: SortId,
) -> BTreeMap<(ProductSort, Value), String> {
    let sort = ProductSort::Large(id);
    let of_sort = names.signature.rigid().filter(|(_, symbol)| {
        symbol.params.is_empty() && symbol.result == Some(Sort::Declared(id))
    });
    let constants: Vec<_> = of_sort.collect();
    let named: BTreeMap<_, _> = constants
        .iter()
        .filter_map(|(constant, symbol)| {
            let value = structure.tables.get(&ProductSymbol::Large(*constant))?.get(&[])?;
            Some(((sort, value), symbol.name.to_string()))
        })
        .collect();
    let is_whole = structure.extent(sort).is_some_and(|extent| extent.len() == named.len());
    if named.len() > 1 && is_whole && named.len() == constants.len() {
        named
    } else {
        BTreeMap::new()
    }
}
