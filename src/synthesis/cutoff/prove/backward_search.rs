//! The backward search for one proof: the clauses that carry the violation over, the clauses that
//! keep those, and so on.

use std::collections::{BTreeMap, BTreeSet};

use crate::certificate::{Obligation, ObligationKind, ProductFormula, TwoSystems};
use crate::logic::Structure;
use crate::protocol::State;
use crate::smt::Discharge;

use super::failure::{Breaker, Loss, PlanFailure};
use super::questions::{Given, Learning, Needs, Questions};
use super::session_group::{GroupAnswer, falsified};
use crate::synthesis::cutoff::lemmas::guesses::{Guesses, cutoff_state, large_state};

/// What is known to be needed, and what is left.
pub(crate) struct BackwardSearch<'a, 'g> {
    questions: Questions<'a>,
    alive: BTreeSet<usize>,
    active: BTreeSet<usize>,
    /// What may be guessed, if anything may.
    guesses: Option<&'a mut Guesses<'g>>,
    /// What carries the violation over.
    carried: Option<Needs>,
    /// What keeps a clause in a group.
    kept: BTreeMap<(usize, usize), Needs>,
    /// What broke the clauses that are lost, unless walks did.
    broken: BTreeMap<usize, Breaker>,
}

impl<'a, 'g> BackwardSearch<'a, 'g> {
    /// Nothing is known to be needed yet.
    pub(crate) fn new(
        questions: Questions<'a>,
        alive: BTreeSet<usize>,
        active: BTreeSet<usize>,
        guesses: Option<&'a mut Guesses<'g>>,
    ) -> Self {
        let (carried, kept, broken) = (None, BTreeMap::new(), BTreeMap::new());
        BackwardSearch { questions, alive, active, guesses, carried, kept, broken }
    }

    /// What the proof needs.
    ///
    /// # Errors
    /// Why there is none.
    pub(crate) fn run(
        &mut self,
        obligations: &'a [Obligation],
    ) -> GroupAnswer<Result<Needs, PlanFailure>> {
        let (steps, last) = before_safety(obligations);
        let before = self.alive.clone();
        self.open_sessions(last)?;
        if !self.carry(Learning::Allowed)? {
            return Ok(Err(self.not_even_at_first()?));
        }
        self.open_sessions(steps)?;
        for group in &mut self.questions.groups {
            if let Some(failure) = group.instance_failure()? {
                return Ok(Err(failure));
            }
        }
        if !self.settle(Learning::Allowed)? {
            return Ok(Err(self.failure(&before)));
        }
        self.fewest_guesses()?;
        Ok(Ok(self.needs()))
    }

    /// The clauses that a proof would need if every step kept them, and how often one does not;
    /// `None` if not even all of them carry the violation over.
    pub(super) fn count_failures(
        &mut self,
        obligations: &'a [Obligation],
    ) -> GroupAnswer<Option<(BTreeSet<usize>, usize)>> {
        let (steps, last) = before_safety(obligations);
        self.open_sessions(last)?;
        if !self.carry(Learning::Forbidden)? {
            self.alive = (0..self.questions.context.case.gamma.len()).collect();
            if !self.carry(Learning::Forbidden)? {
                return Ok(None);
            }
        }
        self.open_sessions(steps)?;
        let mut failing = 0;
        while let Some((clause, group)) = self.open_question() {
            if self.questions.budget.stop.is_set() {
                return Ok(None);
            }
            let goal = self.questions.groups[group].goal_of(clause);
            let Some(goal) = goal.map(|obligation| obligation.goal.clone()) else { continue };
            let (answer, needs) = self.ask(group, &goal, Learning::Forbidden)?;
            failing += usize::from(!answer.is_valid());
            self.kept.insert((clause, group), needs);
        }
        Ok(Some((self.needs().clauses, failing)))
    }

