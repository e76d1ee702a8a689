//! Attempts: plans are tried a few at a time, and the outcome of each is recorded.

use crate::certificate::Case;
use crate::logic::Name;
use crate::protocol::{Protocol, StateFormula};
use crate::smt::{ProverError, in_parallel};

use super::backward_proof::{Means, prove_case};
use super::failure::PlanFailure;
use super::near_miss::NearMisses;
use super::questions::ProofRank;
use crate::synthesis::cutoff::describe;
use crate::synthesis::cutoff::plan::definitions::RigidStyle;
use crate::synthesis::cutoff::plan::maps::SortMap;
use crate::synthesis::cutoff::plan::pool::PoolStage;
use crate::synthesis::cutoff::plan::violator_shapes::ViolatorShape;
use crate::synthesis::cutoff::plan::{CutoffPlan, PlanTarget, case};

/// One plan and its outcome.
#[derive(Clone, Debug)]
pub struct PlanAttempt {
    /// The property.
    pub property: Name,
    /// The plan, in a few words.
    pub plan: String,
    /// Why it failed; `None` if it did not.
    pub failure: Option<String>,
}

/// Everything that a search remembers of its attempts.
#[derive(Default)]
pub(crate) struct SearchLog {
    /// Every attempt, in order.
    pub(crate) attempts: Vec<PlanAttempt>,
    /// The plans that came nearest to a proof.
    pub(crate) misses: NearMisses,
    /// What was guessed about all reachable states, proved or not.
    pub(crate) guessed: Vec<StateFormula>,
    hopeless: Vec<HopelessPart>,
}

/// The part of a plan that makes it fail whatever else is chosen.
#[derive(PartialEq, Eq)]
struct HopelessPart {
    shape: ViolatorShape,
    maps: Vec<SortMap>,
    /// The pool that is too weak; `None` if `C` is no instance, whatever the pool.
    stage: Option<PoolStage>,
}

/// How many plans are tried at once. It is fixed, and not the number of cores, so that the same
/// plans are tried on every machine.
const AT_ONCE: usize = 2;

impl SearchLog {
    /// Records the outcome of a plan.
    pub(crate) fn record(
        &mut self,
        target: &PlanTarget<'_>,
        plan: &CutoffPlan,
        failure: Option<&PlanFailure>,
    ) {
        self.attempts.push(PlanAttempt {
            property: target.protocol.properties[target.shape.property].name.clone(),
            plan: describe::plan(target.protocol, plan),
            failure: failure.map(describe::failure),
        });
    }

    /// Records the outcome of a plan that may be looked at again as a near miss.
    pub(crate) fn record_with_miss(
        &mut self,
        target: &PlanTarget<'_>,
        plan: &CutoffPlan,
        failure: Option<&PlanFailure>,
    ) {
        if let Some(failure) = failure {
            self.misses.add(target, plan, failure);
        }
        self.record(target, plan, failure);
    }

    fn is_hopeless(&self, shape: &ViolatorShape, plan: &CutoffPlan) -> bool {
        self.hopeless.iter().any(|part| {
            part.stage.is_none_or(|stage| stage == plan.stage)
                && part.maps == plan.maps
                && part.shape == *shape
        })
    }

    fn learn(&mut self, shape: &ViolatorShape, plan: &CutoffPlan, failure: &PlanFailure) {
        let stage = match failure {
            PlanFailure::AxiomFails(_) | PlanFailure::NotInitial(_) => None,
            PlanFailure::PoolTooWeak => Some(plan.stage),
            PlanFailure::NotKept(_) | PlanFailure::TooLarge | PlanFailure::Cancelled => return,
        };
        self.hopeless.push(HopelessPart { shape: shape.clone(), maps: plan.maps.clone(), stage });
    }
}

/// Tries plans, a few at a time: the first that works, in their order.
pub(crate) fn first_that_works(
    target: &PlanTarget<'_>,
    plans: Vec<CutoffPlan>,
    means: &Means<'_>,
    log: &mut SearchLog,
) -> Result<Option<(CutoffPlan, Case)>, ProverError> {
    let mut plans = plans.into_iter();
    loop {
        let open = plans.by_ref().filter(|plan| !log.is_hopeless(target.shape, plan));
        let batch: Vec<CutoffPlan> = open.take(AT_ONCE).collect();
        if batch.is_empty() || means.is_over() {
            return Ok(None);
        }
        let outcomes =
            in_parallel(&batch, means.budget.threads, |plan| attempt(target, plan, means));
        let outcomes: Vec<Option<Result<Case, PlanFailure>>> =
            outcomes.into_iter().collect::<Result<_, ProverError>>()?;
        for (plan, outcome) in batch.into_iter().zip(outcomes) {
            let Some(outcome) = outcome else { continue };
            if let Err(failure) = &outcome {
                log.learn(target.shape, &plan, failure);
            }
            log.record_with_miss(target, &plan, outcome.as_ref().err());
            if let Ok(case) = outcome {
                return Ok(Some((plan, case)));
            }
        }
    }
}

/// Tries a plan; `None` if it makes no case.
fn attempt(
    target: &PlanTarget<'_>,
    plan: &CutoffPlan,
    means: &Means<'_>,
) -> Result<Option<Result<Case, PlanFailure>>, ProverError> {
    let Some(candidate) = case(target, plan) else { return Ok(None) };
    let outcome = prove_candidate(target.protocol, &candidate, means)?;
    if !matches!(outcome, Err(PlanFailure::AxiomFails(_))) {
        return Ok(Some(outcome));
    }
    let image = CutoffPlan { rigid: RigidStyle::Image, ..plan.clone() };
    let candidate = case(target, &image);
    candidate.map(|case| prove_candidate(target.protocol, &case, means)).transpose()
}

/// Keeps the clauses of γ that keep each other and carry the violation over.
///
/// # Errors
/// When the solver cannot be used or an obligation is ill-sorted; inside, why there is no proof.
pub(crate) fn prove_candidate(
    large: &Protocol,
    candidate: &Case,
    means: &Means<'_>,
) -> Result<Result<Case, PlanFailure>, ProverError> {
    let proved = prove_case(large, candidate, ProofRank::AfterLemmas, None, means)?;
    Ok(proved.map(|proved| proved.case))
}
