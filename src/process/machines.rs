//! Machines that send each other messages, as plain data: what the relations and actions of a
//! lowered protocol mean in their words. Reports read it; nothing that is proved rests on it.

use crate::logic::Name;

/// The machines and messages of a protocol.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Machines {
    /// The kinds of machines.
    pub kinds: Vec<MachineKind>,
    /// The messages.
    pub messages: Vec<MessageKind>,
    /// The actions of the lowered protocol.
    pub steps: Vec<MachineStep>,
    /// Holds after a message was sent that the network had no place for.
    pub exceeded: Option<Name>,
    /// The relations of the places in queues that are taken; if there are any, the third argument
    /// of a message is its place.
    pub queues: Vec<Name>,
    /// Whether a message stays on its way when it is received.
    pub delivers_again: bool,
}

/// A kind of machines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MachineKind {
    /// Its sort.
    pub sort: Name,
    /// The function that says in which state a machine is.
    pub state: Option<Name>,
    /// The relation of the machines that have crashed.
    pub crashed: Option<Name>,
    /// What every machine has: functions and relations whose first argument it is.
    pub variables: Vec<Name>,
}

/// A message: a relation over sender, receiver, place in a queue, and contents.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MessageKind {
    /// Its name.
    pub name: Name,
}

/// An action of the lowered protocol.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MachineStep {
    /// The action.
    pub action: Name,
    /// What happens.
    pub happening: MachineHappening,
}

/// What happens in a step. The first parameter is the machine, unless the network acts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MachineHappening {
    /// It receives a message: the second parameter has sent it, the others are its contents.
    Receives(Name),
    /// It does something by itself, with the other parameters.
    Acts(Name),
    /// It crashes.
    Crashes,
    /// It restarts.
    Restarts,
    /// The network loses a message: from the first parameter to the second, with the others in it.
    Loses(Name),
}

impl Machines {
    /// Whether messages stand in queues.
    pub fn has_queues(&self) -> bool {
        !self.queues.is_empty()
    }

    /// What an action of the lowered protocol is.
    pub fn happening(&self, action: &str) -> Option<&MachineHappening> {
        self.steps.iter().find(|step| &*step.action == action).map(|step| &step.happening)
    }
}
