//! A run of equal processes in their own words: locations and variables instead of relations.

use super::invocation;
use crate::finite::{Claim, ClaimFailure, ClaimViolation};
use crate::logic::Value;
use crate::process::{Encoding, Process};
use crate::protocol::{Protocol, Sort, State, element_name};
use crate::report::text::counts::line;

/// A violation as text.
pub fn process_trace(
    process: &Process,
    protocol: &Protocol,
    claims: &[Claim],
    violation: &ClaimViolation,
) -> String {
    let mut out = String::new();
    let words = ProcessWords { process, protocol };
    let trace = &violation.trace;
    let initial = words.local(&trace.initial, Value::Element(0));
    line!(out, 0, "initially: every process at {}", initial.join(", "));
    let mut before = &trace.initial;
    for (number, step) in (1..).zip(&trace.steps) {
        line!(out, 0, "{number}. {}", invocation(protocol, &step.invocation));
        for element in words.elements(before) {
            if let Some(change) = words.change(before, &step.state, element) {
                line!(out, 0, "   {}: {change}", words.name(element));
            }
        }
        before = &step.state;
    }
    match &violation.failure {
        ClaimFailure::Deadlock => line!(out, 0, "fails: no action is possible"),
        ClaimFailure::Claim(index, values) => {
            let mut elements = values.clone();
            elements.sort_unstable();
            elements.dedup();
            let where_they_are = elements.iter().map(|element| {
                format!("{} at {}", words.name(*element), words.local(before, *element).join(", "))
            });
            let where_they_are = where_they_are.collect::<Vec<_>>().join("; ");
            line!(out, 0, "fails: [{}]: {where_they_are}", claims[*index].name);
        }
    }
    out
}

struct ProcessWords<'a> {
    process: &'a Process,
    protocol: &'a Protocol,
}

impl ProcessWords<'_> {
    fn elements(&self, state: &State) -> Vec<Value> {
        let sort = self.protocol.signature.find_sort(&self.process.sort);
        let extent = sort.and_then(|sort| state.extents.get(&Sort::Declared(sort)));
        extent.map_or_else(Vec::new, |extent| extent.values().collect())
    }

    fn name(&self, element: Value) -> String {
        match self.protocol.signature.find_sort(&self.process.sort) {
            Some(sort) => {
                element_name(&self.protocol.signature, Sort::Declared(sort), element).to_string()
            }
            None => String::new(),
        }
    }

    fn holds(&self, state: &State, relation: &str, args: &[Value]) -> bool {
        let symbol = self.protocol.signature.find_symbol(relation);
        let table = symbol.and_then(|symbol| state.tables.get(&symbol));
        table.and_then(|table| table.get(args)) == Some(Value::Bool(true))
    }

    /// The point, then every variable with its value and every set with its members.
    fn parts(&self, state: &State, me: Value) -> Vec<(String, String)> {
        let crashed = self.process.crashed.as_ref();
        if crashed.is_some_and(|crashed| self.holds(state, crashed, &[me])) {
            return vec![(String::new(), "crashed".to_owned())];
        }
        let points = self.process.points.iter();
        let mut at = points.filter(|point| self.holds(state, &point.relation, &[me]));
        let mut parts =
            vec![(String::new(), at.next().map_or_else(String::new, |p| p.name.to_string()))];
        for variable in &self.process.variables {
            let value = match &variable.encoding {
                Encoding::Bit(relation) => {
                    i64::from(self.holds(state, relation, &[me])).to_string()
                }
                Encoding::OneHot(relations) => {
                    let mut values = relations.iter().zip(variable.values());
                    let value = values.find(|(relation, _)| self.holds(state, relation, &[me]));
                    value.map_or_else(String::new, |(_, value)| value.to_string())
                }
            };
            parts.push((variable.name.to_string(), value));
        }
        for data in &self.process.data {
            let symbol = self.protocol.signature.find_symbol(&data.function);
            let table = symbol.and_then(|symbol| state.tables.get(&symbol));
            let sort = self.protocol.signature.find_sort(&data.sort);
            if let (Some(value), Some(sort)) = (table.and_then(|table| table.get(&[me])), sort) {
                let name = element_name(&self.protocol.signature, Sort::Declared(sort), value);
                parts.push((data.name.to_string(), name.to_string()));
            }
        }
        for link in &self.process.links {
            let members = self.elements(state).into_iter();
            let members = members.filter(|other| self.holds(state, &link.relation, &[me, *other]));
            let members: Vec<String> = members.map(|other| self.name(other)).collect();
            parts.push((link.name.to_string(), format!("{{{}}}", members.join(", "))));
        }
        parts
    }

    fn local(&self, state: &State, me: Value) -> Vec<String> {
        let parts = self.parts(state, me).into_iter();
        parts
            .filter(|(name, value)| name.is_empty() || value != "{}")
            .map(|(name, value)| if name.is_empty() { value } else { format!("{name} = {value}") })
            .collect()
    }

    /// What a step changes for one process.
    fn change(&self, before: &State, after: &State, me: Value) -> Option<String> {
        let (old, new) = (self.parts(before, me), self.parts(after, me));
        let mut changes = Vec::new();
        for (name, value) in &new {
            let was = old.iter().find(|(other, _)| other == name).map(|(_, was)| was);
            if let Some(was) = was.filter(|was| *was != value) {
                let name = if name.is_empty() { String::new() } else { format!("{name} ") };
                changes.push(format!("{name}{was} → {value}"));
            }
        }
        (!changes.is_empty()).then(|| changes.join(", "))
    }
}
