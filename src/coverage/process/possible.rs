//! Whether an event is possible among processes in given local states, and what stands in its way.

use std::collections::BTreeSet;

use super::{Obstacle, is_send};
use crate::process::counters::{receives, sends};
use crate::process::{EventId, EventKind, Leaf, LocalState, Participants, PointId, Process, Role};

/// An event, to be judged by local states alone.
pub(super) struct Possible<'a> {
    pub(super) process: &'a Process,
    pub(super) event: EventId,
}

impl<'a> Possible<'a> {
    fn leaves(&self, wanted: impl Fn(&Role) -> bool) -> Vec<&'a Leaf> {
        let own = |leaf: &&Leaf| leaf.event == self.event && wanted(&leaf.role);
        self.process.leaves.iter().filter(own).collect()
    }

    fn kind(&self) -> EventKind {
        self.process.event(self.event).kind
    }

    /// The points of the processes, but for one, that cannot receive a value.
    fn deaf(
        &self,
        states: &[LocalState],
        except: Option<usize>,
        payload: Option<i64>,
    ) -> BTreeSet<PointId> {
        let receipts = self.leaves(|role| receives(role, payload));
        let others = states.iter().enumerate().filter(|(index, _)| Some(*index) != except);
        let deaf = others.filter(|(_, state)| !receipts.iter().any(|leaf| leaf.applies(state)));
        deaf.map(|(_, state)| state.point).collect()
    }

    /// Whether a process can broadcast it, and another one hears it.
    pub(super) fn is_heard(&self, states: &[LocalState]) -> bool {
        states.len() > 1
            && self.ready(states).any(|(index, leaf)| {
                matches!(leaf.role, Role::Send { payload, .. }
                    if self.deaf(states, Some(index), payload).is_empty())
            })
    }

    /// The processes that can send, each with a path.
    fn ready<'s>(
        &self,
        states: &'s [LocalState],
    ) -> impl Iterator<Item = (usize, &'a Leaf)> + use<'a, 's> {
        let senders = self.leaves(is_send);
        states.iter().enumerate().flat_map(move |(index, state)| {
            let able: Vec<_> = senders
                .iter()
                .filter(|leaf| leaf.applies(state))
                .map(|leaf| (index, *leaf))
                .collect();
            able
        })
    }

    /// Whether some process can take a path, the others playing their parts.
    pub(super) fn is_taken(&self, leaf: &Leaf, states: &[LocalState]) -> bool {
        let takers: Vec<usize> =
            (0..states.len()).filter(|index| leaf.applies(&states[*index])).collect();
        takers.into_iter().any(|me| match (&leaf.role, self.kind()) {
            (Role::Alone, _) => true,
            (Role::Send { payload, .. }, EventKind::Rendezvous) => {
                self.any_other(me, states, |role| receives(role, *payload))
            }
            (Role::Receive { payload }, EventKind::Rendezvous) => {
                self.any_other(me, states, |role| received_as(*payload, role))
            }
            (Role::Send { payload, .. }, _) => self.deaf(states, Some(me), *payload).is_empty(),
            (Role::Receive { payload }, EventKind::EnvironmentBroadcast) => {
                self.deaf(states, None, *payload).is_empty()
            }
            (Role::Receive { payload }, _) => self.ready(states).any(|(sender, path)| {
                sender != me
                    && received_as(*payload, &path.role)
                    && matches!(path.role, Role::Send { payload, .. }
                        if self.deaf(states, Some(sender), payload).is_empty())
            }),
            (Role::Win | Role::Lose | Role::Decide { .. }, kind) => {
                self.takes_part(&leaf.role, kind, me, states)
            }
        })
    }

    fn any_other(&self, me: usize, states: &[LocalState], wanted: impl Fn(&Role) -> bool) -> bool {
        let paths = self.leaves(wanted);
        let mut others = states.iter().enumerate().filter(|(index, _)| *index != me);
        others.any(|(_, state)| paths.iter().any(|leaf| leaf.applies(state)))
    }

    fn takes_part(&self, role: &Role, kind: EventKind, me: usize, states: &[LocalState]) -> bool {
        let Some(members) = self.members(states) else { return true };
        let is_member = members.contains(&&states[me]);
        let enough = match (role, kind) {
            (Role::Lose, EventKind::Partition { winners, .. }) => members.len() > winners,
            (Role::Decide { values, .. }, _) => {
                values.iter().all(|value| self.proposed(&members).contains(value))
            }
            _ => true,
        };
        is_member && enough && self.unable(&members).is_empty()
    }

    /// Who takes part in an agreement; `None` if local states do not tell.
    fn members<'s>(&self, states: &'s [LocalState]) -> Option<Vec<&'s LocalState>> {
        let (EventKind::Partition { participants, .. } | EventKind::Consensus { participants, .. }) =
            self.kind()
        else {
            return None;
        };
        match participants {
            Participants::All => Some(states.iter().collect()),
            Participants::Marked(mark) => {
                Some(states.iter().filter(|state| state.values[mark.0] == 1).collect())
            }
            Participants::Linked(_) => None,
        }
    }

    /// The points of the members that are not where they can take part.
    fn unable(&self, members: &[&LocalState]) -> BTreeSet<PointId> {
        let paths = self.leaves(|_| true);
        let unable =
            members.iter().filter(|state| !paths.iter().any(|leaf| leaf.source == state.point));
        unable.map(|state| state.point).collect()
    }

    fn proposed(&self, members: &[&LocalState]) -> BTreeSet<i64> {
        let paths = self.leaves(|role| matches!(role, Role::Decide { proposal: Some(_), .. }));
        let proposal = |state: &&LocalState| {
            let mut own = paths.iter().filter(|leaf| leaf.source == state.point);
            own.find_map(|leaf| match leaf.role {
                Role::Decide { proposal: Some(variable), .. } => Some(state.values[variable.0]),
                _ => None,
            })
        };
        members.iter().filter_map(proposal).collect()
    }

    /// What stands in the way of the event in all of these states.
    pub(super) fn obstacle(&self, all: &BTreeSet<Vec<LocalState>>) -> Obstacle {
        let (senders, receivers) =
            (self.leaves(is_send), self.leaves(|role| matches!(role, Role::Receive { .. })));
        match self.kind() {
            EventKind::Rendezvous | EventKind::Broadcast if senders.is_empty() => {
                return Obstacle::NotSent;
            }
            EventKind::Rendezvous | EventKind::EnvironmentBroadcast if receivers.is_empty() => {
                return Obstacle::NotReceived;
            }
            EventKind::EnvironmentRendezvous if self.leaves(|_| true).is_empty() => {
                return Obstacle::NotReceived;
            }
            _ => {}
        }
        if self.kind() == EventKind::EnvironmentRendezvous {
            let paths = self.leaves(|_| true);
            let is_ready = |state: &LocalState| paths.iter().any(|leaf| leaf.applies(state));
            if all.iter().flatten().any(is_ready) {
                return Obstacle::Environment;
            }
        }
        let ways = all.iter().flat_map(|states| self.ways(states));
        match ways.min_by_key(|(ready, blocking)| (blocking.len(), *ready, blocking.clone())) {
            None => {
                let sources = match senders.is_empty() {
                    true => self.leaves(|_| true),
                    false => senders,
                };
                let points: BTreeSet<PointId> = sources.iter().map(|leaf| leaf.source).collect();
                Obstacle::NotReady(points.into_iter().collect())
            }
            Some((ready, blocking)) => match self.kind() {
                EventKind::Rendezvous => Obstacle::Others { ready, blocking: Vec::new() },
                EventKind::EnvironmentBroadcast if blocking.is_empty() => Obstacle::Environment,
                _ if blocking.is_empty() => Obstacle::Unclear,
                _ => Obstacle::Others { ready, blocking: blocking.into_iter().collect() },
            },
        }
    }

    /// Where a process is ready in these states, and the points of those that are in its way.
    fn ways(&self, states: &[LocalState]) -> Vec<(PointId, BTreeSet<PointId>)> {
        match self.kind() {
            EventKind::Internal | EventKind::EnvironmentRendezvous => Vec::new(),
            EventKind::Rendezvous => {
                self.ready(states).map(|(_, leaf)| (leaf.source, BTreeSet::new())).collect()
            }
            EventKind::Broadcast if states.len() < 2 => Vec::new(),
            EventKind::Broadcast => {
                let way = |(index, leaf): (usize, &Leaf)| match leaf.role {
                    Role::Send { payload, .. } => {
                        Some((leaf.source, self.deaf(states, Some(index), payload)))
                    }
                    _ => None,
                };
                self.ready(states).filter_map(way).collect()
            }
            EventKind::EnvironmentBroadcast => {
                let payloads =
                    self.leaves(|_| true).into_iter().filter_map(|leaf| match leaf.role {
                        Role::Receive { payload } => Some(payload),
                        _ => None,
                    });
                let payloads: BTreeSet<Option<i64>> = payloads.collect();
                let way = |payload: Option<i64>| {
                    let deaf = self.deaf(states, None, payload);
                    let able = states.iter().map(|state| state.point);
                    let able = able.filter(|point| !deaf.contains(point)).min();
                    able.map(|able| (able, deaf))
                };
                payloads.into_iter().filter_map(way).collect()
            }
            EventKind::Partition { .. } | EventKind::Consensus { .. } => {
                let Some(members) = self.members(states) else { return Vec::new() };
                let unable = self.unable(&members);
                let able = members.iter().map(|state| state.point);
                let able = able.filter(|point| !unable.contains(point)).min();
                able.map(|able| (able, unable)).into_iter().collect()
            }
        }
    }
}

/// Whether a path that expects a value, or any, receives what another one sends.
fn received_as(expected: Option<i64>, sent: &Role) -> bool {
    matches!(sent, Role::Send { .. }) && (expected.is_none() || sends(sent, expected))
}
