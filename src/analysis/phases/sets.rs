//! Acting and reacting transitions, and the phases they separate.

use std::collections::{BTreeMap, BTreeSet};

use crate::process::local::{LocalStates, StateIndex};
use crate::process::{EventId, EventKind, Leaf, Process, Role};

/// Local states that may be occupied at the same time between two synchronisations.
pub type Phase = BTreeSet<StateIndex>;

/// A transition of one process, as the analysis sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Transition {
    /// The state before.
    pub source: StateIndex,
    /// The state after.
    pub target: StateIndex,
    /// The event.
    pub event: EventId,
    /// The path through the handler; `None` for an agreement that the location is not concerned
    /// with, which the analysis counts as a reaction.
    pub leaf: Option<usize>,
    /// What it is.
    pub kind: TransitionKind,
}

/// What a transition is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TransitionKind {
    /// One process alone, or with the environment.
    Internal,
    /// A message from one process to another.
    Rendezvous,
    /// It starts a synchronisation.
    Acting,
    /// It takes part in a synchronisation that another process starts.
    Reacting,
}

/// The transitions of a process, classified.
#[derive(Clone, Debug)]
pub struct Sets {
    /// Every transition.
    pub transitions: Vec<Transition>,
    /// For every state, the states that internal and rendezvous transitions connect it with.
    classes: Vec<BTreeSet<StateIndex>>,
    /// The events that all participants take part in at once.
    pub synchronising: Vec<EventId>,
    /// The events that the environment starts.
    environment: BTreeSet<EventId>,
}

impl Sets {
    /// Classifies the transitions of a process.
    pub fn of(process: &Process, locals: &LocalStates) -> Self {
        let transition = |step: &crate::process::local::Move| {
            let leaf = &process.leaves[step.leaf];
            Transition {
                source: step.source,
                target: step.target,
                event: leaf.event,
                leaf: Some(step.leaf),
                kind: kind(process, locals, leaf, step.source),
            }
        };
        let mut transitions: Vec<Transition> = locals.moves.iter().map(transition).collect();
        for (point, event) in &process.unconcerned {
            let there = (0..locals.states.len()).filter(|at| locals.states[*at].point == *point);
            transitions.extend(there.map(|state| Transition {
                source: state,
                target: state,
                event: *event,
                leaf: None,
                kind: TransitionKind::Reacting,
            }));
        }
        let ids = || (0..process.events.len()).map(EventId);
        let is_synchronising = |event: &EventId| {
            !matches!(
                process.event(*event).kind,
                EventKind::Internal | EventKind::EnvironmentRendezvous | EventKind::Rendezvous
            )
        };
        let from_outside =
            |event: &EventId| process.event(*event).kind == EventKind::EnvironmentBroadcast;
        let classes = classes(locals.states.len(), &transitions);
        Sets {
            transitions,
            classes,
            synchronising: ids().filter(is_synchronising).collect(),
            environment: ids().filter(from_outside).collect(),
        }
    }

    /// The transitions of one kind at an event.
    pub fn of_event(
        &self,
        event: EventId,
        kind: TransitionKind,
    ) -> impl Iterator<Item = &Transition> {
        self.transitions.iter().filter(move |own| own.event == event && own.kind == kind)
    }

    /// The states that react to an event.
    pub fn reacting(&self, event: EventId) -> BTreeSet<StateIndex> {
        self.of_event(event, TransitionKind::Reacting).map(|own| own.source).collect()
    }

    /// Whether a state of a set starts an event; the environment starts its own at any time.
    pub fn is_initiable(&self, event: EventId, states: &BTreeSet<StateIndex>) -> bool {
        self.environment.contains(&event)
            || self.of_event(event, TransitionKind::Acting).any(|own| states.contains(&own.source))
    }

    /// The states after an event.
    pub fn targets(&self, event: EventId) -> BTreeSet<StateIndex> {
        self.transitions.iter().filter(|own| own.event == event).map(|own| own.target).collect()
    }

    fn sources(&self, event: EventId) -> BTreeSet<StateIndex> {
        self.transitions.iter().filter(|own| own.event == event).map(|own| own.source).collect()
    }

    /// The states from which internal transitions lead into a set.
    pub fn leading_to(&self, states: &BTreeSet<StateIndex>) -> BTreeSet<StateIndex> {
        let mut found = states.clone();
        loop {
            let before = found.len();
            let internal =
                self.transitions.iter().filter(|own| own.kind == TransitionKind::Internal);
            let more: Vec<StateIndex> =
                internal.filter(|own| found.contains(&own.target)).map(|own| own.source).collect();
            found.extend(more);
            if found.len() == before {
                return found;
            }
        }
    }

    /// The phases: what is before or after a synchronisation, closed under the other transitions;
    /// two that share connected states are one.
    pub fn phases(&self) -> Vec<Phase> {
        let start = self.synchronising.iter().flat_map(|event| {
            [self.sources(*event), self.targets(*event)].map(|states| self.closed(&states))
        });
        let mut phases: Vec<Phase> = start.filter(|phase| !phase.is_empty()).collect();
        loop {
            let shared = |one: &Phase, other: &Phase| {
                one.intersection(other).any(|state| self.classes[*state].len() > 1)
            };
            let pair = (0..phases.len()).find_map(|one| {
                let others = one + 1..phases.len();
                others
                    .into_iter()
                    .find(|other| shared(&phases[one], &phases[*other]))
                    .map(|other| (one, other))
            });
            let Some((one, other)) = pair else { break };
            let merged = phases.remove(other);
            phases[one].extend(merged);
        }
        for (state, class) in self.classes.iter().enumerate() {
            if !phases.iter().any(|phase| phase.contains(&state)) {
                phases.push(class.clone());
            }
        }
        phases.sort();
        phases.dedup();
        phases
    }

    fn closed(&self, states: &BTreeSet<StateIndex>) -> Phase {
        states.iter().flat_map(|state| self.classes[*state].iter().copied()).collect()
    }
}

fn kind(
    process: &Process,
    locals: &LocalStates,
    leaf: &Leaf,
    source: StateIndex,
) -> TransitionKind {
    let event = process.event(leaf.event).kind;
    match (&leaf.role, event) {
        (Role::Alone, _) => TransitionKind::Internal,
        (_, EventKind::Rendezvous) => TransitionKind::Rendezvous,
        (Role::Send { .. } | Role::Win, _) => TransitionKind::Acting,
        (Role::Decide { proposal: Some(own), values }, _)
            if values.contains(&locals.states[source].values[own.0]) =>
        {
            TransitionKind::Acting
        }
        _ => TransitionKind::Reacting,
    }
}

/// For every state, those that are connected with it by transitions that do not synchronise.
fn classes(states: usize, transitions: &[Transition]) -> Vec<BTreeSet<StateIndex>> {
    let mut class: Vec<usize> = (0..states).collect();
    let mut join = |one: StateIndex, other: StateIndex| {
        let (from, to) = (class[one].max(class[other]), class[one].min(class[other]));
        class.iter_mut().filter(|own| **own == from).for_each(|own| *own = to);
    };
    let mut first: BTreeMap<EventId, StateIndex> = BTreeMap::new();
    for own in transitions {
        match own.kind {
            TransitionKind::Internal => join(own.source, own.target),
            TransitionKind::Rendezvous => {
                let known = *first.entry(own.event).or_insert(own.source);
                join(known, own.source);
                join(known, own.target);
            }
            TransitionKind::Acting | TransitionKind::Reacting => {}
        }
    }
    let of = |number: usize| (0..states).filter(|state| class[*state] == number).collect();
    class.iter().map(|number| of(*number)).collect()
}
