//! Cutoffs that need lemmas: what counterexamples make one guess becomes a property with a case of
//! its own, until every guess that is used is proved.

pub(in crate::synthesis) mod guesses;

use std::collections::{BTreeMap, BTreeSet};

use crate::analysis::analyse;
use crate::certificate::Case;
use crate::logic::{Name, prenex_universal};
use crate::protocol::{Property, PropertyKind, Protocol, SortId, StateFormula};
use crate::source::Span;

use super::plan::maps::{SortMap, maps};
use super::plan::order::{acting, extended, plans};
use super::plan::pool::PoolStage;
use super::plan::violator_shapes::{ViolatorShape, open_shape};
use super::plan::{CutoffPlan, PlanTarget, case};
use super::prove::backward_proof::{Guessing, ProofRank, Proved, prove_backward};
use super::prove::strengthen::PlanFailure;
use super::search::Searcher;
use guesses::Guesses;

/// A lemma and the case that proves it.
#[derive(Clone, Debug)]
pub(in crate::synthesis) struct Lemma {
    /// What it says.
    pub(in crate::synthesis) formula: StateFormula,
    /// How its violations are replayed; its property is the first one.
    pub(in crate::synthesis) case: Case,
}

/// The most guesses for one property, and how often one that is not proved may be replaced.
const MOST_GUESSES: usize = 24;
const MOST_REFUSALS: usize = 6;

/// The most plans that are tried with lemmas.
const MOST_PLANS: usize = 8;

