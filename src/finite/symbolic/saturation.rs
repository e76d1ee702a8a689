//! Saturation (Ciardo, Lüttgen, Siminiceanu 2001): the states that are reachable, from the bottom
//! level up.
//!
//! A node is saturated when its set is closed under every event whose top level is at or below the
//! node's. Firing an event builds new nodes; they are saturated before anything above them sees
//! them. Closing distributes over unions, because an event fires from single states, so the union
//! of saturated nodes is saturated.

use rustc_hash::FxHashMap;

use super::diagram::{BOTTOM, Diagram, Diagrams, FIRST_OF_CALLERS};
use super::transition_relations::{Access, Event};
use crate::finite::question::coverage::Progress;
use crate::finite::question::reason::FiniteReason;

/// Computes images under events.
pub(super) struct Saturation<'e, 'd> {
    diagrams: &'d mut Diagrams,
    events: &'e [Event],
    /// For each level, the events whose top it is.
    by_top: Vec<Vec<usize>>,
    closed: FxHashMap<Diagram, Diagram>,
    saturated: FxHashMap<(Diagram, u32), Diagram>,
    /// For each event, the number by which the images at its first level are remembered.
    operations: Vec<u32>,
    progress: &'e dyn Progress,
    /// The steps after which to report again.
    next_report: u64,
}

/// Steps between two reports: some milliseconds.
const STEPS_BETWEEN_REPORTS: u64 = 1 << 16;

/// The states that are reachable from some states by events.
pub(super) fn reachable(
    diagrams: &mut Diagrams,
    levels: u32,
    events: &[Event],
    from: Diagram,
    progress: &dyn Progress,
) -> Result<Diagram, FiniteReason> {
    let mut by_top = vec![Vec::new(); levels as usize];
    let (mut operations, mut next) = (Vec::new(), FIRST_OF_CALLERS);
    for (index, event) in events.iter().enumerate() {
        operations.push(next);
        let after = u32::try_from(event.levels.len()).ok().and_then(|own| next.checked_add(own));
        next = after.ok_or(FiniteReason::MaxMemory(diagrams.max_memory()))?;
        // An event that touches no bit changes nothing.
        if let Some((top, _)) = event.levels.first() {
            by_top[*top as usize].push(index);
        }
    }
    let mut saturation = Saturation {
        diagrams,
        events,
        by_top,
        closed: FxHashMap::default(),
        saturated: FxHashMap::default(),
        operations,
        progress,
        next_report: STEPS_BETWEEN_REPORTS,
    };
    saturation.close(from, 0)
}

impl Saturation<'_, '_> {
    /// The level of a set's first node; the number of levels for a constant.
    fn level(&self, set: Diagram) -> u32 {
        match self.diagrams.variable(set) {
            BOTTOM => self.levels(),
            variable => variable / 2,
        }
    }

    fn levels(&self) -> u32 {
        u32::try_from(self.by_top.len()).unwrap_or(u32::MAX)
    }

    fn remember(&mut self) {
        let count = self.closed.len() + self.saturated.len();
        self.diagrams.remembered = count as u64;
        if self.diagrams.steps() >= self.next_report {
            self.next_report = self.diagrams.steps() + STEPS_BETWEEN_REPORTS;
            self.progress.report(&self.diagrams.counts());
        }
    }

    /// A set closed under every event from level `top` on.
    fn close(&mut self, set: Diagram, top: u32) -> Result<Diagram, FiniteReason> {
        if set == Diagram::FALSE {
            return Ok(set);
        }
        let level = self.level(set);
        let closed = match self.closed.get(&set) {
            Some(known) => *known,
            None if set == Diagram::TRUE => set,
            None => {
                let (low, high) = self.diagrams.cofactors(set, 2 * level);
                let (low, high) = (self.close(low, level + 1)?, self.close(high, level + 1)?);
                let node = self.diagrams.node(2 * level, low, high)?;
                let closed = self.saturate(node, level)?;
                self.closed.insert(set, closed);
                closed
            }
        };
        self.saturate_skipped(closed, top, level)
    }

