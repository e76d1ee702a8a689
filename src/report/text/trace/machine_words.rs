//! A run of machines in their own words: who does what, in which state, and which messages are sent.

use std::collections::BTreeMap;

use super::process_words::{ProcessMove, StepWords};
use super::{ShownValue, element_name, shown};
use crate::logic::{Table, Value, print_application};
use crate::process::machines::{MachineHappening, Machines};
use crate::protocol::{Invocation, Protocol, Sort, State, Step, Symbol, SymbolId, Trace};

/// What an exceeded network is called where others have the name of a machine.
const NETWORK: &str = "the network";

/// What is declared outside of machines.
const OUTSIDE: &str = "outside";

/// The steps of a run in the words of its machines.
pub(super) fn steps(machines: &Machines, protocol: &Protocol, trace: &Trace) -> Vec<StepWords> {
    let words = MachineWords { machines, protocol: &protocol.with_names_of(&trace.initial) };
    let after = trace.steps.iter().map(|step| &step.state);
    let before = std::iter::once(&trace.initial).chain(after);
    trace.steps.iter().zip(before).map(|(step, before)| words.step(before, step)).collect()
}

/// A message on its way: its relation, sender and receiver, contents.
type OnItsWay = (SymbolId, [Value; 2], Vec<Value>);

struct MachineWords<'a> {
    machines: &'a Machines,
    protocol: &'a Protocol,
}

/// What a symbol of the lowered protocol is.
enum Role {
    /// The state of a machine.
    State,
    /// What a machine has.
    Variable,
    /// Messages on their way.
    Message,
    /// The summary of a step says it, or the messages do.
    Implied,
    /// The network had no place.
    Exceeded,
    /// Declared outside of machines.
    Outside,
}

