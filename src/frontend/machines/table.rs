//! What is declared: kinds of machines with their states and variables, messages, the network.

use std::collections::{BTreeMap, BTreeSet};

use super::codes;
use super::tree::{Declaration, Machine, MachineFile, Message, Occasion, Part, Step};
use crate::diagnostic::near_names::nearest;
use crate::diagnostic::{Diagnostic, refuse};
use crate::frontend::syntax::surface::{Identifier, SymbolItem};
use crate::logic::Name;
use crate::source::{Span, Spanned};

/// The most places of a queue: each is written out.
const MOST_PLACES: usize = 16;

/// The machine that takes a step.
pub(super) const ME: &str = "me";

/// The word of a handler for crashes.
pub(super) const CRASH: &str = "crash";

/// The word of a handler for restarts.
pub(super) const RESTART: &str = "restart";

/// Holds after a message was sent that the network had no place for.
pub(super) const EXCEEDED: &str = "exceeded";

/// The sort of the places in a queue.
pub(super) const PLACE: &str = "place";

/// A place in a queue, the first being 1.
pub(super) fn place(number: usize) -> Name {
    format!("{PLACE}_{number}").into()
}

/// The declarations of a file.
pub(super) struct Table<'a> {
    /// The kinds of machines, in the order of the file.
    pub(super) kinds: Vec<Kind<'a>>,
    /// The messages, in the order of the file.
    pub(super) messages: Vec<&'a Message>,
    /// How messages travel.
    pub(super) network: Network,
}

/// A kind of machines.
pub(super) struct Kind<'a> {
    /// Its declaration.
    pub(super) machine: &'a Machine,
    /// Its states; the first is the initial one.
    pub(super) states: &'a [Identifier],
    /// Its variables.
    pub(super) symbols: Vec<&'a Spanned<Part>>,
    /// What it does.
    pub(super) steps: Vec<(&'a Step, Span)>,
    /// Whether it can crash.
    pub(super) crashes: bool,
}

/// How messages travel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Network {
    /// In which order they arrive.
    pub(super) order: Order,
    /// Whether they can get lost.
    pub(super) lossy: bool,
    /// Whether they can arrive again.
    pub(super) duplicating: bool,
}

/// In which order messages arrive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    /// In any order; at most one copy of a message may be on its way.
    Bag,
    /// In any order; equal messages on their way are one.
    Set,
    /// In the order in which they were sent, from queues with so many places.
    Fifo(usize, Per),
}

/// For whom there is a queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Per {
    /// For every sender and receiver.
    Pair,
    /// For every sender.
    Sender,
    /// For every receiver.
    Receiver,
}

impl<'a> Table<'a> {
    /// What a file declares.
    pub(super) fn new(file: &'a MachineFile, diagnostics: &mut Vec<Diagnostic>) -> Self {
        let mut table = Table {
            kinds: Vec::new(),
            messages: Vec::new(),
            network: Network { order: Order::Set, lossy: false, duplicating: false },
        };
        let mut networks: Vec<Span> = Vec::new();
        for declaration in &file.declarations {
            match &declaration.value {
                Declaration::Machine(machine) => table.kinds.push(kind(machine, diagnostics)),
                Declaration::Message(message) => table.messages.push(message),
                Declaration::Network(words) => {
                    if let Some(first) = networks.first() {
                        let message = "the network is declared twice";
                        let refusal = Diagnostic::error(codes::TWICE, message, declaration.span);
                        refuse(diagnostics, refusal.also(*first, "it is declared here"));
                    }
                    networks.push(declaration.span);
                    match network(words, declaration.span) {
                        Ok(network) => table.network = network,
                        Err(message) => refuse(diagnostics, *message),
                    }
                }
            }
        }
        if let (Some(message), true) = (table.messages.first(), networks.is_empty()) {
            let text = "the network is not declared";
            let refusal = Diagnostic::error(codes::NETWORK, text, message.name.span);
            let hint = "declare a network: `network bag`, `network lossy set`, \
                        `network fifo 2 per pair`, …";
            refuse(diagnostics, refusal.hint(hint));
        }
        table
    }

