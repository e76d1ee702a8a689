//! What a machine can do, written out: its points, variables and links, and a leaf for every path
//! through a handler. The lowering and the process model are made of it.

use std::collections::{BTreeMap, BTreeSet};

use crate::logic::Name;
use crate::source::Span;

/// A machine, written out.
#[derive(Clone, Debug, Default)]
pub(crate) struct LocalModel {
    /// Locations first, in their order, then resting points.
    pub(crate) points: Vec<LocalPoint>,
    /// Where it starts.
    pub(crate) start: usize,
    /// Variables, remembered values, marks of winners and losers, and faults.
    pub(crate) variables: Vec<LocalVariable>,
    /// Variables and remembered values of data domains.
    pub(crate) data: Vec<LocalData>,
    /// Sets, counts and remembered senders.
    pub(crate) links: Vec<LocalLink>,
    /// What it does.
    pub(crate) leaves: Vec<LocalLeaf>,
}

/// A location, or a place before a send inside a handler.
#[derive(Clone, Debug)]
pub(crate) struct LocalPoint {
    /// `L`, `L.1`
    pub(crate) name: Name,
    /// The location it belongs to.
    pub(crate) location: usize,
    /// Where it is written.
    pub(crate) span: Span,
}

/// What a variable is for.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum VariableUse {
    /// A variable of the text.
    Declared,
    /// The value of a message or an agreement that is used after resting.
    Remembered,
    /// Whether the process won or lost the last run of an agreement.
    Mark,
    /// Whether something happened that must not happen; the words say what.
    Fault(String),
}

/// A variable with finitely many values.
#[derive(Clone, Debug)]
pub(crate) struct LocalVariable {
    /// Its name.
    pub(crate) name: Name,
    /// Its least value.
    pub(crate) lowest: i64,
    /// Its greatest value.
    pub(crate) highest: i64,
    /// Its first value.
    pub(crate) initial: i64,
    /// What it is for.
    pub(crate) purpose: VariableUse,
    /// Where it is declared.
    pub(crate) span: Span,
}

impl LocalVariable {
    /// Whether one relation says what it is.
    pub(crate) fn is_bit(&self) -> bool {
        matches!(self.purpose, VariableUse::Mark | VariableUse::Fault(_))
    }

    /// Its values.
    pub(crate) fn values(&self) -> std::ops::RangeInclusive<i64> {
        self.lowest..=self.highest
    }
}

/// A variable whose values are those of a data domain.
#[derive(Clone, Debug)]
pub(crate) struct LocalData {
    /// Its name.
    pub(crate) name: Name,
    /// Its domain.
    pub(crate) domain: usize,
    /// Whether it is a value of a message or an agreement that is used after resting.
    pub(crate) remembered: bool,
    /// Where it is declared.
    pub(crate) span: Span,
}

/// A value of a data domain, as an expression denotes it before the step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum DataValue {
    /// What a variable holds.
    Variable(usize),
    /// What the message carries that is being received.
    Payload,
    /// What the agreement decides, by its position.
    Decided(usize),
    /// The first value of every variable of a domain.
    Default(usize),
}

/// What a process knows of others.
#[derive(Clone, Debug)]
pub(crate) struct LocalLink {
    /// Its name.
    pub(crate) name: Name,
    /// The message whose sender it is; nothing for a declared variable.
    pub(crate) sender_of: Option<Name>,
    /// Where it is declared.
    pub(crate) span: Span,
}

/// What a leaf belongs to.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum LeafEvent {
    /// Nothing but the process itself.
    Internal,
    /// A message, by its position among the actions.
    Message(usize),
    /// An agreement, by its position.
    Agreement(usize),
}

/// The part that the process plays.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum LeafRole {
    /// It moves by itself.
    Alone,
    /// It sends, with a value, to the remembered sender of a link.
    Send(Option<i64>, Option<usize>),
    /// It receives a value.
    Receive(Option<i64>),
    /// It wins.
    Win,
    /// It loses.
    Lose,
    /// It learns the decided values; it proposes a variable.
    Decide(Option<usize>, Vec<i64>),
    /// It learns decided values of a data domain; it proposes a data variable.
    Settle(Option<usize>),
}