impl MachineWords<'_> {
    fn step(&self, before: &State, step: &Step) -> StepWords {
        let mut moves = Moves::default();
        for (id, symbol) in self.protocol.signature.mutable() {
            let tables = [before, &step.state].map(|state| state.tables.get(&id));
            if let [Some(old), Some(new)] = tables {
                self.changes(symbol, [old, new], &mut moves);
            }
        }
        self.sent(before, step, &mut moves);
        StepWords { summary: self.summary(&step.invocation), moves: moves.joined() }
    }

    fn role(&self, name: &str) -> Role {
        let machines = self.machines;
        let is = |own: &Option<crate::logic::Name>| own.as_deref() == Some(name);
        if machines.kinds.iter().any(|kind| is(&kind.state)) {
            Role::State
        } else if machines.kinds.iter().any(|kind| is(&kind.crashed))
            || machines.queues.iter().any(|queue| **queue == *name)
        {
            Role::Implied
        } else if machines.messages.iter().any(|message| *message.name == *name) {
            Role::Message
        } else if is(&machines.exceeded) {
            Role::Exceeded
        } else if machines.kinds.iter().any(|kind| kind.variables.iter().any(|own| **own == *name))
        {
            Role::Variable
        } else {
            Role::Outside
        }
    }

    /// What a step changes in one table, other than messages.
    fn changes(&self, symbol: &Symbol, [old, new]: [&Table; 2], moves: &mut Moves) {
        let role = self.role(&symbol.name);
        for ((args, from), (_, to)) in old.entries().zip(new.entries()) {
            if from == to {
                continue;
            }
            let [from, to] = [from, to].map(|value| shown(self.protocol, symbol, value));
            let names: Vec<String> = self.names(&symbol.params, &args);
            match role {
                Role::Message | Role::Implied => {}
                Role::Exceeded => {
                    moves.add(NETWORK, "has no place for another message".to_owned());
                }
                Role::State => moves.add(&names[0], changed("", &from, &to)),
                Role::Variable => {
                    let own = print_application(&symbol.name, &names[1..]);
                    moves.add(&names[0], changed(&own, &from, &to));
                }
                Role::Outside => {
                    let place = print_application(&symbol.name, &names);
                    moves.add(OUTSIDE, changed(&place, &from, &to));
                }
            }
        }
    }

    /// The messages that are on their way in a state, each with the number of its copies.
    fn on_their_way(&self, state: &State) -> BTreeMap<OnItsWay, usize> {
        let mut all = BTreeMap::new();
        for (id, symbol) in self.protocol.signature.mutable() {
            if !matches!(self.role(&symbol.name), Role::Message) {
                continue;
            }
            for (args, value) in state.tables.get(&id).into_iter().flat_map(Table::entries) {
                if value == Value::Bool(true) {
                    let contents = args[2 + usize::from(self.machines.has_queues())..].to_vec();
                    *all.entry((id, [args[0], args[1]], contents)).or_insert(0) += 1;
                }
            }
        }
        all
    }

    /// What is on its way after a step and would not be if nothing had been sent.
    fn sent(&self, before: &State, step: &Step, moves: &mut Moves) {
        let mut left = self.on_their_way(before);
        if let Some(count) = self.taken(&step.invocation).and_then(|own| left.get_mut(&own)) {
            *count = count.saturating_sub(1);
        }
        let mut sent: BTreeMap<(Value, SymbolId, Vec<Value>), Vec<Value>> = BTreeMap::new();
        for (message, count) in self.on_their_way(&step.state) {
            let more = count.saturating_sub(left.get(&message).copied().unwrap_or(0));
            let (id, [from, to], contents) = message;
            if more > 0 {
                let to = std::iter::repeat_n(to, more);
                sent.entry((from, id, contents)).or_default().extend(to);
            }
        }
        for ((from, id, contents), receivers) in sent {
            let symbol = self.protocol.signature.symbol(id);
            let receivers = receivers.into_iter().map(|to| self.name(symbol.params[1], to));
            let receivers = receivers.collect::<Vec<_>>().join(", ");
            let message = self.message(symbol, &contents);
            moves
                .add(&self.name(symbol.params[0], from), format!("sends {message} to {receivers}"));
        }
    }

    /// The message that leaves the network in a step.
    fn taken(&self, invocation: &Invocation) -> Option<OnItsWay> {
        let action = &self.protocol.actions[invocation.action];
        let args = &invocation.args;
        let (name, ends) = match self.machines.happening(&action.name)? {
            MachineHappening::Receives(_) if self.machines.delivers_again => return None,
            MachineHappening::Receives(message) => (message, [*args.get(1)?, *args.first()?]),
            MachineHappening::Loses(message) => (message, [*args.first()?, *args.get(1)?]),
            MachineHappening::Acts(_) | MachineHappening::Crashes | MachineHappening::Restarts => {
                return None;
            }
        };
        let id = self.protocol.signature.find_symbol(name)?;
        Some((id, ends, args.get(2..)?.to_vec()))
    }

    /// `server receives ask(k) from client0`
    fn summary(&self, invocation: &Invocation) -> String {
        let action = &self.protocol.actions[invocation.action];
        let names: Vec<String> = action
            .params
            .iter()
            .zip(&invocation.args)
            .map(|(param, value)| self.name(param.sort, *value))
            .collect();
        match (self.machines.happening(&action.name), &names[..]) {
            (Some(MachineHappening::Receives(message)), [me, sender, contents @ ..]) => {
                format!("{me} receives {} from {sender}", print_application(message, contents))
            }
            (Some(MachineHappening::Acts(name)), [me, others @ ..]) => {
                format!("{me}: {}", print_application(name, others))
            }
            (Some(MachineHappening::Crashes), [me, ..]) => format!("{me} crashes"),
            (Some(MachineHappening::Restarts), [me, ..]) => format!("{me} restarts"),
            (Some(MachineHappening::Loses(message)), [from, to, contents @ ..]) => {
                let message = print_application(message, contents);
                format!("{NETWORK} loses {message} from {from} to {to}")
            }
            _ => print_application(&action.name, &names),
        }
    }

    /// A message with its contents.
    fn message(&self, symbol: &Symbol, contents: &[Value]) -> String {
        let first = symbol.params.len() - contents.len();
        print_application(&symbol.name, &self.names(&symbol.params[first..], contents))
    }

    fn names(&self, sorts: &[Sort], values: &[Value]) -> Vec<String> {
        sorts.iter().zip(values).map(|(sort, value)| self.name(*sort, *value)).collect()
    }

    fn name(&self, sort: Sort, value: Value) -> String {
        element_name(&self.protocol.signature, sort, value).to_string()
    }
}

/// `+ r(a)`, `- r(a)`, `x a → b`; without a place `a → b`.
fn changed(place: &str, from: &ShownValue, to: &ShownValue) -> String {
    match (from, to) {
        (_, ShownValue::Truth(true)) => format!("+ {place}"),
        (_, ShownValue::Truth(false)) => format!("- {place}"),
        (ShownValue::Element(from), ShownValue::Element(to)) if place.is_empty() => {
            format!("{from} → {to}")
        }
        (ShownValue::Element(from), ShownValue::Element(to)) => format!("{place} {from} → {to}"),
        (ShownValue::Truth(_), ShownValue::Element(to)) => format!("{place} → {to}"),
    }
}

/// What changes for each machine, in the order in which they change.
#[derive(Default)]
struct Moves {
    all: Vec<(String, Vec<String>)>,
}

impl Moves {
    fn add(&mut self, who: &str, change: String) {
        match self.all.iter_mut().find(|(other, _)| other == who) {
            Some((_, changes)) => changes.push(change),
            None => self.all.push((who.to_owned(), vec![change])),
        }
    }

    fn joined(self) -> Vec<ProcessMove> {
        let joined = |(process, changes): (String, Vec<String>)| ProcessMove {
            process,
            change: changes.join(", "),
        };
        self.all.into_iter().map(joined).collect()
    }
}