    /// A kind of machines by its name.
    pub(super) fn kind(&self, name: &str) -> Option<&Kind<'a>> {
        self.kinds.iter().find(|kind| &*kind.machine.name.value == name)
    }

    /// A message by its name.
    pub(super) fn message(&self, name: &str) -> Option<&'a Message> {
        self.messages.iter().copied().find(|message| &*message.name.value == name)
    }

    /// Whether the network can be sent more than it has places for.
    pub(super) fn can_exceed(&self) -> bool {
        !self.messages.is_empty() && self.network.order != Order::Set
    }

    /// The queue of a message, with the sorts of the machines that have one.
    pub(super) fn queue(&self, message: &Message) -> Option<(Name, Vec<Identifier>)> {
        let Order::Fifo(_, per) = self.network.order else { return None };
        let (from, to) = (&message.from, &message.to);
        Some(match per {
            Per::Pair => {
                let name = format!("queued_{}_{}", from.value, to.value);
                (name.into(), vec![from.clone(), to.clone()])
            }
            Per::Sender => (format!("queued_{}", from.value).into(), vec![from.clone()]),
            Per::Receiver => (format!("queued_{}", to.value).into(), vec![to.clone()]),
        })
    }

    /// What the lowered protocol has for the network, beside the messages.
    pub(super) fn network_symbols(&self) -> BTreeSet<Name> {
        let queues = self.messages.iter().filter_map(|message| self.queue(message));
        let mut symbols: BTreeSet<Name> = queues.map(|(name, _)| name).collect();
        if let Order::Fifo(places, _) = self.network.order {
            symbols.extend((1..=places).map(place));
            symbols.insert(PLACE.into());
        }
        if self.can_exceed() {
            symbols.insert(EXCEEDED.into());
        }
        symbols
    }

    /// The machine that a state or variable belongs to.
    pub(super) fn owners(&self) -> BTreeMap<Name, &Kind<'a>> {
        let mut owners = BTreeMap::new();
        for kind in &self.kinds {
            for symbol in kind.variables() {
                owners.entry(symbol.name.value.clone()).or_insert(kind);
            }
            for name in [kind.state_function(), kind.crashed_relation()] {
                owners.entry(name).or_insert(kind);
            }
        }
        owners
    }
}

impl<'a> Kind<'a> {
    /// Its variables, functions and relations.
    pub(super) fn variables(&self) -> impl Iterator<Item = &'a SymbolItem> + '_ {
        self.symbols.iter().filter_map(|part| match &part.value {
            Part::Symbol(symbol) => Some(symbol),
            _ => None,
        })
    }

    /// The name of the kind.
    pub(super) fn name(&self) -> &'a Identifier {
        &self.machine.name
    }

    /// The function that says in which state a machine is.
    pub(super) fn state_function(&self) -> Name {
        format!("{}_state", self.name().value).into()
    }

    /// The sort of the states.
    pub(super) fn state_sort(&self) -> Name {
        format!("{}_states", self.name().value).into()
    }

    /// The relation of the machines that have crashed.
    pub(super) fn crashed_relation(&self) -> Name {
        format!("{}_crashed", self.name().value).into()
    }
}

fn kind<'a>(machine: &'a Machine, diagnostics: &mut Vec<Diagnostic>) -> Kind<'a> {
    let mut kind =
        Kind { machine, states: &[], symbols: Vec::new(), steps: Vec::new(), crashes: false };
    for part in &machine.parts {
        match &part.value {
            Part::States(states) => {
                if let Some(first) = kind.states.first() {
                    let message = "the states of a machine are listed once";
                    let refusal = Diagnostic::error(codes::TWICE, message, part.span);
                    refuse(diagnostics, refusal.also(first.span, "they are listed here"));
                }
                kind.states = states;
            }
            Part::Symbol(_) | Part::Init(_) => kind.symbols.push(part),
            Part::Step(step) => {
                if matches!(&step.occasion, Occasion::On { message, .. } if &*message.value == CRASH)
                {
                    kind.crashes = true;
                }
                kind.steps.push((step, part.span));
            }
        }
    }
    kind
}

