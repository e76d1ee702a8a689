//! Which values occur together in reachable states, as text.

use super::counts::{count, line};
use super::explore::{reason_text, size};
use crate::finite::question::request::Explored;
use crate::finite::{Combination, FiniteReason, Place, PlaceArgument, SeenValue, Summary};
use crate::protocol::{Protocol, Sort, element_name};

/// The summary of the values at the size that was explored.
pub fn text(
    protocol: &Protocol,
    explored: &Explored,
    summary: &Result<Summary, FiniteReason>,
) -> String {
    let size = size(protocol, &explored.size);
    let summary = match summary {
        Ok(summary) => summary,
        Err(reason) => return format!("\nvalues at {size}: not known, {}\n", reason_text(reason)),
    };
    let words = PlaceWords { protocol, summary };
    let states = count(&summary.states, "reachable state");
    let instances = count(summary.instances, "instance");
    let mut out = format!("\nvalues at {size}: {states} of {instances}\n");
    for combination in summary.combinations.iter().filter(|own| own.places.len() == 1) {
        let values = combination.occurring.iter().flatten();
        let values: Vec<String> =
            values.map(|value| words.value(combination.places[0], *value)).collect();
        line!(out, 1, "{}: {}", words.place(combination.places[0]), values.join(", "));
    }
    if !summary.left_out.is_empty() {
        let names = summary.left_out.iter().map(|id| &*protocol.signature.symbol(*id).name);
        let names = names.collect::<Vec<_>>().join(", ");
        line!(out, 1, "not looked at, because integers are among the arguments: {names}");
    }
    match summary.together {
        1 => line!(out, 0, "too many symbols and elements to combine values"),
        2 => line!(out, 0, "never together, of two values:"),
        _ => line!(out, 0, "never together, of two or three values:"),
    }
    let mut is_empty = true;
    for combination in &summary.combinations {
        for values in &combination.never {
            is_empty = false;
            line!(out, 1, "{}", words.conjunction(combination, values));
        }
    }
    if is_empty && summary.together > 1 {
        line!(out, 1, "(every combination occurs)");
    }
    out
}

/// Writes places and values as RML does.
pub(crate) struct PlaceWords<'a> {
    /// The protocol.
    pub(crate) protocol: &'a Protocol,
    /// What is written.
    pub(crate) summary: &'a Summary,
}

impl PlaceWords<'_> {
    /// What an element that is distinguished is called: `Node1`, or `Node` if it is the only one.
    fn element(&self, position: usize) -> String {
        let elements = &self.summary.elements;
        let sort = elements[position];
        let name = self.protocol.signature.sort_name(sort);
        let mut letters = name.chars();
        let first = letters.next().map(|letter| letter.to_uppercase().collect::<String>());
        let name = first.unwrap_or_default() + letters.as_str();
        if elements.iter().filter(|own| **own == sort).count() == 1 {
            return name;
        }
        let before = elements[..position].iter().filter(|own| **own == sort).count();
        format!("{name}{}", before + 1)
    }

    /// A symbol at its arguments.
    pub(crate) fn place(&self, position: usize) -> String {
        let Place { symbol, arguments } = &self.summary.places[position];
        let signature = &self.protocol.signature;
        let symbol = signature.symbol(*symbol);
        let arguments = arguments.iter().zip(&symbol.params).map(|(own, sort)| match own {
            PlaceArgument::Any(position) => self.element(*position),
            PlaceArgument::Named(value) => element_name(signature, *sort, *value).to_string(),
        });
        let arguments: Vec<String> = arguments.collect();
        match arguments.is_empty() {
            true => symbol.name.to_string(),
            false => format!("{}({})", symbol.name, arguments.join(", ")),
        }
    }

    /// A value at a place.
    pub(crate) fn value(&self, place: usize, value: SeenValue) -> String {
        let signature = &self.protocol.signature;
        let sort = signature.symbol(self.summary.places[place].symbol).result;
        match (value, sort) {
            (SeenValue::Any(position), _) => self.element(position),
            (SeenValue::Other, Some(Sort::Declared(sort))) => {
                format!("another {}", signature.sort_name(sort))
            }
            (SeenValue::Other, _) => "another".to_owned(),
            (SeenValue::Plain(value), sort) => {
                element_name(signature, sort.unwrap_or(Sort::Int), value).to_string()
            }
        }
    }

    /// Values at several places.
    fn conjunction(&self, combination: &Combination, values: &[SeenValue]) -> String {
        let literal = |(place, value): (&usize, &SeenValue)| {
            let name = self.place(*place);
            let sort = self.protocol.signature.symbol(self.summary.places[*place].symbol).result;
            match (self.value(*place, *value).as_str(), sort) {
                ("true", None) => name,
                ("false", None) => format!("~{name}"),
                (value, _) => format!("{name} = {value}"),
            }
        };
        let literals = combination.places.iter().zip(values).map(literal);
        literals.collect::<Vec<_>>().join(" & ")
    }
}