    /// Opens sessions for obligations, in which what is guessed so far may be used.
    fn open_sessions(&mut self, obligations: &'a [Obligation]) -> GroupAnswer<()> {
        self.questions.open_sessions(obligations)?;
        for guess in self.active.clone() {
            self.state_guess(guess)?;
        }
        Ok(())
    }

    fn state_guess(&mut self, guess: usize) -> GroupAnswer<()> {
        match &self.guesses {
            Some(guesses) => self.questions.state_guess(guess, guesses.clause(guess)),
            None => Ok(()),
        }
    }

    fn ask(
        &mut self,
        group: usize,
        goal: &ProductFormula,
        learning: Learning,
    ) -> GroupAnswer<(Discharge<TwoSystems>, Needs)> {
        let given = Given { clauses: &self.alive, guesses: &self.active };
        self.questions.ask(group, goal, given, learning)
    }

    fn failure(&self, before: &BTreeSet<usize>) -> PlanFailure {
        if self.questions.budget.stop.is_set() {
            return PlanFailure::Cancelled;
        }
        let gamma = &self.questions.context.case.gamma;
        let lost = before.difference(&self.alive).map(|clause| Loss {
            clause: gamma[*clause].name.clone(),
            by: self.broken.get(clause).cloned().unwrap_or(Breaker::Walk),
        });
        PlanFailure::NotKept(lost.collect())
    }

    /// Why the clauses that walks do not refute are not enough.
    fn not_even_at_first(&mut self) -> GroupAnswer<PlanFailure> {
        let left = self.alive.clone();
        self.alive = (0..self.questions.context.case.gamma.len()).collect();
        if !self.carry(Learning::Forbidden)? {
            let over = self.questions.budget.stop.is_set();
            return Ok(if over { PlanFailure::Cancelled } else { PlanFailure::PoolTooWeak });
        }
        let needed = self.carried.take().unwrap_or_default().clauses;
        self.alive = left;
        Ok(self.failure(&needed))
    }

    /// Answers all open questions; whether that is possible.
    fn settle(&mut self, learning: Learning) -> GroupAnswer<bool> {
        loop {
            if self.questions.budget.stop.is_set() {
                return Ok(false);
            }
            if self.carried.is_none() && !self.carry(learning)? {
                return Ok(false);
            }
            let Some((clause, group)) = self.open_question() else { return Ok(true) };
            if !self.keep(clause, group, learning)? {
                return Ok(false);
            }
        }
    }

    /// Everything that the proof needs, as far as it goes.
    fn needs(&self) -> Needs {
        let mut all = self.carried.clone().unwrap_or_default();
        let mut open: Vec<usize> = all.clauses.iter().copied().collect();
        while let Some(clause) = open.pop() {
            for group in 0..self.questions.groups.len() {
                let Some(needs) = self.kept.get(&(clause, group)) else { continue };
                all.guesses.extend(&needs.guesses);
                open.extend(needs.clauses.iter().filter(|other| all.clauses.insert(**other)));
            }
        }
        all
    }

    /// A needed clause that some step is not known to keep.
    fn open_question(&self) -> Option<(usize, usize)> {
        let needed = self.needs().clauses;
        needed.iter().find_map(|clause| {
            let open = |group: &usize| {
                self.questions.groups[*group].goal_of(*clause).is_some()
                    && !self.kept.contains_key(&(*clause, *group))
            };
            (0..self.questions.groups.len()).find(open).map(|group| (*clause, group))
        })
    }

    /// Finds what carries the violation over; whether anything does.
    fn carry(&mut self, learning: Learning) -> GroupAnswer<bool> {
        let mut groups = self.questions.groups.iter().enumerate();
        let safety = groups.find_map(|(index, group)| Some((index, group.safety()?.goal.clone())));
        let Some((group, goal)) = safety else { return Ok(false) };
        loop {
            match self.ask(group, &goal, learning)? {
                (Discharge::Valid, needs) => {
                    self.carried = Some(needs);
                    return Ok(true);
                }
                // That `L` is in a bad state is no surprise; that `C` is in one may be.
                (Discharge::Refuted(model), _) if learning == Learning::Allowed => {
                    let state = cutoff_state(self.questions.context.case, &model.structure);
                    if !self.guess(state.into_iter())? {
                        return Ok(false);
                    }
                }
                (Discharge::Refuted(_) | Discharge::Unknown(_), _) => return Ok(false),
            }
        }
    }

