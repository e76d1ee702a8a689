//! What an engine is: something that searches a ground system for a state that is not as claimed.

use super::error::EngineError;
use super::explicit::Explicit;
use super::ground::GroundSystem;
use super::question::coverage::{Progress, Seen, StateCounts};
use super::question::natural::Natural;
use super::question::reason::FiniteReason;
use super::question::{Deadlocks, FiniteOutcome};
use super::sat::Sat;
use super::symbolic::Symbolic;
use crate::budget::Budget;

/// Decides whether every reachable state of a ground system is as claimed.
pub trait Engine: Sync {
    /// The name that users choose it by.
    fn name(&self) -> &'static str;

    /// Searches one instance.
    ///
    /// # Errors
    /// When the instance is too large, or something is wrong with the engine.
    fn search(
        &self,
        system: &mut GroundSystem,
        deadlocks: Deadlocks,
        experience: &mut Experience,
        budget: &Budget,
        progress: &dyn Progress,
    ) -> Result<EngineSearch, EngineError>;
}

/// What earlier instances of a size have shown about the way of searching: it saves time, and
/// decides nothing.
#[derive(Clone, Debug, Default)]
pub struct Experience {
    /// The order of the bits that led to an end, with the steps that it took.
    pub(super) order: Option<(usize, u64)>,
}

/// Every engine: visiting states, asking a solver, holding sets of states.
pub const ENGINES: &[&dyn Engine] = &[&Explicit, &Sat, &Symbolic];

/// What a search found in one instance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineSearch {
    /// How it ended.
    pub(super) ending: SearchEnding,
    /// What was visited, if the engine visits states.
    pub(super) counts: Option<StateCounts>,
    /// Whether an integer left the window.
    pub(super) bound_hit: bool,
    /// What some state has shown, if the engine knows all states.
    pub(super) seen: Option<Seen>,
    /// How many states there are, if the engine counts without visiting them.
    pub(super) total: Option<Natural>,
}

impl EngineSearch {
    /// A search that visited no states.
    pub(super) fn unvisited(ending: SearchEnding, bound_hit: bool) -> Self {
        EngineSearch { ending, counts: None, bound_hit, seen: None, total: None }
    }

    /// A search that was stopped before it had anything to show.
    pub(super) fn stopped(reason: FiniteReason) -> Self {
        EngineSearch::unvisited(SearchEnding::Unknown(reason, ()), false)
    }
}

/// The outcome of a search of one instance, with a run that is not lifted yet.
pub(super) type SearchEnding = FiniteOutcome<PackedPath, ()>;

/// A run of a ground system.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct PackedPath {
    pub(super) initial: Vec<u64>,
    pub(super) steps: Vec<PackedStep>,
    /// The claim that fails at the end; `None` for a deadlock.
    pub(super) claim: Option<usize>,
}

/// One step of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct PackedStep {
    /// The position of the transition in the system.
    pub(super) transition: usize,
    /// What its havocs picked: first input, width and code; the rest is arbitrary.
    pub(super) picked: Vec<(u32, u32, u64)>,
    /// The state afterwards.
    pub(super) state: Vec<u64>,
}
