//! The clauses of a pool that keep each other and carry the violation over, and few of them.
//!
//! A clause that the solver cannot decide is dropped: that loses proofs, never soundness.

use std::collections::BTreeSet;

use crate::budget::Budget;
use crate::certificate::{Assume, Case, CaseContext, case_obligations};
use crate::logic::{Formula, Name};
use crate::protocol::Protocol;
use crate::smt::z3::isolated;

use super::backward_proof::{ProofRank, backward};
use super::prefilter::refuted;
use super::session_group::{GroupAnswer, Means, SessionGroup, fixed_facts, grouped};

/// Why a pool does not prove a case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::synthesis) enum PlanFailure {
    /// `C` is no instance, or its first state no initial one.
    NoInstance(String),
    /// Some answer of `C` is too large to be written down.
    TooLarge,
    /// Not even the whole pool carries the violation over.
    PoolTooWeak,
    /// The violation is not carried over without these clauses.
    NotKept(Vec<Loss>),
    /// The search was called off.
    Cancelled,
}

/// A clause that was needed and cannot be kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::synthesis) struct Loss {
    pub(in crate::synthesis) clause: Name,
    pub(in crate::synthesis) by: Breaker,
}

/// What breaks a clause.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::synthesis) enum Breaker {
    /// A run of a small instance.
    Walk,
    /// The first states.
    Start,
    /// This action.
    Step(Name),
}

/// Keeps the clauses of γ that keep each other and carry the violation over.
///
/// # Errors
/// Why this case cannot be proved with clauses of its γ.
pub(in crate::synthesis) fn strengthen(
    large: &Protocol,
    case: &Case,
    means: &Means<'_>,
) -> Result<Case, PlanFailure> {
    let obligations = case_obligations(large, case, Assume::CutoffSafe);
    let refuted = refuted(large, case, &fixed_facts(&obligations), means);
    let alive = (0..case.gamma.len()).filter(|clause| !refuted.contains(clause)).collect();
    let context = CaseContext::new(large, case);
    let needs = backward(&obligations, &context, ProofRank::AfterLemmas, alive, None, means)?;
    Ok(with_clauses(case, &needs.clauses))
}

/// The proved case with as few clauses as its proof allows.
pub(in crate::synthesis) fn fewest_clauses(large: &Protocol, case: &Case, budget: &Budget) -> Case {
    let obligations = case_obligations(large, case, Assume::CutoffSafe);
    let all: BTreeSet<usize> = (0..case.gamma.len()).collect();
    let kept = isolated(&budget.stop, || {
        let groups = grouped(&obligations, budget);
        let mut search = StrengthenSearch { groups, alive: BTreeSet::new(), budget };
        search.fewest(&all).unwrap_or_else(|_| all.clone())
    });
    with_clauses(case, kept.as_ref().unwrap_or(&all))
}

/// The case with these of its clauses.
pub(in crate::synthesis) fn with_clauses(case: &Case, kept: &BTreeSet<usize>) -> Case {
    let clauses = case.gamma.iter().enumerate();
    let gamma = clauses.filter(|(index, _)| kept.contains(index)).map(|(_, own)| own.clone());
    Case { gamma: gamma.collect(), ..case.clone() }
}

struct StrengthenSearch<'a> {
    groups: Vec<SessionGroup<'a>>,
    alive: BTreeSet<usize>,
    budget: &'a Budget,
}

impl StrengthenSearch<'_> {
    /// Drops clauses one by one, the most special first, as long as the rest is still a proof.
    fn fewest(&mut self, needed: &BTreeSet<usize>) -> GroupAnswer<BTreeSet<usize>> {
        self.alive.clone_from(needed);
        if !self.is_proof()? {
            return Ok(needed.clone());
        }
        for clause in needed.iter().rev() {
            if self.budget.stop.is_set() {
                break;
            }
            self.alive.remove(clause);
            if !self.is_proof()? {
                self.alive.insert(*clause);
            }
        }
        Ok(self.alive.clone())
    }

    /// Whether the clauses that are left keep each other, allow every move and carry the violation
    /// over.
    fn is_proof(&mut self) -> GroupAnswer<bool> {
        if !self.carried_over()? {
            return Ok(false);
        }
        for index in 0..self.groups.len() {
            let goals = self.groups[index].open_goals(&self.alive).into_iter();
            let goals: Vec<_> =
                goals.map(|(_, goal)| goal).chain(self.groups[index].moves()).collect();
            let conjunction = Formula::and(goals);
            let suppositions = self.groups[index].suppositions(&self.alive);
            let session = &mut self.groups[index].session;
            if !session.prove_under(&suppositions, &conjunction)?.is_valid() {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether the clauses that are left carry the violation over.
    fn carried_over(&mut self) -> GroupAnswer<bool> {
        for index in 0..self.groups.len() {
            let Some(obligation) = self.groups[index].safety() else { continue };
            let suppositions = self.groups[index].suppositions(&self.alive);
            let group = &mut self.groups[index];
            let answer = group.session.prove_under(&suppositions, &obligation.goal)?;
            return Ok(answer.is_valid());
        }
        Ok(false)
    }
}
