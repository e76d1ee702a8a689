//! Typed values to states: a table for every symbol, with a value everywhere.

use super::cells::{Cells, TraceAtom};
use super::elements::Numbered;
use super::{Messages, StateCells};
use crate::diagnostic::Diagnostic;
use crate::elaborate::codes;
use crate::logic::{Table, Value};
use crate::protocol::{
    ExternalStep, ExternalTrace, Protocol, Rigidity, State, Symbol, blank_state, element_name,
    extents,
};
use crate::source::Span;

/// The most values that all states have together.
const MAX_VALUES: u128 = 1 << 21;

/// The trace, if every symbol has a value everywhere.
pub(super) fn external_trace(
    protocol: &Protocol,
    states: &[StateCells],
    numbered: Numbered,
    messages: &mut Messages,
) -> Option<ExternalTrace> {
    let first = states.first()?;
    let extents = extents(&protocol.signature, &numbered.size, numbered.window);
    let values = protocol.signature.symbols().map(|(_, symbol)| {
        let lengths = symbol.params.iter().map(|sort| extents[sort].len() as u128);
        lengths.fold(1, u128::saturating_mul)
    });
    let each = values.fold(0, u128::saturating_add);
    let all = each.saturating_mul(states.len() as u128);
    if all > MAX_VALUES {
        let message = format!(
            "{} states of {each} values exceed the limit of {MAX_VALUES} values",
            states.len()
        );
        messages.error(codes::TRACE_SIZE, message, first.span);
        return None;
    }
    let filler =
        Filler { protocol, numbered: &numbered, blank: blank_state(&protocol.signature, &extents) };
    let initial = filler.state(first, None, messages);
    let mut steps = Vec::new();
    for state in &states[1..] {
        let given = filler.state(state, Some(&initial), messages);
        let args = state.args.iter().map(|arg| arg.map(|arg| filler.value(arg))).collect();
        steps.push(ExternalStep { action: state.action, args, state: given });
    }
    let Numbered { guessed, renamed, .. } = numbered;
    Some(ExternalTrace { initial, steps, guessed, renamed })
}

struct Filler<'a> {
    protocol: &'a Protocol,
    numbered: &'a Numbered,
    blank: State,
}

impl Filler<'_> {
    /// Rigid symbols that a later state does not mention are as in the first one.
    fn state(&self, cells: &StateCells, first: Option<&State>, messages: &mut Messages) -> State {
        let mut state = self.blank.clone();
        let signature = &self.protocol.signature;
        for (id, symbol) in signature.symbols() {
            let given = cells.values.get(&id);
            let kept = first.filter(|_| given.is_none() && symbol.rigidity == Rigidity::Rigid);
            if let Some(table) = kept.and_then(|first| first.tables.get(&id)) {
                state.tables.insert(id, table.clone());
            }
            if let (Some(given), Some(table)) = (given, state.tables.get_mut(&id)) {
                self.fill(symbol, given, table, messages);
            }
        }
        state
    }

    fn fill(&self, symbol: &Symbol, given: &Cells, table: &mut Table, messages: &mut Messages) {
        match given {
            Cells::Single(value) => table.set(&[], self.value(*value)),
            Cells::Set(all) => {
                for (args, _) in all {
                    table.set(&self.values(args), Value::Bool(true));
                }
            }
            Cells::Map(all, span) => {
                let mut seen = Table::constant(table.extents().to_vec(), Value::Bool(false));
                for (args, value, key) in all {
                    let args = self.values(args);
                    if seen.get(&args) == Some(Value::Bool(true)) {
                        let message = format!("the value of `{}` is given twice here", symbol.name);
                        messages.error(codes::TRACE_FORM, message, *key);
                    }
                    seen.set(&args, Value::Bool(true));
                    table.set(&args, self.value(*value));
                }
                let missing = seen.values().iter().filter(|given| **given == Value::Bool(false));
                let count = missing.count();
                if count > 0 {
                    messages.push(self.partial(symbol, &seen, count, *span));
                }
            }
            Cells::Mistaken => {}
        }
    }

    /// A function that has no value somewhere.
    fn partial(&self, symbol: &Symbol, seen: &Table, count: usize, span: Span) -> Diagnostic {
        let position = seen.values().iter().position(|given| *given == Value::Bool(false));
        let mut rest = position.unwrap_or_default();
        let mut names = Vec::new();
        for (sort, extent) in symbol.params.iter().zip(seen.extents()).rev() {
            let arg = extent.value(rest % extent.len().max(1));
            rest /= extent.len().max(1);
            names.push(element_name(&self.protocol.signature, *sort, arg).to_string());
        }
        names.reverse();
        let names = names.join(", ");
        let more =
            if count > 1 { format!(" and at {} other places", count - 1) } else { String::new() };
        let message = format!("`{}({names})` has no value{more}", symbol.name);
        Diagnostic::error(codes::TRACE_FORM, message, span)
            .hint("a function has a value for every element of its sorts")
    }

    fn values(&self, atoms: &[TraceAtom]) -> Vec<Value> {
        atoms.iter().map(|atom| self.value(*atom)).collect()
    }

    fn value(&self, atom: TraceAtom) -> Value {
        match atom {
            TraceAtom::Truth(truth) => Value::Bool(truth),
            TraceAtom::Integer(int) => Value::Int(int),
            TraceAtom::Element(sort, position) => {
                let numbers = self.numbered.numbers.get(&sort);
                let number = numbers.and_then(|numbers| numbers.get(position));
                Value::Element(number.copied().unwrap_or_default())
            }
        }
    }
}