/// The network that some words describe.
fn network(words: &[Identifier], span: Span) -> Result<Network, Box<Diagnostic>> {
    let mut network = Network { order: Order::Bag, lossy: false, duplicating: false };
    let mut kind: Option<Span> = None;
    let mut rest = words;
    while let Some((word, mut after)) = rest.split_first() {
        let order = match &*word.value {
            "lossy" => {
                network.lossy = true;
                None
            }
            "duplicating" => {
                network.duplicating = true;
                None
            }
            "bag" => Some(Order::Bag),
            "set" => Some(Order::Set),
            "fifo" => {
                let (order, behind) = fifo(word, after)?;
                after = behind;
                Some(order)
            }
            other => {
                let message = format!("`{other}` is not a property of a network");
                let words = ["lossy", "duplicating", "bag", "set", "fifo"];
                let near = nearest(other, &words);
                let hint = match near {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => "a network is `bag`, `set` or `fifo … per …`; `lossy` and \
                             `duplicating` may come first"
                        .to_owned(),
                };
                let refusal = Diagnostic::error(codes::NETWORK, message, word.span);
                return Err(Box::new(refusal.hint(hint).instead_any(near)));
            }
        };
        if let Some(order) = order {
            if let Some(first) = kind {
                let message = "a network has one order";
                let refusal = Diagnostic::error(codes::NETWORK, message, word.span);
                return Err(Box::new(refusal.also(first, "another one is given here")));
            }
            network.order = order;
            kind = Some(word.span);
        }
        rest = after;
    }
    match network.order {
        Order::Fifo(..) if network.duplicating => {
            let message = "a queue does not deliver a message twice";
            let refusal = Diagnostic::error(codes::NETWORK, message, span);
            let refusal = refusal.hint("write `network duplicating` for messages without order");
            Err(Box::new(refusal.instead("network duplicating")))
        }
        // What may arrive any number of times is on its way once and for all.
        Order::Bag if network.duplicating => Ok(Network { order: Order::Set, ..network }),
        _ => Ok(network),
    }
}

/// `fifo 2 per pair`, after the first word.
fn fifo<'a>(
    word: &Identifier,
    after: &'a [Identifier],
) -> Result<(Order, &'a [Identifier]), Box<Diagnostic>> {
    let refused = |message: String, span: Span, hint: &str| {
        Box::new(Diagnostic::error(codes::BOUND, message, span).hint(hint))
    };
    let hint = "write how many messages fit, and for whom there is a queue: \
                `network fifo 2 per pair`, `per sender` or `per receiver`";
    let digits = |word: &&Identifier| word.value.starts_with(|first: char| first.is_ascii_digit());
    let Some(bound) = after.first().filter(digits) else {
        let refusal = refused("this queue has no bound".to_owned(), word.span, hint);
        return Err(Box::new(refusal.instead("fifo 2")));
    };
    let places = bound.value.parse().ok().filter(|places| (1..=MOST_PLACES).contains(places));
    let Some(places) = places else {
        let message = format!("a queue has between 1 and {MOST_PLACES} places");
        return Err(refused(
            message,
            bound.span,
            "every place is written out: choose a smaller one",
        ));
    };
    let per = match after.get(1..3) {
        Some([per, whose]) if &*per.value == "per" => match &*whose.value {
            "pair" => Some(Per::Pair),
            "sender" => Some(Per::Sender),
            "receiver" => Some(Per::Receiver),
            _ => None,
        },
        _ => None,
    };
    match per {
        Some(per) => Ok((Order::Fifo(places, per), after.get(3..).unwrap_or_default())),
        None => {
            let at = after.get(2).or(after.get(1)).unwrap_or(bound).span;
            let refusal =
                refused("missing `per pair`, `per sender` or `per receiver`".to_owned(), at, hint);
            let whom =
                ["pair", "sender", "receiver"].map(|whom| format!("{} per {whom}", bound.value));
            let is_last = after.len() == 1;
            Err(if is_last { Box::new(refusal.instead_any(whom)) } else { refusal })
        }
    }
}
