//! Finds inductive invariants, of a protocol at any size or of a cutoff instance.
//!
//! Nothing here is trusted: the judge checks what is found.

mod clock;
mod counterexample;
mod directed;
mod guided;
mod induction;
mod names;

pub use counterexample::{Counterexample, Moment};
pub use guided::find_invariant;
pub(crate) use names::clause_names;

use std::time::Duration;

use crate::certificate::Invariant;
use crate::smt::{Budget, ProverError, Reason};

use super::mine::SampleConfig;

/// How much may be spent on an invariant.
#[derive(Clone, Debug)]
pub struct InvariantConfig {
    /// All questions together.
    pub time: Duration,
    /// One question to the solver.
    pub question: Budget,
    /// The states to learn from.
    pub samples: SampleConfig,
}

/// The answer of a search for an invariant.
#[derive(Clone, Debug)]
pub enum InvariantOutcome {
    /// Every property follows from it.
    Found(Invariant),
    /// None was found.
    Open {
        /// Clauses that are inductive without the properties: what is known at least.
        known: Invariant,
        /// What stands in the way.
        obstacle: Obstacle,
        /// A step that breaks a property from a state in which the properties and all that is
        /// known hold, as our own evaluation confirms.
        step: Option<Box<Counterexample>>,
    },
}

/// Why there is no invariant yet.
#[derive(Clone, Debug)]
pub enum Obstacle {
    /// A step away from a state that no clause excludes.
    Counterexample(Box<Counterexample>),
    /// The solver does not know whether a property is kept.
    Undecided(Reason),
    /// The time is spent.
    Timeout,
    /// Somebody called it off.
    Cancelled,
    /// The solver could not be asked.
    NotAsked(ProverError),
}
