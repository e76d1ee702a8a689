//! Checks what a search found: a set is closed if no event leads out of it.
//!
//! Verdicts rest on this check and not on saturation: a set that has the initial states, is closed
//! and has no bad state is a proof, however it was found.

use rustc_hash::FxHashSet;

use super::diagram::{BOTTOM, Diagram, Diagrams};
use super::transition_relations::{Access, Event};
use crate::finite::question::reason::FiniteReason;

/// Whether every state that an event leads to from the set is in the set.
///
/// # Errors
/// When the budget is spent.
pub(super) fn is_closed(
    diagrams: &mut Diagrams,
    events: &[Event],
    set: Diagram,
) -> Result<bool, FiniteReason> {
    for event in events {
        let mut check = ClosureCheck { diagrams, event, inside: FxHashSet::default() };
        if !check.stays(set, event.relation, set, 0)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// One event against one set.
struct ClosureCheck<'e, 'd> {
    diagrams: &'d mut Diagrams,
    event: &'e Event,
    /// What is known to stay inside.
    inside: FxHashSet<(Diagram, Diagram, Diagram, usize)>,
}

impl ClosureCheck<'_, '_> {
    /// Whether `relation`, the rest of the event from its level at `position` on, leads from every
    /// state of `from` only to states of `to`.
    fn stays(
        &mut self,
        from: Diagram,
        relation: Diagram,
        to: Diagram,
        position: usize,
    ) -> Result<bool, FiniteReason> {
        if from == Diagram::FALSE || relation == Diagram::FALSE || to == Diagram::TRUE {
            return Ok(true);
        }
        let Some((own, access)) = self.event.levels.get(position).copied() else {
            // Nothing below changes.
            let outside = self.diagrams.not(to)?;
            return Ok(self.diagrams.and(from, outside)? == Diagram::FALSE);
        };
        let key = (from, relation, to, position);
        if self.inside.contains(&key) {
            return Ok(true);
        }
        self.diagrams.check_budget_after(self.inside.len())?;
        let level = self.level(from).min(self.level(to)).min(own);
        let from = self.diagrams.cofactors(from, 2 * level);
        let to = self.diagrams.cofactors(to, 2 * level);
        let stays = if level < own {
            self.stays(from.0, relation, to.0, position)?
                && self.stays(from.1, relation, to.1, position)?
        } else {
            let relation = self.diagrams.cofactors(relation, 2 * level);
            let next = position + 1;
            match access {
                Access::Read => {
                    self.stays(from.0, relation.0, to.0, next)?
                        && self.stays(from.1, relation.1, to.1, next)?
                }
                Access::Write => {
                    let low = self.diagrams.cofactors(relation.0, 2 * level + 1);
                    let high = self.diagrams.cofactors(relation.1, 2 * level + 1);
                    self.stays(from.0, low.0, to.0, next)?
                        && self.stays(from.0, low.1, to.1, next)?
                        && self.stays(from.1, high.0, to.0, next)?
                        && self.stays(from.1, high.1, to.1, next)?
                }
            }
        };
        if stays {
            self.inside.insert(key);
        }
        Ok(stays)
    }

    /// The level of a set's first node, below all others for a constant.
    fn level(&self, set: Diagram) -> u32 {
        match self.diagrams.variable(set) {
            BOTTOM => u32::MAX,
            variable => variable / 2,
        }
    }
}
