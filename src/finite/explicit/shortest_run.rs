//! The run to a state that the search has found faulty; it is replayed before it counts.

use super::Bfs;
use super::state_store::StateId;
use super::successors::{Fault, Scratch, SuccessorPlan};
use crate::finite::engine::{PackedPath, PackedStep, SearchEnding};
use crate::finite::error::EngineError;

impl Bfs<'_> {
    /// The way from an initial state to a faulty one.
    pub(super) fn violated(&self, fault: Fault, id: StateId) -> Result<SearchEnding, EngineError> {
        let mut way = vec![id];
        let mut current = id;
        while self.store.parent(current) != current {
            current = self.store.parent(current);
            way.push(current);
        }
        way.reverse();
        let initial = self.store.state(way[0]).to_vec();
        let mut scratch = self.plan.scratch(initial.len());
        let mut steps: Vec<PackedStep> = Vec::new();
        for wanted in &way[1..] {
            let from = steps.last().map_or(&initial, |step| &step.state).clone();
            let step = self.plan.step(&from, self.store.state(*wanted), &mut scratch);
            steps.push(step.ok_or_else(|| {
                EngineError::Bug("the explicit search lost the way to a state".to_owned())
            })?);
        }
        let claim = match fault {
            Fault::Claim(claim) => Some(claim),
            Fault::Deadlock => None,
        };
        Ok(SearchEnding::Unsafe(PackedPath { initial, steps, claim }, ()))
    }
}

impl SuccessorPlan {
    /// A step from a state to some state that `wanted` represents.
    fn step(&self, from: &[u64], wanted: &[u64], scratch: &mut Scratch) -> Option<PackedStep> {
        let mut found = None;
        self.moves.possible(from, |candidate| {
            if found.is_some() {
                return;
            }
            candidate.apply(from, &mut scratch.next);
            let state = scratch.next.clone();
            self.symmetries.normalize(&mut scratch.next, &mut scratch.room);
            if scratch.next == wanted {
                let (transition, picked) = (candidate.transition, candidate.picked.clone());
                found = Some(PackedStep { transition, picked, state });
            }
        });
        found
    }
}
