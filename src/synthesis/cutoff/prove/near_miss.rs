//! The nearest miss: of the plans that failed, the one with the fewest failing obligations.

use std::collections::BTreeMap;

use crate::certificate::Case;
use crate::logic::Name;
use crate::smt::ProverError;

use super::backward_proof::failing_obligations;
use super::failure::PlanFailure;
use crate::synthesis::cutoff::plan::violator_shapes::ViolatorShape;
use crate::synthesis::cutoff::plan::{CutoffPlan, PlanTarget, case};
use crate::synthesis::cutoff::task::CutoffTask;

/// For each property, the plans that lost the fewest clauses.
#[derive(Default)]
pub(crate) struct NearMisses {
    misses: Vec<Miss>,
}

/// A plan that failed.
struct Miss {
    shape: ViolatorShape,
    name: Name,
    plan: CutoffPlan,
    /// How many clauses it lost.
    lost: usize,
}

/// How many plans for one property are kept. Counting the failing obligations of a plan costs about
/// as much as trying it again.
const MAX_MISSES: usize = 4;

impl NearMisses {
    /// Adds a plan that failed, unless enough others lost fewer clauses.
    pub(crate) fn add(
        &mut self,
        target: &PlanTarget<'_>,
        plan: &CutoffPlan,
        failure: &PlanFailure,
    ) {
        let PlanFailure::NotKept(lost) = failure else { return };
        self.misses.push(Miss {
            shape: target.shape.clone(),
            name: target.name.clone(),
            plan: plan.clone(),
            lost: lost.len(),
        });
        self.misses.sort_by_key(|miss| (miss.shape.property, miss.lost));
        let mut counts: BTreeMap<usize, usize> = BTreeMap::new();
        self.misses.retain(|miss| {
            let own = counts.entry(miss.shape.property).or_default();
            *own += 1;
            *own <= MAX_MISSES
        });
    }

    /// The nearest miss of a property, with the clauses that it needs.
    pub(crate) fn nearest(
        &self,
        property: usize,
        task: CutoffTask<'_>,
    ) -> Result<Option<Case>, ProverError> {
        let mut best: Option<(Case, usize)> = None;
        for miss in self.misses.iter().filter(|miss| miss.shape.property == property) {
            if task.means.is_over() {
                break;
            }
            let target = task.target(&miss.shape, &miss.name);
            let Some(candidate) = case(&target, &miss.plan) else { continue };
            let found = failing_obligations(task.protocol, &candidate, task.means)?;
            let fewest = best.as_ref().map_or(usize::MAX, |(_, fewest)| *fewest);
            best = found.filter(|(_, failing)| *failing < fewest).or(best);
        }
        Ok(best.map(|(case, _)| case))
    }
}
