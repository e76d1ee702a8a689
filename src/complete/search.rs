//! The loop: a candidate from the learner, runs of small instances, and what each failure excludes.
//!
//! A run that ends in a violation excludes every completion that has the same run. A completion
//! that never does what is wanted is excluded with every other one that cannot leave its reachable
//! states, nor do it among them. A requirement counts over all sizes together: what needs three
//! nodes is not refuted by two.

use std::collections::BTreeMap;

use crate::budget::Budget;
use crate::coverage::woven_protocol;
use crate::finite::question::reason::interruption;
use crate::finite::{
    CandidateOrder, FiniteReason, FrozenRun, FrozenSearch, FrozenSize, Learner, Learnt,
    LivenessGoal, ReachedStates, SMALL_INTEGERS, Wanted,
};
use crate::logic::Name;
use crate::protocol::{Protocol, Size, Sort, SymbolId, print_goal};

use super::Learning;
use super::sketch::Sketch;

/// The most states of one instance for one candidate, unless more are asked for, and the most of a
/// size from which is concluded what others do.
pub(super) const STATES: u64 = 5_000;

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
    /// The run that the goal at this position describes must exist.
    Goal(usize),
    /// This must stay possible.
    Keeps(Wanted),
    /// The liveness line at this position holds at the largest size.
    Lives(usize),
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
    /// Excluded because a fair run never does what it should.
    pub liveness: usize,
}

/// A completion without a violation at the sizes tried, which does all that is wanted there.
pub(crate) struct Plausible {
    /// The values of the flags.
    pub(crate) values: Vec<bool>,
    /// What they cost.
    pub(crate) cost: usize,
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

/// A size and the integers that stand for all of them.
pub(crate) type SizeAndWindow = (Size, Option<(i64, i64)>);

/// A run that must exist.
pub(crate) struct Goal {
    /// What it is, in words.
    pub(crate) text: String,
    /// The protocol that is violated exactly at the end of such a run.
    pub(crate) woven: Protocol,
    /// The one size and integer window at which it is looked for; `None` for every size.
    pub(crate) at: Option<SizeAndWindow>,
    /// Every size at which it is looked for, ground.
    pub(super) sizes: Vec<FrozenSize>,
    /// Whether some size could not be made ground.
    pub(super) is_partial: bool,
}

/// The search.
pub(crate) struct Search<'a> {
    pub(super) protocol: &'a Protocol,
    pub(super) frozen: Vec<SymbolId>,
    /// Whether changes are counted, and as few as possible wanted.
    pub(super) counts_changes: bool,
    /// How many alternatives the holes of each action have.
    alternatives: BTreeMap<Name, u64>,
    pub(crate) sizes: Vec<FrozenSize>,
    /// The runs that must exist.
    pub(super) goals: Vec<Goal>,
    /// Whether nothing but the goals counts.
    only_goals: bool,
    /// What must stay possible, unless nothing keeps it.
    pub(super) wanted: Vec<Wanted>,
    /// The flags that excuse from what must stay possible: they leave out what does it.
    pub(crate) excused: BTreeMap<Wanted, Vec<usize>>,
    /// What every fair run must do at the largest size that is searched first, each with its words.
    pub(crate) liveness: Vec<(String, LivenessGoal)>,
    /// Whether what must stay possible is never given up.
    pub(super) insists: bool,
    pub(super) learner: Learner,
    /// What is learnt from a candidate that fails.
    pub(crate) learning: Learning,
    pub(crate) requirements: Vec<Requirement>,
    pub(crate) iterations: Iterations,
    /// Whether some completion was excluded without proof that it fails.
    pub(crate) is_inexact: bool,
    /// What no completion keeps possible.
    pub(crate) lost: Vec<Wanted>,
    pub(super) budget: Budget,
}

