//! What a completion must still be able to do, and which others fail with one that cannot.

use super::search::{Requirement, Search, Tried};
use crate::finite::{
    FiniteReason, FrozenCondition, FrozenSearch, FrozenSize, Learner, ReachedStates, Wanted,
};
use crate::protocol::{Protocol, SymbolId, symbols_written};

impl Search<'_> {
    /// What some values of the flags do at the sizes tried, violations or not: every action that
    /// happens and every symbol that it changes.
    pub(crate) fn abilities(&mut self, values: &[bool]) -> Vec<Wanted> {
        let mut able: Vec<Wanted> = Vec::new();
        let every = abilities_of(self.protocol, &self.frozen);
        for size in &mut self.sizes {
            let Ok(Some(reached)) = size.search_all(values, &self.budget) else { continue };
            let open: Vec<Wanted> =
                every.iter().filter(|own| !able.contains(own)).cloned().collect();
            let met = size.met(&reached, values, &open, &self.budget.stop).unwrap_or_default();
            able.extend(open.into_iter().zip(met).filter(|(_, met)| *met).map(|(own, _)| own));
        }
        able
    }

    /// How many states some values of the flags reach at the sizes tried.
    pub(crate) fn states(&mut self, values: &[bool]) -> u64 {
        let budget = &self.budget;
        let reached =
            self.sizes.iter_mut().filter_map(|own| own.search_all(values, budget).ok()?);
        reached.map(|own| own.count).sum()
    }

    /// What nothing keeps possible is wanted no longer; returns whether that changes anything.
    pub(super) fn gives_up_some(&mut self, core: &[usize]) -> bool {
        let mut lost: Vec<Wanted> = Vec::new();
        for number in core {
            if let Requirement::Keeps(wanted) = &self.requirements[*number]
                && !lost.contains(wanted)
            {
                lost.push(wanted.clone());
            }
        }
        if lost.is_empty() || self.insists {
            return false;
        }
        for (number, requirement) in self.requirements.iter().enumerate() {
            if matches!(requirement, Requirement::Keeps(wanted) if lost.contains(wanted)) {
                self.learner.drop_requirement(number);
            }
        }
        self.wanted.retain(|own| !lost.contains(own));
        self.lost.extend(lost);
        true
    }

    /// Whether every expected run exists at some size.
    pub(super) fn try_goals(&mut self, values: &[bool]) -> Option<Tried> {
        let positions: Vec<usize> = self.goals.keys().copied().collect();
        for goal in positions {
            let Some((_, sizes)) = self.goals.get_mut(&goal) else { continue };
            let mut states = Vec::new();
            let mut is_met = false;
            let mut is_known = true;
            for size in sizes.iter_mut() {
                match size.search(values, &self.budget) {
                    Ok(FrozenSearch::Violated(_)) => {
                        is_met = true;
                        break;
                    }
                    Ok(FrozenSearch::Exhausted(reached)) => {
                        is_known &= reached.is_complete;
                        states.push(reached);
                    }
                    Ok(FrozenSearch::Stopped(reason)) => {
                        if self.budget.stop.is_set() {
                            return Some(Tried::Stopped(reason));
                        }
                        is_known = false;
                    }
                    Err(_) => is_known = false,
                }
            }
            if is_met {
                continue;
            }
            self.iterations.reach += 1;
            if !is_known {
                self.exclude_alone(values);
                return Some(Tried::Excluded);
            }
            let mut conditions = Vec::new();
            for (size, states) in sizes.iter_mut().zip(&states) {
                match size.exits(states, values, None, &self.budget.stop) {
                    Some(exits) => conditions.push(exits),
                    None => return Some(Tried::Stopped(FiniteReason::Timeout)),
                }
            }
            let parts: Vec<(&FrozenSize, &[FrozenCondition])> =
                sizes.iter().zip(&conditions).map(|(size, own)| (size, &own[..])).collect();
            let excludes = excludes(&parts, values);
            self.learner.require_any(&parts);
            self.requirements.push(Requirement::Goal(goal));
            if !excludes {
                self.exclude_alone(values);
            }
            return Some(Tried::Excluded);
        }
        None
    }

    /// Excludes values for which something wanted is not possible; returns whether it did, unless
    /// the work was stopped.
    pub(super) fn try_wanted(
        &mut self,
        values: &[bool],
        reached: &[Option<ReachedStates>],
    ) -> Option<bool> {
        let stop = self.budget.stop.clone();
        let mut open = self.wanted.clone();
        for (size, states) in self.sizes.iter_mut().zip(reached) {
            if open.is_empty() {
                return Some(false);
            }
            let Some(states) = states else { continue };
            let mut met = size.met(states, values, &open, &stop)?.into_iter();
            open.retain(|_| !met.next().unwrap_or(false));
        }
        let Some(wanted) = open.first().cloned() else { return Some(false) };
        self.iterations.dead += 1;
        let is_known = reached.iter().all(|own| own.as_ref().is_some_and(|own| own.is_complete));
        if !is_known {
            self.exclude_alone(values);
            return Some(true);
        }
        let mut conditions = Vec::new();
        for (size, states) in self.sizes.iter_mut().zip(reached.iter().flatten()) {
            conditions.push(size.exits(states, values, Some(&wanted), &stop)?);
        }
        let parts: Vec<(&FrozenSize, &[FrozenCondition])> =
            self.sizes.iter().zip(&conditions).map(|(size, own)| (size, &own[..])).collect();
        let excludes = excludes(&parts, values);
        self.learner.require_any(&parts);
        self.requirements.push(Requirement::Keeps(wanted));
        if !excludes {
            self.exclude_alone(values);
        }
        Some(true)
    }
}

/// Whether a requirement excludes the values that it was made for.
fn excludes(parts: &[(&FrozenSize, &[FrozenCondition])], values: &[bool]) -> bool {
    parts.iter().all(|(size, conditions)| {
        conditions.iter().all(|condition| !Learner::holds(size, condition, values))
    })
}

pub(super) fn abilities_of(protocol: &Protocol, frozen: &[SymbolId]) -> Vec<Wanted> {
    let mut all = Vec::new();
    for (action, declared) in protocol.actions.iter().enumerate() {
        all.push(Wanted::Action(action));
        let written = symbols_written(&declared.body);
        let written = written.into_iter().filter(|symbol| !frozen.contains(symbol));
        all.extend(written.map(|symbol| Wanted::Effect(action, symbol)));
    }
    all
}
