//! The tree of a trace file: names unresolved, a span on every node.
//!
//! Values of variables that are not used may be anything, so that what cannot be read of a value
//! is part of the tree and no message.

use crate::frontend::syntax::surface::Identifier;
use crate::source::{Span, Spanned};

/// After this many messages the rest of a file is not checked.
pub const MESSAGE_LIMIT: usize = 100;

/// A whole trace file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TraceFile {
    /// How many elements the sorts have, where given.
    pub size: Vec<(Identifier, Spanned<i64>)>,
    /// The integers that stand for all of them, both ends included, where given.
    pub range: Option<Spanned<(i64, i64)>>,
    /// The states, in order.
    pub states: Vec<StateItem>,
}

/// One state, and the step that led to it as far as it is given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StateItem {
    /// The variables with their values, in the order of the text.
    pub values: Vec<(Identifier, TraceValue)>,
    /// The action that was taken.
    pub action: Option<Identifier>,
    /// Its arguments, by the names of the parameters, in the order of the text.
    pub picks: Vec<(Identifier, TraceValue)>,
    /// Where its object begins.
    pub span: Span,
}

/// A value and its position.
pub type TraceValue = Spanned<ValueKind>;

/// What a value is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ValueKind {
    /// `true` or `false`.
    Truth(bool),
    /// `7` or `{ "#bigint": "7" }`.
    Integer(i64),
    /// A string.
    Text(Identifier),
    /// `{ "#tup": [ … ] }`
    Tuple(Vec<TraceValue>),
    /// `{ "#set": [ … ] }`
    Set(Vec<TraceValue>),
    /// `{ "#map": [ [key, value], … ] }`
    Map(Vec<(TraceValue, TraceValue)>),
    /// Nothing that a protocol has: what it is, in a few words.
    Foreign(&'static str),
}

impl ValueKind {
    /// What it is, in a few words.
    pub fn description(&self) -> &'static str {
        match self {
            ValueKind::Truth(_) => "a truth value",
            ValueKind::Integer(_) => "an integer",
            ValueKind::Text(_) => "a string",
            ValueKind::Tuple(_) => "a tuple",
            ValueKind::Set(_) => "a set",
            ValueKind::Map(_) => "a map",
            ValueKind::Foreign(what) => what,
        }
    }
}
