//! Phase-compatibility: each clause, and where it fails.

use std::collections::BTreeSet;

use super::sets::{Phase, Sets, Transition, TransitionKind};
use crate::process::local::StateIndex;
use crate::process::{EventId, Process};

/// A clause of phase-compatibility.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Clause {
    /// A state that starts an event also takes part in it.
    ActingReacts,
    /// Where a step of one or two processes leads to a state that reacts to an event, the whole
    /// phase can reach a state that reacts to it.
    PhaseReacts,
    /// If one way of starting an event leads to a state that reacts to another one, all do.
    ActorsAgree,
    /// And so do all ways of taking part in it, perhaps by internal steps.
    ReactorsFollow,
}

/// A place where a clause fails.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The clause.
    pub clause: Clause,
    /// The event that cannot be reacted to.
    pub event: EventId,
    /// The transition that asks for it; for the first clause the one that starts the event.
    pub because: Transition,
    /// The transition that ends in the wrong state, for the last two clauses.
    pub transition: Option<Transition>,
    /// The state that cannot react.
    pub state: StateIndex,
    /// Whether the event can be started there; otherwise only the older definition asks for it.
    pub initiable: bool,
}

/// Every failure of a clause.
pub fn findings(process: &Process, sets: &Sets, phases: &[Phase]) -> Vec<Finding> {
    let mut found = Vec::new();
    for event in &sets.synchronising {
        let reacting = sets.reacting(*event);
        let check =
            Check { sets, phases, event: *event, able: sets.leading_to(&reacting), reacting };
        check.first(&mut found);
        check.second(&mut found);
        for other in &sets.synchronising {
            check.third(*other, &mut found);
        }
    }
    debug_assert!(found.iter().all(|finding| finding.event.0 < process.events.len()));
    // One finding for each state and clause: the first transition that asks for it.
    let mut known = BTreeSet::new();
    found.sort_by_key(|finding| (finding.clause, finding.event, finding.state, !finding.initiable));
    found.retain(|finding| known.insert((finding.clause, finding.event, finding.state)));
    found
}

struct Check<'a> {
    sets: &'a Sets,
    phases: &'a [Phase],
    event: EventId,
    /// The states that react to the event, and those from which internal steps lead there.
    reacting: BTreeSet<StateIndex>,
    able: BTreeSet<StateIndex>,
}

impl Check<'_> {
    fn finding(&self, clause: Clause, because: Transition, state: StateIndex) -> Finding {
        let event = self.event;
        Finding { clause, event, because, transition: None, state, initiable: true }
    }

    fn first(&self, found: &mut Vec<Finding>) {
        let acting = self.sets.of_event(self.event, TransitionKind::Acting);
        let missing = acting.filter(|own| !self.reacting.contains(&own.source));
        found.extend(missing.map(|own| self.finding(Clause::ActingReacts, *own, own.source)));
    }

    fn second(&self, found: &mut Vec<Finding>) {
        let steps = self.sets.transitions.iter().filter(|own| {
            matches!(own.kind, TransitionKind::Internal | TransitionKind::Rendezvous)
                && self.reacting.contains(&own.target)
        });
        for step in steps {
            for phase in self.phases.iter().filter(|phase| phase.contains(&step.source)) {
                let initiable = self.sets.is_initiable(self.event, phase);
                let missing = phase.iter().filter(|state| !self.able.contains(state));
                found.extend(missing.map(|state| Finding {
                    initiable,
                    ..self.finding(Clause::PhaseReacts, *step, *state)
                }));
            }
        }
    }

    /// The third clause, for the other event as the one that leads to where this one is reacted to.
    fn third(&self, other: EventId, found: &mut Vec<Finding>) {
        let acting: Vec<&Transition> = self.sets.of_event(other, TransitionKind::Acting).collect();
        let Some(because) = acting.iter().find(|own| self.reacting.contains(&own.target)) else {
            return;
        };
        let initiable = self.sets.is_initiable(self.event, &self.sets.targets(other));
        let mut report = |clause: Clause, own: &Transition| {
            let finding = self.finding(clause, **because, own.target);
            found.push(Finding { transition: Some(*own), initiable, ..finding });
        };
        for own in &acting {
            if !self.reacting.contains(&own.target) {
                report(Clause::ActorsAgree, own);
            }
        }
        for own in self.sets.of_event(other, TransitionKind::Reacting) {
            if !self.able.contains(&own.target) {
                report(Clause::ReactorsFollow, own);
            }
        }
    }
}
