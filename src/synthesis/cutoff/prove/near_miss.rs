//! The nearest miss: of the plans that failed, the one with the fewest obligations that fail.

use std::collections::{BTreeMap, BTreeSet};

use crate::certificate::{Assume, Case, CaseContext, Obligation, case_obligations};
use crate::logic::Name;
use crate::protocol::Protocol;
use crate::smt::Discharge;
use crate::smt::z3::isolated;

use super::backward_proof::ProofRank;
use super::backward_search::{Pursuit, before_safety};
use super::prefilter::refuted;
use super::questions::{Learning, Needs, Questions};
use super::session_group::{GroupAnswer, Means, fixed_facts};
use super::strengthen::{PlanFailure, with_clauses};
use crate::synthesis::cutoff::plan::violator_shapes::ViolatorShape;
use crate::synthesis::cutoff::plan::{CutoffPlan, PlanTarget, case};
use crate::synthesis::cutoff::search::Searcher;

/// A plan that failed.
#[derive(Clone, Debug)]
pub(in crate::synthesis) struct Miss {
    shape: ViolatorShape,
    name: Name,
    plan: CutoffPlan,
    /// How many clauses it lost.
    lost: usize,
}

/// How many plans are looked at again.
const MOST_MISSES: usize = 4;

impl Searcher<'_> {
    /// Remembers a plan that failed, if others have not come nearer.
    pub(in crate::synthesis) fn miss(
        &mut self,
        shape: &ViolatorShape,
        name: &Name,
        plan: &CutoffPlan,
        failure: &PlanFailure,
    ) {
        let PlanFailure::NotKept(lost) = failure else { return };
        let (shape, name, plan) = (shape.clone(), name.clone(), plan.clone());
        self.misses.push(Miss { shape, name, plan, lost: lost.len() });
        self.misses.sort_by_key(|miss| (miss.shape.property, miss.lost));
        let mut counts: BTreeMap<usize, usize> = BTreeMap::new();
        self.misses.retain(|miss| {
            let own = counts.entry(miss.shape.property).or_default();
            *own += 1;
            *own <= MOST_MISSES
        });
    }

    /// The nearest miss of a property, with the clauses that it needs.
    pub(in crate::synthesis) fn nearest(&self, property: usize) -> Option<Case> {
        let own = self.misses.iter().filter(|miss| miss.shape.property == property);
        let looked_at = own.filter_map(|miss| {
            let target = PlanTarget {
                protocol: self.protocol,
                facts: self.facts,
                shape: &miss.shape,
                mined: &self.config.mined,
                name: miss.name.clone(),
            };
            failing(self.protocol, &case(&target, &miss.plan)?, &self.last_means())
        });
        looked_at.min_by_key(|(_, failing)| *failing).map(|(case, _)| case)
    }
}

/// The case with the clauses that its proof would need, and how many obligations fail.
fn failing(large: &Protocol, case: &Case, means: &Means<'_>) -> Option<(Case, usize)> {
    let obligations = case_obligations(large, case, Assume::CutoffSafe);
    let refuted = refuted(large, case, &fixed_facts(&obligations), means);
    let alive: BTreeSet<usize> =
        (0..case.gamma.len()).filter(|clause| !refuted.contains(clause)).collect();
    let context = CaseContext::new(large, case);
    let found = isolated(&means.budget.stop, || {
        let questions = Questions::new(&context, ProofRank::AfterLemmas, false, means);
        let mut pursuit = Pursuit::new(questions, alive, BTreeSet::new(), None);
        pursuit.regardless(&obligations)
    });
    let (clauses, failing) = found.ok()?.ok().flatten()?;
    Some((with_clauses(case, &clauses), failing))
}

impl<'a> Pursuit<'a, '_> {
    /// The clauses that a proof would need if every step kept them, and how often one does not;
    /// `None` if not even all of them carry the violation over.
    fn regardless(
        &mut self,
        obligations: &'a [Obligation],
    ) -> GroupAnswer<Option<(BTreeSet<usize>, usize)>> {
        let (steps, last) = before_safety(obligations);
        self.state(last)?;
        if !self.carry(Learning::Forbidden)? {
            self.alive = (0..self.questions.context.case.gamma.len()).collect();
            if !self.carry(Learning::Forbidden)? {
                return Ok(None);
            }
        }
        self.state(steps)?;
        let mut failing = 0;
        while let Some((clause, group)) = self.open_question() {
            if self.questions.means.is_over() {
                return Ok(None);
            }
            let goal = self.questions.groups[group].goal_of(clause);
            let Some(goal) = goal.map(|obligation| obligation.goal.clone()) else { continue };
            let needs = match self.ask(group, &goal, Learning::Forbidden)? {
                (Discharge::Valid, needs) => needs,
                (Discharge::Refuted(_) | Discharge::Unknown(_), _) => {
                    failing += 1;
                    Needs::default()
                }
            };
            self.kept.insert((clause, group), needs);
        }
        Ok(Some((self.needs().clauses, failing)))
    }
}
