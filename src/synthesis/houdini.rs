//! The greatest inductive subset of a pool of clauses, and whether it carries the violation over.
//!
//! A clause that the solver cannot decide is dropped: that loses proofs, never soundness.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::certificate::{
    Assume, Case, Obligation, ObligationKind, ProductFormula, TwoSystems, case_obligations,
};
use crate::logic::{Formula, evaluate_formula};
use crate::protocol::Protocol;
use crate::smt::z3::{ModelSize, Session, Supposition, isolated};
use crate::smt::{Budget, CounterModel, Discharge, IllSorted};

/// Why a pool does not prove a case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Failure {
    /// `C` is no instance, or its first state no initial one.
    NoInstance(String),
    /// What is left of the pool does not carry the violation over.
    TooWeak {
        /// The names of the clauses that are left.
        left: Vec<String>,
    },
    /// The search was called off.
    Cancelled,
}

/// Shrinks γ to its greatest inductive subset, then to what the violation needs.
///
/// # Errors
/// Why this case cannot be proved with clauses of its γ.
pub(super) fn strengthen(large: &Protocol, case: &Case, budget: &Budget) -> Result<Case, Failure> {
    let obligations = case_obligations(large, case, Assume::CutoffSafe);
    let kept = isolated(&budget.cancellation, || {
        let mut search = Search::new(&obligations, case.gamma.len(), budget);
        search.run().unwrap_or_else(|_| Err(Failure::TooWeak { left: Vec::new() }))
    });
    let kept = kept.map_err(|failure| named(failure, case))?;
    let mut proved = case.clone();
    let mut index = 0;
    proved.gamma.retain(|_| {
        index += 1;
        kept.contains(&(index - 1))
    });
    Ok(proved)
}

fn named(failure: Failure, case: &Case) -> Failure {
    match failure {
        Failure::TooWeak { left } => {
            let name = |index: &String| {
                let index: usize = index.parse().ok()?;
                Some(case.gamma.get(index)?.name.to_string())
            };
            Failure::TooWeak { left: left.iter().filter_map(name).collect() }
        }
        other => other,
    }
}

/// Obligations with the same hypotheses, and the session that knows them.
struct Group<'a> {
    session: Session<'a, TwoSystems>,
    /// The clauses of γ among the hypotheses.
    supposed: Vec<(usize, Supposition)>,
    /// What is to be shown: of which clause, if it is about one.
    goals: Vec<(Option<usize>, &'a Obligation)>,
}

struct Search<'a> {
    groups: Vec<Group<'a>>,
    alive: BTreeSet<usize>,
    budget: &'a Budget,
}

type Answer<T> = Result<T, IllSorted>;

impl<'a> Search<'a> {
    fn new(obligations: &'a [Obligation], clauses: usize, budget: &'a Budget) -> Self {
        let mut groups: Vec<Group<'a>> = Vec::new();
        let same = |left: &&Obligation, right: &&Obligation| {
            Arc::ptr_eq(&left.hypotheses, &right.hypotheses)
        };
        let all: Vec<&'a Obligation> = obligations.iter().collect();
        for run in all.chunk_by(same) {
            groups.extend(group(run, budget));
        }
        Search { groups, alive: (0..clauses).collect(), budget }
    }

    fn run(&mut self) -> Answer<Result<BTreeSet<usize>, Failure>> {
        for index in 0..self.groups.len() {
            if let Some(title) = self.not_an_instance(index)? {
                return Ok(Err(Failure::NoInstance(title)));
            }
        }
        let mut settled = 0;
        let mut index = 0;
        // Round the groups until none has dropped a clause since it was looked at.
        while settled < self.groups.len() {
            if self.budget.cancellation.is_cancelled() {
                return Ok(Err(Failure::Cancelled));
            }
            settled = if self.drop_unkept(index)? { 1 } else { settled + 1 };
            index = (index + 1) % self.groups.len();
        }
        let Some(needed) = self.carried_over()? else {
            let left = self.alive.iter().map(ToString::to_string).collect();
            return Ok(Err(Failure::TooWeak { left }));
        };
        let needed = self.closure(needed)?;
        Ok(Ok(self.fewest(needed)?))
    }

    /// Drops clauses one by one, the most special first, as long as the rest is still a proof.
    fn fewest(&mut self, needed: BTreeSet<usize>) -> Answer<BTreeSet<usize>> {
        let everything = std::mem::replace(&mut self.alive, needed.clone());
        if !self.is_proof()? {
            self.alive = everything;
            return Ok(needed);
        }
        for clause in needed.iter().rev() {
            self.alive.remove(clause);
            if !self.is_proof()? {
                self.alive.insert(*clause);
            }
        }
        Ok(self.alive.clone())
    }

