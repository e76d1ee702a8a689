//! What a search has looked at: counts and remarks that decide nothing.

use std::collections::BTreeSet;

use super::Question;
use super::natural::Natural;
use crate::logic::Name;
use crate::protocol::SymbolId;

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
    /// Nodes of decision diagrams, none of which is freed during a search.
    pub nodes: u64,
    /// Bytes held for states.
    pub memory: u64,
    /// Bytes of one packed state.
    pub packed: u64,
}

impl StateCounts {
    /// The counts of two instances together.
    pub(crate) fn plus(&self, other: &StateCounts) -> StateCounts {
        StateCounts {
            instances: self.instances + 1,
            states: self.states + other.states,
            transitions: self.transitions + other.transitions,
            generated: self.generated + other.generated,
            depth: self.depth.max(other.depth),
            frontier: other.frontier,
            nodes: self.nodes.max(other.nodes),
            memory: self.memory.max(other.memory),
            packed: self.packed.max(other.packed),
        }
    }
}

/// Receives the counts while a search runs.
pub trait Progress: Sync {
    /// Called now and then.
    fn report(&self, counts: &StateCounts);
}

/// Ignores the counts.
pub struct Silent;

impl Progress for Silent {
    fn report(&self, _counts: &StateCounts) {}
}

/// What was looked at.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Coverage {
    /// The instances of the size that were decided.
    pub instances: u64,
    /// What an engine that visits states has counted.
    pub visited: Option<StateCounts>,
    /// How many states there are, where an engine counted them without visiting them.
    pub total: Option<Natural>,
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
pub(crate) struct Seen {
    /// The positions of the actions that were possible.
    pub(crate) actions: BTreeSet<usize>,
    /// The positions of the claims whose premise held.
    pub(crate) premises: BTreeSet<usize>,
}

impl Seen {
    /// What was seen in either of two searches.
    pub(crate) fn or(self, other: &Seen) -> Seen {
        Seen { actions: &self.actions | &other.actions, premises: &self.premises | &other.premises }
    }

    /// What a question asks about and was not seen.
    pub(crate) fn missing(&self, question: &Question<'_>) -> Unseen {
        let idle = question.actions.iter().filter(|action| !self.actions.contains(action));
        let claims = question.claims.iter().enumerate();
        let unmet = claims.filter(|(position, _)| !self.premises.contains(position));
        Unseen {
            actions: idle.map(|own| question.protocol.actions[*own].name.clone()).collect(),
            premises: unmet.map(|(_, claim)| claim.name.clone()).collect(),
        }
    }
}

/// What has been looked at over all instances of a question.
pub(crate) struct Tally<'a> {
    question: &'a Question<'a>,
    coverage: Coverage,
    /// Unknown where states are not visited.
    seen: Option<Seen>,
}

impl<'a> Tally<'a> {
    /// Nothing has been looked at yet.
    pub(crate) fn new(question: &'a Question<'a>, left_out: &BTreeSet<SymbolId>) -> Self {
        let counted = match question.may_rename_states() {
            true => Counted::UpToSymmetry,
            false => Counted::Each,
        };
        let coverage = Coverage { left_out: left_out.clone(), counted, ..Coverage::default() };
        Tally { question, coverage, seen: Some(Seen::default()) }
    }

    /// One more instance is decided.
    pub(crate) fn decided(&mut self) {
        self.coverage.instances += 1;
    }

    /// No more states were counted once than so.
    pub(crate) fn count_once(&mut self, counted: Counted) {
        self.coverage.counted = self.coverage.counted.max(counted);
    }

    /// Adds what the search of one instance has counted and seen.
    pub(crate) fn add(
        &mut self,
        counts: Option<&StateCounts>,
        total: Option<&Natural>,
        seen: Option<&Seen>,
    ) {
        if let Some(counts) = counts {
            let before = self.coverage.visited.unwrap_or_default();
            self.coverage.visited = Some(before.plus(counts));
        }
        if let Some(total) = total {
            let before = self.coverage.total.take().unwrap_or_default();
            self.coverage.total = Some(before.plus(total));
        }
        self.seen = self.seen.take().zip(seen).map(|(before, seen)| before.or(seen));
    }

    /// Progress that includes the counts of earlier instances.
    pub(crate) fn with_earlier<'p>(&self, progress: &'p dyn Progress) -> impl Progress + use<'p> {
        WithEarlier { progress, before: self.coverage.visited.unwrap_or_default() }
    }

    /// Everything that was looked at.
    pub(crate) fn coverage(self) -> Coverage {
        let unseen = self.seen.map(|seen| seen.missing(self.question));
        Coverage { unseen, ..self.coverage }
    }
}

/// Adds the counts of earlier instances to what is reported.
struct WithEarlier<'a> {
    progress: &'a dyn Progress,
    before: StateCounts,
}

impl Progress for WithEarlier<'_> {
    fn report(&self, counts: &StateCounts) {
        self.progress.report(&self.before.plus(counts));
    }
}
