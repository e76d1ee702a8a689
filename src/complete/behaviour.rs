//! What tells completions apart: conditions under which others behave differently, and runs.

use super::finalists::Distinction;
use super::search::{Plausible, Requirement, STATES, Search};
use crate::finite::{ClaimViolation, FrozenCondition, FrozenSize};
use crate::protocol::{SymbolId, Trace};

impl Search<'_> {
    /// The next completion has to behave differently from this one.
    pub(crate) fn exclude_behaviour(&mut self, found: &Plausible) {
        let mut conditions = Vec::new();
        for (size, states) in self.sizes.iter_mut().zip(&found.reached) {
            let own = states
                .as_ref()
                .filter(|states| states.count <= STATES)
                .and_then(|states| size.differences(states, &found.values, &self.budget.stop));
            conditions.push(own);
        }
        if conditions.iter().all(Option::is_none) {
            self.learner.exclude_values(&found.values);
        } else {
            let pairs = self.sizes.iter().zip(&conditions);
            let parts: Vec<(&FrozenSize, &[FrozenCondition])> =
                pairs.map(|(size, own)| (size, own.as_deref().unwrap_or(&[]))).collect();
            self.learner.require_any(&parts);
        }
        self.requirements.push(Requirement::Answered);
        if self.counts_changes {
            // With more of them it would not be the smallest.
            self.learner.exclude_changes(&found.values);
            self.requirements.push(Requirement::Answered);
        }
    }

    /// A shortest run that tells two completions apart, of the later one if there is one.
    pub(crate) fn distinction(&mut self, before: &[bool], after: &[bool]) -> Option<Distinction> {
        let (protocol, budget) = (self.protocol, &self.budget);
        [(after, before, true), (before, after, false)].into_iter().find_map(|pair| {
            let (own, other, is_new) = pair;
            let mut runs = self.sizes.iter_mut();
            let mut run =
                runs.find_map(|size| size.distinguishing_run(protocol, (own, other), budget))?;
            without_flags(&mut run, &self.frozen);
            Some(Distinction { run, is_new })
        })
    }

    /// A requirement's run, as a trace of the protocol with flags.
    pub(crate) fn trace(&self, requirement: &Requirement) -> Option<ClaimViolation> {
        let Requirement::Run { size, values, run } = requirement else { return None };
        let mut found = self.sizes[*size].trace(self.protocol, values, run, &self.budget)?;
        without_flags(&mut found.trace, &self.frozen);
        Some(found)
    }
}

/// The flags are no state of the protocol that the user knows.
fn without_flags(trace: &mut Trace, flags: &[SymbolId]) {
    let states = std::iter::once(&mut trace.initial);
    for state in states.chain(trace.steps.iter_mut().map(|step| &mut step.state)) {
        state.tables.retain(|id, _| !flags.contains(id));
    }
}
