//! Cutoffs that need lemmas: a guess that excludes a counterexample becomes a property with a case
//! of its own, until every guess that is used is proved.

pub(crate) mod guesses;

use std::collections::{BTreeMap, BTreeSet};

use crate::analysis::analyse;
use crate::certificate::Case;
use crate::logic::Name;
use crate::protocol::{Property, PropertyKind, Protocol, SortId, StateFormula};
use crate::smt::ProverError;
use crate::source::Span;

use super::plan::maps::{SortMap, maps};
use super::plan::order::{acting, plans};
use super::plan::pool::PoolStage;
use super::plan::violator_shapes::open_shape;
use super::plan::{CutoffPlan, PlanTarget, case};
use super::prove::attempts::SearchLog;
use super::prove::backward_proof::{Guessing, Means, Proved, prove_case};
use super::prove::questions::ProofRank;
use crate::synthesis::combinations::extended;
use guesses::Guesses;

/// A lemma and the case that proves it.
#[derive(Clone, Debug)]
pub(crate) struct Lemma {
    pub(crate) formula: StateFormula,
    /// The case of its violations; its property is the first one.
    pub(crate) case: Case,
}

/// The most guesses for one property, and how often one that is not proved may be replaced. Every
/// guess that a proof uses becomes a lemma with a case of its own to prove.
const MAX_GUESSES: usize = 24;
const MAX_REFUSALS: usize = 6;

/// The most plans that are tried with lemmas: each may take a proof for every guess.
const MAX_PLANS: usize = 8;

/// A case that cuts one more of the sorts `uncut`, and the lemmas it needs.
pub(crate) fn with_lemmas(
    target: &PlanTarget<'_>,
    uncut: &[SortId],
    partial: Option<&CutoffPlan>,
    means: &Means<'_>,
    log: &mut SearchLog,
) -> Result<Option<(Case, Vec<Lemma>)>, ProverError> {
    let mut guesses = Guesses::new(target.protocol, MAX_GUESSES, &means.budget.stop);
    let plans = uncut.iter().flat_map(|sort| lemma_plans(target, *sort, partial));
    let mut found = None;
    for plan in plans.take(MAX_PLANS) {
        if found.is_some() || means.is_over() {
            break;
        }
        found = plan_with_lemmas(target, &plan, &mut guesses, means, log)?;
    }
    log.guessed.extend_from_slice(guesses.all());
    Ok(found)
}

/// Plans that merge elements, with the maps of what is cut already.
fn lemma_plans(
    target: &PlanTarget<'_>,
    sort: SortId,
    partial: Option<&CutoffPlan>,
) -> Vec<CutoffPlan> {
    let mut all = plans(target, sort, PoolStage::Guards);
    all.retain(|plan| plan.maps.iter().all(SortMap::is_merged));
    for plan in &mut all {
        let cut: Vec<SortId> = plan.maps.iter().map(|map| map.sort).collect();
        let further = partial.into_iter().flat_map(|partial| &partial.maps);
        plan.maps.extend(further.filter(|map| !cut.contains(&map.sort)).cloned());
    }
    all
}

fn plan_with_lemmas(
    target: &PlanTarget<'_>,
    plan: &CutoffPlan,
    guesses: &mut Guesses<'_>,
    means: &Means<'_>,
    log: &mut SearchLog,
) -> Result<Option<(Case, Vec<Lemma>)>, ProverError> {
    let Some(candidate) = case(target, plan) else { return Ok(None) };
    for _ in 0..MAX_REFUSALS {
        let known = BTreeSet::new();
        let guessing = Some(Guessing { guesses: &mut *guesses, known: &known });
        let rank = ProofRank::AfterLemmas;
        let outcome = prove_case(target.protocol, &candidate, rank, guessing, means)?;
        log.record_with_miss(target, plan, outcome.as_ref().err());
        let Ok(main) = outcome else { return Ok(None) };
        match prove_guesses(target.protocol, plan, &main, guesses, means)? {
            Ok(lemmas) => return Ok(Some((main.case, lemmas))),
            Err(unproved) => guesses.refuse(unproved),
        }
        if means.is_over() {
            break;
        }
    }
    Ok(None)
}

