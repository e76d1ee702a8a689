//! Answers whether a goal follows from hypotheses, by asking an SMT solver.
//!
//! `Valid` is only ever said after the solver refuted the negated goal; whatever the solver does not
//! decide, and whatever we cannot read, is `Unknown` with a reason. What the formulas are about is
//! no concern of this module.

mod agree;
mod memory;
mod naming;
mod parallel;
mod process;
mod proof;
mod sorting;
mod sparse;

pub mod external;
pub mod smtlib;
pub mod z3;

pub use agree::{Agreement, AgreementNeed};
pub use memory::{AnswerCache, Remembering, Round};
pub use parallel::{discharge_all, discharge_with};
pub use proof::Proof;
pub use sorting::IllSorted;
pub use sparse::sparse;

use thiserror::Error;

use crate::budget::{Budget, Stopped};
use crate::logic::{Declarations, Formula, Structure, VariableAssignment, Vocabulary};

/// A question: does the goal hold in every structure in which all hypotheses hold?
///
/// Free variables stand for arbitrary elements, the same in all formulas.
#[derive(Clone)]
pub struct Query<'a, V: Vocabulary> {
    /// What the sorts and symbols are.
    pub declarations: &'a dyn Declarations<V>,
    /// What may be assumed.
    pub hypotheses: Vec<Formula<V>>,
    /// What is to be shown.
    pub goal: Formula<V>,
    /// Symbols that a counter-model must give values to even if no formula mentions them.
    pub observed: Vec<V::Symbol>,
}

/// The answer to a query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Discharge<V: Vocabulary> {
    /// The goal follows.
    Valid,
    /// The goal does not follow: here all hypotheses hold and the goal does not.
    Refuted(Box<CounterModel<V>>),
    /// Nobody knows.
    Unknown(UnknownReason),
}

/// A finite structure in which the hypotheses hold and the goal does not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CounterModel<V: Vocabulary> {
    /// The sorts and symbols.
    pub structure: Structure<V>,
    /// The free variables of the query.
    pub assignment: VariableAssignment<V>,
    /// Whether our own evaluation agrees with the solver.
    pub standing: Standing,
}

/// How far a counter-model can be trusted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Standing {
    /// Every hypothesis was evaluated to true and the goal to false.
    Evaluated,
    /// The solver says so; why our own evaluation could not.
    SolverOnly(String),
}

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

/// Why a solver could not even be asked.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ProverError {
    /// The query itself makes no sense; a mistake of ours.
    #[error(transparent)]
    IllSorted(#[from] IllSorted),
    /// There is no Z3 library that this program can use.
    #[error(transparent)]
    Library(#[from] self::z3::LibraryError),
    /// The external solver is missing or broken.
    #[error(transparent)]
    External(#[from] external::ExternalError),
}

/// Anything that answers queries.
pub trait Prover<V: Vocabulary>: Sync {
    /// Answers one query within the budget.
    ///
    /// # Errors
    /// When the query is ill-sorted or the solver cannot be run.
    fn discharge(&self, query: &Query<'_, V>, budget: &Budget)
    -> Result<Discharge<V>, ProverError>;

    /// Answers several queries with the same declarations and hypotheses, in order.
    ///
    /// # Errors
    /// When a query is ill-sorted or the solver cannot be run.
    fn discharge_group(
        &self,
        queries: &[Query<'_, V>],
        budget: &Budget,
    ) -> Result<Vec<Discharge<V>>, ProverError> {
        queries.iter().map(|query| self.discharge(query, budget)).collect()
    }
}

impl<V: Vocabulary> Query<'_, V> {
    /// Every formula of the query, the goal last.
    pub fn formulas(&self) -> impl Iterator<Item = &Formula<V>> {
        self.hypotheses.iter().chain([&self.goal])
    }
}

impl<V: Vocabulary> Discharge<V> {
    /// Whether the goal follows.
    pub fn is_valid(&self) -> bool {
        matches!(self, Discharge::Valid)
    }

    /// The counter-model, if there is one.
    pub fn counter_model(&self) -> Option<&CounterModel<V>> {
        match self {
            Discharge::Refuted(model) => Some(model),
            Discharge::Valid | Discharge::Unknown(_) => None,
        }
    }
}
