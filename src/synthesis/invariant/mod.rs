//! Finds inductive invariants, of a protocol at any size or of a cutoff instance.
//!
//! Nothing here is trusted: the judge checks what is found.

mod candidate_clauses;
mod counterexample;
mod counterexample_guided;
mod given_clauses;
mod goals;
mod induction;
mod property_directed;
mod time_shares;

pub use counterexample::{Counterexample, InductionMoment, model_run};
pub use counterexample_guided::find_invariant;
pub use given_clauses::{GivenProof, invariant_of};

pub(crate) use candidate_clauses::CandidateClauses;
pub(crate) use counterexample::{initial_moment, step_moment};
pub(crate) use goals::goals;
pub(crate) use induction::{InductionAnswer, frame};

use crate::budget::Stopped;
use crate::certificate::Invariant;
use crate::smt::UnknownReason;

/// The answer of a search for an invariant.
#[derive(Clone, Debug)]
pub enum InvariantOutcome {
    /// Every property follows from it.
    Found(Invariant),
    /// None was found.
    Open {
        /// Clauses and properties that are inductive together: what is known at least.
        known: Invariant,
        /// What stands in the way.
        obstacle: InvariantObstacle,
        /// A step that breaks a property from a state in which the properties and all that is
        /// known hold, as our own evaluation confirms.
        step: Option<Box<Counterexample>>,
    },
}

impl From<Counterexample> for InvariantObstacle {
    fn from(found: Counterexample) -> Self {
        InvariantObstacle::Counterexample(Box::new(found))
    }
}

impl From<Stopped> for InvariantObstacle {
    fn from(stopped: Stopped) -> Self {
        match stopped {
            Stopped::TimeIsUp => InvariantObstacle::Timeout,
            Stopped::Cancelled | Stopped::Overdrawn => InvariantObstacle::Cancelled,
        }
    }
}

/// Why there is no invariant yet.
#[derive(Clone, Debug)]
pub enum InvariantObstacle {
    /// A step away from a state that no clause excludes.
    Counterexample(Box<Counterexample>),
    /// The solver does not know whether a property is kept.
    Undecided(UnknownReason),
    /// The time is spent.
    Timeout,
    /// The search was cancelled.
    Cancelled,
}
