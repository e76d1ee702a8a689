//! Traces for people: the instance, then every step with what it changed, then what fails.

pub(crate) mod blocked_action;
mod defined;
pub mod expected_runs;
mod machine_words;
pub mod own_words;
pub mod process_words;
pub mod replay;

pub use defined::defined_changes;

use super::counts::line;
use crate::explain::Witnesses;
use crate::finite::{Claim, ClaimFailure, ClaimViolation};
use crate::logic::{Table, Value, print_application, print_formula};
use crate::protocol::{
    Invocation, Protocol, Rigidity, Sort, State, Symbol, SymbolId, Trace, element_name,
};

/// Behind what holds by a definition.
const DEFINED: &str = " (defined)";

/// A violation as text.
pub fn trace(protocol: &Protocol, claims: &[Claim], violation: &ClaimViolation) -> String {
    let protocol = &protocol.with_names_of(&violation.trace.initial);
    let mut out = run(protocol, &violation.trace);
    out.push_str(&failing(protocol, claims, violation));
    out
}

/// What fails at the end, and what would be needed.
fn failing(protocol: &Protocol, claims: &[Claim], violation: &ClaimViolation) -> String {
    let mut out = String::new();
    line!(out, 0, "fails: {}", failure(protocol, claims, &violation.failure));
    for sentence in missing(protocol, claims, &violation.failure, violation.trace.last()) {
        line!(out, 0, "   {sentence}");
    }
    out
}

/// A run as text: the instance, the first state, and every step with what it changed.
pub fn run(protocol: &Protocol, run: &Trace) -> String {
    let initial = &run.initial;
    let protocol = &protocol.with_names_of(initial);
    let mut out = beginning(protocol, initial);
    let mut before = initial;
    for (number, step) in (1..).zip(&run.steps) {
        line!(out, 0, "{number}. {}", invocation(protocol, &step.invocation));
        let direct = changes(protocol, before, &step.state).into_iter().map(|own| (own, ""));
        let defined = defined_changes(protocol, before, &step.state).into_iter();
        for (change, mark) in direct.chain(defined.map(|own| (own, DEFINED))) {
            for text in change.signed() {
                line!(out, 0, "   {text}{mark}");
            }
        }
        before = &step.state;
    }
    out
}

/// The instance and the first state.
fn beginning(protocol: &Protocol, initial: &State) -> String {
    let mut out = String::new();
    section(&mut out, "instance", &atoms(protocol, initial, Rigidity::Rigid));
    section(&mut out, "initially", &atoms(protocol, initial, Rigidity::Mutable));
    out
}

fn section(out: &mut String, title: &str, atoms: &[String]) {
    if atoms.is_empty() {
        line!(out, 0, "{title}: no facts");
        return;
    }
    line!(out, 0, "{title}:");
    for atom in atoms {
        line!(out, 0, "   {atom}");
    }
}

/// The action with its arguments.
pub fn invocation(protocol: &Protocol, invocation: &Invocation) -> String {
    let action = &protocol.actions[invocation.action];
    let args = action.params.iter().zip(&invocation.args);
    let args: Vec<String> = args
        .map(|(param, value)| element_name(&protocol.signature, param.sort, *value).to_string())
        .collect();
    print_application(&action.name, &args)
}

/// What fails, and for which elements.
pub fn failure(protocol: &Protocol, claims: &[Claim], failure: &ClaimFailure) -> String {
    match failure {
        ClaimFailure::Deadlock => "no action is possible".to_owned(),
        ClaimFailure::Claim(index, values) => {
            let claim = &claims[*index];
            let formula = print_formula(&protocol.signature, &claim.matrix);
            let elements = claim.vars.iter().zip(values).map(|(var, value)| {
                format!("{} = {}", var.name, element_name(&protocol.signature, var.sort, *value))
            });
            let elements = elements.collect::<Vec<_>>().join(", ");
            let for_which = if elements.is_empty() { elements } else { format!(" for {elements}") };
            format!("[{}] {formula}{for_which}", claim.name)
        }
    }
}

