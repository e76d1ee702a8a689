//! The cases of one property: one that leaves open which violators coincide, or one for each way.

use crate::certificate::Case;
use crate::logic::Name;
use crate::protocol::SortId;
use crate::smt::ProverError;

use super::lemmas::{Lemma, with_lemmas};
use super::plan::maps::maps;
use super::plan::order::{plans, primary_sorts};
use super::plan::pool::PoolStage;
use super::plan::violator_shapes::{ViolatorShape, closed_shapes, open_shape};
use super::plan::{CutoffPlan, PlanTarget};
use super::prove::attempts::{SearchLog, first_that_works};
use super::task::CutoffTask;

/// The cases of one property, and the lemmas that they need.
pub(crate) struct PropertyProof {
    pub(crate) cases: Vec<Case>,
    pub(crate) lemmas: Vec<Lemma>,
}

/// One case that leaves open which violators coincide, or one for each way.
///
/// Small pools come first, because a proof costs about as much as its pool is large. A proof that
/// leaves a sort of violators uncut is kept while a better one is looked for.
pub(crate) fn prove_property(
    task: CutoffTask<'_>,
    property: usize,
    log: &mut SearchLog,
) -> Result<Option<PropertyProof>, ProverError> {
    let name = &task.protocol.properties[property].name;
    let open = open_shape(task.protocol, property);
    let closed = closed_shapes(task.protocol, property);
    let open = task.target(&open, name);
    let mut best = Best { uncut: usize::MAX, cases: Vec::new(), plan: None };
    let stage = |stage: PoolStage, best: &mut Best, log: &mut SearchLog| {
        improve_single(task, &open, stage, best, log)?;
        improve_split(task, &closed, name, stage, best, log)
    };
    if !task.candidates.is_empty() {
        // A search without candidates has tried everything else before.
        stage(PoolStage::Invariants, &mut best, log)?;
        return Ok(best.proof());
    }
    stage(PoolStage::Symbols, &mut best, log)?;
    // With guesses the larger pool is searched from the violation backwards, which is cheaper than
    // to shrink it.
    if best.uncut > 0 {
        let mut uncut = primary_sorts(task.protocol, open.shape);
        uncut.retain(|sort| !best.cuts(*sort));
        let found = with_lemmas(&open, &uncut, best.plan.as_ref(), task.means, log)?;
        if let Some((case, lemmas)) = found {
            return Ok(Some(PropertyProof { cases: vec![case], lemmas }));
        }
    }
    stage(PoolStage::Guards, &mut best, log)?;
    Ok(best.proof())
}

/// One case that leaves open which violators coincide, if that cuts more than is known.
fn improve_single(
    task: CutoffTask<'_>,
    open: &PlanTarget<'_>,
    stage: PoolStage,
    best: &mut Best,
    log: &mut SearchLog,
) -> Result<(), ProverError> {
    if let Some(found) = fewest_uncut(task, open, stage, best, log)? {
        *best = Best { uncut: found.uncut, cases: vec![found.case], plan: Some(found.plan) };
    }
    Ok(())
}

/// One case for each way in which violators coincide, if that cuts more than is known.
fn improve_split(
    task: CutoffTask<'_>,
    closed: &[ViolatorShape],
    name: &Name,
    stage: PoolStage,
    best: &mut Best,
    log: &mut SearchLog,
) -> Result<(), ProverError> {
    if best.uncut == 0 || closed.len() < 2 {
        return Ok(());
    }
    let (mut cases, mut worst) = (Vec::new(), 0);
    for (index, shape) in closed.iter().enumerate() {
        let target = task.target(shape, &format!("{name}_{}", index + 1).into());
        let Some(found) = fewest_uncut(task, &target, stage, best, log)? else { return Ok(()) };
        worst = worst.max(found.uncut);
        cases.push(found.case);
    }
    best.uncut = worst;
    best.cases = cases;
    Ok(())
}

/// A proof of one shape.
struct ShapeProof {
    /// How many sorts of violators stay uncut.
    uncut: usize,
    plan: CutoffPlan,
    case: Case,
}

/// The proof of a shape that leaves the fewest sorts of violators uncut, if these are fewer than in
/// what is known.
fn fewest_uncut(
    task: CutoffTask<'_>,
    target: &PlanTarget<'_>,
    stage: PoolStage,
    known: &Best,
    log: &mut SearchLog,
) -> Result<Option<ShapeProof>, ProverError> {
    let limit = known.uncut;
    if limit == 0 {
        return Ok(None);
    }
    let mut primary = primary_sorts(task.protocol, target.shape);
    // A proof is better only if it cuts a sort that the known one does not.
    primary.sort_by_key(|sort| known.cuts(*sort));
    let mut best: Option<ShapeProof> = None;
    let mut failed = 0;
    for sort in &primary {
        if best.as_ref().is_some_and(|proof| proof.plan.cuts(*sort)) {
            continue;
        }
        let plans = plans(target, *sort, stage);
        let Some(first) = first_that_works(target, plans, task.means, log)? else {
            // A sort that cannot be cut alone can hardly be cut together with others.
            failed += 1;
            if failed >= limit {
                return Ok(None);
            }
            continue;
        };
        let (plan, case) = cut_more(task, target, first, log)?;
        let uncut = primary.iter().filter(|sort| !plan.cuts(**sort)).count();
        if best.as_ref().is_none_or(|proof| uncut < proof.uncut) {
            best = Some(ShapeProof { uncut, plan, case });
        }
        if uncut == 0 {
            break;
        }
    }
    Ok(best.filter(|proof| proof.uncut < limit))
}

/// Cuts further sorts, as long as there is still a proof.
fn cut_more(
    task: CutoffTask<'_>,
    target: &PlanTarget<'_>,
    mut best: (CutoffPlan, Case),
    log: &mut SearchLog,
) -> Result<(CutoffPlan, Case), ProverError> {
    for sort in task.protocol.signature.sorts() {
        if best.0.cuts(sort) {
            continue;
        }
        let maps = maps(task.protocol, &task.facts.structure, target.shape, sort);
        let plans = maps.into_iter().map(|map| best.0.with_map(map)).collect();
        if let Some(found) = first_that_works(target, plans, task.means, log)? {
            best = found;
        }
    }
    Ok(best)
}

/// What was found so far for a property.
struct Best {
    /// How many sorts of violators stay uncut.
    uncut: usize,
    cases: Vec<Case>,
    /// The plan that leaves open which violators coincide.
    plan: Option<CutoffPlan>,
}

impl Best {
    fn proof(self) -> Option<PropertyProof> {
        let proof = PropertyProof { cases: self.cases, lemmas: Vec::new() };
        (self.uncut < usize::MAX).then_some(proof)
    }

    fn cuts(&self, sort: SortId) -> bool {
        self.plan.as_ref().is_some_and(|plan| plan.cuts(sort))
    }
}
