//! What a completion must still be able to do, and which others fail with one that cannot.

use super::Learning;
use super::search::{Requirement, Search, Tried};
use crate::finite::{
    Effect, FairSearch, FiniteReason, FrozenCondition, FrozenSearch, FrozenSize, Learner,
    ReachedStates, Wanted,
};
use crate::logic::{FormulaKind, TermKind};
use crate::protocol::{Argument, Assignment, Command, Protocol, RightSide, StateVar, SymbolId};

impl Search<'_> {
    /// What some values of the flags do at the sizes tried, violations or not.
    pub(crate) fn abilities(&mut self, values: &[bool], every: &[Wanted]) -> Vec<Wanted> {
        let mut able: Vec<Wanted> = Vec::new();
        for size in &mut self.sizes {
            let Ok(Some(reached)) = size.search_all(values, &self.budget) else { continue };
            let open: Vec<Wanted> =
                every.iter().filter(|own| !able.contains(own)).cloned().collect();
            let met = size.met(&reached, values, &open, &self.budget.stop).unwrap_or_default();
            able.extend(open.into_iter().zip(met).filter(|(_, met)| *met).map(|(own, _)| own));
        }
        able
    }

    /// How many states some values of the flags reach at the sizes tried; `None` if that was not
    /// counted to the end.
    pub(crate) fn states(&mut self, values: &[bool]) -> Option<u64> {
        let budget = &self.budget;
        let reached = self.sizes.iter_mut().map(|own| own.search_all(values, budget).ok()?);
        reached.map(|own| Some(own?.count)).sum()
    }

    /// Drops requirements that no completion meets; returns whether any were dropped.
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
        for number in 0..self.goals.len() {
            let mut is_known = !self.goals[number].is_partial;
            let sizes = &mut self.goals[number].sizes;
            let mut states = Vec::new();
            let mut is_met = false;
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
            if self.learning == Learning::Nothing {
                self.learner.exclude_values(values);
                self.requirements.push(Requirement::Goal(number));
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
            self.requirements.push(Requirement::Goal(number));
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
        if self.learning == Learning::Nothing {
            self.learner.exclude_values(values);
            self.requirements.push(Requirement::Keeps(wanted));
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

impl Search<'_> {
    /// Excludes values for which a fair run misses a liveness goal; returns whether it did.
    pub(super) fn try_liveness(
        &mut self,
        values: &[bool],
        reached: &[Option<ReachedStates>],
    ) -> bool {
        let Some(largest) = LIVELY.min(self.sizes.len()).checked_sub(1) else { return false };
        let Some(states) = &reached[largest] else { return false };
        for goal in 0..self.liveness.len() {
            let own = &self.liveness[goal].1;
            let size = &mut self.sizes[largest];
            match size.fair_search(states, values, own, &self.budget.stop) {
                FairSearch::Met | FairSearch::Unknown => {}
                FairSearch::Missed(condition) => {
                    let excludes = Learner::holds(size, &condition, values);
                    if excludes && self.learning == Learning::Clauses {
                        self.learner.exclude(&self.sizes[largest], &condition);
                    } else {
                        self.learner.exclude_values(values);
                    }
                    self.requirements.push(Requirement::Lives(goal));
                    self.iterations.liveness += 1;
                    return true;
                }
            }
        }
        false
    }
}

/// Liveness is looked at at the largest of so many sizes.
const LIVELY: usize = 3;

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
        let mut effects = Vec::new();
        effects_of(&declared.body, &declared.params, &mut effects);
        effects.retain(|own| !frozen.contains(&own.symbol));
        effects.sort();
        effects.dedup();
        // Arguments matter only where they tell two assignments apart.
        let alike =
            |one: &Effect, two: &Effect| (one.symbol, one.becomes) == (two.symbol, two.becomes);
        let all_effects = effects.clone();
        for own in &mut effects {
            if all_effects.iter().filter(|other| alike(own, other)).count() == 1 {
                own.at.fill(None);
            }
        }
        all.extend(effects.into_iter().map(|effect| Wanted::Effect(action, effect)));
    }
    all
}

/// What the assignments of commands change.
fn effects_of(commands: &[Command], params: &[StateVar], found: &mut Vec<Effect>) {
    let effect = |assignment: &Assignment| Effect {
        symbol: assignment.target,
        at: assignment.arguments.iter().map(|own| position(own, params)).collect(),
        becomes: match &assignment.value {
            RightSide::Formula(value) => match value.kind() {
                FormulaKind::Truth(value) => Some(*value),
                _ => None,
            },
            RightSide::Term(_) | RightSide::Havoc(_) => None,
        },
    };
    for command in commands {
        match command {
            Command::Require(..) => {}
            Command::Assign(own) => found.push(effect(own)),
            Command::Together(all, _) => found.extend(all.iter().map(effect)),
            Command::If(_, then, otherwise, _) => {
                effects_of(then, params, found);
                effects_of(otherwise, params, found);
            }
            Command::Relate(targets, _, _) => {
                let anywhere = |symbol| Effect { symbol, at: Vec::new(), becomes: None };
                found.extend(targets.iter().map(|(symbol, _)| anywhere(*symbol)));
            }
        }
    }
}

/// The position of the parameter that an argument is.
fn position(argument: &Argument, params: &[StateVar]) -> Option<usize> {
    let Argument::At(term) = argument else { return None };
    let TermKind::Var(var) = term.kind() else { return None };
    params.iter().position(|own| own == var)
}
