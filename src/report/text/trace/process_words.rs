//! A run of equal processes in their own words: locations and variables instead of relations.

use serde::Serialize;

use super::invocation;
use crate::finite::{Claim, ClaimFailure, ClaimViolation};
use crate::logic::Value;
use crate::picture::{SymbolWord, SymbolWords};
use crate::process::{Encoding, EventId, EventKind, Happening, Participants, Process};
use crate::protocol::{Invocation, Protocol, Sort, State, Step, Trace, element_name};
use crate::report::text::counts::line;

/// A violation as text.
pub fn process_trace(
    process: &Process,
    protocol: &Protocol,
    claims: &[Claim],
    violation: &ClaimViolation,
) -> String {
    let mut out = process_run(process, protocol, &violation.trace);
    match &violation.failure {
        ClaimFailure::Deadlock => line!(out, 0, "fails: no action is possible"),
        ClaimFailure::Claim(index, values) => {
            let last = violation.trace.last();
            let where_they_are = where_they_are(process, protocol, last, values);
            line!(out, 0, "fails: [{}]: {where_they_are}", claims[*index].name);
        }
    }
    out
}

/// A run as text.
pub fn process_run(process: &Process, protocol: &Protocol, trace: &Trace) -> String {
    let mut out = String::new();
    let words = ProcessWords { process, protocol };
    let initial = words.local(&trace.initial, Value::Element(0));
    line!(out, 0, "initially: every process at {}", initial.join(", "));
    for (number, step) in (1..).zip(steps(process, protocol, trace)) {
        line!(out, 0, "{number}. {}", step.summary);
        for moved in &step.moves {
            line!(out, 0, "   {}: {}", moved.process, moved.change);
        }
    }
    out
}

/// Where the processes of a failure are.
pub fn where_they_are(
    process: &Process,
    protocol: &Protocol,
    state: &State,
    values: &[Value],
) -> String {
    let words = ProcessWords { process, protocol };
    let mut elements = values.to_vec();
    elements.sort_unstable();
    elements.dedup();
    let at = elements.iter().map(|element| {
        format!("{} at {}", words.name(*element), words.local(state, *element).join(", "))
    });
    at.collect::<Vec<_>>().join("; ")
}

/// A step in the words of the process.
#[derive(Serialize)]
pub struct StepWords {
    /// What happens, and who takes part.
    pub summary: String,
    /// What changes for each process.
    pub moves: Vec<ProcessMove>,
}

/// What a step changes for one process.
#[derive(Serialize)]
pub struct ProcessMove {
    /// The process.
    pub process: String,
    /// What changes.
    pub change: String,
}

/// The steps of a run in the words of the process.
pub fn steps(process: &Process, protocol: &Protocol, trace: &Trace) -> Vec<StepWords> {
    let words = ProcessWords { process, protocol };
    let after = trace.steps.iter().map(|step| &step.state);
    let before = std::iter::once(&trace.initial).chain(after);
    let step = |(step, before): (&Step, &State)| StepWords {
        summary: words.happening(before, &step.invocation),
        moves: words
            .elements(before)
            .into_iter()
            .filter_map(|element| {
                let change = words.change(before, &step.state, element)?;
                Some(ProcessMove { process: words.name(element), change })
            })
            .collect(),
    };
    trace.steps.iter().zip(before).map(step).collect()
}

/// Where every process is, and its variables.
pub fn state_in_words(process: &Process, protocol: &Protocol, state: &State) -> Vec<String> {
    let words = ProcessWords { process, protocol };
    let elements = words.elements(state).into_iter();
    elements
        .map(|own| format!("{} at {}", words.name(own), words.local(state, own).join(", ")))
        .collect()
}

/// What a step changes, process by process; nothing if it changes what no process has.
pub fn change_in_words(
    process: &Process,
    protocol: &Protocol,
    before: &State,
    after: &State,
) -> Vec<String> {
    let words = ProcessWords { process, protocol };
    let elements = words.elements(before).into_iter();
    elements
        .filter_map(|own| {
            Some(format!("{}: {}", words.name(own), words.change(before, after, own)?))
        })
        .collect()
}

/// What the relations and functions of a process are called by who wrote it: its locations, the
/// values of its variables, its sets.
pub fn symbol_words(process: &Process) -> SymbolWords {
    let word =
        |text: String, one_of: Option<&str>| SymbolWord { text, one_of: one_of.map(str::to_owned) };
    let points = process
        .points
        .iter()
        .map(|point| (point.relation.to_string(), word(point.name.to_string(), Some("location"))));
    let values = process.variables.iter().flat_map(|variable| match &variable.encoding {
        Encoding::Bit(relation) => {
            vec![(relation.to_string(), word(format!("in {}", variable.name), None))]
        }
        Encoding::OneHot(relations) => relations
            .iter()
            .zip(variable.values())
            .map(|(relation, value)| {
                let text = format!("{} = {value}", variable.name);
                (relation.to_string(), word(text, Some(&variable.name)))
            })
            .collect(),
    });
    let links = process
        .links
        .iter()
        .map(|link| (link.relation.to_string(), word(link.name.to_string(), None)));
    let data = process
        .data
        .iter()
        .map(|data| (data.function.to_string(), word(data.name.to_string(), None)));
    points.chain(values).chain(links).chain(data).collect()
}

struct ProcessWords<'a> {
    process: &'a Process,
    protocol: &'a Protocol,
}

