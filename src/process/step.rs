//! The actions of the lowered protocol in the words of the process.

use super::EventId;
use crate::logic::Name;

/// An action of the lowered protocol.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The action.
    pub action: Name,
    /// What happens.
    pub happening: Happening,
}

/// What happens in a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Happening {
    /// The first parameter moves by itself.
    Internal,
    /// The environment moves by itself.
    Environment,
    /// The first parameter receives a message, with a value, from the environment.
    FromEnvironment(EventId, Option<i64>),
    /// The first parameter sends one to the environment.
    ToEnvironment(EventId, Option<i64>),
    /// The first parameter sends one, to the second or to all; for all from the environment there
    /// is no parameter.
    Message(EventId, Option<i64>),
    /// The parameters win an agreement.
    Partition(EventId),
    /// The parameters propose the values that are decided.
    Consensus(EventId, Vec<i64>),
    /// The parameter crashes.
    Crash,
}

impl Happening {
    /// The event, if it is one that has a name.
    pub fn event(&self) -> Option<EventId> {
        match self {
            Happening::Internal | Happening::Environment | Happening::Crash => None,
            Happening::FromEnvironment(event, _)
            | Happening::ToEnvironment(event, _)
            | Happening::Message(event, _)
            | Happening::Partition(event)
            | Happening::Consensus(event, _) => Some(*event),
        }
    }
}