/// A process, as an expression denotes it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum IdValue {
    /// The process itself.
    Myself,
    /// The sender of the message that is being received.
    Sender,
    /// The one in a link, if it has not crashed.
    Remembered(usize),
}

/// A set of processes, as an expression denotes it before the step.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum SetValue {
    /// Every live process.
    All,
    /// None.
    Empty,
    /// What a link holds.
    Link(usize),
    /// The processes with a mark.
    Marked(usize),
    /// One process.
    One(IdValue),
    /// Those in one or the other.
    Union(Box<SetValue>, Box<SetValue>),
    /// Those in the first only.
    Minus(Box<SetValue>, Box<SetValue>),
}

/// A condition on what a process knows of others, or on values of a data domain.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum LinkAtom {
    /// A process is in a set.
    In(IdValue, SetValue),
    /// Two sets are equal.
    SameSet(SetValue, SetValue),
    /// Two processes are the same.
    SameProcess(IdValue, IdValue),
    /// Every other live process is in a set.
    AllOthers(SetValue),
    /// Two values are the same; the lesser one first.
    SameData(DataValue, DataValue),
}

/// One path through a handler.
#[derive(Clone, Debug)]
pub(crate) struct LocalLeaf {
    /// What it belongs to.
    pub(crate) event: LeafEvent,
    /// Its part.
    pub(crate) role: LeafRole,
    /// Where it begins.
    pub(crate) source: usize,
    /// Where it ends.
    pub(crate) target: usize,
    /// The position of its handler in the location; handlers at one point exclude each other only
    /// if their conditions do.
    pub(crate) handler: usize,
    /// The values it depends on.
    pub(crate) reads: BTreeMap<usize, i64>,
    /// What it depends on otherwise.
    pub(crate) conditions: BTreeMap<LinkAtom, bool>,
    /// The values that change.
    pub(crate) writes: BTreeMap<usize, i64>,
    /// The links that change.
    pub(crate) sets: BTreeMap<usize, SetValue>,
    /// The data variables that change.
    pub(crate) data: BTreeMap<usize, DataValue>,
    /// The value that it sends, if it is one of a data domain.
    pub(crate) sent: Option<DataValue>,
    /// The handler.
    pub(crate) span: Span,
    /// The location name after `goto`, if it ends so.
    pub(crate) goto: Option<Span>,
}

impl LocalLeaf {
    /// The remembered senders that it uses.
    pub(crate) fn remembered(&self) -> BTreeSet<usize> {
        let mut found = BTreeSet::new();
        if let LeafRole::Send(_, Some(link)) = self.role {
            found.insert(link);
        }
        for atom in self.conditions.keys() {
            match atom {
                LinkAtom::In(id, set) => {
                    id.remembered(&mut found);
                    set.remembered(&mut found);
                }
                LinkAtom::SameSet(left, right) => {
                    left.remembered(&mut found);
                    right.remembered(&mut found);
                }
                LinkAtom::SameProcess(left, right) => {
                    left.remembered(&mut found);
                    right.remembered(&mut found);
                }
                LinkAtom::AllOthers(set) => set.remembered(&mut found),
                LinkAtom::SameData(..) => {}
            }
        }
        self.sets.values().for_each(|set| set.remembered(&mut found));
        found
    }
}

impl IdValue {
    fn remembered(&self, found: &mut BTreeSet<usize>) {
        if let IdValue::Remembered(link) = self {
            found.insert(*link);
        }
    }
}

impl SetValue {
    fn remembered(&self, found: &mut BTreeSet<usize>) {
        match self {
            SetValue::All | SetValue::Empty | SetValue::Link(_) | SetValue::Marked(_) => {}
            SetValue::One(id) => id.remembered(found),
            SetValue::Union(left, right) | SetValue::Minus(left, right) => {
                left.remembered(found);
                right.remembered(found);
            }
        }
    }
}