impl Searcher<'_> {
    /// A case for a property that cuts one more sort of violators, and the lemmas it needs.
    pub(in crate::synthesis) fn with_lemmas(
        &mut self,
        shape: &ViolatorShape,
        name: &Name,
        uncut: &[SortId],
        partial: Option<&CutoffPlan>,
    ) -> Option<(Case, Vec<Lemma>)> {
        let protocol = self.protocol;
        let mut guesses = Guesses::new(protocol, MOST_GUESSES, &self.stop);
        let found = self.with_guesses((shape, name), uncut, partial, &mut guesses);
        self.guessed.extend_from_slice(guesses.all());
        found
    }

    fn with_guesses(
        &mut self,
        (shape, name): (&ViolatorShape, &Name),
        uncut: &[SortId],
        partial: Option<&CutoffPlan>,
        guesses: &mut Guesses<'_>,
    ) -> Option<(Case, Vec<Lemma>)> {
        let mut tried = 0;
        for sort in uncut {
            for plan in self.lemma_plans(shape, *sort, partial) {
                if tried >= MOST_PLANS || self.is_late() {
                    return None;
                }
                if let Some(found) = self.plan_with_lemmas(shape, name, &plan, guesses) {
                    return Some(found);
                }
                tried += 1;
            }
        }
        None
    }

    /// Maps that merge, and what is cut already.
    fn lemma_plans(
        &self,
        shape: &ViolatorShape,
        sort: SortId,
        partial: Option<&CutoffPlan>,
    ) -> Vec<CutoffPlan> {
        let mut all = plans(self.protocol, self.facts, shape, sort, PoolStage::Guards);
        all.retain(|plan| plan.maps.iter().all(SortMap::is_merged));
        for plan in &mut all {
            let cut: Vec<SortId> = plan.maps.iter().map(|map| map.sort).collect();
            let further = partial.into_iter().flat_map(|partial| &partial.maps);
            plan.maps.extend(further.filter(|map| !cut.contains(&map.sort)).cloned());
        }
        all
    }

    fn plan_with_lemmas(
        &mut self,
        shape: &ViolatorShape,
        name: &Name,
        plan: &CutoffPlan,
        guesses: &mut Guesses<'_>,
    ) -> Option<(Case, Vec<Lemma>)> {
        for _ in 0..MOST_REFUSALS {
            let target = PlanTarget {
                protocol: self.protocol,
                facts: self.facts,
                shape,
                mined: &[],
                name: name.clone(),
            };
            let candidate = case(&target, plan)?;
            let known = BTreeSet::new();
            let guessing = Guessing { guesses: &mut *guesses, known: &known };
            let outcome =
                self.backward(self.protocol, &candidate, ProofRank::AfterLemmas, guessing);
            self.record(shape, name, plan, outcome.as_ref().err());
            let main = outcome.ok()?;
            match self.lemmas(plan, &main, guesses) {
                Ok(lemmas) => return Some((main.case, lemmas)),
                Err(unproved) => guesses.refuse(unproved),
            }
            if self.is_late() {
                return None;
            }
        }
        None
    }

    /// Proves every guess that is used, and those that this uses.
    ///
    /// # Errors
    /// The guess that cannot be proved.
    fn lemmas(
        &mut self,
        plan: &CutoffPlan,
        main: &Proved,
        guesses: &mut Guesses<'_>,
    ) -> Result<Vec<Lemma>, usize> {
        let mut open: Vec<usize> = main.guesses.iter().copied().collect();
        let mut known = main.guesses.clone();
        let mut proved: BTreeMap<usize, Lemma> = BTreeMap::new();
        while let Some(guess) = open.pop() {
            if proved.contains_key(&guess) {
                continue;
            }
            let formula = guesses.clause(guess).clone();
            let found = self.lemma(plan, &formula, guesses, &known).ok_or(guess)?;
            open.extend(&found.guesses);
            known.extend(&found.guesses);
            proved.insert(guess, Lemma { formula, case: found.case });
        }
        Ok(proved.into_values().collect())
    }

    fn lemma(
        &mut self,
        plan: &CutoffPlan,
        formula: &StateFormula,
        guesses: &mut Guesses<'_>,
        known: &BTreeSet<usize>,
    ) -> Option<Proved> {
        let protocol = with_properties(self.protocol, vec![lemma("lemma".into(), formula)?]);
        let facts = analyse(&protocol);
        let shape = open_shape(&protocol, 0);
        let target = PlanTarget {
            protocol: &protocol,
            facts: &facts,
            shape: &shape,
            mined: &[],
            name: "lemma".into(),
        };
        for mut echo in echoes(&target, plan) {
            echo.acting.extend(acting(&facts, 0));
            echo.acting.sort_unstable();
            echo.acting.dedup();
            let Some(candidate) = case(&target, &echo) else { continue };
            let guessing = Guessing { guesses: &mut *guesses, known };
            match self.backward(&protocol, &candidate, ProofRank::AmongLemmas, guessing) {
                Ok(proved) => return Some(proved),
                Err(_) if self.is_late() => return None,
                Err(_) => {}
            }
        }
        None
    }

    fn backward(
        &self,
        protocol: &Protocol,
        candidate: &Case,
        rank: ProofRank,
        guessing: Guessing<'_, '_>,
    ) -> Result<Proved, PlanFailure> {
        prove_backward(protocol, candidate, rank, guessing, &self.means())
    }
}

/// Plans for another shape that cut the same sorts in the same way, as far as that is possible.
fn echoes(target: &PlanTarget<'_>, plan: &CutoffPlan) -> Vec<CutoffPlan> {
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
    ways.truncate(MOST_PLANS);
    ways.into_iter().map(|maps| CutoffPlan { maps, ..plan.clone() }).collect()
}

/// A lemma as a property; `None` if it is not universal.
pub(in crate::synthesis) fn lemma(name: Name, formula: &StateFormula) -> Option<Property> {
    let (vars, matrix) = prenex_universal(formula)?;
    Some(Property { name, kind: PropertyKind::Lemma, vars, matrix, span: Span::default() })
}

/// A protocol with further properties before its own.
pub(in crate::synthesis) fn with_properties(
    protocol: &Protocol,
    mut first: Vec<Property>,
) -> Protocol {
    first.extend(protocol.properties.iter().cloned());
    Protocol { properties: first, ..protocol.clone() }
}
