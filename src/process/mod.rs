//! One process of a system of equal processes, as plain data: points, variables, events, and what
//! a process does at each event.
//!
//! A reader fills it from the same run of the handlers that it lowers to a protocol, and names the
//! relations of that protocol; so a statement about local states is a formula of the protocol.
//! Nothing that is proved rests on it: it serves analyses and searches, which propose.

pub mod counters;
mod data;
pub mod local;
pub mod machines;
mod specification;
mod step;

pub use data::{Data, DataId, DataSource, LeafData};
pub use specification::{Pattern, Requirement, Specification};
pub use step::{Happening, Step};

use crate::logic::Name;
use crate::source::Span;

/// What a protocol was written as, if not as relations and actions: its runs are shown in these
/// words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Described {
    /// Equal processes.
    Process(Box<Process>),
    /// Machines that send each other messages.
    Machines(machines::Machines),
}

impl Described {
    /// The process, if it is one.
    pub fn process(&self) -> Option<&Process> {
        match self {
            Described::Process(process) => Some(&**process),
            Described::Machines(_) => None,
        }
    }
}

/// A process, of which a system has any number, all equal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Process {
    /// Its name.
    pub name: Name,
    /// The sort of processes in the lowered protocol.
    pub sort: Name,
    /// The relation of the processes that have crashed, if any can.
    pub crashed: Option<Name>,
    /// Where it can be.
    pub points: Vec<Point>,
    /// Its finite variables.
    pub variables: Vec<Variable>,
    /// Its variables of data domains; no local state records them.
    pub data: Vec<Data>,
    /// What it knows of other processes; no local state records it.
    pub links: Vec<Link>,
    /// What can happen.
    pub events: Vec<Event>,
    /// What it does, for every event and every valuation that the handler's conditions read.
    pub leaves: Vec<Leaf>,
    /// The actions of the lowered protocol.
    pub steps: Vec<Step>,
    /// The agreements that a point declares not to be concerned with.
    pub unconcerned: Vec<(PointId, EventId)>,
    /// Where it starts, and with which values.
    pub initial: LocalState,
    /// Where it can crash.
    pub crash: Crash,
    /// Whose moves the environment makes.
    pub environment: Environment,
    /// What is to be proved.
    pub specifications: Vec<Specification>,
}

/// A point, by its position in [`Process::points`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PointId(pub usize);

/// A variable, by its position in [`Process::variables`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct VariableId(pub usize);

/// A link, by its position in [`Process::links`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LinkId(pub usize);

/// An event, by its position in [`Process::events`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EventId(pub usize);

/// A location, or a resting point inside one of its handlers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Point {
    /// `L` for a location, `L.1` for a resting point.
    pub name: Name,
    /// The location it belongs to; a location belongs to itself.
    pub location: PointId,
    /// The relation of the processes that are there.
    pub relation: Name,
    /// Where its location is declared, or the send that it rests before.
    pub span: Span,
}

/// A variable with finitely many values; also a bit that says who won or lost an agreement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    /// Its name.
    pub name: Name,
    /// Its least value.
    pub lowest: i64,
    /// How the lowered protocol says which value it has.
    pub encoding: Encoding,
    /// Where it is declared.
    pub span: Span,
}

/// How the lowered protocol says which value a variable has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// One relation for each value, the least first; exactly one holds of a live process.
    OneHot(Vec<Name>),
    /// A relation that holds for the value 1 and not for 0.
    Bit(Name),
}

impl Variable {
    /// Its values, in order.
    pub fn values(&self) -> impl Iterator<Item = i64> + Clone + use<> {
        let count = match &self.encoding {
            Encoding::OneHot(relations) => relations.len(),
            Encoding::Bit(_) => 2,
        };
        let lowest = self.lowest;
        (0..count).map(move |index| lowest.saturating_add(i64::try_from(index).unwrap_or(i64::MAX)))
    }
}

/// A set of processes, a count of senders or a sender to be answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    /// Its name.
    pub name: Name,
    /// The relation: the first argument knows the second.
    pub relation: Name,
    /// Where it is declared.
    pub span: Span,
}

/// Something that happens to one, two or all processes at once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// Its name; the message or agreement.
    pub name: Name,
    /// Who takes part.
    pub kind: EventKind,
    /// Where it is declared or, for an agreement, first invoked.
    pub span: Span,
}