    /// Closes a set under the events of the levels that its diagram skips, from the lowest up.
    fn saturate_skipped(
        &mut self,
        set: Diagram,
        top: u32,
        below: u32,
    ) -> Result<Diagram, FiniteReason> {
        let levels = (top..below).rev();
        levels.into_iter().try_fold(set, |set, level| self.saturate(set, level))
    }

    /// Closes a set under the events of one level; it is closed under those of all later ones.
    fn saturate(&mut self, set: Diagram, level: u32) -> Result<Diagram, FiniteReason> {
        if self.by_top[level as usize].is_empty() || set == Diagram::FALSE {
            return Ok(set);
        }
        if let Some(known) = self.saturated.get(&(set, level)) {
            return Ok(*known);
        }
        let (mut grown, mut before) = (set, Diagram::FALSE);
        while grown != before {
            before = grown;
            for position in 0..self.by_top[level as usize].len() {
                let event = self.by_top[level as usize][position];
                let image = self.image(grown, self.events[event].relation, event, 0)?;
                grown = self.diagrams.or(grown, image)?;
            }
        }
        self.saturated.insert((set, level), grown);
        // The result is a fixed point, whichever set led to it.
        self.saturated.insert((grown, level), grown);
        self.remember();
        Ok(grown)
    }

    /// The successors of a set by an event, of which `relation` is left from its level at `position`
    /// on; closed under the events of all levels below the event's top.
    fn image(
        &mut self,
        set: Diagram,
        relation: Diagram,
        event: usize,
        position: usize,
    ) -> Result<Diagram, FiniteReason> {
        if set == Diagram::FALSE || relation == Diagram::FALSE {
            return Ok(Diagram::FALSE);
        }
        let events = self.events;
        let Some((own, access)) = events[event].levels.get(position).copied() else {
            return Ok(set);
        };
        let operation = self.operations[event] + u32::try_from(position).unwrap_or(u32::MAX);
        if let Some(known) = self.diagrams.known(operation, set, relation) {
            return Ok(known);
        }
        let level = self.level(set).min(own);
        let (low, high) = self.diagrams.cofactors(set, 2 * level);
        let (low, high) = if level < own {
            let low = self.image_below(low, relation, event, position, level)?;
            (low, self.image_below(high, relation, event, position, level)?)
        } else {
            let next = position + 1;
            let (from_low, from_high) = self.diagrams.cofactors(relation, 2 * level);
            match access {
                Access::Read => {
                    let low = self.image_below(low, from_low, event, next, level)?;
                    (low, self.image_below(high, from_high, event, next, level)?)
                }
                Access::Write => {
                    let (mut to_low, mut to_high) = (Diagram::FALSE, Diagram::FALSE);
                    for (set, relation) in [(low, from_low), (high, from_high)] {
                        let (left, right) = self.diagrams.cofactors(relation, 2 * level + 1);
                        let left = self.image_below(set, left, event, next, level)?;
                        to_low = self.diagrams.or(to_low, left)?;
                        let right = self.image_below(set, right, event, next, level)?;
                        to_high = self.diagrams.or(to_high, right)?;
                    }
                    (to_low, to_high)
                }
            }
        };
        let node = self.diagrams.node(2 * level, low, high)?;
        // At its top level, the caller repeats the event until nothing new appears.
        let image = if position == 0 && level == own { node } else { self.saturate(node, level)? };
        self.diagrams.remember(operation, [set, relation], image);
        Ok(image)
    }

    /// An image below a level, closed also under the events of levels that its diagram skips.
    fn image_below(
        &mut self,
        set: Diagram,
        relation: Diagram,
        event: usize,
        position: usize,
        level: u32,
    ) -> Result<Diagram, FiniteReason> {
        let image = self.image(set, relation, event, position)?;
        if image == Diagram::FALSE {
            return Ok(image);
        }
        let own = self.events[event].levels.get(position).map_or(u32::MAX, |(own, _)| *own);
        let done = self.level(set).min(own).min(self.levels());
        self.saturate_skipped(image, level + 1, done)
    }
}
