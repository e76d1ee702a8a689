//! The search: a counterexample to induction asks for a clause that excludes the state before it.
//!
//! A clause is admitted if it holds in all states that must be allowed: the reachable states of small
//! instances. Where no clause of the language excludes a state, every invariant of the language
//! allows it and what follows it; so the state after it is one more that must be allowed, and the
//! clauses that it violates are given up.

use std::collections::{BTreeMap, BTreeSet};

use crate::budget::{Budget, Stopped};
use crate::certificate::{Invariant, InvariantSystem, StateClause};
use crate::logic::Name;
use crate::protocol::{SortId, StateFormula};
use crate::smt::z3::isolated;
use crate::smt::{IllSorted, ProverError, UnknownReason};
use crate::source::Span;

use super::clause_names::clause_names;
use super::counterexample::{Counterexample, InductionMoment, initial, is_false, step};
use super::induction::{ClauseId, Induction, InductionAnswer, InductionFrame, frame};
use super::property_directed::Directed;
use super::time_shares::SearchClock;
use super::{InvariantObstacle, InvariantOutcome};
use crate::synthesis::mine::{Miner, SampleSize};

/// One of so many parts of the time is for sampling.
const SAMPLING: u32 = 4;

/// Searches for an inductive invariant from which all properties of the system follow; some clauses
/// may help. The resources of the budget are those of one question to the solver.
///
/// # Errors
/// When the system is ill-sorted, or the solver cannot be used.
pub fn find_invariant(
    system: InvariantSystem<'_>,
    candidates: &[StateFormula],
    samples: SampleSize,
    budget: &Budget,
) -> Result<InvariantOutcome, ProverError> {
    let clock = SearchClock::start(&budget.stop);
    let mut fixed: Vec<(SortId, u32)> = system
        .cut
        .iter()
        .map(|cut| (cut.sort, u32::try_from(cut.elements.len()).expect("few named elements")))
        .collect();
    for sort in system.protocol.signature.sorts() {
        if fixed.iter().all(|(known, _)| *known != sort) {
            fixed.extend(system.protocol.fixed_size(sort).map(|count| (sort, count)));
        }
    }
    let frame = frame(system);
    let outcome = isolated(&budget.stop, || {
        let sampling = budget.stop.share(1, SAMPLING);
        let miner = Miner::new(system.protocol, &fixed, system.actions, samples, &sampling);
        match GuidedSearch::new(system, &frame, miner, budget, clock)? {
            Ok(mut search) => search.run(candidates),
            Err(stopped) => Ok(InvariantOutcome::Open {
                known: Invariant { clauses: Vec::new() },
                obstacle: InvariantObstacle::from(stopped),
                step: None,
            }),
        }
    })??;
    Ok(outcome)
}

/// A clause under consideration.
#[derive(Clone, Debug)]
struct GuidedEntry {
    formula: StateFormula,
    /// The name of the property that it is, if it is one.
    property: Option<Name>,
    alive: bool,
}

struct GuidedSearch<'a> {
    system: InvariantSystem<'a>,
    budget: &'a Budget,
    clock: SearchClock,
    induction: Induction<'a>,
    miner: Miner<'a>,
    entries: Vec<GuidedEntry>,
    /// What each action needs to keep each clause, as far as it is proved.
    proved: BTreeMap<(ClauseId, usize), Vec<ClauseId>>,
    refused: BTreeSet<StateFormula>,
}

type GuidedStep<T> = Result<Result<T, InvariantObstacle>, IllSorted>;

impl<'a> GuidedSearch<'a> {
    fn new(
        system: InvariantSystem<'a>,
        frame: &'a InductionFrame,
        miner: Miner<'a>,
        budget: &'a Budget,
        clock: SearchClock,
    ) -> Result<Result<Self, Stopped>, IllSorted> {
        let induction = match Induction::new(system, frame, budget)? {
            Ok(induction) => induction,
            Err(stopped) => return Ok(Err(stopped)),
        };
        Ok(Ok(GuidedSearch {
            system,
            budget,
            clock,
            induction,
            miner,
            entries: Vec::new(),
            proved: BTreeMap::new(),
            refused: BTreeSet::new(),
        }))
    }

    fn run(&mut self, candidates: &[StateFormula]) -> Result<InvariantOutcome, IllSorted> {
        let goals: Vec<_> = self.system.required_properties().collect();
        for (name, formula) in goals {
            if let Err(obstacle) = self.goal(name, &formula)? {
                return self.give_up(obstacle);
            }
        }
        for formula in candidates {
            self.admit(formula)?;
        }
        loop {
            match self.advance()? {
                Ok(true) => {}
                Ok(false) => break,
                Err(obstacle) if self.directed()? => {
                    drop(obstacle);
                    break;
                }
                Err(obstacle) => return self.give_up(obstacle),
            }
        }
        self.minimise()?;
        Ok(InvariantOutcome::Found(self.invariant()))
    }

