//! A proof of one case from the violation backwards: only clauses that are needed are looked at.
//!
//! A step that loses a needed clause is excused if a guess about reachable states excludes it: the
//! guess is then one more thing to be proved, as a lemma.

use std::collections::{BTreeMap, BTreeSet};

use crate::certificate::{
    Assume, Case, CaseContext, Obligation, ObligationKind, ProductFormula, ProductSymbol,
    TwoSystems, case_obligations,
};
use crate::logic::Structure;
use crate::protocol::{Protocol, Rigidity, State};
use crate::smt::Discharge;
use crate::smt::z3::{ModelSize, Supposition, isolated};

use super::group::{Answer, Group, Means, falsified, fixed_facts, grouped};
use super::guesses::{Guesses, cutoff_state, large_state};
use super::houdini::{Failure, with_clauses};
use super::trial::refuted;

/// A case with the clauses it needs, and the guesses that they need.
#[derive(Clone, Debug)]
pub(super) struct Proved {
    pub(super) case: Case,
    pub(super) guesses: BTreeSet<usize>,
}

/// Which guesses about `L` may be used to carry a violation over: lemmas come before properties.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rank {
    /// All of them.
    AfterLemmas,
    /// None of them: it is a lemma itself.
    AmongLemmas,
}

/// Looks for clauses and guesses that prove a case.
///
/// # Errors
/// Why there are none.
pub(super) fn prove_backward(
    large: &Protocol,
    case: &Case,
    rank: Rank,
    guesses: &mut Guesses<'_>,
    means: &Means<'_>,
) -> Result<Proved, Failure> {
    let obligations = case_obligations(large, case, Assume::CutoffSafe);
    let refuted = refuted(large, case, &fixed_facts(&obligations), means.walks);
    let alive = (0..case.gamma.len()).filter(|clause| !refuted.contains(clause)).collect();
    let context = CaseContext::new(large, case);
    let needs = backward(&obligations, &context, rank, alive, Some(guesses), means)?;
    Ok(Proved { case: with_clauses(case, &needs.clauses), guesses: needs.guesses })
}

/// Looks for clauses that keep each other and carry the violation over; with guesses, if there are
/// any to be made.
///
/// # Errors
/// Why there are none.
pub(super) fn backward(
    obligations: &[Obligation],
    context: &CaseContext<'_>,
    rank: Rank,
    alive: BTreeSet<usize>,
    guesses: Option<&mut Guesses<'_>>,
    means: &Means<'_>,
) -> Result<Needs, Failure> {
    let guesses = std::sync::Mutex::new(guesses);
    isolated(&means.budget.cancellation, move || {
        let mut guesses = guesses.lock().map_err(|_| Failure::Cancelled)?;
        let mut pursuit = Pursuit {
            context,
            rank,
            groups: Vec::new(),
            supposed: Vec::new(),
            alive,
            active: BTreeSet::new(),
            guesses: guesses.as_deref_mut(),
            carried: None,
            kept: BTreeMap::new(),
            means,
        };
        pursuit.run(obligations).unwrap_or(Err(Failure::PoolTooWeak))
    })
}

/// Makes counter-models give whole states.
fn observe(context: &CaseContext<'_>, groups: &mut [Group<'_>]) {
    let signature = &context.large.signature;
    let mut symbols: Vec<ProductSymbol> = Vec::new();
    for (id, symbol) in signature.symbols() {
        symbols.push(ProductSymbol::Large(id));
        if symbol.rigidity == Rigidity::Mutable {
            symbols.push(ProductSymbol::Cutoff(id));
        }
    }
    for group in groups {
        group.session.observe(&symbols);
    }
}

/// What a valid question needed.
#[derive(Clone, Debug, Default)]
pub(super) struct Needs {
    /// Clauses of γ.
    pub(super) clauses: BTreeSet<usize>,
    /// Guesses.
    pub(super) guesses: BTreeSet<usize>,
}

/// Whether a question may lead to new guesses and lost clauses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Learning {
    Allowed,
    Forbidden,
}

