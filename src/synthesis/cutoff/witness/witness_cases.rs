//! Cases whose parameters include witnesses: few plans, all of which cut the sets and their members
//! together.

use crate::certificate::{Case, answer_weight};
use crate::logic::Name;
use crate::protocol::{Sort, SortId};

use super::history::WitnessHistory;
use super::parameters::{SetMembers, Witnessed, witnessed};
use crate::synthesis::cutoff::plan::definitions::RigidStyle;
use crate::synthesis::cutoff::plan::maps::{Others, SortMap, maps};
use crate::synthesis::cutoff::plan::order::{acting, supports};
use crate::synthesis::cutoff::plan::pool::PoolStage;
use crate::synthesis::cutoff::plan::{CutoffPlan, PlanTarget, case};
use crate::synthesis::cutoff::prove::session_group::Means;
use crate::synthesis::cutoff::prove::strengthen::{PlanFailure, strengthen};
use crate::synthesis::cutoff::prove::walks::{LargeWalk, walks};
use crate::synthesis::cutoff::search::Searcher;

/// Answers whose moves come to more symbols than this are not tried.
const HEAVIEST_ANSWER: u64 = 1 << 18;

/// A violation with its witnesses, and what its cases are tried on.
struct Foresight {
    name: Name,
    witnessed: Witnessed,
    /// Who is in the sets of `C`.
    members: SetMembers,
    walks: Vec<LargeWalk>,
}

impl Searcher<'_> {
    /// A case for a property that names witnesses of its violation, and the history it needs: what
    /// is kept already and perhaps more.
    pub(in crate::synthesis) fn foreseen(
        &mut self,
        property: usize,
        all: &WitnessHistory,
        kept: &WitnessHistory,
    ) -> Option<(WitnessHistory, Case)> {
        if self.is_late() {
            return None;
        }
        let witnessed = witnessed(self.protocol, self.facts, all, kept, property)?;
        let walks = walks(&witnessed.memory.large, &self.stop);
        let name = self.protocol.properties[property].name.clone();
        let mut foresight = Foresight { name, witnessed, members: SetMembers::Common, walks };
        let (plan, case) = self.first_foreseen(&mut foresight)?;
        let case = self.cut_others(&foresight, plan, case);
        Some((foresight.witnessed.memory, case))
    }

    fn first_foreseen(&mut self, foresight: &mut Foresight) -> Option<(CutoffPlan, Case)> {
        let acting = acting(self.facts, foresight.witnessed.shape.property);
        for stage in [PoolStage::Symbols, PoolStage::Guards] {
            for maps in self.foreseen_maps(&foresight.witnessed) {
                for support in supports(self.protocol, self.facts, &maps) {
                    let (maps, acting) = (maps.clone(), acting.clone());
                    let rigid = RigidStyle::Representatives;
                    let plan = CutoffPlan { maps, acting, support, rigid, stage };
                    for members in [SetMembers::Common, SetMembers::All] {
                        if self.is_late() {
                            return None;
                        }
                        foresight.members = members;
                        if let Some(case) = self.try_foreseen(foresight, &plan) {
                            return Some((plan, case));
                        }
                    }
                }
            }
        }
        None
    }

    /// The maps of the sets and their members; with projections of the other violators, or not.
    fn foreseen_maps(&self, witnessed: &Witnessed) -> Vec<Vec<SortMap>> {
        let tied = witnessed.maps(self.protocol, self.facts);
        let mut more = tied.clone();
        for sort in self.protocol.signature.sorts() {
            let is_cut = more.iter().any(|map| map.sort == sort);
            if is_cut || witnessed.shape.of_sort(Sort::Declared(sort)).is_empty() {
                continue;
            }
            let own = self.maps_of(witnessed, sort).into_iter();
            more.extend(own.filter(|map| map.others == Others::Ignored).take(1));
        }
        if more.len() == tied.len() { vec![tied] } else { vec![more, tied] }
    }

    fn maps_of(&self, witnessed: &Witnessed, sort: SortId) -> Vec<SortMap> {
        maps(self.protocol, &self.facts.structure, &witnessed.shape, sort)
    }

    fn try_foreseen(&mut self, foresight: &Foresight, plan: &CutoffPlan) -> Option<Case> {
        let witnessed = &foresight.witnessed;
        for rigid in [RigidStyle::Representatives, RigidStyle::Image] {
            let plan = CutoffPlan { rigid, ..plan.clone() };
            let target = PlanTarget {
                protocol: self.protocol,
                facts: self.facts,
                shape: &witnessed.shape,
                mined: &[],
                name: foresight.name.clone(),
            };
            let Some(candidate) = case(&target, &plan) else { continue };
            let candidate = witnessed.complete(self.protocol, foresight.members, candidate);
            let mut answers = candidate.lockstep.iter().flatten();
            if answers
                .any(|answer| answer_weight(&candidate, &answer.moves).total() > HEAVIEST_ANSWER)
            {
                return None;
            }
            let means = Means { walks: &foresight.walks, ..self.means() };
            let outcome = strengthen(&witnessed.memory.large, &candidate, &means);
            self.tell(witnessed.shape.property, &plan, outcome.as_ref().err());
            match outcome {
                Ok(case) => return Some(case),
                Err(PlanFailure::NoInstance(title)) if title.starts_with("rigid") => {}
                Err(_) => return None,
            }
        }
        None
    }

    /// Cuts further sorts, as long as there is still a proof.
    fn cut_others(&mut self, foresight: &Foresight, mut plan: CutoffPlan, mut best: Case) -> Case {
        for sort in self.protocol.signature.sorts() {
            if plan.maps.iter().any(|map| map.sort == sort) {
                continue;
            }
            for map in self.maps_of(&foresight.witnessed, sort) {
                let mut more = plan.clone();
                more.maps.push(map);
                if let Some(case) = self.try_foreseen(foresight, &more) {
                    (plan, best) = (more, case);
                    break;
                }
            }
        }
        best
    }
}
