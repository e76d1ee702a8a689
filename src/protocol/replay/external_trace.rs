//! A trace from outside: every state, and what is known of the steps between them.
//!
//! Nothing in it is believed; `finite::replay` looks for the run that it describes.

use crate::logic::{Name, Value};

use crate::protocol::{SortId, State};

/// A trace from outside.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExternalTrace {
    /// The first state; it also holds the rigid symbols.
    pub initial: State,
    /// What followed.
    pub steps: Vec<ExternalStep>,
    /// The sorts whose size is not given: they have the elements that are mentioned.
    pub guessed: Vec<SortId>,
    /// The elements that are given under another name than the canonical one.
    pub renamed: Vec<(SortId, u32, Name)>,
}

/// One step of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExternalStep {
    /// The position of the action in the protocol; any action if it is not given.
    pub action: Option<usize>,
    /// What is given of each argument; nothing if the action is not given.
    pub args: Vec<Option<Value>>,
    /// The state after.
    pub state: State,
}
