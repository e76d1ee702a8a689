//! Questions about a finite instance, and their outcomes.

pub mod coverage;
pub(crate) mod default_sizes;
pub(crate) mod int_range;
pub(crate) mod natural;
pub mod reason;
pub mod request;
pub(crate) mod size_estimate;
pub(crate) mod slice;
pub mod sweep;

use crate::logic::{Formula, Name, Value};
use crate::protocol::{Property, Protocol, Size, StateFormula, StateVar, Trace, premise};

use coverage::Coverage;
use reason::FiniteReason;

/// Is every reachable state of every instance of this size as claimed?
#[derive(Clone, Debug)]
pub struct Question<'a> {
    /// The protocol.
    pub protocol: &'a Protocol,
    /// A number for every declared sort.
    pub size: Size,
    /// The range that stands in for ℤ, both ends included.
    pub window: Option<(i64, i64)>,
    /// What must hold in every reachable state.
    pub claims: Vec<Claim>,
    /// The positions of the actions that may happen.
    pub actions: Vec<usize>,
    /// Whether a state without a possible action is a violation.
    pub deadlocks: Deadlocks,
    /// Whether states that differ by a renaming count as different.
    pub symmetry: Symmetry,
    /// Whether symbols that nothing reads are left out.
    pub slicing: Slicing,
}

/// A closed formula to be checked in every reachable state: `∀ vars. matrix`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// The name it is reported under.
    pub name: Name,
    /// The universally quantified variables; a violation names one element for each.
    pub vars: Vec<StateVar>,
    /// What holds of them; may contain quantifiers.
    pub matrix: StateFormula,
    /// Free variables of the matrix that stand for one fixed element each.
    pub pinned: Vec<(StateVar, u32)>,
}

impl From<&Property> for Claim {
    fn from(property: &Property) -> Self {
        Claim {
            name: property.name.clone(),
            vars: property.vars.clone(),
            matrix: property.matrix.clone(),
            pinned: Vec::new(),
        }
    }
}

impl Claim {
    /// The claim as one formula; only the pinned variables are free.
    pub fn formula(&self) -> StateFormula {
        Formula::forall(self.vars.clone(), self.matrix.clone())
    }

    /// What has to hold somewhere for the claim to say anything; only the pinned variables are free.
    pub(super) fn premise(&self) -> Option<StateFormula> {
        premise(&self.vars, &self.matrix)
    }
}

/// Whether a state without a possible action is a violation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Deadlocks {
    /// It is nothing special.
    Ignored,
    /// It is a violation.
    Reported,
}

/// Which states and instances that differ by a renaming of elements count as different.
///
/// A claim that pins an element makes elements differ: all then count as different.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Symmetry {
    /// One state stands for its renamings, and one instance for its own.
    Reduced,
    /// One instance stands for its renamings; every state of it is visited.
    Distinguished,
    /// Every state of every instance is visited.
    Labelled,
}

/// Whether symbols that no action and no claim reads are left out of the state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Slicing {
    /// They are left out, and what they start as is left open.
    Sliced,
    /// All symbols are kept.
    Whole,
}

impl<'a> Question<'a> {
    /// All properties of a protocol under all of its actions.
    pub fn new(protocol: &'a Protocol, size: Size) -> Self {
        Question {
            protocol,
            size,
            window: None,
            claims: protocol.properties.iter().map(Claim::from).collect(),
            actions: (0..protocol.actions.len()).collect(),
            deadlocks: Deadlocks::Ignored,
            symmetry: Symmetry::Reduced,
            slicing: Slicing::Whole,
        }
    }

    /// Whether one instance stands for its renamings: a pinned element has an identity.
    pub(super) fn may_rename(&self) -> bool {
        self.symmetry != Symmetry::Labelled
            && self.claims.iter().all(|claim| claim.pinned.is_empty())
    }

    /// Whether one state stands for its renamings.
    pub(super) fn may_rename_states(&self) -> bool {
        self.symmetry == Symmetry::Reduced && self.may_rename()
    }
}

/// The answer, and what it rests on: of all instances of a size, or of one that an engine searched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FiniteOutcome<Run = Box<ClaimViolation>, Seen = Coverage> {
    /// All claims hold in every reachable state.
    Safe(Seen),
    /// A run to a state where a claim fails; of a size, one of the whole protocol, replayed.
    Unsafe(Run, Seen),
    /// Not decided.
    Unknown(FiniteReason, Seen),
}

/// A run to a state that is not as claimed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClaimViolation {
    /// What fails in the last state.
    pub failure: ClaimFailure,
    /// The run.
    pub trace: Trace,
}

/// What fails.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ClaimFailure {
    /// The claim at this position of the question, for these values of its variables.
    Claim(usize, Vec<Value>),
    /// No action is possible.
    Deadlock,
}
