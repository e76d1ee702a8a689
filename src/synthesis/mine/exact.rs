//! Candidate clauses against all states of instances that are too large to be listed.
//!
//! The samples of such an instance are few of millions of states; as a decision diagram the set of
//! all of them is often small. A clause that is wrong there would otherwise cost questions to the
//! solver, and the clauses that keep it would be wrong too.

use std::collections::BTreeSet;
use std::time::Duration;

use crate::budget::{Budget, Stop};
use crate::finite::{Question, ReachableSets, SmallSizes, reachable_sets};
use crate::logic::{FormulaKind, Quantifier};
use crate::protocol::{Size, Sort, State, StateFormula, element_count};

use super::sampling::{Sampled, question};

/// The most bytes for the diagrams of one instance: what does not fit is not looked at.
const MAX_MEMORY: u64 = 48 << 20;

/// The most time for the instances of one size, beside the limit on memory.
const MAX_TIME: Duration = Duration::from_secs(10);

/// How many nodes of diagrams are asked for at the cost of one of the solver's units.
const NODES_IN_A_UNIT: u64 = 10;

/// The most ways to give values to the variables of a clause.
const MAX_ASSIGNMENTS: u64 = 20_000;

/// How many elements the sorts have: all of them, all but one, or one of them beside two of every
/// other.
const ALIKE: u32 = 3;
const ONE_LARGER: u32 = 4;

/// The reachable states of some instances, built when they are first asked for.
pub(super) struct ExactStates<'a> {
    sizes: SmallSizes<'a>,
    actions: Vec<usize>,
    /// The sizes that were not looked at yet, the last one first.
    pending: Vec<Size>,
    known: Vec<(Size, ReachableSets)>,
}

impl<'a> ExactStates<'a> {
    /// Instances of several sizes, without those whose states are all known already.
    pub(super) fn new(
        small: &SmallSizes<'a>,
        actions: &[usize],
        exhausted: &BTreeSet<Size>,
    ) -> Self {
        let mut pending = vec![small.alike(ALIKE)];
        pending.extend(small.free().map(|sort| small.with_one(sort, 2, ALIKE)));
        pending.extend(small.free().map(|sort| small.with_one(sort, ONE_LARGER, 2)));
        pending.extend(small.free().map(|sort| small.with_one(sort, ALIKE, 2)));
        let mut seen = exhausted.clone();
        pending.retain(|size| seen.insert(size.clone()));
        pending.reverse();
        ExactStates { sizes: small.clone(), actions: actions.to_vec(), pending, known: Vec::new() }
    }

    /// A reachable state in which a clause is false, if one is found.
    pub(super) fn refute(&mut self, clause: &StateFormula, stop: &Stop) -> Option<State> {
        // One more size at a time: a search that needs few clauses pays for few instances.
        if let Some(size) = self.pending.pop() {
            self.build(size, stop);
        }
        for (size, sets) in &mut self.known {
            if assignments(&self.sizes, size, clause) > MAX_ASSIGNMENTS {
                continue;
            }
            let before = sets.steps();
            // What cannot be evaluated in a finite instance is not refuted there.
            let found = sets.refute(clause, stop).ok().flatten();
            stop.charge((sets.steps() - before) / NODES_IN_A_UNIT);
            if found.is_some() || stop.is_set() {
                return found;
            }
        }
        None
    }

    fn build(&mut self, size: Size, stop: &Stop) {
        // A size below one that was looked at shows little that is new.
        let is_below =
            |other: &Size| size.iter().all(|(sort, count)| other.get(sort) >= Some(count));
        if stop.is_set() || self.known.iter().any(|(other, _)| is_below(other)) {
            return;
        }
        let budget = Budget { max_memory: MAX_MEMORY, ..Budget::until(stop.within(MAX_TIME)) };
        let system = Sampled { sizes: &self.sizes, actions: &self.actions };
        let question: Question<'_> = question(system, size.clone(), super::sampling::ABOVE);
        let Ok(sets) = reachable_sets(&question, &budget) else { return };
        stop.charge(sets.steps() / NODES_IN_A_UNIT);
        if !sets.is_empty() {
            self.known.push((size, sets));
        }
    }
}

/// In how many ways the variables of the outermost quantifier can have values.
fn assignments(sizes: &SmallSizes<'_>, size: &Size, clause: &StateFormula) -> u64 {
    let FormulaKind::Quantified(Quantifier::Forall, vars, _) = clause.kind() else { return 1 };
    let counts = vars.iter().map(|var| match var.sort {
        Sort::Declared(id) => {
            element_count(&sizes.protocol.signature, size, id).map_or(1, u64::from)
        }
        Sort::Int => u64::MAX,
    });
    counts.fold(1, u64::saturating_mul)
}
