//! Backward coverability: the minimal configurations from which something bad can be reached.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use itertools::Itertools as _;

use crate::budget::Stop;
use crate::process::counters::{Configuration, CounterSystem, receives, sends};
use crate::process::local::StateIndex;
use crate::process::{EventId, EventKind, Participants, Role};

/// Why counters give no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Uncovered {
    /// A process has more local states than these.
    LocalStates(usize),
    /// There are more minimal configurations than these.
    Configurations(usize),
    /// Variables have values of an unbounded domain.
    UnboundedData,
    /// The environment has a state of its own.
    Environment,
    /// The protocol has no relation for something the process has.
    Names,
    /// The time is up.
    Stopped,
}

/// For every state after a move, the states before it.
type Origins = BTreeMap<StateIndex, BTreeSet<StateIndex>>;

/// What one event does, seen backwards.
enum Rule {
    Alone(Origins),
    Rendezvous { send: Origins, receive: Origins },
    Broadcast { send: Option<Origins>, receive: Origins },
    Partition { win: Origins, lose: Origins, winners: usize, outside: Outside },
    Consensus { decide: Origins, proposers: Vec<BTreeSet<StateIndex>>, outside: Outside },
}

/// Which states a process can have that takes no part.
type Outside = BTreeSet<StateIndex>;

/// Closes a set of bad configurations under predecessors; the minimal ones are the result.
///
/// # Errors
/// When there are too many, or the time is up.
pub(super) fn close(
    system: CounterSystem<'_>,
    bad: Vec<Configuration>,
    most: usize,
    stop: &Stop,
) -> Result<Vec<Configuration>, Uncovered> {
    let rules = rules(system);
    let mut known: Vec<Configuration> = minimal(bad);
    let mut open: VecDeque<Configuration> = known.iter().cloned().collect();
    while let Some(after) = open.pop_front() {
        if stop.is_set() {
            return Err(Uncovered::Stopped);
        }
        // Something smaller may have been found since.
        if !known.contains(&after) {
            continue;
        }
        for before in rules.iter().flat_map(|rule| rule.predecessors(&after)) {
            if known.iter().any(|smaller| is_below(smaller, &before)) {
                continue;
            }
            known.retain(|larger| !is_below(&before, larger));
            known.push(before.clone());
            open.push_back(before);
        }
        if known.len() > most {
            return Err(Uncovered::Configurations(most));
        }
    }
    known.sort_by_key(|configuration| (configuration.len(), configuration.clone()));
    Ok(known)
}

/// Whether one configuration has every process of another one.
pub(super) fn is_below(smaller: &[StateIndex], larger: &[StateIndex]) -> bool {
    let mut rest = larger.iter();
    smaller.len() <= larger.len() && smaller.iter().all(|state| rest.any(|other| other == state))
}

/// Those that are above no other.
pub(super) fn minimal(mut all: Vec<Configuration>) -> Vec<Configuration> {
    all.sort_by_key(|configuration| (configuration.len(), configuration.clone()));
    all.dedup();
    let mut kept: Vec<Configuration> = Vec::new();
    for configuration in all {
        if !kept.iter().any(|smaller| is_below(smaller, &configuration)) {
            kept.push(configuration);
        }
    }
    kept
}

fn rules(system: CounterSystem<'_>) -> Vec<Rule> {
    (0..system.process.events.len())
        .map(EventId)
        .flat_map(|event| rules_of_event(system, event))
        .collect()
}

