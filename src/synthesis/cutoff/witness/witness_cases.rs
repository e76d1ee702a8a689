//! Cases whose parameters include witnesses: few plans, all of which cut the sets and their members
//! together.

use crate::certificate::Case;
use crate::protocol::{Sort, SortId};
use crate::smt::ProverError;

use super::history::WitnessHistory;
use super::parameters::{SetMembers, Witnessed, witnessed};
use crate::synthesis::cutoff::plan::definitions::RigidStyle;
use crate::synthesis::cutoff::plan::maps::{Others, SortMap, maps};
use crate::synthesis::cutoff::plan::order::{acting, supports};
use crate::synthesis::cutoff::plan::pool::PoolStage;
use crate::synthesis::cutoff::plan::{CutoffPlan, PlanTarget, case};
use crate::synthesis::cutoff::prove::attempts::{SearchLog, prove_candidate};
use crate::synthesis::cutoff::prove::backward_proof::Means;
use crate::synthesis::cutoff::prove::failure::PlanFailure;
use crate::synthesis::cutoff::prove::walks::walks;
use crate::synthesis::cutoff::task::CutoffTask;

/// A violation with its witnesses, and the means to prove its cases.
struct WitnessSearch<'a> {
    target: PlanTarget<'a>,
    witnessed: &'a Witnessed,
    means: Means<'a>,
    log: &'a mut SearchLog,
}

/// A case for a property that names witnesses of its violation, and the history it needs: what is
/// kept already and perhaps more.
pub(crate) fn witness_case(
    task: CutoffTask<'_>,
    property: usize,
    all: &WitnessHistory,
    kept: &WitnessHistory,
    log: &mut SearchLog,
) -> Result<Option<(WitnessHistory, Case)>, ProverError> {
    if task.means.is_over() {
        return Ok(None);
    }
    let Some(witnessed) = witnessed(task.protocol, task.facts, all, kept, property) else {
        return Ok(None);
    };
    let stop = &task.means.budget.stop;
    let walks = walks(&witnessed.memory.large, stop);
    let name = &task.protocol.properties[property].name;
    let target = PlanTarget { candidates: &[], ..task.target(&witnessed.shape, name) };
    let means = Means { walks: &walks, ..task.means.clone() };
    let mut search = WitnessSearch { target, witnessed: &witnessed, means, log };
    let Some((plan, members, first)) = search.first()? else { return Ok(None) };
    let case = search.cut_others(plan, members, first)?;
    Ok(Some((witnessed.memory, case)))
}

impl WitnessSearch<'_> {
    /// The first plan that works; small pools, and sets of few members, come first.
    fn first(&mut self) -> Result<Option<(CutoffPlan, SetMembers, Case)>, ProverError> {
        let PlanTarget { protocol, facts, shape, .. } = self.target;
        let acting = acting(facts, shape.property);
        for stage in [PoolStage::Symbols, PoolStage::Guards] {
            for maps in self.tied_maps() {
                for support in supports(protocol, facts, &maps) {
                    let (maps, acting) = (maps.clone(), acting.clone());
                    let rigid = RigidStyle::Representatives;
                    let plan = CutoffPlan { maps, acting, support, rigid, stage };
                    for members in [SetMembers::Common, SetMembers::All] {
                        if self.means.is_over() {
                            return Ok(None);
                        }
                        if let Some(case) = self.attempt(&plan, members)? {
                            return Ok(Some((plan, members, case)));
                        }
                    }
                }
            }
        }
        Ok(None)
    }

    /// The maps of the sets and their members; with projections of the other violators, or not.
    fn tied_maps(&self) -> Vec<Vec<SortMap>> {
        let PlanTarget { protocol, facts, shape, .. } = self.target;
        let tied = self.witnessed.maps(protocol, facts);
        let mut more = tied.clone();
        for sort in protocol.signature.sorts() {
            let is_cut = more.iter().any(|map| map.sort == sort);
            if is_cut || shape.of_sort(Sort::Declared(sort)).is_empty() {
                continue;
            }
            let own = self.maps_of(sort).into_iter();
            more.extend(own.filter(|map| map.others == Others::Ignored).take(1));
        }
        if more.len() == tied.len() { vec![tied] } else { vec![more, tied] }
    }

    fn maps_of(&self, sort: SortId) -> Vec<SortMap> {
        maps(self.target.protocol, &self.target.facts.structure, self.target.shape, sort)
    }

    fn attempt(
        &mut self,
        plan: &CutoffPlan,
        members: SetMembers,
    ) -> Result<Option<Case>, ProverError> {
        for rigid in [RigidStyle::Representatives, RigidStyle::Image] {
            let plan = CutoffPlan { rigid, ..plan.clone() };
            let Some(candidate) = case(&self.target, &plan) else { continue };
            let candidate = self.witnessed.complete(self.target.protocol, members, candidate);
            let large = &self.witnessed.memory.large;
            let outcome = prove_candidate(large, &candidate, &self.means)?;
            self.log.record(&self.target, &plan, outcome.as_ref().err());
            match outcome {
                Ok(case) => return Ok(Some(case)),
                Err(PlanFailure::AxiomFails(_)) => {}
                Err(_) => break,
            }
        }
        Ok(None)
    }

    /// Cuts further sorts, as long as there is still a proof.
    fn cut_others(
        &mut self,
        mut plan: CutoffPlan,
        members: SetMembers,
        mut best: Case,
    ) -> Result<Case, ProverError> {
        for sort in self.target.protocol.signature.sorts() {
            if plan.maps.iter().any(|map| map.sort == sort) {
                continue;
            }
            for map in self.maps_of(sort) {
                let more = plan.with_map(map);
                if let Some(case) = self.attempt(&more, members)? {
                    (plan, best) = (more, case);
                    break;
                }
            }
        }
        Ok(best)
    }
}
