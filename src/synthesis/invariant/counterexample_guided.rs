//! The search: a counterexample to induction asks for a clause that excludes the state before it.
//!
//! A clause is admitted if it holds in all states that must be allowed: the reachable states of small
//! instances. Where no clause of the language excludes a state, every invariant of the language
//! allows it and what follows it; so the state after it is one more that must be allowed, and the
//! clauses that it violates are given up.

use crate::budget::Budget;
use crate::certificate::{Invariant, InvariantSystem};
use crate::finite::SmallSizes;
use crate::logic::Name;
use crate::protocol::StateFormula;
use crate::smt::z3::isolated;
use crate::smt::{IllSorted, ProverError, UnknownReason};

use super::candidate_clauses::CandidateClauses;
use super::counterexample::{Counterexample, InductionMoment, initial_moment, step_moment};
use super::goals::goals;
use super::induction::{ClauseId, InductionAnswer, frame};
use super::property_directed::Directed;
use super::time_shares::SearchClock;
use super::{InvariantObstacle, InvariantOutcome};
use crate::synthesis::mine::{Miner, Mining};

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
    mining: Mining,
    budget: &Budget,
) -> Result<InvariantOutcome, ProverError> {
    let clock = SearchClock::start(&budget.stop);
    let mut sizes = SmallSizes::new(system.protocol);
    for cut in system.cut {
        let count = u32::try_from(cut.elements.len()).expect("few named elements");
        sizes.fixed.insert(cut.sort, count);
    }
    let frame = frame(system);
    let outcome = isolated(&budget.stop, || {
        let sampling = budget.stop.share(1, SAMPLING);
        let mut miner = Miner::new(&sizes, system.actions, mining.samples, &sampling);
        if mining.witnesses {
            miner.say_exists();
        }
        match CandidateClauses::new(system, &frame, budget)? {
            Ok(clauses) => GuidedSearch { system, budget, clock, clauses, miner }.run(candidates),
            Err(stopped) => Ok(InvariantOutcome::Open {
                known: Invariant { clauses: Vec::new() },
                obstacle: InvariantObstacle::from(stopped),
                step: None,
            }),
        }
    })??;
    Ok(outcome)
}

struct GuidedSearch<'a> {
    system: InvariantSystem<'a>,
    budget: &'a Budget,
    clock: SearchClock,
    clauses: CandidateClauses<'a>,
    miner: Miner<'a>,
}

type GuidedStep<T> = Result<Result<T, InvariantObstacle>, IllSorted>;

