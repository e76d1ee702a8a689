//! Runs that a text expects to be possible or impossible, checked at one size.

use super::FiniteOutcome;
use super::request::Explored;
use crate::protocol::Trace;

/// What a text expects of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExpectedRun {
    /// There is one.
    Possible,
    /// There is none.
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

/// A run that a text mentions, and the result of looking for it.
#[derive(Clone, Debug)]
pub struct CheckedRun {
    /// The line that mentions it.
    pub line: usize,
    /// What the text expects.
    pub expected: ExpectedRun,
    /// Where it may begin.
    pub beginning: Beginning,
    /// The size, and the outcome of the search for its end: unsafe if it is reached.
    pub explored: Explored,
    /// A run of the protocol as described, if there is one.
    pub run: Option<Trace>,
}

impl CheckedRun {
    /// Whether this size agrees with what the text says; `None` where it decides nothing.
    pub fn is_as_expected(&self) -> Option<bool> {
        match (&self.explored.outcome, self.expected) {
            (FiniteOutcome::Unsafe(..), ExpectedRun::Possible) => Some(true),
            (FiniteOutcome::Unsafe(..), ExpectedRun::Impossible) => Some(false),
            (FiniteOutcome::Safe(_), ExpectedRun::Impossible) => Some(true),
            // A larger instance may have the run.
            (FiniteOutcome::Safe(_), ExpectedRun::Possible) => None,
            (FiniteOutcome::Unknown(..), _) => None,
        }
    }
}
