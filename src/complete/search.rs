//! The loop: a candidate from the learner, runs of small instances, and what each failure excludes.
//!
//! A run that ends in a violation excludes every completion that has the same run. A completion
//! that never does what is wanted is excluded with every other one that cannot leave its reachable
//! states, nor do it among them. A requirement counts over all sizes together: what needs three
//! nodes is not refuted by two.

use std::collections::BTreeMap;

use crate::budget::Budget;
use crate::coverage::woven_protocol;
use crate::finite::{
    ClaimViolation, FiniteReason, FrozenCondition, FrozenRun, FrozenSearch, FrozenSize, Learner,
    Learnt, ReachedStates, SMALL_INTEGERS, Wanted,
};
use crate::logic::Name;
use crate::protocol::{Protocol, Size, Sort, SymbolId};

use super::progress::abilities_of;
use super::sketch::Sketch;

/// The most states of one instance for one candidate.
const STATES: u64 = 5_000;

/// The most alternatives in all invocations of a size, beyond the first size: grounding writes out
/// all of them.
const HEAVIEST: u64 = 8_000;

/// What a requirement of the learner came from.
pub(crate) enum Requirement {
    /// This run must not exist: it was found at this size for these values.
    Run {
        /// The position of the size.
        size: usize,
        /// The values of the flags.
        values: Vec<bool>,
        /// The run.
        run: FrozenRun,
    },
    /// The expected run at this position must exist.
    Goal(usize),
    /// This must stay possible.
    Keeps(Wanted),
    /// One completion alone is excluded, for a reason that does not carry over to others.
    Alone,
    /// An answer was given; another behaviour is wanted.
    Answered,
}

/// How many candidates were excluded, by kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Iterations {
    /// Completions that were tried.
    pub tried: usize,
    /// Excluded by a violating run.
    pub safety: usize,
    /// Excluded because a `reach` line is not reached.
    pub reach: usize,
    /// Excluded because something stops being possible.
    pub dead: usize,
}

/// A completion without a violation at the sizes tried, which does all that is wanted there.
pub(crate) struct Plausible {
    /// The values of the flags.
    pub(crate) values: Vec<bool>,
    /// The reachable states, size by size; `None` where there are too many.
    pub(crate) reached: Vec<Option<ReachedStates>>,
}

/// How the search for one more completion ends.
pub(crate) enum Found {
    /// One was found.
    Completion(Plausible),
    /// There is none: these requirements exclude all.
    Nothing(Vec<usize>),
    /// Not decided.
    GaveUp(FiniteReason),
}

/// The search.
pub(crate) struct Search<'a> {
    pub(super) protocol: &'a Protocol,
    pub(super) frozen: Vec<SymbolId>,
    /// How many alternatives the holes of each action have.
    alternatives: BTreeMap<Name, u64>,
    pub(crate) sizes: Vec<FrozenSize>,
    /// For every expected run that must exist, its woven protocol at every size.
    pub(super) goals: BTreeMap<usize, (Protocol, Vec<FrozenSize>)>,
    /// What must stay possible, unless nothing keeps it.
    pub(super) wanted: Vec<Wanted>,
    /// Whether what must stay possible is never given up.
    pub(super) insists: bool,
    pub(super) learner: Learner,
    pub(crate) requirements: Vec<Requirement>,
    pub(crate) iterations: Iterations,
    /// Whether some completion was excluded without a reason that holds of it for certain.
    pub(crate) is_inexact: bool,
    /// What no completion keeps possible.
    pub(crate) lost: Vec<Wanted>,
    pub(super) budget: Budget,
}

impl<'a> Search<'a> {
    /// A search that has tried nothing.
    pub(crate) fn new(
        (sketch, protocol): (&Sketch, &'a Protocol),
        sizes: &[Size],
        most_changes: Option<u32>,
        budget: &Budget,
    ) -> Self {
        let names = sketch.flag_names();
        let frozen = names.iter().filter_map(|name| protocol.signature.find_symbol(name)).collect();
        let budget = Budget { max_states: STATES, max_memory: 1 << 30, ..budget.clone() };
        let learner = Learner::new(names.len(), &sketch.groups(), most_changes, &budget);
        let mut search = Search {
            protocol,
            frozen,
            alternatives: sketch.alternatives(),
            sizes: Vec::new(),
            goals: BTreeMap::new(),
            wanted: Vec::new(),
            insists: false,
            learner,
            requirements: Vec::new(),
            iterations: Iterations::default(),
            is_inexact: false,
            lost: Vec::new(),
            budget,
        };
        for (index, run) in protocol.expected_runs.iter().enumerate() {
            if run.should_exist() {
                let woven = woven_protocol(protocol, run);
                search.goals.insert(index, (woven, Vec::new()));
            }
        }
        for size in sizes {
            search.add_size(size);
        }
        search
    }

    /// The protocol in which every hole is state.
    pub(crate) fn protocol(&self) -> &'a Protocol {
        self.protocol
    }

    /// Whether the text says itself what must be possible.
    pub(crate) fn has_goals(&self) -> bool {
        !self.goals.is_empty()
    }