impl GuidedSearch<'_> {
    fn run(mut self, candidates: &[StateFormula]) -> Result<InvariantOutcome, IllSorted> {
        for (name, formula) in goals(self.system) {
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
                Err(obstacle) if self.widened(&obstacle) => {}
                Err(obstacle) => return self.give_up(obstacle),
            }
        }
        // What is not needed is left out within as much time again.
        self.clauses.minimise(&self.budget.stop.within(self.clock.start.elapsed()))?;
        Ok(InvariantOutcome::Found(self.clauses.invariant()))
    }

    /// Starts again with clauses that say that something exists; whether that is new, and where
    /// something stood in the way that such a clause may exclude.
    fn widened(&mut self, obstacle: &InvariantObstacle) -> bool {
        let may_help = matches!(obstacle, InvariantObstacle::Counterexample(_));
        let is_new = may_help && !self.clock.search.is_set() && self.miner.say_exists();
        if is_new {
            self.clauses.refused.clear();
            self.clock.templates = self.clock.search.clone();
        }
        is_new
    }

    /// Searches once more without the templates; whether an invariant was found, which then is
    /// all that is alive.
    fn directed(&mut self) -> Result<bool, IllSorted> {
        let properties = self.clauses.properties();
        let found = Directed {
            system: self.system,
            stop: self.clock.search.clone(),
            induction: &mut self.clauses.induction,
            miner: &mut self.miner,
            properties,
        }
        .run()?;
        found.map_or(Ok(false), |found| self.clauses.replace(&found))
    }

    /// Adds a property, which must hold initially.
    fn goal(&mut self, name: Name, formula: &StateFormula) -> GuidedStep<()> {
        let clause = self.clauses.state(formula, Some(name.clone()))?;
        let answer = self.clauses.induction.initially(clause)?;
        self.clauses.entries[clause].alive = matches!(answer, InductionAnswer::Valid(_));
        Ok(match answer {
            InductionAnswer::Valid(_) => Ok(()),
            InductionAnswer::Unknown(reason) => Err(InvariantObstacle::Undecided(reason)),
            InductionAnswer::Refuted(model) => {
                Err(Counterexample { clause: name, moment: initial_moment(self.system, &model) }
                    .into())
            }
        })
    }

    /// Adds a clause if it holds initially.
    fn admit(&mut self, formula: &StateFormula) -> Result<bool, IllSorted> {
        let is_open = |formula| !self.clauses.refused.contains(formula);
        let known = self.clauses.entries.iter().find(|entry| entry.formula == *formula);
        let known = known.filter(|entry| entry.alive || !is_open(&entry.formula));
        if let Some(known) = known {
            return Ok(known.alive);
        }
        let clause = self.clauses.state(formula, None)?;
        let answer = self.clauses.induction.initially(clause)?;
        if let InductionAnswer::Valid(_) = answer {
            return Ok(true);
        }
        if let InductionAnswer::Refuted(model) = answer
            && let InductionMoment::Initially(state) = initial_moment(self.system, &model)
        {
            self.miner.allow(&state);
        }
        self.clauses.drop_clause(clause);
        Ok(false)
    }

    /// Looks at one open question; whether there was one.
    fn advance(&mut self) -> GuidedStep<bool> {
        if let Some(why) = self.clock.templates.why() {
            return Ok(Err(InvariantObstacle::from(why)));
        }
        let Some((clause, action)) = self.clauses.open_question() else { return Ok(Ok(false)) };
        let answered = match self.clauses.ask(clause, action)? {
            InductionAnswer::Valid(_) => Ok(()),
            InductionAnswer::Unknown(reason) => self.undecided(clause, reason),
            InductionAnswer::Refuted(model) => {
                let moment = step_moment(self.system, self.system.actions[action], &model);
                self.learn(clause, moment)?
            }
        };
        Ok(answered.map(|()| true))
    }

    fn undecided(
        &mut self,
        clause: ClauseId,
        reason: UnknownReason,
    ) -> Result<(), InvariantObstacle> {
        if self.clauses.entries[clause].property.is_some() {
            return Err(InvariantObstacle::Undecided(reason));
        }
        self.clauses.drop_clause(clause);
        Ok(())
    }

    /// Excludes the state before a step, or gives up what is false after it.
    fn learn(&mut self, clause: ClauseId, moment: InductionMoment) -> GuidedStep<()> {
        let InductionMoment::After { before, after, .. } = &moment else { return Ok(Ok(())) };
        let templates = self.clock.templates.clone();
        while let Some(found) = self.miner.exclude(before, &self.clauses.refused, &templates) {
            if self.admit(&found)? {
                return Ok(Ok(()));
            }
        }
        if let Some(why) = templates.why() {
            return Ok(Err(InvariantObstacle::from(why)));
        }
        let mut lost = vec![clause];
        if let Some(after) = after {
            self.miner.allow(after);
            let alive = self.clauses.alive().into_iter();
            lost.extend(
                alive.filter(|other| *other != clause && self.clauses.fails(after, *other)),
            );
        }
        let property = lost.iter().find_map(|lost| self.clauses.entries[*lost].property.clone());
        if let Some(clause) = property {
            return Ok(Err(Counterexample { clause, moment }.into()));
        }
        lost.into_iter().for_each(|clause| self.clauses.drop_clause(clause));
        Ok(Ok(()))
    }

    /// What is inductive of the clauses, properties among them.
    fn give_up(mut self, obstacle: InvariantObstacle) -> Result<InvariantOutcome, IllSorted> {
        let stop = &self.budget.stop;
        self.clauses.keep_inductive(stop)?;
        let step = self.clauses.open_step(stop)?.map(Box::new);
        Ok(InvariantOutcome::Open { known: self.clauses.invariant(), obstacle, step })
    }
}
