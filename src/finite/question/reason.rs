//! Why a question has no answer: no reason makes anything safe.

use std::fmt;

use crate::budget::{Stop, Stopped};

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FiniteReason {
    /// No interpretation of the rigid symbols satisfies the axioms at this size.
    NoInstance,
    /// No state satisfies the initial condition at this size.
    NoInitialState,
    /// An integer left the range, or may start outside it.
    Window(i64, i64),
    /// The time is up.
    Timeout,
    /// The user stopped the search.
    Interrupted,
    /// As many states as allowed were found.
    MaxStates(u64),
    /// As much memory as allowed was used.
    MaxMemory(u64),
    /// The slice violates a claim, and no run of the whole protocol was found that does.
    OnlyInSlice,
}

impl From<Stopped> for FiniteReason {
    fn from(stopped: Stopped) -> Self {
        match stopped {
            Stopped::TimeIsUp => FiniteReason::Timeout,
            Stopped::Cancelled | Stopped::Overdrawn => FiniteReason::Interrupted,
        }
    }
}

/// Why to stop now, if the time is up or the user has cancelled.
pub(crate) fn interruption(stop: &Stop) -> Option<FiniteReason> {
    stop.why().map(FiniteReason::from)
}

impl fmt::Display for FiniteReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FiniteReason::NoInstance => write!(f, "no instance: the axioms are unsatisfiable"),
            FiniteReason::NoInitialState => write!(f, "no initial state: `init` is unsatisfiable"),
            FiniteReason::Window(low, high) => write!(f, "no violation within int {low}..{high}"),
            FiniteReason::Timeout => write!(f, "the time limit was reached"),
            FiniteReason::Interrupted => write!(f, "interrupted"),
            FiniteReason::MaxStates(limit) => write!(f, "the limit of {limit} states was reached"),
            FiniteReason::MaxMemory(limit) => {
                write!(f, "the memory limit of {} MiB was reached", limit.div_ceil(1 << 20))
            }
            FiniteReason::OnlyInSlice => {
                write!(f, "the slice violates the property, no whole run found")
            }
        }
    }
}
