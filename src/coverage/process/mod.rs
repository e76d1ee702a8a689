//! What a process of a system of equals never does in small instances: locations it never reaches,
//! events that never happen and what stands in their way, handlers that never run, and
//! specifications about states that do not occur.
//!
//! Which states are reachable is found by searching the protocol. Whether an event is possible in
//! one of them is judged by local states; where it also depends on who knows whom, it is taken to
//! be possible.

mod configurations;
mod possible;

use std::collections::BTreeSet;

use crate::budget::Stop;
use crate::process::{Crash, EventId, EventKind, LocalState, PointId, Process, Role};
use crate::protocol::Protocol;
use crate::source::Span;

use configurations::{Configurations, search, search_calm};
use possible::Possible;

/// The least and the greatest number of processes up to which is searched.
const AT_LEAST: usize = 3;
const AT_MOST: usize = 5;

/// The most choices of winners that are written out for one agreement.
const MOST_CHOICES: usize = 1_100;

/// What a process never does.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Unused {
    /// The locations that no process reaches.
    pub locations: Vec<PointId>,
    /// The events that never happen, and what stands in their way.
    pub events: Vec<(EventId, Obstacle)>,
    /// The broadcasts that no other process receives unless one crashes.
    pub after_crashes: Vec<(EventId, Obstacle)>,
    /// The handlers that never run although their location is reached and their event happens.
    pub handlers: Vec<(PointId, EventId, Span)>,
    /// The specifications that speak of no state that occurs, by position.
    pub specifications: Vec<usize>,
    /// Up to how many processes was searched.
    pub processes: u32,
    /// Whether all states were visited.
    pub is_complete: bool,
}

/// What stands in the way of an event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Obstacle {
    /// No handler sends it.
    NotSent,
    /// No handler receives it.
    NotReceived,
    /// No process is ever ready at one of these points.
    NotReady(Vec<PointId>),
    /// Whenever a process is ready, at this point for one, others at these points are not.
    Others {
        /// Where a process is ready.
        ready: PointId,
        /// Where processes are that cannot take part.
        blocking: Vec<PointId>,
    },
    /// The environment is never ready when a process is.
    Environment,
    /// Something that local states do not tell.
    Unclear,
}

impl Unused {
    /// Whether a message may need a crash to be received.
    fn could_wait(&self, process: &Process, event: EventId) -> bool {
        process.event(event).kind == EventKind::Broadcast
            && process.crash != Crash::Nowhere
            && self.events.iter().all(|(never, _)| *never != event)
    }

    fn is_empty(&self) -> bool {
        self.locations.is_empty()
            && self.events.is_empty()
            && self.handlers.is_empty()
            && self.specifications.is_empty()
    }
}

/// Looks at growing numbers of processes until everything was seen; `None` if no state was
/// visited.
pub fn unused(protocol: &Protocol, process: &Process, stop: &Stop) -> Option<Unused> {
    let most = enough(process);
    let mut seen = Configurations::default();
    let mut found: Option<Unused> = None;
    for processes in 1..=most {
        if stop.is_set() {
            break;
        }
        search(protocol, process, processes, &mut seen, stop)?;
        let look = Look { process, seen: &seen };
        let unused = look.unused();
        let is_last = unused.is_empty();
        found = Some(Unused { processes, is_complete: seen.is_complete, ..unused });
        if is_last {
            break;
        }
    }
    let mut found = found?;
    let mut open: Vec<EventId> = (0..process.events.len())
        .map(EventId)
        .filter(|event| found.could_wait(process, *event))
        .collect();
    for processes in 2..=most.min(found.processes.max(2)) {
        if open.is_empty() || stop.is_set() {
            break;
        }
        search_calm(protocol, process, processes, &mut seen, stop)?;
        open.retain(|event| {
            let possible = Possible { process, event: *event };
            !seen.calm.iter().any(|own| possible.is_heard(own))
        });
    }
    let obstacle = |event: EventId| (event, Possible { process, event }.obstacle(&seen.calm));
    found.after_crashes = open.into_iter().map(obstacle).collect();
    found.is_complete = seen.is_complete;
    Some(found)
}