/// Proves every guess that is used, and those that this uses.
///
/// # Errors
/// When the solver cannot be used or an obligation is ill-sorted; inside, the guess that cannot be
/// proved.
fn prove_guesses(
    protocol: &Protocol,
    plan: &CutoffPlan,
    main: &Proved,
    guesses: &mut Guesses<'_>,
    means: &Means<'_>,
) -> Result<Result<Vec<Lemma>, usize>, ProverError> {
    let mut open: Vec<usize> = main.guesses.iter().copied().collect();
    let mut known = main.guesses.clone();
    let mut proved: BTreeMap<usize, Lemma> = BTreeMap::new();
    while let Some(guess) = open.pop() {
        if proved.contains_key(&guess) {
            continue;
        }
        let formula = guesses.clause(guess).clone();
        let property = lemma("lemma".into(), &formula);
        let guessing = Guessing { guesses: &mut *guesses, known: &known };
        let Some(found) = prove_lemma(protocol, property, plan, guessing, means)? else {
            return Ok(Err(guess));
        };
        open.extend(&found.guesses);
        known.extend(&found.guesses);
        proved.insert(guess, Lemma { formula, case: found.case });
    }
    Ok(Ok(proved.into_values().collect()))
}

/// Proves a lemma with the maps of the plan that needs it.
fn prove_lemma(
    protocol: &Protocol,
    property: Property,
    plan: &CutoffPlan,
    guessing: Guessing<'_, '_>,
    means: &Means<'_>,
) -> Result<Option<Proved>, ProverError> {
    let protocol = with_lemma_properties(protocol, vec![property]);
    let facts = analyse(&protocol);
    let shape = open_shape(&protocol, 0);
    let target = PlanTarget {
        protocol: &protocol,
        facts: &facts,
        shape: &shape,
        candidates: &[],
        name: "lemma".into(),
    };
    for mut similar in similar_plans(&target, plan) {
        similar.acting.extend(acting(&facts, 0));
        similar.acting.sort_unstable();
        similar.acting.dedup();
        let Some(candidate) = case(&target, &similar) else { continue };
        let guessing = Some(Guessing { guesses: &mut *guessing.guesses, known: guessing.known });
        let proved = prove_case(&protocol, &candidate, ProofRank::AmongLemmas, guessing, means)?;
        if proved.is_ok() || means.is_over() {
            return Ok(proved.ok());
        }
    }
    Ok(None)
}

/// Plans for another shape that cut the same sorts in the same way, as far as that is possible.
fn similar_plans(target: &PlanTarget<'_>, plan: &CutoffPlan) -> Vec<CutoffPlan> {
    let mut ways: Vec<Vec<SortMap>> = vec![Vec::new()];
    for map in &plan.maps {
        let own = maps(target.protocol, &target.facts.structure, target.shape, map.sort);
        let alike =
            |own: &&SortMap| own.others == map.others && own.arcs.is_some() == map.arcs.is_some();
        let mut options: Vec<SortMap> = own.iter().filter(alike).cloned().collect();
        if options.is_empty() {
            options = own;
        }
        ways = extended(&ways, &options);
    }
    ways.truncate(MAX_PLANS);
    ways.into_iter().map(|maps| CutoffPlan { maps, ..plan.clone() }).collect()
}

/// A lemma as a property.
pub(crate) fn lemma(name: Name, formula: &StateFormula) -> Property {
    Property::new((name, PropertyKind::Lemma), formula, &BTreeSet::new(), Span::default())
}

/// A protocol with further properties before its own.
pub(crate) fn with_lemma_properties(protocol: &Protocol, mut first: Vec<Property>) -> Protocol {
    first.extend(protocol.properties.iter().cloned());
    Protocol { properties: first, ..protocol.clone() }
}