/// For every `exists` behind a failure, that no element qualifies and which comes nearest.
pub fn missing(
    protocol: &Protocol,
    claims: &[Claim],
    failure: &ClaimFailure,
    state: &State,
) -> Vec<String> {
    let ClaimFailure::Claim(index, values) = failure else { return Vec::new() };
    let claim = &claims[*index];
    let pinned = claim.pinned.iter().map(|(var, at)| (var.clone(), Value::Element(*at)));
    let assignment = claim.vars.iter().cloned().zip(values.iter().copied()).chain(pinned).collect();
    let element = |sort, value| element_name(&protocol.signature, sort, value).to_string();
    let names = &protocol.signature;
    let witnesses = Witnesses { structure: state, names, element: &element };
    witnesses.missing(&assignment, &claim.matrix)
}

/// One location that a step changed.
#[derive(serde::Serialize)]
pub struct Change {
    /// The symbol at its arguments, as text.
    pub location: String,
    /// What it was.
    pub from: ShownValue,
    /// What it became.
    pub to: ShownValue,
}

impl Change {
    /// What does not hold any more, and what holds now: `- holds(node0)`, `+ holds(node1)`.
    pub fn signed(&self) -> Vec<String> {
        let sides = [('-', &self.from), ('+', &self.to)].into_iter();
        let shown = |(sign, value)| Some(format!("{sign} {}", atom(&self.location, value)?));
        sides.filter_map(shown).collect()
    }
}

/// A value to show.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(untagged)]
pub enum ShownValue {
    /// Of a relation.
    Truth(bool),
    /// Of a function.
    Element(String),
}

/// Every location that differs between two states, in the order of the declarations.
pub fn changes(protocol: &Protocol, before: &State, after: &State) -> Vec<Change> {
    let mut changes = Vec::new();
    for (id, symbol) in protocol.signature.mutable() {
        let (Some(old), Some(new)) = (before.tables.get(&id), after.tables.get(&id)) else {
            continue;
        };
        for ((args, from), (_, to)) in old.entries().zip(new.entries()) {
            if from != to {
                let location = location(protocol, symbol, &args);
                let (from, to) = (shown(protocol, symbol, from), shown(protocol, symbol, to));
                changes.push(Change { location, from, to });
            }
        }
    }
    changes
}

/// Everything that holds in a state, of the rigid or of the mutable symbols.
pub fn atoms(protocol: &Protocol, state: &State, rigidity: Rigidity) -> Vec<String> {
    let symbols = protocol.signature.symbols().filter(|(_, symbol)| symbol.rigidity == rigidity);
    let atoms = symbols.flat_map(|(id, symbol)| symbol_atoms(protocol, state, id, symbol));
    let defined = defined::facts(protocol, state, rigidity).into_iter();
    atoms.chain(defined.map(|fact| format!("{fact}{DEFINED}"))).collect()
}

fn symbol_atoms(protocol: &Protocol, state: &State, id: SymbolId, symbol: &Symbol) -> Vec<String> {
    let entries = state.tables.get(&id).into_iter().flat_map(Table::entries);
    let atoms = entries.filter_map(|(args, value)| {
        let (place, value) = (location(protocol, symbol, &args), shown(protocol, symbol, value));
        // A constant that names an element says nothing more by being that element.
        let is_name = matches!(&value, ShownValue::Element(element) if *element == place);
        if is_name { None } else { atom(&place, &value) }
    });
    atoms.collect()
}

/// A location with its value as text; what does not hold is not shown.
fn atom(name: &str, value: &ShownValue) -> Option<String> {
    match value {
        ShownValue::Truth(false) => None,
        ShownValue::Truth(true) => Some(name.to_owned()),
        ShownValue::Element(element) => Some(format!("{name} = {element}")),
    }
}

/// A symbol at its arguments.
pub fn location(protocol: &Protocol, symbol: &Symbol, args: &[Value]) -> String {
    let args: Vec<String> = arguments(protocol, symbol, args);
    print_application(&symbol.name, &args)
}

/// The names of a symbol's arguments.
pub fn arguments(protocol: &Protocol, symbol: &Symbol, args: &[Value]) -> Vec<String> {
    let places = symbol.params.iter().zip(args);
    let name =
        |(sort, arg): (&Sort, &Value)| element_name(&protocol.signature, *sort, *arg).to_string();
    places.map(name).collect()
}

/// A value of a symbol.
pub fn shown(protocol: &Protocol, symbol: &Symbol, value: Value) -> ShownValue {
    match (symbol.result, value) {
        (None, _) => ShownValue::Truth(value == Value::Bool(true)),
        (Some(sort), _) => {
            ShownValue::Element(element_name(&protocol.signature, sort, value).to_string())
        }
    }
}
