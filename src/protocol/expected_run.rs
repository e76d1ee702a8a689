//! Runs that a text expects: `reach` lines, and the traces of mypyvy.
//!
//! No verdict depends on them; they state what a protocol is meant to be able to do.

use super::StateFormula;
use crate::logic::Name;
use crate::source::Span;

/// A run that a text expects.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExpectedRun {
    /// The label, if one was written.
    pub label: Option<Name>,
    /// What the text says about it.
    pub expectation: Expectation,
    /// Where it may begin.
    pub beginning: Beginning,
    /// What happens and what holds, in order.
    pub parts: Vec<RunPart>,
    /// Where it was written.
    pub span: Span,
}

/// What a text says about a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expectation {
    /// A `reach` line: some size has it.
    Reachable,
    /// A `sat trace`: some size has it.
    Possible,
    /// An `unsat trace`: no size has it.
    Impossible,
}

/// The states in which a run may begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Beginning {
    /// The initial ones.
    Initial,
    /// All.
    Anywhere,
}

/// A part of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RunPart {
    /// This holds in the state reached so far.
    Holds(StateFormula),
    /// Any number of steps, possibly none.
    Steps,
    /// One step, by any action.
    AnyStep,
    /// One step, by one of these actions.
    OneOf(Vec<ExpectedStep>),
}

/// A step by an action.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExpectedStep {
    /// The position of the action.
    pub action: usize,
    /// What is known of its parameters, which are free here.
    pub conditions: Vec<StateFormula>,
}

impl ExpectedRun {
    /// Whether some size should have it.
    pub fn should_exist(&self) -> bool {
        self.expectation != Expectation::Impossible
    }
}