    /// Searches once more without the templates; whether an invariant was found, which then is
    /// all that is alive.
    fn directed(&mut self) -> Result<bool, IllSorted> {
        let properties = self.properties();
        let found = Directed {
            system: self.system,
            stop: self.clock.search.clone(),
            induction: &mut self.induction,
            miner: &mut self.miner,
            properties,
        }
        .run()?;
        let Some(found) = found else { return Ok(false) };
        let saved = (self.entries.clone(), self.proved.clone());
        self.proved.clear();
        self.entries.iter_mut().for_each(|entry| entry.alive = entry.property.is_some());
        for formula in found {
            let alive = GuidedEntry { formula, property: None, alive: true };
            // The solvers count every clause that is stated, the initial condition too.
            let clause = self.induction.state(&alive.formula)?;
            let blank = GuidedEntry { alive: false, ..alive.clone() };
            self.entries.resize(clause, blank);
            self.entries.push(alive);
        }
        if self.all_kept()? {
            return Ok(true);
        }
        (self.entries, self.proved) = saved;
        Ok(false)
    }

    /// Adds a property, which must hold initially.
    fn goal(&mut self, name: Name, formula: &StateFormula) -> GuidedStep<()> {
        let clause = self.induction.state(formula)?;
        self.entries.push(GuidedEntry {
            formula: formula.clone(),
            property: Some(name.clone()),
            alive: true,
        });
        let answer = self.induction.initially(clause)?;
        self.entries[clause].alive = matches!(answer, InductionAnswer::Valid(_));
        Ok(match answer {
            InductionAnswer::Valid(_) => Ok(()),
            InductionAnswer::Unknown(reason) => Err(InvariantObstacle::Undecided(reason)),
            InductionAnswer::Refuted(model) => {
                let moment = initial(self.system, &model);
                Err(InvariantObstacle::Counterexample(Box::new(Counterexample {
                    clause: name,
                    moment,
                })))
            }
        })
    }

    /// Adds a clause if it holds initially.
    fn admit(&mut self, formula: &StateFormula) -> Result<bool, IllSorted> {
        if let Some(known) = self.entries.iter().find(|entry| entry.formula == *formula) {
            return Ok(known.alive);
        }
        let clause = self.induction.state(formula)?;
        self.entries.push(GuidedEntry { formula: formula.clone(), property: None, alive: true });
        Ok(match self.induction.initially(clause)? {
            InductionAnswer::Valid(_) => true,
            answer @ (InductionAnswer::Unknown(_) | InductionAnswer::Refuted(_)) => {
                if let InductionAnswer::Refuted(model) = answer
                    && let InductionMoment::Initially(state) = initial(self.system, &model)
                {
                    self.miner.allow(&state);
                }
                self.drop_clause(clause);
                false
            }
        })
    }

    /// Looks at one open question; whether there was one.
    fn advance(&mut self) -> GuidedStep<bool> {
        if let Some(why) = self.clock.templates.why() {
            return Ok(Err(InvariantObstacle::from(why)));
        }
        let Some((clause, action)) = self.open_question() else { return Ok(Ok(false)) };
        let answered = match self.ask(clause, action)? {
            InductionAnswer::Valid(_) => Ok(()),
            InductionAnswer::Unknown(reason) => self.undecided(clause, reason),
            InductionAnswer::Refuted(model) => {
                let moment = step(self.system, self.system.actions[action], &model);
                self.learn(clause, moment)?
            }
        };
        Ok(answered.map(|()| true))
    }

    /// The newest clause that some action is not known to keep.
    fn open_question(&self) -> Option<(ClauseId, usize)> {
        let alive = (0..self.entries.len()).rev().filter(|clause| self.entries[*clause].alive);
        let mut open = alive
            .flat_map(|clause| (0..self.system.actions.len()).map(move |action| (clause, action)));
        open.find(|question| !self.proved.contains_key(question))
    }

    fn ask(&mut self, clause: ClauseId, action: usize) -> Result<InductionAnswer, IllSorted> {
        let supposed = self.alive();
        let answer = self.induction.keeps(action, clause, &supposed)?;
        if let InductionAnswer::Valid(needed) = &answer {
            self.proved.insert((clause, action), needed.clone());
        }
        Ok(answer)
    }

    fn properties(&self) -> Vec<ClauseId> {
        (0..self.entries.len()).filter(|clause| self.entries[*clause].property.is_some()).collect()
    }

    fn alive(&self) -> Vec<ClauseId> {
        (0..self.entries.len()).filter(|clause| self.entries[*clause].alive).collect()
    }

    fn undecided(
        &mut self,
        clause: ClauseId,
        reason: UnknownReason,
    ) -> Result<(), InvariantObstacle> {
        if self.entries[clause].property.is_some() {
            return Err(InvariantObstacle::Undecided(reason));
        }
        self.drop_clause(clause);
        Ok(())
    }

