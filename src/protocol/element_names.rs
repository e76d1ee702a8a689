//! What sizes and elements are called in reports.

use crate::logic::{Name, Value};

use super::{Protocol, Signature, Size, Sort, State};

/// A size as users write it, in the order of the declarations.
pub fn print_size(protocol: &Protocol, size: &Size) -> String {
    let sizes =
        size.iter().map(|(sort, count)| format!("{}={count}", protocol.signature.sort_name(*sort)));
    let sizes: Vec<String> = sizes.collect();
    if sizes.is_empty() { "the only size".to_owned() } else { sizes.join(", ") }
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

impl Protocol {
    /// The same protocol, in which elements are called by the constants that name them in a state.
    #[must_use]
    pub fn with_names_of(&self, state: &State) -> Protocol {
        let mut named = self.clone();
        for sort in self.signature.sorts() {
            for symbol in self.enumeration(sort).unwrap_or_default() {
                let value = state.tables.get(&symbol).and_then(|table| table.get(&[]));
                if let Some(Value::Element(index)) = value {
                    let name = self.signature.symbol(symbol).name.clone();
                    named.signature.name_element(sort, index, name);
                }
            }
        }
        named
    }
}