fn rules_of_event(system: CounterSystem<'_>, event: EventId) -> Vec<Rule> {
    let origins = |wanted: &dyn Fn(&Role) -> bool| origins(system, event, wanted);
    let payloads = || system.payloads(event).into_iter();
    match system.process.event(event).kind {
        EventKind::Internal | EventKind::EnvironmentRendezvous => {
            vec![Rule::Alone(origins(&|role| *role == Role::Alone))]
        }
        EventKind::Rendezvous => payloads()
            .map(|payload| Rule::Rendezvous {
                send: origins(&|role| sends(role, payload)),
                receive: origins(&|role| receives(role, payload)),
            })
            .collect(),
        EventKind::Broadcast => payloads()
            .map(|payload| Rule::Broadcast {
                send: Some(origins(&|role| sends(role, payload))),
                receive: origins(&|role| receives(role, payload)),
            })
            .collect(),
        EventKind::EnvironmentBroadcast => payloads()
            .map(|payload| Rule::Broadcast {
                send: None,
                receive: origins(&|role| receives(role, payload)),
            })
            .collect(),
        EventKind::Partition { participants, winners } => vec![Rule::Partition {
            win: members(system, participants, origins(&|role| *role == Role::Win)),
            lose: members(system, participants, origins(&|role| *role == Role::Lose)),
            winners,
            outside: outside(system, participants),
        }],
        EventKind::Consensus { participants, .. } => {
            let own = system.process.leaves.iter().filter(|leaf| leaf.event == event);
            let decided: BTreeSet<&Vec<i64>> = own
                .filter_map(|leaf| match &leaf.role {
                    Role::Decide { values, .. } => Some(values),
                    _ => None,
                })
                .collect();
            let rule = |values: &Vec<i64>| {
                let decides =
                    |role: &Role| matches!(role, Role::Decide { values: own, .. } if own == values);
                let decide = members(system, participants, origins(&decides));
                let able: BTreeSet<StateIndex> = decide.values().flatten().copied().collect();
                let proposers = values.iter().map(|value| {
                    let proposes =
                        |state: &&StateIndex| system.proposals(event, **state).contains(value);
                    able.iter().filter(proposes).copied().collect()
                });
                let proposers = proposers.collect();
                Rule::Consensus { decide, proposers, outside: outside(system, participants) }
            };
            decided.into_iter().map(rule).collect()
        }
    }
}

fn origins(system: CounterSystem<'_>, event: EventId, wanted: &dyn Fn(&Role) -> bool) -> Origins {
    let mut origins = Origins::new();
    let own = |leaf: &crate::process::Leaf| leaf.event == event && wanted(&leaf.role);
    for (step, _) in system.locals.moves_by(system.process, own) {
        origins.entry(step.target).or_default().insert(step.source);
    }
    origins
}

/// Only the moves of processes that can be participants.
fn members(system: CounterSystem<'_>, participants: Participants, origins: Origins) -> Origins {
    let Participants::Marked(bit) = participants else { return origins };
    let marked = |state: &StateIndex| system.locals.states[*state].values[bit.0] == 1;
    let only = |(target, sources): (StateIndex, BTreeSet<StateIndex>)| {
        (target, sources.into_iter().filter(marked).collect())
    };
    origins.into_iter().map(only).collect()
}

fn outside(system: CounterSystem<'_>, participants: Participants) -> Outside {
    let states = 0..system.locals.states.len();
    match participants {
        Participants::All => Outside::new(),
        Participants::Linked(_) => states.collect(),
        Participants::Marked(bit) => {
            states.filter(|state| system.locals.states[*state].values[bit.0] == 0).collect()
        }
    }
}

/// The processes that must have been there besides, for what those that are known did: one list for
/// each choice.
type Missing<'a> = dyn Fn(&[(Part, StateIndex)]) -> Vec<Vec<StateIndex>> + 'a;

/// What one process of a configuration did.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    First,
    Second,
    None,
}