    /// Looks at one more size from now on; returns whether that can be done.
    pub(crate) fn add_size(&mut self, size: &Size) -> bool {
        if self.sizes.iter().any(|own| own.size == *size) {
            return false;
        }
        let too_heavy = self.weight(size) > HEAVIEST && !self.sizes.is_empty();
        if too_heavy || self.budget.stop.is_set() {
            return false;
        }
        let window = self.protocol.signature.uses_int().then_some(SMALL_INTEGERS);
        let ground = |protocol: &Protocol, frozen: &[SymbolId], budget: &Budget| {
            FrozenSize::new(protocol, (size.clone(), window), frozen, budget).ok()?.ok()
        };
        let Some(main) = ground(self.protocol, &self.frozen, &self.budget) else { return false };
        self.sizes.push(main);
        for (woven, sizes) in self.goals.values_mut() {
            sizes.extend(ground(woven, &self.frozen, &self.budget));
        }
        true
    }

    /// About how many alternatives there are in all invocations of a size.
    fn weight(&self, size: &Size) -> u64 {
        let actions = self.protocol.actions.iter().map(|action| {
            let tuples = action.params.iter().map(|param| match param.sort {
                Sort::Declared(sort) => u64::from(size.get(&sort).copied().unwrap_or(1)),
                Sort::Int => 8,
            });
            let own = self.alternatives.get(&action.name).copied().unwrap_or(1);
            tuples.product::<u64>().saturating_mul(own)
        });
        actions.fold(0, u64::saturating_add)
    }

    /// What must stay possible; whether that is insisted on where nothing keeps it.
    pub(crate) fn keep(&mut self, wanted: Vec<Wanted>, insists: bool) {
        self.wanted = wanted;
        self.insists = insists;
    }

    /// Everything that any completion might do.
    pub(crate) fn every_ability(&self) -> Vec<Wanted> {
        abilities_of(self.protocol, &self.frozen)
    }

    /// One more completion.
    pub(crate) fn next(&mut self) -> Found {
        loop {
            let values = match self.learner.next() {
                Err(reason) => return Found::GaveUp(reason),
                Ok(Learnt::Values(values)) => values,
                Ok(Learnt::Nothing(core)) => {
                    if self.gives_up_some(&core) {
                        continue;
                    }
                    return Found::Nothing(core);
                }
            };
            self.iterations.tried += 1;
            match self.try_values(&values) {
                Tried::Excluded => {}
                Tried::Stopped(reason) => return Found::GaveUp(reason),
                Tried::Plausible(reached) => {
                    return Found::Completion(Plausible { values, reached });
                }
            }
        }
    }

    fn try_values(&mut self, values: &[bool]) -> Tried {
        let mut reached: Vec<Option<ReachedStates>> = Vec::new();
        for position in 0..self.sizes.len() {
            match self.sizes[position].search(values, &self.budget) {
                Ok(FrozenSearch::Violated(run)) => {
                    let condition = self.sizes[position].run_condition(&run);
                    self.learner.exclude(&self.sizes[position], &condition);
                    let values = values.to_vec();
                    self.requirements.push(Requirement::Run { size: position, values, run });
                    self.iterations.safety += 1;
                    return Tried::Excluded;
                }
                Ok(FrozenSearch::Exhausted(states)) => reached.push(Some(states)),
                Ok(FrozenSearch::Stopped(reason)) => {
                    if self.budget.stop.is_set() {
                        return Tried::Stopped(reason);
                    }
                    reached.push(None);
                }
                Err(_) => reached.push(None),
            }
        }
        if let Some(tried) = self.try_goals(values) {
            return tried;
        }
        match self.try_wanted(values, &reached) {
            None => Tried::Stopped(FiniteReason::Timeout),
            Some(true) => Tried::Excluded,
            Some(false) => Tried::Plausible(reached),
        }
    }

    /// Whether some values of the flags are not excluded.
    #[cfg(test)]
    pub(crate) fn allows(&mut self, values: &[bool]) -> bool {
        self.learner.allows(values)
    }

    /// These values alone are not wanted, and whether others are like them is not known.
    pub(crate) fn exclude_alone(&mut self, values: &[bool]) {
        self.learner.exclude_values(values);
        self.requirements.push(Requirement::Alone);
        self.is_inexact = true;
    }

    /// The next completion has to behave differently from this one.
    pub(crate) fn exclude_behaviour(&mut self, found: &Plausible) {
        let mut conditions = Vec::new();
        for (size, states) in self.sizes.iter_mut().zip(&found.reached) {
            let own = states
                .as_ref()
                .and_then(|states| size.differences(states, &found.values, &self.budget.stop));
            conditions.push(own.unwrap_or_default());
        }
        let parts: Vec<(&FrozenSize, &[FrozenCondition])> =
            self.sizes.iter().zip(&conditions).map(|(size, own)| (size, &own[..])).collect();
        self.learner.require_any(&parts);
        self.requirements.push(Requirement::Answered);
    }

    /// A requirement's run, as a trace of the protocol with flags.
    pub(crate) fn trace(&self, requirement: &Requirement) -> Option<ClaimViolation> {
        let Requirement::Run { size, values, run } = requirement else { return None };
        let mut found = self.sizes[*size].trace(self.protocol, values, run, &self.budget)?;
        // The flags are no state of the protocol that the user knows.
        let states = std::iter::once(&mut found.trace.initial);
        for state in states.chain(found.trace.steps.iter_mut().map(|step| &mut step.state)) {
            state.tables.retain(|id, _| !self.frozen.contains(id));
        }
        Some(found)
    }
}

/// What one candidate leads to.
pub(super) enum Tried {
    Excluded,
    Stopped(FiniteReason),
    Plausible(Vec<Option<ReachedStates>>),
}