/// As many processes as can all win, one after the other, and one that loses.
fn enough(process: &Process) -> u32 {
    let winners = process.events.iter().map(|event| match event.kind {
        EventKind::Partition { winners, .. } => winners,
        _ => 0,
    });
    let all = winners.clone().sum::<usize>().saturating_add(1).clamp(AT_LEAST, AT_MOST);
    let exponent = winners.max().and_then(|most| u32::try_from(most).ok()).unwrap_or(0);
    let is_feasible = |count: &usize| count.saturating_pow(exponent) <= MOST_CHOICES;
    let all = (1..=all).rev().find(is_feasible).unwrap_or(1);
    u32::try_from(all).unwrap_or(u32::MAX)
}

struct Look<'a> {
    process: &'a Process,
    seen: &'a Configurations,
}

impl Look<'_> {
    fn unused(&self) -> Unused {
        let states: BTreeSet<&LocalState> = self.seen.all.iter().flatten().collect();
        let reached: BTreeSet<PointId> =
            states.iter().map(|state| self.process.point(state.point).location).collect();
        let points = (0..self.process.points.len()).map(PointId);
        let locations = points.filter(|point| self.process.point(*point).location == *point);
        let locations = locations.filter(|location| !reached.contains(location));
        let locations: Vec<PointId> =
            locations.filter(|location| !self.is_forbidden(*location)).collect();
        let mut unused = Unused { locations, ..Unused::default() };
        for event in (0..self.process.events.len()).map(EventId) {
            self.event(event, &mut unused);
        }
        unused.handlers = self.handlers(&reached, &unused);
        let specifications = self.process.specifications.iter().enumerate();
        unused.specifications = specifications
            .filter(|(_, own)| !own.is_owed && !own.requirement.is_prohibition())
            .filter(|(_, own)| !states.iter().any(|state| own.requirement.speaks_of(state)))
            .map(|(index, _)| index)
            .collect();
        unused
    }

    /// Whether a property says that no process is ever at a location.
    fn is_forbidden(&self, location: PointId) -> bool {
        let values = self.process.initial.values.clone();
        let state = LocalState { point: location, values };
        let specifications = self.process.specifications.iter();
        let mut prohibitions = specifications.filter(|own| own.requirement.is_prohibition());
        prohibitions.any(|own| own.requirement.speaks_of(&state))
    }

    /// Whether an event happens, and if not, why.
    fn event(&self, event: EventId, unused: &mut Unused) {
        let possible = Possible { process: self.process, event };
        let kind = self.process.event(event).kind;
        if kind == EventKind::Internal {
            return;
        }
        if !self.seen.events.contains(&event) {
            let obstacle = possible.obstacle(&self.seen.all);
            unused.events.push((event, obstacle));
            return;
        }
        // Without another process a broadcast is no message to anyone.
        if kind == EventKind::Broadcast && !self.seen.all.iter().any(|own| possible.is_heard(own)) {
            unused.events.push((event, possible.obstacle(&self.seen.all)));
        }
    }

    fn handlers(
        &self,
        reached: &BTreeSet<PointId>,
        unused: &Unused,
    ) -> Vec<(PointId, EventId, Span)> {
        let mut handlers: Vec<(PointId, EventId, Span)> = Vec::new();
        for leaf in &self.process.leaves {
            let changes = leaf.source != leaf.target || !leaf.writes.is_empty();
            let location = self.process.point(leaf.source).location;
            let handler = (location, leaf.event, leaf.span);
            let is_of_location = location == leaf.source;
            let happens = !unused.events.iter().any(|(event, _)| *event == leaf.event);
            // What changes nothing is there to ignore a message, whether it comes or not.
            if changes && is_of_location && reached.contains(&location) && happens {
                handlers.push(handler);
            }
        }
        handlers.sort_unstable();
        handlers.dedup();
        handlers.retain(|(_, event, span)| {
            let possible = Possible { process: self.process, event: *event };
            let mut own = self
                .process
                .leaves
                .iter()
                .filter(|leaf| leaf.span == *span && leaf.event == *event);
            !own.any(|leaf| self.seen.all.iter().any(|states| possible.is_taken(leaf, states)))
        });
        handlers
    }
}

/// Whether a path sends.
fn is_send(role: &Role) -> bool {
    matches!(role, Role::Send { .. })
}
