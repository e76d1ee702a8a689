//! The clauses under consideration: what is known to keep each, and which of them are needed.

use std::collections::{BTreeMap, BTreeSet};

use crate::budget::{Budget, Stop, Stopped};
use crate::certificate::{Invariant, InvariantSystem, StateClause};
use crate::logic::Name;
use crate::protocol::{State, StateFormula};
use crate::smt::IllSorted;
use crate::source::Span;

use super::counterexample::{Counterexample, InductionMoment, is_false, step_moment};
use super::induction::{ClauseId, Induction, InductionAnswer, InductionFrame};
use crate::synthesis::clause_names::clause_names;

/// A clause under consideration.
#[derive(Clone, Debug)]
pub(crate) struct CandidateClause {
    pub(crate) formula: StateFormula,
    /// The name of the property that it is, if it is one.
    pub(crate) property: Option<Name>,
    pub(crate) alive: bool,
}

/// All clauses that were ever stated, by their numbers.
pub(crate) struct CandidateClauses<'a> {
    pub(crate) system: InvariantSystem<'a>,
    pub(crate) induction: Induction<'a>,
    pub(crate) entries: Vec<CandidateClause>,
    /// What each action needs to keep each clause, as far as it is proved.
    proved: BTreeMap<(ClauseId, usize), Vec<ClauseId>>,
    pub(crate) refused: BTreeSet<StateFormula>,
}

impl<'a> CandidateClauses<'a> {
    /// No clauses yet, unless the work has to stop before the solvers are prepared.
    pub(crate) fn new(
        system: InvariantSystem<'a>,
        frame: &'a InductionFrame,
        budget: &Budget,
    ) -> Result<Result<Self, Stopped>, IllSorted> {
        let induction = Induction::new(system, frame, budget)?;
        Ok(induction.map(|induction| CandidateClauses {
            system,
            induction,
            entries: Vec::new(),
            proved: BTreeMap::new(),
            refused: BTreeSet::new(),
        }))
    }

    /// States a clause to the solvers.
    pub(crate) fn state(
        &mut self,
        formula: &StateFormula,
        property: Option<Name>,
    ) -> Result<ClauseId, IllSorted> {
        let entry = CandidateClause { formula: formula.clone(), property, alive: true };
        let clause = self.induction.state(formula)?;
        // The solvers count every clause that is stated, those of a directed search too.
        let blank = CandidateClause { alive: false, property: None, ..entry.clone() };
        self.entries.resize(clause, blank);
        self.entries.push(entry);
        Ok(clause)
    }

    /// The properties.
    pub(crate) fn properties(&self) -> Vec<ClauseId> {
        self.numbers(|entry| entry.property.is_some())
    }

    /// The clauses that are not dropped.
    pub(crate) fn alive(&self) -> Vec<ClauseId> {
        self.numbers(|entry| entry.alive)
    }

    fn numbers(&self, wanted: impl Fn(&CandidateClause) -> bool) -> Vec<ClauseId> {
        (0..self.entries.len()).filter(|clause| wanted(&self.entries[*clause])).collect()
    }

    /// The newest clause that some action is not known to keep.
    pub(crate) fn open_question(&self) -> Option<(ClauseId, usize)> {
        let actions = 0..self.system.actions.len();
        let alive = self.alive().into_iter().rev();
        let mut open = alive.flat_map(|clause| actions.clone().map(move |action| (clause, action)));
        open.find(|question| !self.proved.contains_key(question))
    }

    /// Whether an action keeps a clause where all that are alive hold.
    pub(crate) fn ask(
        &mut self,
        clause: ClauseId,
        action: usize,
    ) -> Result<InductionAnswer, IllSorted> {
        let supposed = self.alive();
        let answer = self.induction.keeps(action, clause, &supposed)?;
        if let InductionAnswer::Valid(needed) = &answer {
            self.proved.insert((clause, action), needed.clone());
        }
        Ok(answer)
    }

    /// Drops a clause, with what was proved by it.
    pub(crate) fn drop_clause(&mut self, clause: ClauseId) {
        self.entries[clause].alive = false;
        self.refused.insert(self.entries[clause].formula.clone());
        self.proved.retain(|(of, _), needed| *of != clause && !needed.contains(&clause));
    }

    /// Replaces all clauses but the properties; whether the new ones and the properties are
    /// inductive. Otherwise nothing changes.
    pub(crate) fn replace(&mut self, clauses: &[StateFormula]) -> Result<bool, IllSorted> {
        let saved = (self.entries.clone(), self.proved.clone());
        self.proved.clear();
        self.entries.iter_mut().for_each(|entry| entry.alive = entry.property.is_some());
        for formula in clauses {
            self.state(formula, None)?;
        }
        let is_inductive = self.all_kept()?;
        if !is_inductive {
            (self.entries, self.proved) = saved;
        }
        Ok(is_inductive)
    }

    /// Drops clauses until every action keeps all that are left.
    pub(crate) fn keep_inductive(&mut self, stop: &Stop) -> Result<(), IllSorted> {
        while let Some((clause, action)) = self.open_question() {
            let late = stop.is_set();
            if late || !matches!(self.ask(clause, action)?, InductionAnswer::Valid(_)) {
                self.drop_clause(clause);
            }
        }
        Ok(())
    }

    /// Leaves out what the properties do not need.
    pub(crate) fn minimise(&mut self, stop: &Stop) -> Result<(), IllSorted> {
        self.keep_needed();
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
                let known = self.proved.get(&(clause, action)).into_iter().flatten();
                open.extend(known.filter(|other| needed.insert(**other)));
            }
        }
        for (clause, entry) in self.entries.iter_mut().enumerate() {
            entry.alive &= needed.contains(&clause);
        }
        self.proved.retain(|(clause, _), _| needed.contains(clause));
    }

    /// A step that breaks a property where the properties and all that is alive hold.
    pub(crate) fn open_step(&mut self, stop: &Stop) -> Result<Option<Counterexample>, IllSorted> {
        let properties = self.properties();
        let supposed: Vec<ClauseId> = properties.iter().copied().chain(self.alive()).collect();
        for id in properties {
            let Some(clause) = self.entries[id].property.clone() else { continue };
            for action in 0..self.system.actions.len() {
                if stop.is_set() {
                    return Ok(None);
                }
                let answer = self.induction.keeps(action, id, &supposed)?;
                let InductionAnswer::Refuted(model) = answer else { continue };
                let moment = step_moment(self.system, self.system.actions[action], &model);
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
        self.fails(after, clause) && !supposed.iter().any(|id| self.fails(before, *id))
    }

    /// Whether a clause is false in a state, as far as that can be evaluated.
    pub(crate) fn fails(&self, state: &State, clause: ClauseId) -> bool {
        is_false(self.system, state, &self.entries[clause].formula)
    }

    /// The clauses that are alive, named.
    pub(crate) fn invariant(&self) -> Invariant {
        let alive: Vec<&CandidateClause> =
            self.entries.iter().filter(|entry| entry.alive).collect();
        let named = alive.iter().map(|entry| (entry.property.clone(), &entry.formula));
        let names = clause_names(&self.system.protocol.signature, named);
        let clauses = alive.iter().zip(names).map(|(entry, name)| StateClause {
            name,
            formula: entry.formula.clone(),
            span: Span::default(),
        });
        Invariant { clauses: clauses.collect() }
    }
}