    /// Excludes the state before a step, or gives up what is false after it.
    fn learn(&mut self, clause: ClauseId, moment: InductionMoment) -> GuidedStep<()> {
        let InductionMoment::After { before, after, .. } = &moment else { return Ok(Ok(())) };
        while let Some(found) = self.miner.exclude(before, &self.refused, &self.clock.templates) {
            if self.admit(&found)? {
                return Ok(Ok(()));
            }
        }
        if let Some(why) = self.clock.templates.why() {
            return Ok(Err(InvariantObstacle::from(why)));
        }
        let mut lost = vec![clause];
        if let Some(after) = after {
            self.miner.allow(after);
            let alive = self.alive().into_iter();
            lost.extend(alive.filter(|other| {
                *other != clause && is_false(self.system, after, &self.entries[*other].formula)
            }));
        }
        let property = lost.iter().find_map(|lost| self.entries[*lost].property.clone());
        if let Some(clause) = property {
            return Ok(Err(InvariantObstacle::Counterexample(Box::new(Counterexample {
                clause,
                moment,
            }))));
        }
        lost.into_iter().for_each(|clause| self.drop_clause(clause));
        Ok(Ok(()))
    }

    fn drop_clause(&mut self, clause: ClauseId) {
        self.entries[clause].alive = false;
        self.refused.insert(self.entries[clause].formula.clone());
        self.proved.retain(|(of, _), needed| *of != clause && !needed.contains(&clause));
    }

    /// Leaves out what the properties do not need, within as much time again.
    fn minimise(&mut self) -> Result<(), IllSorted> {
        self.keep_needed();
        let stop = self.budget.stop.within(self.clock.start.elapsed());
        for clause in self.alive() {
            if stop.is_set() {
                break;
            }
            if self.entries[clause].property.is_some() || !self.entries[clause].alive {
                continue;
            }
            let saved = (self.entries.clone(), self.proved.clone());
            self.drop_clause(clause);
            if self.all_kept()? {
                self.keep_needed();
            } else {
                (self.entries, self.proved) = saved;
            }
        }
        Ok(())
    }

    fn all_kept(&mut self) -> Result<bool, IllSorted> {
        while let Some((clause, action)) = self.open_question() {
            if !matches!(self.ask(clause, action)?, InductionAnswer::Valid(_)) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn keep_needed(&mut self) {
        let mut open = self.properties();
        let mut needed: BTreeSet<ClauseId> = open.iter().copied().collect();
        while let Some(clause) = open.pop() {
            for action in 0..self.system.actions.len() {
                for other in self.proved.get(&(clause, action)).into_iter().flatten() {
                    if needed.insert(*other) {
                        open.push(*other);
                    }
                }
            }
        }
        for (clause, entry) in self.entries.iter_mut().enumerate() {
            entry.alive &= needed.contains(&clause);
        }
        self.proved.retain(|(clause, _), _| needed.contains(clause));
    }

    /// What is inductive of the clauses, properties among them.
    fn give_up(&mut self, obstacle: InvariantObstacle) -> Result<InvariantOutcome, IllSorted> {
        while let Some((clause, action)) = self.open_question() {
            let late = self.budget.stop.is_set();
            if late || !matches!(self.ask(clause, action)?, InductionAnswer::Valid(_)) {
                self.drop_clause(clause);
            }
        }
        let step = self.open_step()?.map(Box::new);
        Ok(InvariantOutcome::Open { known: self.invariant(), obstacle, step })
    }

    /// A step that breaks a property where the properties and what is known hold.
    fn open_step(&mut self) -> Result<Option<Counterexample>, IllSorted> {
        let properties = self.properties();
        let supposed: Vec<ClauseId> = properties.iter().copied().chain(self.alive()).collect();
        for id in properties {
            let Some(clause) = self.entries[id].property.clone() else { continue };
            for action in 0..self.system.actions.len() {
                if self.budget.stop.is_set() {
                    return Ok(None);
                }
                let InductionAnswer::Refuted(model) =
                    self.induction.keeps(action, id, &supposed)?
                else {
                    continue;
                };
                let moment = step(self.system, self.system.actions[action], &model);
                if self.is_confirmed(&moment, id, &supposed) {
                    return Ok(Some(Counterexample { clause, moment }));
                }
            }
        }
        Ok(None)
    }

    /// Whether our own evaluation agrees that everything supposed holds before and the clause
    /// fails after.
    fn is_confirmed(
        &self,
        moment: &InductionMoment,
        clause: ClauseId,
        supposed: &[ClauseId],
    ) -> bool {
        let InductionMoment::After { before, after: Some(after), .. } = moment else {
            return false;
        };
        let fails = |state, id: ClauseId| is_false(self.system, state, &self.entries[id].formula);
        fails(after, clause) && !supposed.iter().any(|id| fails(before, *id))
    }

    fn invariant(&self) -> Invariant {
        let alive: Vec<&GuidedEntry> = self.entries.iter().filter(|entry| entry.alive).collect();
        let signature = &self.system.protocol.signature;
        let named = alive.iter().map(|entry| (entry.property.clone(), &entry.formula));
        let names = clause_names(signature, named);
        let clauses = alive.iter().zip(names).map(|(entry, name)| StateClause {
            name,
            formula: entry.formula.clone(),
            span: Span::default(),
        });
        Invariant { clauses: clauses.collect() }
    }
}
