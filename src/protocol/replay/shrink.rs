//! A violating run without the elements that do not matter to it.

use std::collections::BTreeMap;

use super::trace::{Step, Trace};
use crate::logic::{Extent, Table, Value, tuples};
use crate::protocol::{Property, Protocol, Sort, SortId, State};

impl Trace {
    /// The run without as many elements as possible: what is left is a run of a smaller instance,
    /// replayed, at whose end the property still fails. A sort with a fixed size keeps its elements.
    pub fn without_idle_elements(&self, protocol: &Protocol, property: &Property) -> Trace {
        let mut small = self.clone();
        for sort in protocol.signature.sorts() {
            if protocol.fixed_size(sort).is_some() {
                continue;
            }
            // From the last one, so that the names of the others stay as they are where possible.
            for element in (0..small.count(sort)).rev() {
                let without = Removal { protocol, sort, element };
                let fewer = without.trace(&small).filter(|_| small.count(sort) > 1);
                if let Some(fewer) = fewer.filter(|fewer| fewer.violates(protocol, property)) {
                    small = fewer;
                }
            }
        }
        small
    }

    /// How many elements a sort has.
    pub fn count(&self, sort: SortId) -> u32 {
        let extent = self.initial.extent(Sort::Declared(sort));
        extent.map_or(0, |extent| u32::try_from(extent.len()).unwrap_or(u32::MAX))
    }
}

/// One element of a sort that is taken out.
struct Removal<'a> {
    protocol: &'a Protocol,
    sort: SortId,
    element: u32,
}

impl Removal<'_> {
    /// The run without the element; `None` if something that stays has it as its value.
    fn trace(&self, trace: &Trace) -> Option<Trace> {
        let steps = trace.steps.iter().map(|step| {
            let action = &self.protocol.actions[step.invocation.action];
            let mut invocation = step.invocation.clone();
            for (param, value) in action.params.iter().zip(&mut invocation.args) {
                *value = self.value(Some(param.sort), *value)?;
            }
            let mut choices = BTreeMap::new();
            for (id, table) in &step.choices {
                let choice = &action.choices[id.0 as usize];
                choices.insert(*id, self.table(&choice.params, choice.result, table)?);
            }
            Some(Step { invocation, choices, state: self.state(&step.state)? })
        });
        let steps: Option<Vec<Step>> = steps.collect();
        Some(Trace { initial: self.state(&trace.initial)?, steps: steps? })
    }

    fn state(&self, state: &State) -> Option<State> {
        let extents = state.extents.iter();
        let extents = extents.map(|(sort, extent)| (*sort, self.extent(*sort, *extent)));
        let mut small = State::new(extents.collect());
        for (id, table) in &state.tables {
            let symbol = self.protocol.signature.symbol(*id);
            small.tables.insert(*id, self.table(&symbol.params, symbol.result, table)?);
        }
        Some(small)
    }

    fn table(&self, params: &[Sort], result: Option<Sort>, table: &Table) -> Option<Table> {
        let extents = params.iter().zip(table.extents());
        let extents: Vec<Extent> =
            extents.map(|(sort, extent)| self.extent(*sort, *extent)).collect();
        let values = tuples(&extents).map(|args| {
            let args = params.iter().zip(args);
            let args: Vec<Value> = args.map(|(sort, arg)| self.before(*sort, arg)).collect();
            self.value(result, table.get(&args)?)
        });
        let values: Option<Vec<Value>> = values.collect();
        Some(Table::of_values(extents, values?))
    }

    fn extent(&self, sort: Sort, extent: Extent) -> Extent {
        match extent {
            Extent::Elements(count) if sort == Sort::Declared(self.sort) => {
                Extent::Elements(count - 1)
            }
            other => other,
        }
    }

    /// A value as it is called without the element; `None` for the element itself.
    fn value(&self, sort: Option<Sort>, value: Value) -> Option<Value> {
        match value {
            Value::Element(own) if sort == Some(Sort::Declared(self.sort)) => {
                let is_later = own > self.element;
                (own != self.element).then_some(Value::Element(own - u32::from(is_later)))
            }
            other => Some(other),
        }
    }

    /// What a value was called before.
    fn before(&self, sort: Sort, value: Value) -> Value {
        match value {
            Value::Element(own) if sort == Sort::Declared(self.sort) => {
                Value::Element(own + u32::from(own >= self.element))
            }
            other => other,
        }
    }
}