impl<'a> Search<'a> {
    /// A search for values with which every expected run of the text exists, at these sizes.
    pub(crate) fn new(
        (sketch, protocol): (&Sketch, &'a Protocol),
        sizes: &[Size],
        order: CandidateOrder,
        budget: &Budget,
    ) -> Self {
        let mut search = Search::without_goals((sketch, protocol), order, budget);
        for run in protocol.expected_runs.iter().filter(|run| run.should_exist()) {
            let text = print_goal(protocol, run);
            search.add_goal(text, woven_protocol(protocol, run), None);
        }
        for size in sizes {
            search.add_size(size);
        }
        search
    }

    /// A search for values with which one run exists, whatever else happens.
    pub(crate) fn for_goal(
        (sketch, protocol): (&Sketch, &'a Protocol),
        sizes: &[Size],
        order: CandidateOrder,
        (text, woven, at): (String, Protocol, Option<SizeAndWindow>),
        budget: &Budget,
    ) -> Self {
        let mut search = Search::without_goals((sketch, protocol), order, budget);
        search.only_goals = true;
        search.add_goal(text, woven, at);
        for size in sizes {
            search.add_size(size);
        }
        search
    }

    fn without_goals(
        (sketch, protocol): (&Sketch, &'a Protocol),
        order: CandidateOrder,
        budget: &Budget,
    ) -> Self {
        let names = sketch.flag_names();
        let frozen = names.iter().filter_map(|name| protocol.signature.find_symbol(name)).collect();
        let budget = Budget { max_states: STATES, max_memory: 1 << 30, ..budget.clone() };
        let learner = Learner::new(names.len(), &sketch.groups(), order, &budget);
        Search {
            protocol,
            frozen,
            counts_changes: order.most_changes.is_some(),
            alternatives: sketch.alternatives(),
            sizes: Vec::new(),
            goals: Vec::new(),
            only_goals: false,
            wanted: Vec::new(),
            excused: BTreeMap::new(),
            liveness: Vec::new(),
            insists: false,
            learner,
            learning: Learning::Clauses,
            requirements: Vec::new(),
            iterations: Iterations::default(),
            is_inexact: false,
            lost: Vec::new(),
            budget,
        }
    }

    /// One more run that must exist, at one size or at all that are added from now on.
    pub(crate) fn add_goal(&mut self, text: String, woven: Protocol, at: Option<SizeAndWindow>) {
        let ground = |(size, window): &SizeAndWindow| {
            let at = (size.clone(), *window);
            FrozenSize::new(&woven, at, &self.frozen, &self.budget).ok()?.ok()
        };
        let sizes: Vec<FrozenSize> = at.as_ref().and_then(ground).into_iter().collect();
        let is_partial = at.is_some() && sizes.is_empty();
        self.goals.push(Goal { text, woven, at, sizes, is_partial });
    }

    /// Visits at least so many states of an instance for a candidate, if there are so many.
    pub(crate) fn visit_at_least(&mut self, states: u64) {
        self.budget.max_states = self.budget.max_states.max(states);
    }

    /// The protocol in which every hole is state.
    pub(crate) fn protocol(&self) -> &'a Protocol {
        self.protocol
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
        if !self.only_goals {
            let main = ground(self.protocol, &self.frozen, &self.budget);
            let Some(main) = main else { return false };
            self.sizes.push(main);
        }
        for goal in self.goals.iter_mut().filter(|own| own.at.is_none()) {
            let own = ground(&goal.woven, &self.frozen, &self.budget);
            goal.is_partial |= own.is_none();
            goal.sizes.extend(own);
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

    /// One more completion.
    pub(crate) fn next(&mut self) -> Found {
        if self.sizes.is_empty() && !self.only_goals {
            // Nothing was looked at, so nothing may be said.
            let stopped = interruption(&self.budget.stop);
            return Found::GaveUp(stopped.unwrap_or(FiniteReason::Interrupted));
        }
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
                // What is to be repaired is known to be violated.
                Tried::Plausible(_) if self.counts_changes && !values.contains(&true) => {
                    self.exclude_alone(&values);
                }
                Tried::Plausible(reached) => {
                    let cost = self.learner.cost();
                    return Found::Completion(Plausible { values, cost, reached });
                }
            }
        }
    }

    fn try_values(&mut self, values: &[bool]) -> Tried {
        let mut reached: Vec<Option<ReachedStates>> = Vec::new();
        for position in 0..self.sizes.len() {
            match self.sizes[position].search(values, &self.budget) {
                Ok(FrozenSearch::Violated(run)) => {
                    if self.learning == Learning::Clauses {
                        let condition = self.sizes[position].run_condition(&run);
                        self.learner.exclude(&self.sizes[position], &condition);
                    } else {
                        self.learner.exclude_values(values);
                    }
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
            Some(false) => match self.try_liveness(values, &reached) {
                true => Tried::Excluded,
                false => Tried::Plausible(reached),
            },
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
}

/// What one candidate leads to.
pub(super) enum Tried {
    Excluded,
    Stopped(FiniteReason),
    Plausible(Vec<Option<ReachedStates>>),
}