impl ProcessWords<'_> {
    /// `elect: process0 wins; process1, process2 lose`
    fn happening(&self, before: &State, step: &Invocation) -> String {
        let action = &self.protocol.actions[step.action];
        let Some(happening) = self.process.happening(&action.name) else {
            return invocation(self.protocol, step);
        };
        let args = action.params.iter().zip(&step.args);
        let sort = self.protocol.signature.find_sort(&self.process.sort).map(Sort::Declared);
        let (who, data): (Vec<_>, Vec<_>) = args.partition(|(param, _)| Some(param.sort) == sort);
        let who: Vec<Value> = who.into_iter().map(|(_, value)| *value).collect();
        let names: Vec<String> = who.iter().map(|process| self.name(*process)).collect();
        let data = data.into_iter().map(|(param, value)| {
            element_name(&self.protocol.signature, param.sort, *value).to_string()
        });
        let data: Vec<String> = data.collect();
        let first = names.first().cloned().unwrap_or_default();
        let message = |event: &EventId, value: &Option<i64>| {
            let name = &self.process.event(*event).name;
            let value = value.map(|value| value.to_string()).or_else(|| data.first().cloned());
            value.map_or_else(|| name.to_string(), |value| format!("{name}[{value}]"))
        };
        match happening {
            Happening::Internal => format!("{first} moves"),
            Happening::Environment => "the environment moves".to_owned(),
            Happening::Crash => format!("{first} crashes"),
            Happening::FromEnvironment(event, value) => {
                format!("{}: from the environment to {first}", message(event, value))
            }
            Happening::ToEnvironment(event, value) => {
                format!("{}: from {first} to the environment", message(event, value))
            }
            Happening::Message(event, value) => {
                let (from, to) = match &names[..] {
                    [] => ("the environment", "all"),
                    [from] => (&**from, "all"),
                    [from, to, ..] => (&**from, &**to),
                };
                format!("{}: from {from} to {to}", message(event, value))
            }
            Happening::Partition(event) => self.partition(*event, before, &who),
            Happening::Consensus(event, values) => {
                let name = &self.process.event(*event).name;
                let values = values.iter().map(ToString::to_string).chain(data);
                let decided =
                    values.zip(names).map(|(value, by)| format!("{value}, proposed by {by}"));
                format!("{name}: decided {}", decided.collect::<Vec<_>>().join("; "))
            }
        }
    }

    fn partition(&self, event: EventId, before: &State, args: &[Value]) -> String {
        let event = self.process.event(event);
        let mut winners = args.to_vec();
        winners.sort_unstable();
        winners.dedup();
        let mut losers = match args.first() {
            Some(first) => self.participants(&event.kind, before, *first),
            None => Vec::new(),
        };
        losers.retain(|process| !winners.contains(process));
        let sides = [(winners, "wins", "win"), (losers, "loses", "lose")];
        let sides = sides.iter().filter(|(processes, ..)| !processes.is_empty()).map(
            |(processes, one, many)| {
                let names: Vec<String> = processes.iter().map(|own| self.name(*own)).collect();
                let verb = if processes.len() == 1 { one } else { many };
                format!("{} {verb}", names.join(", "))
            },
        );
        format!("{}: {}", event.name, sides.collect::<Vec<_>>().join("; "))
    }

    /// Who takes part in a Partition, one of the winners being known.
    fn participants(&self, kind: &EventKind, before: &State, winner: Value) -> Vec<Value> {
        let EventKind::Partition { participants, .. } = kind else { return Vec::new() };
        let mut all = self.elements(before);
        let is_crashed = |me: &Value| {
            let crashed = self.process.crashed.as_ref();
            crashed.is_some_and(|crashed| self.holds(before, crashed, &[*me]))
        };
        all.retain(|me| !is_crashed(me));
        all.retain(|me| match participants {
            Participants::All => true,
            Participants::Marked(mark) => match &self.process.variable(*mark).encoding {
                Encoding::Bit(relation) => self.holds(before, relation, &[*me]),
                Encoding::OneHot(_) => false,
            },
            Participants::Linked(link) => {
                self.holds(before, &self.process.links[link.0].relation, &[winner, *me])
            }
        });
        all
    }

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
                Encoding::Bit(relation) => match self.holds(state, relation, &[me]) {
                    true => "yes".to_owned(),
                    false => "no".to_owned(),
                },
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
            .filter(|(name, value)| name.is_empty() || (value != "{}" && value != "no"))
            .map(|(name, value)| match (&*name, &*value) {
                ("", _) => value,
                (_, "yes") => format!("in {name}"),
                _ => format!("{name} = {value}"),
            })
            .collect()
    }

    /// What a step changes for one process.
    fn change(&self, before: &State, after: &State, me: Value) -> Option<String> {
        let (old, new) = (self.parts(before, me), self.parts(after, me));
        let mut changes = Vec::new();
        for (name, value) in &new {
            let was = old.iter().find(|(other, _)| other == name).map(|(_, was)| was);
            if let Some(was) = was.filter(|was| *was != value) {
                changes.push(match (&**name, &**value) {
                    ("", _) => format!("{was} → {value}"),
                    (_, "yes") => format!("joins {name}"),
                    (_, "no") => format!("leaves {name}"),
                    _ => format!("{name} {was} → {value}"),
                });
            }
        }
        (!changes.is_empty()).then(|| changes.join(", "))
    }
}
