//! Answers whether a goal follows from hypotheses, by asking an SMT solver.
//!
//! `Valid` is only ever said after the solver refuted the negated goal; whatever the solver does not
//! decide, and whatever we cannot read, is `Unknown` with a reason. What the formulas are about is
//! no concern of this module.

mod answer_cache;
pub mod cvc5;
mod error;
mod naming;
mod parallel;
mod process;
mod proof;
mod solver_agreement;
mod sorting;
mod sparse_models;

pub mod smtlib;
pub mod z3;

pub use answer_cache::{AnswerCache, Remembering, Round};
pub use error::{LibraryError, ProverError, UnknownReason};
pub use parallel::{discharge_all, in_parallel};
pub use proof::Proof;
pub use solver_agreement::{Agreement, AgreementNeed};
pub use sorting::IllSorted;
pub use sparse_models::sparse;

use crate::budget::Budget;
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
    /// Not decided.
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

/// Anything that answers queries.
pub trait Prover<V: Vocabulary>: Sync {
    /// Answers one query within the budget.
    ///
    /// # Errors
    /// When the query is ill-sorted or the solver cannot be run.
    fn discharge(
        &self,
        query: &Query<'_, V>,
        budget: &Budget,
    ) -> Result<Discharge<V>, ProverError> {
        let mut answers = self.discharge_group(std::slice::from_ref(query), budget)?;
        Ok(answers.pop().expect("one answer to one query"))
    }

    /// Answers several queries with the same declarations and hypotheses, in order.
    ///
    /// # Errors
    /// When a query is ill-sorted or the solver cannot be run.
    fn discharge_group(
        &self,
        queries: &[Query<'_, V>],
        budget: &Budget,
    ) -> Result<Vec<Discharge<V>>, ProverError>;
}

impl<V: Vocabulary> Query<'_, V> {
    /// Whether all of the goal is assumed, so that nothing has to be asked.
    fn is_assumed(&self) -> bool {
        let is_hypothesis = |part: &Formula<V>| self.hypotheses.contains(part);
        self.goal.conjuncts().iter().all(is_hypothesis)
    }

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
