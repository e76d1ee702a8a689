//! Drops the clauses that a proved case does not need.

use std::collections::BTreeSet;

use crate::budget::Budget;
use crate::certificate::{Assume, Case, case_obligations};
use crate::logic::Formula;
use crate::protocol::Protocol;
use crate::smt::ProverError;
use crate::smt::z3::isolated;

use super::session_group::{GroupAnswer, SessionGroup, grouped};

/// The proved case with as few clauses as its proof allows.
pub(crate) fn fewest_clauses(
    large: &Protocol,
    case: &Case,
    budget: &Budget,
) -> Result<Case, ProverError> {
    let obligations = case_obligations(large, case, Assume::CutoffSafe);
    let kept = isolated(&budget.stop, || {
        let groups = grouped(&obligations, budget)?;
        let alive = (0..case.gamma.len()).collect();
        Minimization { groups, alive, budget }.fewest()
    })??;
    Ok(with_clauses(case, &kept))
}

/// The case with these of its clauses.
pub(crate) fn with_clauses(case: &Case, kept: &BTreeSet<usize>) -> Case {
    let clauses = case.gamma.iter().enumerate();
    let gamma = clauses.filter(|(index, _)| kept.contains(index)).map(|(_, own)| own.clone());
    Case { gamma: gamma.collect(), ..case.clone() }
}

struct Minimization<'a> {
    groups: Vec<SessionGroup<'a>>,
    alive: BTreeSet<usize>,
    budget: &'a Budget,
}

impl Minimization<'_> {
    /// Drops clauses one by one, the most special first, as long as the rest is still a proof.
    fn fewest(mut self) -> GroupAnswer<BTreeSet<usize>> {
        if !self.is_proof()? {
            return Ok(self.alive);
        }
        for clause in self.alive.clone().into_iter().rev() {
            if self.budget.stop.is_set() {
                break;
            }
            self.alive.remove(&clause);
            if !self.is_proof()? {
                self.alive.insert(clause);
            }
        }
        Ok(self.alive)
    }

    /// Whether the clauses that are left keep each other, allow every move and carry the violation
    /// over.
    fn is_proof(&mut self) -> GroupAnswer<bool> {
        if !self.carried_over()? {
            return Ok(false);
        }
        for group in &mut self.groups {
            let kept = group.open_goals(&self.alive).into_iter().map(|(_, goal)| goal);
            let goals = Formula::and(kept.chain(group.moves()).collect::<Vec<_>>());
            let suppositions = group.suppositions(&self.alive);
            if !group.session.prove_under(&suppositions, &goals)?.is_valid() {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether the clauses that are left carry the violation over.
    fn carried_over(&mut self) -> GroupAnswer<bool> {
        for group in &mut self.groups {
            if let Some(obligation) = group.safety() {
                let suppositions = group.suppositions(&self.alive);
                return Ok(group.session.prove_under(&suppositions, &obligation.goal)?.is_valid());
            }
        }
        Ok(false)
    }
}
