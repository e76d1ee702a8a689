//! Why a question cannot be worked on: it is wrong, it is too large, or the tool is at fault.

use super::ground::formulas::GroundError;
use crate::protocol::ReplayError;

/// Why a question has no outcome.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EngineError {
    /// A declared sort has no size.
    #[error("the size of sort `{0}` is missing")]
    MissingSize(String),
    /// A sort has size 0.
    #[error("sort `{0}` has size 0: every sort has at least one element")]
    EmptySort(String),
    /// The protocol uses integers and no range was given.
    #[error("the protocol uses int: give a range to explore")]
    NoWindow,
    /// The range of integers is too large.
    #[error("the range has {count} integers; {limit} is the limit: choose a smaller one")]
    WindowTooLarge {
        /// How many there are.
        count: usize,
        /// How many there may be.
        limit: usize,
    },
    /// A formula cannot be evaluated in a finite instance.
    #[error(transparent)]
    Ground(#[from] GroundError),
    /// A quantifier ranges over the integers.
    #[error("{0} quantifies over int, and no range of integers stands for all of ℤ")]
    IntegerQuantifier(String),
    /// An integer starts outside the range.
    #[error("`{symbol}` starts at {value}, outside int {low}..{high}")]
    StartsOutside {
        /// The symbol.
        symbol: String,
        /// Where it starts.
        value: i64,
        /// The least integer of the range.
        low: i64,
        /// The greatest integer of the range.
        high: i64,
    },
    /// A state does not fit.
    #[error("a state of this size takes {bits} bits; {limit} is the limit")]
    StateTooLarge {
        /// How many bits a state would take.
        bits: u128,
        /// How many it may take.
        limit: u128,
    },
    /// There are too many ways to call the actions.
    #[error("this size has {count} invocations; {limit} is the limit")]
    TooManyInvocations {
        /// How many there are.
        count: u128,
        /// How many there may be.
        limit: u128,
    },
    /// The formulas are too large.
    #[error(
        "the formulas have {weight} symbols when quantifiers are written out; {limit} is the limit"
    )]
    FormulasTooLarge {
        /// How many there are.
        weight: u128,
        /// How many there may be.
        limit: u128,
    },
    /// A havoc has too many possible choices.
    #[error("the choices of this size's actions are more than {0}")]
    TooManyChoices(usize),
    /// There are too many instances.
    #[error(
        "this size has at least {estimate} instances; {limit} is the limit: constrain the rigid \
         symbols by axioms, or choose a smaller size"
    )]
    TooManyInstances {
        /// How many are looked at.
        limit: usize,
        /// A lower bound on how many there are.
        estimate: u128,
    },
    /// There are too many initial states.
    #[error(
        "an instance of this size has at least 2^{free} initial states ({free} bits that no \
         `init` constrains), about {needed} MiB; {allowed} MiB are allowed"
    )]
    TooManyInitialStates {
        /// How many bits nothing constrains.
        free: u32,
        /// How much memory they would take, in MiB.
        needed: u128,
        /// How much there may be, in MiB.
        allowed: u128,
    },
    /// A claim about named elements where elements have no identity.
    #[error("`{0}` names elements, but renamed states or instances were identified")]
    PinnedUnderSymmetry(String),
    /// A trace that the search found is not a run: an internal error.
    #[error("a trace found by the search is refused by the concrete semantics: {0}")]
    Replay(#[from] ReplayError),
    /// Two parts of the tool disagree: an internal error.
    #[error("{0}")]
    Bug(String),
}

impl EngineError {
    /// Whether this is an internal error rather than a problem of the question.
    pub fn is_bug(&self) -> bool {
        matches!(self, EngineError::Replay(_) | EngineError::Bug(_))
    }
}