/// Who takes part in an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EventKind {
    /// One process, by itself. One such event stands for all `_` handlers without a send.
    Internal,
    /// One process and the environment.
    EnvironmentRendezvous,
    /// A sender and one receiver.
    Rendezvous,
    /// A sender and every other live process.
    Broadcast,
    /// Every live process; the environment sends.
    EnvironmentBroadcast,
    /// The participants, of which some win.
    Partition {
        /// Who takes part.
        participants: Participants,
        /// How many win, if there are so many.
        winners: usize,
    },
    /// The participants, who decide on values that some of them propose.
    Consensus {
        /// Who takes part.
        participants: Participants,
        /// How many values are decided.
        values: usize,
    },
}

/// Who takes part in an agreement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Participants {
    /// Every live process.
    All,
    /// Every live process for which a bit is 1: the winners or losers of an earlier agreement.
    Marked(VariableId),
    /// The processes that the members' set names.
    Linked(LinkId),
}

/// What a process does at an event: one path through a handler.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Leaf {
    /// The event.
    pub event: EventId,
    /// The part it plays.
    pub role: Role,
    /// Where it is before.
    pub source: PointId,
    /// The values that the path depends on.
    pub reads: Vec<(VariableId, i64)>,
    /// Whether the path also depends on what it knows of other processes.
    pub condition: Condition,
    /// The values that change.
    pub writes: Vec<(VariableId, i64)>,
    /// What it does with values of data domains.
    pub data: LeafData,
    /// Where it is after.
    pub target: PointId,
    /// The handler.
    pub span: Span,
    /// The location that the path goes to, where it is written.
    pub goto: Option<Span>,
}

/// Whether local states alone decide that a path is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Condition {
    /// They do.
    Local,
    /// A set, a count, a sender or a value of a data domain is read as well.
    OnLinks,
}

/// The part that a process plays in an event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Role {
    /// It moves alone, or with the environment.
    Alone,
    /// It sends.
    Send {
        /// The value sent.
        payload: Option<i64>,
        /// To whom, if not to anyone.
        to: Option<LinkId>,
    },
    /// It receives, or ignores.
    Receive {
        /// The value received; one leaf for each, unless the handler ignores it: then `None` stands
        /// for all.
        payload: Option<i64>,
    },
    /// It wins.
    Win,
    /// It loses.
    Lose,
    /// It learns what is decided.
    Decide {
        /// What it proposes, if anything.
        proposal: Option<VariableId>,
        /// What is decided.
        values: Vec<i64>,
    },
}

/// A point and a value for every variable.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LocalState {
    /// The point.
    pub point: PointId,
    /// The values, in the order of the variables.
    pub values: Vec<i64>,
}

/// Where processes can crash.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Crash {
    /// Everywhere.
    Everywhere,
    /// Nowhere.
    Nowhere,
    /// At these points.
    At(Vec<PointId>),
}

/// Whose moves the environment makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Environment {
    /// It does whatever some process can take part in.
    Generated,
    /// It is a process of its own.
    Written,
}

impl Process {
    /// The declaration of a point.
    pub fn point(&self, point: PointId) -> &Point {
        &self.points[point.0]
    }

    /// The declaration of a variable.
    pub fn variable(&self, variable: VariableId) -> &Variable {
        &self.variables[variable.0]
    }

    /// What an action of the lowered protocol is.
    pub fn happening(&self, action: &str) -> Option<&Happening> {
        self.steps.iter().find(|step| &*step.action == action).map(|step| &step.happening)
    }

    /// The declaration of an event.
    pub fn event(&self, event: EventId) -> &Event {
        &self.events[event.0]
    }
}

impl Leaf {
    /// Whether a process in this local state can take the path, as far as its local state decides.
    pub fn applies(&self, state: &LocalState) -> bool {
        let reads = |(variable, value): &(VariableId, i64)| state.values[variable.0] == *value;
        self.source == state.point && self.reads.iter().all(reads)
    }

    /// The local state after the path.
    pub fn after(&self, state: &LocalState) -> LocalState {
        let mut after = LocalState { point: self.target, values: state.values.clone() };
        for (variable, value) in &self.writes {
            after.values[variable.0] = *value;
        }
        after
    }
}
