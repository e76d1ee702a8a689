//! Attempts: plans are tried a few at a time, and what became of each is told.

use rayon::prelude::*;

use crate::certificate::{Case, answer_weight};
use crate::logic::Name;

use super::strengthen::{PlanFailure, strengthen};
use crate::synthesis::cutoff::describe;
use crate::synthesis::cutoff::plan::definitions::RigidStyle;
use crate::synthesis::cutoff::plan::violator_shapes::ViolatorShape;
use crate::synthesis::cutoff::plan::{CutoffPlan, PlanTarget, case};
use crate::synthesis::cutoff::search::Searcher;

/// One plan and what became of it.
#[derive(Clone, Debug)]
pub struct PlanAttempt {
    /// The property.
    pub property: Name,
    /// What was tried, in a few words.
    pub plan: String,
    /// Why it failed; `None` if it did not.
    pub failure: Option<String>,
}

/// How many plans are tried at once.
const AT_ONCE: usize = 2;

/// Answers whose moves come to more symbols than this are not tried: formulas about them would fill
/// the memory.
const HEAVIEST_ANSWER: u64 = 1 << 18;

/// The most obligations of one case about steps and clauses.
const MOST_OBLIGATIONS: usize = 20_000;

impl Searcher<'_> {
    /// Tries plans, a few at a time: the first that works, in their order.
    pub(in crate::synthesis) fn first_that_works(
        &mut self,
        shape: &ViolatorShape,
        name: &Name,
        plans: Vec<CutoffPlan>,
    ) -> Option<(CutoffPlan, Case)> {
        let mut plans = plans.into_iter();
        loop {
            let hopeless = &self.hopeless;
            let open = plans.by_ref().filter(|plan| {
                let parts = [instance_part(shape, plan), pool_part(shape, plan)];
                !parts.iter().any(|part| hopeless.contains(part))
            });
            let some: Vec<CutoffPlan> = open.take(AT_ONCE).collect();
            if some.is_empty() || self.is_late() {
                return None;
            }
            let searcher: &Self = self;
            let outcomes: Vec<Option<Result<Case, PlanFailure>>> =
                some.par_iter().map(|plan| searcher.attempt(shape, name, plan)).collect();
            for (plan, outcome) in some.into_iter().zip(outcomes) {
                let Some(outcome) = outcome else { continue };
                match &outcome {
                    Err(PlanFailure::NoInstance(_)) => {
                        self.hopeless.insert(instance_part(shape, &plan));
                    }
                    Err(PlanFailure::PoolTooWeak) => {
                        self.hopeless.insert(pool_part(shape, &plan));
                    }
                    Err(
                        PlanFailure::NotKept(_) | PlanFailure::TooLarge | PlanFailure::Cancelled,
                    )
                    | Ok(_) => {}
                }
                self.record(shape, name, &plan, outcome.as_ref().err());
                if let Ok(case) = outcome {
                    return Some((plan, case));
                }
            }
        }
    }

    /// Tries a plan; `None` if it makes no case.
    fn attempt(
        &self,
        shape: &ViolatorShape,
        name: &Name,
        plan: &CutoffPlan,
    ) -> Option<Result<Case, PlanFailure>> {
        let target = PlanTarget {
            protocol: self.protocol,
            facts: self.facts,
            shape,
            mined: &self.config.mined,
            name: name.clone(),
        };
        let outcome = self.strengthen(&case(&target, plan)?);
        if !is_rigid(&outcome) {
            return Some(outcome);
        }
        let image = CutoffPlan { rigid: RigidStyle::Image, ..plan.clone() };
        Some(self.strengthen(&case(&target, &image)?))
    }

    /// Tells what became of a plan.
    pub(in crate::synthesis) fn record(
        &mut self,
        shape: &ViolatorShape,
        name: &Name,
        plan: &CutoffPlan,
        failure: Option<&PlanFailure>,
    ) {
        if let Some(failure) = failure {
            self.miss(shape, name, plan, failure);
        }
        self.tell(shape.property, plan, failure);
    }

    /// Tells what became of a plan that is no use to anybody else.
    pub(in crate::synthesis) fn tell(
        &mut self,
        property: usize,
        plan: &CutoffPlan,
        failure: Option<&PlanFailure>,
    ) {
        self.attempts.push(PlanAttempt {
            property: self.protocol.properties[property].name.clone(),
            plan: describe::plan(self.protocol, plan),
            failure: failure.map(describe::failure),
        });
    }

    fn strengthen(&self, candidate: &Case) -> Result<Case, PlanFailure> {
        if is_endless(candidate) {
            return Err(PlanFailure::TooLarge);
        }
        let mut answers = candidate.lockstep.iter().flatten();
        if answers.any(|answer| answer_weight(candidate, &answer.moves).total() > HEAVIEST_ANSWER) {
            return Err(PlanFailure::TooLarge);
        }
        strengthen(self.protocol, candidate, &self.means())
    }
}

/// Whether a case has more obligations than can be written down, let alone proved.
pub fn is_endless(case: &Case) -> bool {
    let answers = case.lockstep.iter().flatten().count();
    answers.saturating_mul(case.gamma.len()) > MOST_OBLIGATIONS
}

/// The part of a plan that decides whether `C` is an instance.
fn instance_part(shape: &ViolatorShape, plan: &CutoffPlan) -> String {
    format!("{shape:?} {:?}", plan.maps)
}

/// The part of a plan that decides whether the whole pool carries the violation over.
fn pool_part(shape: &ViolatorShape, plan: &CutoffPlan) -> String {
    format!("{shape:?} {:?} {:?}", plan.maps, plan.stage)
}

/// Whether the rigid symbols of `C` break an axiom.
fn is_rigid(outcome: &Result<Case, PlanFailure>) -> bool {
    matches!(outcome, Err(PlanFailure::NoInstance(title)) if title.starts_with("rigid"))
}