struct Pursuit<'a, 'g> {
    context: &'a CaseContext<'a>,
    rank: Rank,
    groups: Vec<Group<'a>>,
    /// For each group, the guesses that it knows.
    supposed: Vec<BTreeMap<usize, Vec<Supposition>>>,
    alive: BTreeSet<usize>,
    active: BTreeSet<usize>,
    /// What may be guessed, if anything may.
    guesses: Option<&'a mut Guesses<'g>>,
    /// What carries the violation over.
    carried: Option<Needs>,
    /// What keeps a clause in a group.
    kept: BTreeMap<(usize, usize), Needs>,
    means: &'a Means<'a>,
}

impl<'a> Pursuit<'a, '_> {
    fn run(&mut self, obligations: &'a [Obligation]) -> Answer<Result<Needs, Failure>> {
        let is_safety =
            |obligation: &Obligation| matches!(obligation.kind, ObligationKind::Safety { .. });
        let safety = obligations.iter().position(is_safety).unwrap_or(obligations.len());
        let (steps, last) = obligations.split_at(safety);
        let before = self.alive.clone();
        self.state(last);
        if !self.carry(Learning::Allowed)? {
            return Ok(Err(self.not_even_at_first()?));
        }
        self.state(steps);
        for group in &mut self.groups {
            if let Some(title) = group.not_an_instance()? {
                return Ok(Err(Failure::NoInstance(title)));
            }
        }
        for guess in self.active.clone() {
            self.state_guess(guess)?;
        }
        if !self.settle(Learning::Allowed)? {
            return Ok(Err(self.failure(&before)));
        }
        self.fewest_guesses()?;
        Ok(Ok(self.needs()))
    }

    /// Opens sessions for obligations.
    fn state(&mut self, obligations: &'a [Obligation]) {
        let models = if self.guesses.is_some() { ModelSize::Small } else { ModelSize::Any };
        let mut groups = grouped(obligations, &self.means.budget, models);
        if self.guesses.is_some() {
            observe(self.context, &mut groups);
        }
        self.supposed.extend(groups.iter().map(|_| BTreeMap::new()));
        self.groups.extend(groups);
    }

    fn failure(&self, before: &BTreeSet<usize>) -> Failure {
        if self.means.is_over() {
            return Failure::Cancelled;
        }
        let gamma = &self.context.case.gamma;
        let lost = before.difference(&self.alive).map(|clause| gamma[*clause].name.clone());
        Failure::NotKept(lost.collect())
    }

    /// Why the clauses that walks do not refute are not enough.
    fn not_even_at_first(&mut self) -> Answer<Failure> {
        let left = self.alive.clone();
        self.alive = (0..self.context.case.gamma.len()).collect();
        if !self.carry(Learning::Forbidden)? {
            let over = self.means.is_over();
            return Ok(if over { Failure::Cancelled } else { Failure::PoolTooWeak });
        }
        let needed = self.carried.take().unwrap_or_default().clauses;
        self.alive = left;
        Ok(self.failure(&needed))
    }

    /// Answers all open questions; whether that is possible.
    fn settle(&mut self, learning: Learning) -> Answer<bool> {
        loop {
            if self.means.is_over() {
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
            for group in 0..self.groups.len() {
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
                self.groups[*group].goal_of(*clause).is_some()
                    && !self.kept.contains_key(&(*clause, *group))
            };
            (0..self.groups.len()).find(open).map(|group| (*clause, group))
        })
    }

    /// Finds what carries the violation over; whether anything does.
    fn carry(&mut self, learning: Learning) -> Answer<bool> {
        let mut groups = self.groups.iter().enumerate();
        let safety = groups.find_map(|(index, group)| Some((index, group.safety()?.goal.clone())));
        let Some((group, goal)) = safety else { return Ok(false) };
        loop {
            match self.ask(group, &goal)? {
                (Discharge::Valid, needs) => {
                    self.carried = Some(needs);
                    return Ok(true);
                }
                // That `L` is in a bad state is no surprise; that `C` is in one may be.
                (Discharge::Refuted(model), _) if learning == Learning::Allowed => {
                    let state = cutoff_state(self.context.case, &model.structure);
                    if !self.guess(state.into_iter())? {
                        return Ok(false);
                    }
                }
                (Discharge::Refuted(_) | Discharge::Unknown(_), _) => return Ok(false),
            }
        }
    }

    /// Finds what keeps a clause in a group, or gives the clause up; whether there is still hope.
    fn keep(&mut self, clause: usize, group: usize, learning: Learning) -> Answer<bool> {
        let Some(obligation) = self.groups[group].goal_of(clause) else { return Ok(true) };
        let goal = obligation.goal.clone();
        let (answer, needs) = self.ask(group, &goal)?;
        match answer {
            Discharge::Valid => {
                self.kept.insert((clause, group), needs);
                Ok(true)
            }
            _ if learning == Learning::Forbidden => Ok(false),
            Discharge::Refuted(model) => {
                if !self.excuse(group, &model.structure)? {
                    let goals = self.groups[group].open_goals(&self.alive);
                    self.lose(falsified(&model, &goals));
                    self.lose([clause]);
                }
                Ok(true)
            }
            Discharge::Unknown(_) => {
                self.lose([clause]);
                Ok(true)
            }
        }
    }

    /// Looks for a guess that excludes a model of a step.
    fn excuse(&mut self, group: usize, model: &Structure<TwoSystems>) -> Answer<bool> {
        if self.guesses.is_none() || !self.groups[group].is_step() {
            return Ok(false);
        }
        let case = self.context.case;
        let states = [large_state(&self.context.large.signature, model), cutoff_state(case, model)];
        self.guess(states.into_iter().flatten())
    }

    /// Makes a guess that contradicts one of some states, if there is one.
    fn guess(&mut self, states: impl Iterator<Item = State>) -> Answer<bool> {
        let Some(guesses) = &mut self.guesses else { return Ok(false) };
        for state in states {
            if let Some(guess) = guesses.against(&state, self.means.deadline)
                && self.active.insert(guess)
            {
                self.state_guess(guess)?;
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Tells every session that may use it what a guess says.
    fn state_guess(&mut self, guess: usize) -> Answer<()> {
        let Some(clause) = self.guesses.as_ref().map(|guesses| guesses.clause(guess).clone())
        else {
            return Ok(());
        };
        let large = self.context.in_large(&clause);
        let cutoff = self.context.in_cutoff(&clause);
        for (group, supposed) in self.groups.iter_mut().zip(&mut self.supposed) {
            let is_safety = group.safety().is_some();
            if !(group.is_step() || is_safety) || supposed.contains_key(&guess) {
                continue;
            }
            let mut said = vec![group.session.suppose(&cutoff)?];
            if group.is_step() || self.rank == Rank::AfterLemmas {
                said.push(group.session.suppose(&large)?);
            }
            supposed.insert(guess, said);
        }
        Ok(())
    }

    fn ask(
        &mut self,
        group: usize,
        goal: &ProductFormula,
    ) -> Answer<(Discharge<TwoSystems>, Needs)> {
        let mut suppositions = self.groups[group].suppositions(&self.alive);
        let known = self.supposed[group].iter();
        let known = known.filter(|(guess, _)| self.active.contains(guess));
        suppositions.extend(known.flat_map(|(_, said)| said));
        let answer = self.groups[group].session.prove_under(&suppositions, goal)?;
        let mut needs = Needs::default();
        if answer.is_valid() {
            needs.clauses = self.groups[group].core();
            let used = self.groups[group].session.core();
            let used = |said: &Vec<Supposition>| said.iter().any(|one| used.contains(one));
            let known = self.supposed[group].iter().filter(|(_, said)| used(said));
            needs.guesses = known.map(|(guess, _)| *guess).collect();
        }
        Ok((answer, needs))
    }

    fn lose(&mut self, lost: impl IntoIterator<Item = usize>) {
        for clause in lost {
            self.alive.remove(&clause);
        }
        let alive = &self.alive;
        self.kept.retain(|_, needs| needs.clauses.is_subset(alive));
        if self.carried.as_ref().is_some_and(|needs| !needs.clauses.is_subset(alive)) {
            self.carried = None;
        }
    }

    /// Leaves out one guess after another, as long as there is a proof without it.
    fn fewest_guesses(&mut self) -> Answer<()> {
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
