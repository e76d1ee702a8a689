//! Why a plan fails.

use crate::logic::Name;

/// Why the clauses of a plan do not prove its case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum PlanFailure {
    /// This axiom does not hold of the rigid symbols of `C`.
    AxiomFails(Name),
    /// This initial condition does not hold in the first state of `C`.
    NotInitial(Name),
    /// The moves of `C` or its obligations are too large to be written down.
    TooLarge,
    /// Not even the whole pool carries the violation over.
    PoolTooWeak,
    /// The violation is not carried over without these clauses.
    NotKept(Vec<Loss>),
    /// The search had to stop.
    Cancelled,
}

/// A clause that was needed and cannot be kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Loss {
    pub(crate) clause: Name,
    pub(crate) by: Breaker,
}

/// What breaks a clause.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Breaker {
    /// A run of a small instance.
    Walk,
    /// The first states.
    Start,
    /// A step by this action.
    Step(Name),
}
