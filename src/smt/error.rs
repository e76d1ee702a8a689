//! Why a query has no answer, or a solver cannot be used: nothing here is ever `Valid`.

use thiserror::Error;

use super::cvc5::ExternalError;
use super::sorting::IllSorted;
use super::z3::RELEASE;
use crate::budget::Stopped;

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum UnknownReason {
    /// The time of the budget is spent.
    #[error("the solver ran out of time")]
    Timeout,
    /// The resources of the budget are spent.
    #[error("the solver ran out of its resource limit")]
    Resources,
    /// The work was cancelled.
    #[error("cancelled")]
    Cancelled,
    /// The solver gave up, in its own words.
    #[error("the solver gave up: {0}")]
    Incomplete(String),
    /// The solver has a counter-model that we cannot write down.
    #[error("the solver's counter-model cannot be read: {0}")]
    Unreadable(String),
    /// The solver's counter-model does not refute the query when evaluated.
    #[error("the solver's counter-model does not stand up to evaluation")]
    BadModel,
    /// Two solvers contradict each other; one of them, or our question to one, is wrong.
    #[error("the solvers disagree: {0}")]
    Disagreement(String),
    /// One solver has a proof that the other does not confirm.
    #[error("not confirmed: {0}")]
    Unconfirmed(String),
    /// It was not put to the solver: it was not wanted, or the work stopped before.
    #[error("not checked")]
    NotAsked,
}

impl From<Stopped> for UnknownReason {
    fn from(stopped: Stopped) -> Self {
        match stopped {
            Stopped::TimeIsUp => UnknownReason::Timeout,
            Stopped::Cancelled | Stopped::Overdrawn => UnknownReason::Cancelled,
        }
    }
}

/// Why a solver could not be run.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ProverError {
    /// The query is ill-sorted: an internal error.
    #[error(transparent)]
    IllSorted(#[from] IllSorted),
    /// There is no Z3 library that this program can use.
    #[error(transparent)]
    Library(#[from] LibraryError),
    /// The external solver is missing or broken.
    #[error(transparent)]
    External(#[from] ExternalError),
}

/// There is no Z3 library that this program can use.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum LibraryError {
    /// It cannot be read or loaded.
    #[error("{library}: cannot be used as the Z3 library: {reason}")]
    Unusable {
        /// Which library it is.
        library: String,
        /// What the system says.
        reason: String,
    },
    /// It is another library, or a release of Z3 that is too old.
    #[error("{library}: not Z3 {RELEASE}: it has no function `{function}`")]
    NotZ3 {
        /// Which library it is.
        library: String,
        /// The first function that it lacks.
        function: &'static str,
    },
    /// It is another release of Z3.
    #[error("{library}: Z3 {RELEASE} is needed, but this is {found}")]
    WrongVersion {
        /// Which library it is.
        library: String,
        /// The version that it reports.
        found: String,
    },
}