impl Rule {
    /// Configurations that lead above another one; those above it already are left out.
    fn predecessors(&self, after: &Configuration) -> Vec<Configuration> {
        match self {
            Rule::Alone(moves) => {
                let every = (0..after.len()).flat_map(|at| {
                    let sources = moves.get(&after[at]).into_iter().flatten();
                    sources.map(move |source| replaced(after, &[(at, *source)], &[]))
                });
                every.collect()
            }
            Rule::Rendezvous { send, receive } => rendezvous(send, receive, after),
            Rule::Broadcast { send, receive } => broadcast(send.as_ref(), receive, after),
            Rule::Partition { win, lose, winners, outside } => {
                let able: Vec<StateIndex> =
                    win.values().flatten().copied().sorted().dedup().collect();
                let parts = |before: &[(Part, StateIndex)]| {
                    let won = before.iter().filter(|(part, _)| *part == Part::First).count();
                    let lost = before.iter().any(|(part, _)| *part == Part::Second);
                    let missing = match (won, lost) {
                        (won, _) if won > *winners => return Vec::new(),
                        (0, false) => return Vec::new(),
                        (_, false) => 0,
                        (won, true) => winners - won,
                    };
                    able.iter().copied().combinations_with_replacement(missing).collect()
                };
                every_part(after, win, lose, outside, &parts)
            }
            Rule::Consensus { decide, proposers, outside } => {
                let parts = |before: &[(Part, StateIndex)]| {
                    let members = before.iter().filter(|(part, _)| *part != Part::None);
                    let members: Vec<StateIndex> = members.map(|(_, state)| *state).collect();
                    if members.is_empty() {
                        return Vec::new();
                    }
                    let missing = proposers
                        .iter()
                        .filter(|able| !members.iter().any(|member| able.contains(member)));
                    // Without anything missing the product is one empty list.
                    missing.map(|able| able.iter().copied()).multi_cartesian_product().collect()
                };
                every_part(after, decide, &Origins::new(), outside, &parts)
            }
        }
    }
}

fn rendezvous(send: &Origins, receive: &Origins, after: &Configuration) -> Vec<Configuration> {
    let sources = |moves: &Origins, state: StateIndex| -> Vec<StateIndex> {
        moves.get(&state).into_iter().flatten().copied().collect()
    };
    let all =
        |moves: &Origins| -> BTreeSet<StateIndex> { moves.values().flatten().copied().collect() };
    let (senders, receivers) = (all(send), all(receive));
    let mut found = Vec::new();
    for one in 0..after.len() {
        for source in sources(send, after[one]) {
            for receiver in &receivers {
                found.push(replaced(after, &[(one, source)], &[*receiver]));
            }
            for other in (0..after.len()).filter(|other| *other != one) {
                for receiver in sources(receive, after[other]) {
                    found.push(replaced(after, &[(one, source), (other, receiver)], &[]));
                }
            }
        }
        for source in sources(receive, after[one]) {
            for sender in &senders {
                found.push(replaced(after, &[(one, source)], &[*sender]));
            }
        }
    }
    found
}

fn broadcast(
    send: Option<&Origins>,
    receive: &Origins,
    after: &Configuration,
) -> Vec<Configuration> {
    let none = Outside::new();
    let Some(send) = send else {
        return every_part(after, receive, &Origins::new(), &none, &|_| vec![Vec::new()]);
    };
    let senders: BTreeSet<StateIndex> = send.values().flatten().copied().collect();
    let parts = |before: &[(Part, StateIndex)]| match before
        .iter()
        .filter(|(part, _)| *part == Part::First)
        .count()
    {
        0 => senders.iter().map(|sender| vec![*sender]).collect(),
        1 => vec![Vec::new()],
        _ => Vec::new(),
    };
    every_part(after, send, receive, &none, &parts)
}

/// Every choice of what each process did, completed by the processes that must have been there
/// besides.
fn every_part(
    after: &Configuration,
    first: &Origins,
    second: &Origins,
    outside: &Outside,
    missing: &Missing<'_>,
) -> Vec<Configuration> {
    let options = after.iter().map(|state| {
        let of = |moves: &Origins, part: Part| -> Vec<(Part, StateIndex)> {
            moves.get(state).into_iter().flatten().map(|source| (part, *source)).collect()
        };
        let still = outside.contains(state).then_some((Part::None, *state));
        let mut options = [of(first, Part::First), of(second, Part::Second)].concat();
        options.extend(still);
        options
    });
    let mut found = BTreeSet::new();
    for before in options.map(Vec::into_iter).multi_cartesian_product() {
        for more in missing(&before) {
            let states = before.iter().map(|(_, state)| *state).chain(more);
            found.insert(states.sorted().collect());
        }
    }
    found.into_iter().collect()
}

fn replaced(
    after: &Configuration,
    changes: &[(usize, StateIndex)],
    more: &[StateIndex],
) -> Configuration {
    let mut before = after.clone();
    for (at, state) in changes {
        before[*at] = *state;
    }
    before.extend(more);
    before.sort_unstable();
    before
}
