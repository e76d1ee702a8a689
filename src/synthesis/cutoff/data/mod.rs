//! Cutoffs of data: the values that a violation speaks of keep an element of `C` each, all others
//! become one. Other sorts stay as they are, and every action is answered by itself.
//!
//! There is nothing to search: the property says which values matter. Merging loses only that two
//! merged values differ; where a step depends on that, `C` goes another way, and the clauses about
//! where it then is are weaker, or `C` is relaxed so that it can go on.

mod merging;
mod named_values;
mod relaxing;
mod violators_only;

use crate::analysis::{DataSort, analyse, data_sorts};
use crate::budget::{Budget, Meter};
use crate::certificate::{Case, Certificate, ProofArgument};
use crate::logic::Name;
use crate::protocol::{Protocol, SortId};
use crate::smt::ProverError;

use super::plan::definitions::RigidStyle;
use super::plan::lockstep::Support;
use super::plan::maps::SortMap;
use super::plan::pool::PoolStage;
use super::plan::violator_shapes::{ViolatorShape, closed_shapes, open_shape};
use super::plan::{CutoffPlan, case};
use super::prove::attempts::prove_candidate;
use super::prove::backward_proof::Means;
use super::prove::polish::polish;
use super::prove::walks::walks;
use super::task::CutoffTask;
use merging::Merging;
use named_values::ways_to_name;
use relaxing::relax;
use violators_only::{ViolatorsOnly, violator_maps};

/// What the cases of one property that cut processes as well may cost, in the solver's units: they
/// are rare, and data alone is next.
const WITH_PROCESSES: u64 = 1_500_000;

/// Whether a protocol has a sort of data.
pub fn has_data(protocol: &Protocol) -> bool {
    data_sorts(protocol).iter().any(DataSort::is_data)
}

/// What `C` may run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CutoffSystem {
    /// The protocol itself: so many values then show every violation.
    Itself,
    /// Also a protocol that may do more, whose safety has to be shown for itself.
    Relaxed,
}

/// A certificate that cuts sorts of data and nothing else, if every property has such a case; only
/// the stop and the threads of the budget count. No case of it is closed.
///
/// # Errors
/// When the solver cannot be used or an obligation is ill-sorted.
pub fn cut_data(
    protocol: &Protocol,
    system: CutoffSystem,
    budget: &Budget,
) -> Result<Option<Certificate>, ProverError> {
    let data: Vec<SortId> =
        data_sorts(protocol).iter().filter(|own| own.is_data()).map(|own| own.sort).collect();
    if data.is_empty() {
        return Ok(None);
    }
    let facts = analyse(protocol);
    let walks = walks(protocol, &budget.stop);
    let means = Means::until(&budget.stop, budget.threads, &walks);
    let task = CutoffTask { protocol, facts: &facts, candidates: &[], means: &means };
    let mut cases = Vec::new();
    for property in 0..protocol.properties.len() {
        match cut_property(task, property, &data, system)? {
            Some(own) => cases.extend(own),
            None => return Ok(None),
        }
    }
    let argument = ProofArgument::Cutoff(cases);
    Ok(Some(Certificate { large: protocol.clone(), argument }))
}

/// Cases of one property: with only the violators in `C`, or else one that cuts data only, all sorts
/// of it or as many as one can.
fn cut_property(
    task: CutoffTask<'_>,
    property: usize,
    data: &[SortId],
    system: CutoffSystem,
) -> Result<Option<Vec<Case>>, ProverError> {
    let (meter, stop) = (Meter::default(), &task.means.budget.stop);
    meter.allow(WITH_PROCESSES);
    let means = Means::until(&stop.metered(&meter), task.means.budget.threads, task.means.walks);
    let cases = cut_processes(CutoffTask { means: &means, ..task }, property, data)?;
    stop.charge(meter.spent());
    if cases.is_some() {
        return Ok(cases);
    }
    let open = open_shape(task.protocol, property);
    let name = &task.protocol.properties[property].name;
    let alone = data.iter().map(|sort| vec![*sort]).filter(|_| data.len() > 1);
    for sorts in [data.to_vec()].into_iter().chain(alone) {
        for values in ways_to_name(task.protocol, &open, &sorts) {
            if task.means.is_over() {
                return Ok(None);
            }
            let target = task.target(&values.shape, name);
            let merging = Merging::new(task, &values);
            let Some(plain) = case(&target, &plan(task.protocol, values.maps.clone())) else {
                continue;
            };
            let adapted = merging.adapt(plain.clone());
            let relaxed = match system {
                CutoffSystem::Itself => None,
                CutoffSystem::Relaxed => relax(plain, &values.maps),
            };
            for candidate in [Some(adapted), relaxed].into_iter().flatten() {
                if let Some(proved) = prove(task, candidate)? {
                    return Ok(Some(vec![proved]));
                }
            }
        }
    }
    Ok(None)
}

/// A case for each way in which violators coincide, with no other process in `C`.
fn cut_processes(
    task: CutoffTask<'_>,
    property: usize,
    data: &[SortId],
) -> Result<Option<Vec<Case>>, ProverError> {
    let shapes = closed_shapes(task.protocol, property);
    let mut cases = Vec::new();
    for (index, shape) in shapes.iter().enumerate() {
        let property = &task.protocol.properties[property].name;
        let name = match shapes.len() {
            1 => property.clone(),
            _ => format!("{property}_{}", index + 1).into(),
        };
        let Some(case) = cut_processes_of(task, shape, &name, data)? else { return Ok(None) };
        cases.push(case);
    }
    Ok((!cases.is_empty()).then_some(cases))
}

fn cut_processes_of(
    task: CutoffTask<'_>,
    shape: &ViolatorShape,
    name: &Name,
    data: &[SortId],
) -> Result<Option<Case>, ProverError> {
    for values in ways_to_name(task.protocol, shape, data) {
        if task.means.is_over() {
            return Ok(None);
        }
        let target = task.target(&values.shape, name);
        let Some(processes) = violator_maps(task.protocol, shape, data) else { return Ok(None) };
        let only = ViolatorsOnly::new(&target, &values, processes);
        let Some(plain) = case(&target, &plan(task.protocol, only.maps())) else { continue };
        if let Some(proved) = prove(task, only.adapt(plain))? {
            return Ok(Some(proved));
        }
    }
    Ok(None)
}

fn plan(protocol: &Protocol, maps: Vec<SortMap>) -> CutoffPlan {
    CutoffPlan {
        maps,
        acting: (0..protocol.actions.len()).collect(),
        support: Support::None,
        rigid: RigidStyle::Image,
        stage: PoolStage::Symbols,
    }
}

/// The case with the clauses that its proof needs, if there is one.
fn prove(task: CutoffTask<'_>, candidate: Case) -> Result<Option<Case>, ProverError> {
    let proved = prove_candidate(task.protocol, &candidate, task.means)?;
    let polished = |case| polish(task.protocol, case, &task.means.budget);
    proved.ok().map(polished).transpose()
}
