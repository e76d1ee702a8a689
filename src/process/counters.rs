//! The counter system: how many live processes are in each local state, and how that changes.
//!
//! Exact where no path depends on links; otherwise what is linked to whom is left open, and more can
//! happen here than in the protocol.

use std::collections::BTreeSet;

use super::local::{LocalStates, StateIndex};
use super::{Crash, EventId, EventKind, Leaf, Participants, Process, Role};

/// The local states of the live processes, in ascending order.
pub type Configuration = Vec<StateIndex>;

/// The configurations that one event leads to.
#[derive(Clone, Copy)]
pub struct CounterSystem<'a> {
    /// The process.
    pub process: &'a Process,
    /// Its local states.
    pub locals: &'a LocalStates,
}

impl CounterSystem<'_> {
    /// The configurations that any number of processes can reach from the initial one.
    ///
    /// `None` if there are more than `most`.
    pub fn reachable(&self, processes: usize, most: usize) -> Option<BTreeSet<Configuration>> {
        let first: Configuration = vec![0; processes];
        let mut found = BTreeSet::from([first.clone()]);
        let mut open = vec![first];
        while let Some(configuration) = open.pop() {
            for next in self.successors(&configuration) {
                if found.insert(next.clone()) {
                    open.push(next);
                }
            }
            if found.len() > most {
                return None;
            }
        }
        Some(found)
    }

    /// The configurations after one step.
    pub fn successors(&self, before: &Configuration) -> BTreeSet<Configuration> {
        let mut after = BTreeSet::new();
        for index in 0..before.len() {
            if self.can_crash(before[index]) {
                after.insert(without(before, index));
            }
        }
        for event in (0..self.process.events.len()).map(EventId) {
            match self.process.event(event).kind {
                EventKind::Internal | EventKind::EnvironmentRendezvous => {
                    self.alone(event, before, &mut after);
                }
                EventKind::Rendezvous => self.rendezvous(event, before, &mut after),
                EventKind::Broadcast => self.broadcast(event, before, &mut after),
                EventKind::EnvironmentBroadcast => {
                    for payload in self.payloads(event) {
                        let moves = self.receipts(event, payload, before);
                        collect(&moves, &[], &mut after);
                    }
                }
                EventKind::Partition { participants, winners } => {
                    self.agree(participants, before, &mut after, |members| {
                        self.partition(event, winners, members)
                    });
                }
                EventKind::Consensus { participants, .. } => {
                    self.agree(participants, before, &mut after, |members| {
                        self.consensus(event, members)
                    });
                }
            }
        }
        after
    }

    /// Whether a process in this state can crash.
    pub fn can_crash(&self, state: StateIndex) -> bool {
        match &self.process.crash {
            Crash::Everywhere => true,
            Crash::Nowhere => false,
            Crash::At(points) => points.contains(&self.locals.states[state].point),
        }
    }

    /// The values that an event can carry; `None` for one that carries nothing.
    pub fn payloads(&self, event: EventId) -> BTreeSet<Option<i64>> {
        let of = |leaf: &Leaf| match leaf.role {
            Role::Receive { payload } | Role::Send { payload, .. } => Some(payload),
            _ => None,
        };
        let own = self.process.leaves.iter().filter(|leaf| leaf.event == event);
        let mut payloads: BTreeSet<Option<i64>> = own.filter_map(of).collect();
        if payloads.len() > 1 {
            // A receiver that ignores the value stands for all of them.
            payloads.remove(&None);
        }
        payloads
    }

    /// The states that a process in this state can move to by paths of an event.
    pub fn targets(
        &self,
        event: EventId,
        state: StateIndex,
        wanted: impl Fn(&Role) -> bool,
    ) -> Vec<StateIndex> {
        let path = |leaf: &Leaf| leaf.event == event && wanted(&leaf.role);
        let moves = self.locals.moves.iter().filter(|step| step.source == state);
        let targets = moves.filter(|step| path(&self.process.leaves[step.leaf]));
        let targets: BTreeSet<StateIndex> = targets.map(|step| step.target).collect();
        targets.into_iter().collect()
    }

    fn alone(&self, event: EventId, before: &Configuration, after: &mut BTreeSet<Configuration>) {
        for (index, state) in before.iter().enumerate() {
            for target in self.targets(event, *state, |role| *role == Role::Alone) {
                after.insert(sorted(without(before, index), &[target]));
            }
        }
    }

    fn rendezvous(
        &self,
        event: EventId,
        before: &Configuration,
        after: &mut BTreeSet<Configuration>,
    ) {
        for payload in self.payloads(event) {
            for (index, sender) in before.iter().enumerate() {
                let others = without(before, index);
                for (other, receiver) in others.iter().enumerate() {
                    let rest = without(&others, other);
                    for sent in self.targets(event, *sender, |role| sends(role, payload)) {
                        for got in self.targets(event, *receiver, |role| receives(role, payload)) {
                            after.insert(sorted(rest.clone(), &[sent, got]));
                        }
                    }
                }
            }
        }
    }

    fn broadcast(
        &self,
        event: EventId,
        before: &Configuration,
        after: &mut BTreeSet<Configuration>,
    ) {
        for payload in self.payloads(event) {
            for (index, sender) in before.iter().enumerate() {
                let mut moves = self.receipts(event, payload, &without(before, index));
                moves.push(self.targets(event, *sender, |role| sends(role, payload)));
                collect(&moves, &[], after);
            }
        }
    }

    fn receipts(
        &self,
        event: EventId,
        payload: Option<i64>,
        receivers: &[StateIndex],
    ) -> Vec<Vec<StateIndex>> {
        let targets =
            |state: &StateIndex| self.targets(event, *state, |role| receives(role, payload));
        receivers.iter().map(targets).collect()
    }

    /// Lets every possible set of participants agree.
    fn agree(
        &self,
        participants: Participants,
        before: &Configuration,
        after: &mut BTreeSet<Configuration>,
        outcomes: impl Fn(&[StateIndex]) -> Vec<Vec<Vec<StateIndex>>>,
    ) {
        let whole: Vec<bool> = match participants {
            Participants::All => vec![true; before.len()],
            Participants::Marked(bit) => {
                before.iter().map(|state| self.locals.states[*state].values[bit.0] == 1).collect()
            }
            Participants::Linked(_) => {
                let subsets = subsets(before.len());
                for members in subsets {
                    let (inside, outside) = split(before, &members);
                    outcomes(&inside).iter().for_each(|moves| collect(moves, &outside, after));
                }
                return;
            }
        };
        let (inside, outside) = split(before, &whole);
        outcomes(&inside).iter().for_each(|moves| collect(moves, &outside, after));
    }

    /// For every choice of winners, where each participant can move.
    fn partition(
        &self,
        event: EventId,
        winners: usize,
        members: &[StateIndex],
    ) -> Vec<Vec<Vec<StateIndex>>> {
        let winners = winners.min(members.len());
        let wins = subsets(members.len())
            .filter(|wins| wins.iter().filter(|wins| **wins).count() == winners);
        let moves = |wins: Vec<bool>| {
            let targets = |(state, wins): (&StateIndex, &bool)| {
                let role = if *wins { Role::Win } else { Role::Lose };
                self.targets(event, *state, |own| *own == role)
            };
            members.iter().zip(&wins).map(targets).collect()
        };
        if members.is_empty() { Vec::new() } else { wins.map(moves).collect() }
    }

    /// For every choice of values, where each participant can move.
    fn consensus(&self, event: EventId, members: &[StateIndex]) -> Vec<Vec<Vec<StateIndex>>> {
        let own = self.process.leaves.iter().filter(|leaf| leaf.event == event);
        let decided: BTreeSet<&Vec<i64>> = own
            .filter_map(|leaf| match &leaf.role {
                Role::Decide { values, .. } => Some(values),
                _ => None,
            })
            .collect();
        let proposed: BTreeSet<i64> =
            members.iter().flat_map(|state| self.proposals(event, *state)).collect();
        let possible = decided.into_iter().filter(|values| {
            !members.is_empty() && values.iter().all(|value| proposed.contains(value))
        });
        let moves = |values: &Vec<i64>| {
            let decides =
                |role: &Role| matches!(role, Role::Decide { values: own, .. } if own == values);
            members.iter().map(|state| self.targets(event, *state, decides)).collect()
        };
        possible.map(moves).collect()
    }

    /// What a process in this state proposes.
    pub fn proposals(&self, event: EventId, state: StateIndex) -> BTreeSet<i64> {
        let moves = self.locals.moves.iter().filter(|step| step.source == state);
        let paths = moves.map(|step| &self.process.leaves[step.leaf]);
        let proposals =
            paths.filter(|leaf| leaf.event == event).filter_map(|leaf| match leaf.role {
                Role::Decide { proposal: Some(variable), .. } => {
                    Some(self.locals.states[state].values[variable.0])
                }
                _ => None,
            });
        proposals.collect()
    }
}