    /// Whether the clauses that are left keep each other and carry the violation over.
    fn is_proof(&mut self) -> Answer<bool> {
        if self.carried_over()?.is_none() {
            return Ok(false);
        }
        for index in 0..self.groups.len() {
            let goals = self.open_goals(index).into_iter().map(|(_, goal)| goal);
            let conjunction = Formula::and(goals.collect::<Vec<_>>());
            let suppositions = self.suppositions(index);
            let session = &mut self.groups[index].session;
            if !session.prove_under(&suppositions, &conjunction)?.is_valid() {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Obligations that no clause can help: the axioms and the initial condition of `C`.
    fn not_an_instance(&mut self, index: usize) -> Answer<Option<String>> {
        let group = &mut self.groups[index];
        for (clause, obligation) in &group.goals {
            let bare = matches!(
                obligation.kind,
                ObligationKind::Rigid { .. } | ObligationKind::StartInit { .. }
            );
            if clause.is_none() && bare && !group.session.prove(&obligation.goal)?.is_valid() {
                return Ok(Some(obligation.kind.to_string()));
            }
        }
        Ok(None)
    }

    /// Drops the clauses that one group does not keep; whether there were any.
    fn drop_unkept(&mut self, index: usize) -> Answer<bool> {
        let mut dropped = false;
        loop {
            let goals = self.open_goals(index);
            if goals.is_empty() {
                return Ok(dropped);
            }
            let conjunction = Formula::and(goals.iter().map(|(_, goal)| goal.clone()));
            let suppositions = self.suppositions(index);
            let group = &mut self.groups[index];
            let lost = match group.session.prove_under(&suppositions, &conjunction)? {
                Discharge::Valid => return Ok(dropped),
                Discharge::Refuted(model) => falsified(&model, &goals),
                Discharge::Unknown(_) => Vec::new(),
            };
            let lost = if lost.is_empty() { self.one_by_one(index, &goals)? } else { lost };
            if lost.is_empty() {
                return Ok(dropped);
            }
            dropped = true;
            for clause in lost {
                self.alive.remove(&clause);
            }
        }
    }

    fn one_by_one(
        &mut self,
        index: usize,
        goals: &[(usize, ProductFormula)],
    ) -> Answer<Vec<usize>> {
        let suppositions = self.suppositions(index);
        let mut lost = Vec::new();
        for (clause, goal) in goals {
            let session = &mut self.groups[index].session;
            if !session.prove_under(&suppositions, goal)?.is_valid() {
                lost.push(*clause);
            }
        }
        Ok(lost)
    }

    fn open_goals(&self, index: usize) -> Vec<(usize, ProductFormula)> {
        let goals = self.groups[index].goals.iter();
        goals
            .filter_map(|(clause, obligation)| {
                let clause = clause.filter(|clause| self.alive.contains(clause))?;
                Some((clause, obligation.goal.clone()))
            })
            .collect()
    }

    fn suppositions(&self, index: usize) -> Vec<Supposition> {
        let supposed = self.groups[index].supposed.iter();
        let alive = supposed.filter(|(clause, _)| self.alive.contains(clause));
        alive.map(|(_, supposition)| *supposition).collect()
    }

    /// The clauses that carry the violation over, if those that are left do.
    fn carried_over(&mut self) -> Answer<Option<BTreeSet<usize>>> {
        for index in 0..self.groups.len() {
            let goals = self.groups[index].goals.iter();
            let safety = goals
                .clone()
                .find(|(_, obligation)| matches!(obligation.kind, ObligationKind::Safety { .. }));
            let Some((_, obligation)) = safety.cloned() else { continue };
            let suppositions = self.suppositions(index);
            let group = &mut self.groups[index];
            let answer = group.session.prove_under(&suppositions, &obligation.goal)?;
            return Ok(answer.is_valid().then(|| core(group)));
        }
        Ok(None)
    }

    /// The clauses that keep the needed ones, and those that keep these, and so on.
    fn closure(&mut self, mut needed: BTreeSet<usize>) -> Answer<BTreeSet<usize>> {
        let mut open: Vec<usize> = needed.iter().copied().collect();
        while let Some(clause) = open.pop() {
            for index in 0..self.groups.len() {
                let goals = self.groups[index].goals.iter();
                let goal = goals.clone().find(|(of, _)| *of == Some(clause)).cloned();
                let Some((_, obligation)) = goal else { continue };
                let suppositions = self.suppositions(index);
                let group = &mut self.groups[index];
                let answer = group.session.prove_under(&suppositions, &obligation.goal)?;
                // Undecided alone though decided together: keep everything.
                let more = if answer.is_valid() { core(group) } else { self.alive.clone() };
                for clause in more {
                    if needed.insert(clause) {
                        open.push(clause);
                    }
                }
            }
        }
        Ok(needed)
    }
}

fn core(group: &Group<'_>) -> BTreeSet<usize> {
    let used = group.session.core();
    let clauses = group.supposed.iter().filter(|(_, supposition)| used.contains(supposition));
    clauses.map(|(clause, _)| *clause).collect()
}

fn group<'a>(run: &[&'a Obligation], budget: &Budget) -> Option<Group<'a>> {
    let first: &'a Obligation = run.first()?;
    let mut session = Session::new(&*first.names, budget.clone(), ModelSize::Any);
    let mut supposed = Vec::new();
    for hypothesis in first.hypotheses.iter() {
        match hypothesis.clause {
            Some(clause) => supposed.push((clause, session.suppose(&hypothesis.formula).ok()?)),
            None => session.assume(&hypothesis.formula).ok()?,
        }
    }
    let mut goals: Vec<(Option<usize>, &'a Obligation)> = Vec::new();
    let mut next = 0;
    for obligation in run {
        // The obligations about clauses come in the order of the clauses.
        let clause = match obligation.kind {
            ObligationKind::StartGamma { .. } | ObligationKind::Keeps { .. } => {
                next += 1;
                Some(next - 1)
            }
            _ => None,
        };
        goals.push((clause, obligation));
    }
    Some(Group { session, supposed, goals })
}

/// The clauses whose goals are false in a counter-model.
fn falsified(model: &CounterModel<TwoSystems>, goals: &[(usize, ProductFormula)]) -> Vec<usize> {
    let is_false = |goal: &ProductFormula| {
        matches!(evaluate_formula(&model.structure, &model.assignment, goal), Ok(false))
    };
    goals.iter().filter(|(_, goal)| is_false(goal)).map(|(clause, _)| *clause).collect()
}
