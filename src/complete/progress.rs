//! What a completion must still be able to do, and which others fail with one that cannot.

use super::Learning;
use crate::budget::Budget;
use std::collections::{BTreeMap, BTreeSet};

use super::search::{Requirement, STATES, Search, Tried};
use crate::finite::{
    Effect, Exits, FairSearch, FiniteReason, FrozenCondition, FrozenSearch, FrozenSize, Learner,
    ReachedStates, Wanted,
};
use crate::logic::{FormulaKind, TermKind};
use crate::protocol::{
    Argument, Assignment, Command, PropertyKind, Protocol, RightSide, StateVar, SymbolId,
};
use crate::source::Span;

impl Search<'_> {
    /// More that must stay possible.
    pub(crate) fn keep_also(&mut self, wanted: &[Wanted]) {
        let open = wanted.iter().filter(|own| !self.wanted.contains(own));
        let open: Vec<Wanted> = open.cloned().collect();
        self.wanted.extend(open);
    }

    /// What some values of the flags do at the sizes tried, violations or not.
    pub(crate) fn abilities(&mut self, values: &[bool], every: &[Wanted]) -> Vec<Wanted> {
        let mut able: Vec<Wanted> = Vec::new();
        for size in &mut self.sizes {
            let Ok(Some(reached)) = size.search_all((values, None), &self.budget) else { continue };
            let open: Vec<Wanted> =
                every.iter().filter(|own| !able.contains(own)).cloned().collect();
            let met = size.met(&reached, values, &open, &self.budget.stop).unwrap_or_default();
            able.extend(open.into_iter().zip(met).filter(|(_, met)| *met).map(|(own, _)| own));
        }
        able
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
        // What a property is about may have been the violation alone.
        lost.retain(|own| !self.insists || matches!(own, Wanted::Premise(_)));
        // What an answer keeps possible, the next one has to keep as well.
        let is_kept = self.requirements.iter().any(|own| matches!(own, Requirement::Answered));
        if lost.is_empty() || is_kept {
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
                match size.exits(states, (values, None), &[], &self.budget.stop) {
                    Some(exits) => conditions.push(exits.leaves),
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
        open.retain(|own| !self.excuses(own).iter().any(|flag| values[*flag]));
        for (size, states) in self.sizes.iter_mut().zip(reached) {
            if open.is_empty() {
                return Some(false);
            }
            let Some(states) = states else { continue };
            let mut met = size.met(states, values, &open, &stop)?.into_iter();
            open.retain(|_| !met.next().unwrap_or(false));
        }
        let Some(first) = open.first().cloned() else { return Some(false) };
        self.iterations.dead += 1;
        let is_small = |own: &ReachedStates| own.is_complete && own.count <= STATES;
        let is_known = reached.iter().all(|own| own.as_ref().is_some_and(is_small));
        if !is_known {
            self.exclude_alone(values);
            return Some(true);
        }
        if self.learning == Learning::Nothing {
            self.learner.exclude_values(values);
            self.requirements.push(Requirement::Keeps(first));
            return Some(true);
        }
        let reached: Vec<&ReachedStates> = reached.iter().flatten().collect();
        if !self.require_exits(&reached, (values, None), open)? {
            self.exclude_alone(values);
        }
        Some(true)
    }

    /// The flags that excuse from something wanted.
    fn excuses(&self, wanted: &Wanted) -> &[usize] {
        self.excused.get(wanted).map_or(&[], |flags| flags)
    }

    /// Requires of all values to lead out of these states, at some size, or to do among them what is
    /// wanted; returns whether that excludes the given values, unless the work was stopped.
    fn require_exits(
        &mut self,
        reached: &[&ReachedStates],
        (values, without): (&[bool], Option<usize>),
        wanted: Vec<Wanted>,
    ) -> Option<bool> {
        let stop = self.budget.stop.clone();
        let mut exits: Vec<Exits> = Vec::new();
        for (size, states) in self.sizes.iter_mut().zip(reached) {
            exits.push(size.exits(states, (values, without), &wanted, &stop)?);
        }
        let parts: Vec<(&FrozenSize, &Exits)> = self.sizes.iter().zip(&exits).collect();
        let fails = |(size, exits): &(&FrozenSize, &Exits)| {
            let mut all = exits.leaves.iter().chain(exits.serves.iter().flatten());
            all.all(|condition| !Learner::holds(size, condition, values))
        };
        let excludes = parts.iter().all(fails);
        let excuses: Vec<Vec<usize>> =
            wanted.iter().map(|own| self.excuses(own).to_vec()).collect();
        self.learner.require_each(&parts, &excuses);
        self.requirements.extend(wanted.into_iter().map(Requirement::Keeps));
        Some(excludes)
    }

    /// Excludes beforehand what can be seen from the runs of some values that do all that is wanted:
    /// whatever happens does so in a state that these values reach, or beyond such a state. The same
    /// holds of the states that they reach without one action.
    pub(crate) fn foresee(&mut self, values: &[bool]) {
        if self.learning == Learning::Nothing {
            return;
        }
        let every = std::iter::once(None).chain((0..self.protocol.actions.len()).map(Some));
        for without in every {
            let budget = Budget { max_states: FORESEEN, ..self.budget.clone() };
            let reached = self.sizes.iter_mut().map(|size| {
                let found = size.search_all((values, without), &budget).ok().flatten();
                found.filter(|own| own.is_complete)
            });
            let Some(reached) = reached.collect::<Option<Vec<ReachedStates>>>() else { continue };
            let mut open = self.wanted.clone();
            if let Some(action) = without {
                open.retain(|own| own.action() == Some(action));
            }
            let reached: Vec<&ReachedStates> = reached.iter().collect();
            if self.require_exits(&reached, (values, without), open).is_none() {
                return;
            }
        }
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

/// The most states of one instance from which is seen beforehand what does not happen.
const FORESEEN: u64 = 300;

/// Whatever actions may do: each is possible, each of its assignments changes something, and every
/// property is about something.
pub(super) fn abilities_of(protocol: &Protocol, frozen: &[SymbolId]) -> Vec<Wanted> {
    let places = ability_places(protocol, frozen);
    let mut all = Vec::new();
    for action in 0..protocol.actions.len() {
        all.push(Wanted::Action(action));
        all.extend(places.keys().filter(|own| own.action() == Some(action)).cloned());
    }
    all.extend(premises(protocol));
    all
}

/// What properties are about: a property that is about nothing is not worth keeping.
fn premises(protocol: &Protocol) -> impl Iterator<Item = Wanted> {
    let properties = protocol.properties.iter().enumerate();
    let stated = properties.filter(|(_, own)| own.kind == PropertyKind::Safety);
    stated.filter(|(_, own)| own.premise().is_some()).map(|(number, _)| Wanted::Premise(number))
}

/// What the assignments of actions change, with the places of these assignments.
pub(super) fn ability_places(
    protocol: &Protocol,
    frozen: &[SymbolId],
) -> BTreeMap<Wanted, Vec<Span>> {
    let mut all: BTreeMap<Wanted, Vec<Span>> = BTreeMap::new();
    for (action, declared) in protocol.actions.iter().enumerate() {
        let mut effects = Vec::new();
        effects_of(&declared.body, &declared.params, &mut effects);
        effects.retain(|(own, _)| !frozen.contains(&own.symbol));
        let distinct: BTreeSet<Effect> = effects.iter().map(|(own, _)| own.clone()).collect();
        for (mut effect, place) in effects {
            // Arguments matter only where they tell two assignments apart.
            let is_alike =
                |own: &&Effect| (own.symbol, own.becomes) == (effect.symbol, effect.becomes);
            if distinct.iter().filter(is_alike).count() == 1 {
                effect.at.fill(None);
            }
            all.entry(Wanted::Effect(action, effect)).or_default().push(place);
        }
    }
    all
}

/// Actions with different elements for their parameters of one sort.
pub(super) fn apart(protocol: &Protocol) -> Vec<Wanted> {
    let mut all = Vec::new();
    for (number, action) in protocol.actions.iter().enumerate() {
        let sorts: Vec<_> = action.params.iter().map(|own| own.sort).collect();
        let pairs = (0..sorts.len()).flat_map(|one| (0..one).map(move |two| (two, one)));
        let pairs: Vec<_> = pairs.filter(|(one, two)| sorts[*one] == sorts[*two]).collect();
        if !pairs.is_empty() {
            all.push(Wanted::Apart(number, pairs));
        }
    }
    all
}

/// What the assignments of commands change, and where they stand.
fn effects_of(commands: &[Command], params: &[StateVar], found: &mut Vec<(Effect, Span)>) {
    let effect = |assignment: &Assignment| {
        let effect = Effect {
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
        (effect, assignment.span)
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
            Command::Relate(targets, _, span) => {
                let anywhere = |symbol| Effect { symbol, at: Vec::new(), becomes: None };
                found.extend(targets.iter().map(|(symbol, _)| (anywhere(*symbol), *span)));
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
