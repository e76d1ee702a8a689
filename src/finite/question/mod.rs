//! What is asked about a finite instance, and how it is answered.

pub(in crate::finite) mod default_sizes;
pub mod expected_run;
pub(in crate::finite) mod int_range;
pub mod request;
pub(in crate::finite) mod size_estimate;
pub(in crate::finite) mod slice;

use std::collections::BTreeSet;
use std::fmt;

use crate::budget::{Stop, Stopped};
use crate::logic::{Formula, Name, Value};
use crate::protocol::{Property, Protocol, Size, StateFormula, StateVar, SymbolId, Trace, premise};

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
    /// Whether states that differ by a renaming are told apart.
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

/// Which states and instances that differ by a renaming of elements are told apart.
///
/// A claim that pins an element makes elements differ: all are then told apart.
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

/// What a search has seen so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StateCounts {
    /// Instances finished or under way.
    pub instances: u64,
    /// Distinct states, over all instances.
    pub states: u64,
    /// Possible invocations with their choices, over all states.
    pub transitions: u64,
    /// Successor states computed: transitions without those that are the same by construction.
    pub generated: u64,
    /// The greatest distance of a state from an initial one.
    pub depth: u64,
    /// States whose successors are not known yet.
    pub frontier: u64,
    /// Bytes held for states.
    pub memory: u64,
    /// Bytes of one packed state.
    pub packed: u64,
}

impl StateCounts {
    /// The counts of two instances together.
    pub(super) fn plus(&self, other: &StateCounts) -> StateCounts {
        StateCounts {
            instances: self.instances + 1,
            states: self.states + other.states,
            transitions: self.transitions + other.transitions,
            generated: self.generated + other.generated,
            depth: self.depth.max(other.depth),
            frontier: other.frontier,
            memory: self.memory.max(other.memory),
            packed: self.packed.max(other.packed),
        }
    }
}

/// Receives news while a search runs.
pub trait Progress: Sync {
    /// Called now and then.
    fn report(&self, counts: &StateCounts);
}

/// Nobody wants news.
pub struct Silent;

impl Progress for Silent {
    fn report(&self, _counts: &StateCounts) {}
}

/// The answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FiniteOutcome {
    /// All claims hold in every reachable state of every instance of the size.
    Safe(Coverage),
    /// A run of the whole protocol, replayed, to a state where a claim fails.
    Unsafe(Box<ClaimViolation>, Coverage),
    /// Not decided.
    Unknown(FiniteReason, Coverage),
}

/// What was looked at.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Coverage {
    /// The instances of the size that were decided.
    pub instances: u64,
    /// What an engine that visits states has counted.
    pub visited: Option<StateCounts>,
    /// The symbols that were left out.
    pub left_out: BTreeSet<SymbolId>,
    /// Which states were counted once.
    pub counted: Counted,
    /// What no visited state showed; nothing is known where states are not visited.
    pub unseen: Option<Unseen>,
}

/// Which states were counted once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Counted {
    /// All that differ by a renaming of elements.
    UpToSymmetry,
    /// Some that differ by a renaming of elements: trying all renamings would take too long.
    UpToSomeSymmetry,
    /// Each by itself.
    #[default]
    Each,
}

/// What no state has shown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Unseen {
    /// The actions that were not possible.
    pub actions: Vec<Name>,
    /// The claims whose premise did not hold.
    pub premises: Vec<Name>,
}

/// What some state has shown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Seen {
    /// The positions of the actions that were possible.
    pub(super) actions: BTreeSet<usize>,
    /// The positions of the claims whose premise held.
    pub(super) premises: BTreeSet<usize>,
}

impl Seen {
    /// What was seen in either of two searches.
    pub(super) fn or(self, other: &Seen) -> Seen {
        Seen { actions: &self.actions | &other.actions, premises: &self.premises | &other.premises }
    }

    /// What a question asks about and was not seen.
    pub(super) fn missing(&self, question: &Question<'_>) -> Unseen {
        let idle = question.actions.iter().filter(|action| !self.actions.contains(action));
        let claims = question.claims.iter().enumerate();
        let unmet = claims.filter(|(position, _)| !self.premises.contains(position));
        Unseen {
            actions: idle.map(|own| question.protocol.actions[*own].name.clone()).collect(),
            premises: unmet.map(|(_, claim)| claim.name.clone()).collect(),
        }
    }
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

/// Why to stop now, if the clock or the user says so.
pub(super) fn interruption(stop: &Stop) -> Option<FiniteReason> {
    stop.why().map(FiniteReason::from)
}

impl fmt::Display for FiniteReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FiniteReason::NoInstance => write!(f, "no instance: the axioms are unsatisfiable"),
            FiniteReason::NoInitialState => write!(f, "no initial state: `init` is unsatisfiable"),
            FiniteReason::Window(low, high) => write!(f, "no violation within int {low}..{high}"),
            FiniteReason::Timeout => write!(f, "stopped by --timeout"),
            FiniteReason::Interrupted => write!(f, "interrupted"),
            FiniteReason::MaxStates(limit) => write!(f, "stopped by --max-states {limit}"),
            FiniteReason::MaxMemory(limit) => {
                write!(f, "stopped by --max-memory {} MiB", limit.div_ceil(1 << 20))
            }
            FiniteReason::OnlyInSlice => {
                write!(f, "the slice violates the property, no whole run found")
            }
        }
    }
}