    /// Finds what keeps a clause in a group, or gives the clause up; whether there is still hope.
    fn keep(&mut self, clause: usize, group: usize, learning: Learning) -> GroupAnswer<bool> {
        let Some(obligation) = self.questions.groups[group].goal_of(clause) else {
            return Ok(true);
        };
        let goal = obligation.goal.clone();
        let (answer, needs) = self.ask(group, &goal, learning)?;
        match answer {
            Discharge::Valid => {
                self.kept.insert((clause, group), needs);
                Ok(true)
            }
            _ if learning == Learning::Forbidden => Ok(false),
            Discharge::Refuted(model) => {
                if !self.excuse(group, &model.structure)? {
                    let goals = self.questions.groups[group].open_goals(&self.alive);
                    self.lose(group, falsified(&model, &goals));
                    self.lose(group, [clause]);
                }
                Ok(true)
            }
            Discharge::Unknown(_) => {
                self.lose(group, [clause]);
                Ok(true)
            }
        }
    }

    /// Looks for a guess that excludes a model of a step.
    fn excuse(&mut self, group: usize, model: &Structure<TwoSystems>) -> GroupAnswer<bool> {
        if self.guesses.is_none() || !self.questions.groups[group].is_step() {
            return Ok(false);
        }
        let case = self.questions.context.case;
        let states = [
            large_state(&self.questions.context.large.signature, model),
            cutoff_state(case, model),
        ];
        self.guess(states.into_iter().flatten())
    }

    /// Makes a guess that contradicts one of some states, if there is one.
    fn guess(&mut self, states: impl Iterator<Item = State>) -> GroupAnswer<bool> {
        let Some(guesses) = &mut self.guesses else { return Ok(false) };
        for state in states {
            if let Some(guess) = guesses.contradicted_guess(&state, &self.questions.budget.stop)
                && self.active.insert(guess)
            {
                self.state_guess(guess)?;
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn lose(&mut self, group: usize, lost: impl IntoIterator<Item = usize>) {
        let breaker = self.questions.groups[group].breaker();
        for clause in lost {
            self.alive.remove(&clause);
            self.broken.entry(clause).or_insert_with(|| breaker.clone());
        }
        let alive = &self.alive;
        self.kept.retain(|_, needs| needs.clauses.is_subset(alive));
        if self.carried.as_ref().is_some_and(|needs| !needs.clauses.is_subset(alive)) {
            self.carried = None;
        }
    }

    /// Leaves out one guess after another, as long as there is a proof without it.
    fn fewest_guesses(&mut self) -> GroupAnswer<()> {
        self.active = self.needs().guesses;
        for guess in self.active.clone().into_iter().rev() {
            if !self.active.contains(&guess) {
                continue;
            }
            let saved = (self.active.clone(), self.carried.clone(), self.kept.clone());
            self.active.remove(&guess);
            self.kept.retain(|_, needs| !needs.guesses.contains(&guess));
            if self.carried.as_ref().is_some_and(|needs| needs.guesses.contains(&guess)) {
                self.carried = None;
            }
            if self.settle(Learning::Forbidden)? {
                self.active = self.needs().guesses;
            } else {
                (self.active, self.carried, self.kept) = saved;
            }
        }
        Ok(())
    }
}

/// The obligations about the start and the steps, and those about the violation.
fn before_safety(obligations: &[Obligation]) -> (&[Obligation], &[Obligation]) {
    let is_safety =
        |obligation: &Obligation| matches!(obligation.kind, ObligationKind::Safety { .. });
    obligations.split_at(obligations.iter().position(is_safety).unwrap_or(obligations.len()))
}
