//! Counter-models with few elements, where the solver finds none by itself.

use z3::Solver;

use super::model::counter_model;
use super::session::Session;
use super::solver_call::{AttemptClock, FIRST, Z3Outcome, configure};
use crate::logic::{Formula, Vocabulary};
use crate::smt::CounterModel;

/// When looking for a finite counter-model, every sort gets up to this many elements.
const LARGEST_SEARCH: u32 = 4;

impl<V: Vocabulary> Session<'_, V> {
    /// Looks for a counter-model with 1, 2, … elements in every sort. Finding none proves nothing.
    pub(super) fn search(
        &mut self,
        facts: &[Formula<V>],
        clock: &AttemptClock,
    ) -> Option<CounterModel<V>> {
        for size in 1..=LARGEST_SEARCH {
            if clock.is_over().is_some() {
                return None;
            }
            // The level is opened before anything is stated: opening it later, Z3 would match the
            // patterns of all quantifiers at once, and nothing can interrupt it there.
            let solver = Solver::new();
            configure(&solver, FIRST);
            solver.push();
            for fact in facts {
                solver.assert(self.language.formula(fact));
            }
            for sort in self.language.sorts.keys() {
                self.language.at_most(*sort, size).into_iter().for_each(|few| solver.assert(few));
            }
            let limits = clock.share(LARGEST_SEARCH + 1 - size);
            if self.check(&solver, &[], limits) == Z3Outcome::Satisfiable
                && let Ok(model) = counter_model(&self.language, &solver, facts)
            {
                return Some(model);
            }
        }
        None
    }
}
