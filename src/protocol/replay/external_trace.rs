//! A run as somebody tells it: every state, and what is known of the steps between them.
//!
//! Nothing in it is believed; `finite::replay` looks for the run that it tells.

use crate::logic::{Name, Value};

use crate::protocol::{SortId, State};

/// A run as it is told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToldTrace {
    /// The first state; it also holds the rigid symbols.
    pub initial: State,
    /// What followed.
    pub steps: Vec<ToldStep>,
    /// The sorts whose size nobody told: they have the elements that are mentioned.
    pub guessed: Vec<SortId>,
    /// The elements that are told under another name than ours.
    pub renamed: Vec<(SortId, u32, Name)>,
}

/// One step as it is told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToldStep {
    /// The position of the action in the protocol; any action if it is not told.
    pub action: Option<usize>,
    /// What is told of each argument; nothing if the action is not told.
    pub args: Vec<Option<Value>>,
    /// The state after.
    pub state: State,
}