/// Whether a path sends this value.
pub fn sends(role: &Role, value: Option<i64>) -> bool {
    matches!(role, Role::Send { payload, .. } if *payload == value)
}

/// Whether a path receives this value, or whatever is sent.
pub fn receives(role: &Role, value: Option<i64>) -> bool {
    matches!(role, Role::Receive { payload } if payload.is_none() || *payload == value)
}

fn without(configuration: &Configuration, index: usize) -> Configuration {
    let mut rest = configuration.clone();
    rest.remove(index);
    rest
}

fn sorted(mut rest: Configuration, more: &[StateIndex]) -> Configuration {
    rest.extend(more);
    rest.sort_unstable();
    rest
}

/// Every subset, as marks.
fn subsets(count: usize) -> impl Iterator<Item = Vec<bool>> {
    (0..1_usize << count).map(move |bits| (0..count).map(|at| bits >> at & 1 == 1).collect())
}

fn split(all: &[StateIndex], members: &[bool]) -> (Vec<StateIndex>, Vec<StateIndex>) {
    let side = |wanted: bool| {
        let own = all.iter().zip(members).filter(move |(_, is)| **is == wanted);
        own.map(|(state, _)| *state).collect()
    };
    (side(true), side(false))
}

/// Adds every combination of one target for each, together with those that do not move.
fn collect(targets: &[Vec<StateIndex>], still: &[StateIndex], after: &mut BTreeSet<Configuration>) {
    let mut partial: BTreeSet<Configuration> = BTreeSet::from([sorted(still.to_vec(), &[])]);
    for choices in targets {
        let longer = partial
            .iter()
            .flat_map(|known| choices.iter().map(|target| sorted(known.clone(), &[*target])));
        partial = longer.collect();
    }
    after.extend(partial);
}
