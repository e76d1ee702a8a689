//! The cases of one property: one that leaves open which violators coincide, or one for each way.

use crate::certificate::Case;
use crate::logic::Name;
use crate::protocol::SortId;

use super::plan::CutoffPlan;
use super::plan::maps::maps;
use super::plan::order::{plans, primary_sorts};
use super::plan::pool::PoolStage;
use super::plan::violator_shapes::{ViolatorShape, closed_shapes, open_shape};
use super::search::Searcher;

impl Searcher<'_> {
    /// One case that leaves open which violators coincide, or one for each way.
    ///
    /// A proof that leaves a sort of violators uncut is kept while a better one is looked for.
    pub(in crate::synthesis) fn property(&mut self, property: usize) -> Option<Vec<Case>> {
        let name = self.protocol.properties[property].name.clone();
        let open = open_shape(self.protocol, property);
        let closed = closed_shapes(self.protocol, property);
        let mut best = Best { uncut: usize::MAX, cases: Vec::new(), plan: None };
        if !self.config.mined.is_empty() {
            // Everything else was tried before these were known.
            self.single(&open, &name, PoolStage::Invariants, &mut best);
            self.split(&closed, &name, PoolStage::Invariants, &mut best);
            return best.cases();
        }
        self.single(&open, &name, PoolStage::Symbols, &mut best);
        self.split(&closed, &name, PoolStage::Symbols, &mut best);
        // With guesses the larger pool is searched from the violation backwards, which is cheaper
        // than to shrink it.
        if best.uncut > 0
            && let Some(case) = self.needing_lemmas(&open, &name, &best)
        {
            return Some(vec![case]);
        }
        self.single(&open, &name, PoolStage::Guards, &mut best);
        self.split(&closed, &name, PoolStage::Guards, &mut best);
        best.cases()
    }

    /// One case that leaves open which violators coincide, if that is better than what is known.
    fn single(&mut self, open: &ViolatorShape, name: &Name, stage: PoolStage, best: &mut Best) {
        if let Some((uncut, plan, case)) = self.shape(open, name, stage, best) {
            *best = Best { uncut, cases: vec![case], plan: Some(plan) };
        }
    }

    /// A case that cuts what was not cut without lemmas.
    fn needing_lemmas(&mut self, shape: &ViolatorShape, name: &Name, best: &Best) -> Option<Case> {
        let mut uncut = primary_sorts(self.protocol, shape);
        uncut.retain(|sort| !best.cuts(*sort));
        let (case, lemmas) = self.with_lemmas(shape, name, &uncut, best.plan.as_ref())?;
        for lemma in lemmas {
            if self.lemmas.iter().all(|known| known.formula != lemma.formula) {
                self.lemmas.push(lemma);
            }
        }
        Some(case)
    }

    /// One case for each way in which violators coincide, if that is better than what is known.
    fn split(&mut self, closed: &[ViolatorShape], name: &Name, stage: PoolStage, best: &mut Best) {
        if best.uncut == 0 || closed.len() < 2 {
            return;
        }
        let (mut cases, mut worst) = (Vec::new(), 0);
        for (index, shape) in closed.iter().enumerate() {
            let name: Name = format!("{name}_{}", index + 1).into();
            let Some((uncut, _, case)) = self.shape(shape, &name, stage, best) else {
                return;
            };
            worst = worst.max(uncut);
            cases.push(case);
        }
        best.uncut = worst;
        best.cases = cases;
    }

    /// The proof of a shape that leaves the fewest sorts of violators uncut, if these are fewer
    /// than in what is known.
    fn shape(
        &mut self,
        shape: &ViolatorShape,
        name: &Name,
        stage: PoolStage,
        known: &Best,
    ) -> Option<(usize, CutoffPlan, Case)> {
        let limit = known.uncut;
        if limit == 0 {
            return None;
        }
        let mut primary = primary_sorts(self.protocol, shape);
        // What was not cut so far decides.
        primary.sort_by_key(|sort| known.cuts(*sort));
        let mut best: Option<(usize, CutoffPlan, Case)> = None;
        let mut failed = 0;
        for sort in &primary {
            let is_cut =
                |plan: &CutoffPlan, sort: &SortId| plan.maps.iter().any(|map| map.sort == *sort);
            if best.as_ref().is_some_and(|(_, plan, _)| is_cut(plan, sort)) {
                continue;
            }
            let Some((plan, case)) = self.cut_first(shape, name, *sort, stage) else {
                // What cannot be cut alone is hardly cut together with others.
                failed += 1;
                if failed >= limit {
                    return None;
                }
                continue;
            };
            let uncut = primary.iter().filter(|sort| !is_cut(&plan, sort)).count();
            if best.as_ref().is_none_or(|(fewest, ..)| uncut < *fewest) {
                best = Some((uncut, plan, case));
            }
            if uncut == 0 {
                break;
            }
        }
        best.filter(|(uncut, ..)| *uncut < limit)
    }

    /// The first plan that cuts a sort and works, with as many further cuts as work.
    fn cut_first(
        &mut self,
        shape: &ViolatorShape,
        name: &Name,
        sort: SortId,
        stage: PoolStage,
    ) -> Option<(CutoffPlan, Case)> {
        let plans = plans(self.protocol, self.facts, shape, sort, stage);
        let first = self.first_that_works(shape, name, plans)?;
        Some(self.cut_more(shape, name, first))
    }

    /// Cuts further sorts, as long as there is still a proof.
    fn cut_more(
        &mut self,
        shape: &ViolatorShape,
        name: &Name,
        first: (CutoffPlan, Case),
    ) -> (CutoffPlan, Case) {
        let mut best = first;
        for sort in self.protocol.signature.sorts() {
            if best.0.maps.iter().any(|map| map.sort == sort) {
                continue;
            }
            let maps = maps(self.protocol, &self.facts.structure, shape, sort).into_iter();
            let more = maps.map(|map| {
                let mut more = best.0.clone();
                more.maps.push(map);
                more
            });
            let more = more.collect();
            if let Some(found) = self.first_that_works(shape, name, more) {
                best = found;
            }
        }
        best
    }
}

/// What was found so far for a property.
struct Best {
    /// How many sorts of violators stay uncut.
    uncut: usize,
    cases: Vec<Case>,
    /// The plan that leaves open who coincides.
    plan: Option<CutoffPlan>,
}

impl Best {
    fn cases(self) -> Option<Vec<Case>> {
        (self.uncut < usize::MAX).then_some(self.cases)
    }

    fn cuts(&self, sort: SortId) -> bool {
        self.plan.iter().flat_map(|plan| &plan.maps).any(|map| map.sort == sort)
    }
}
