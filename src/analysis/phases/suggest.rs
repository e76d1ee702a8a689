//! Edits that repair a clause of phase-compatibility: each is tried on the process.

use std::collections::BTreeSet;

use super::compatible::{Clause, Finding, findings};
use super::sets::{Sets, Transition, TransitionKind};
use super::{MOST_STATES, PhaseAnalysis};
use crate::process::counters::CounterSystem;
use crate::process::local::{LocalStates, local_states};
use crate::process::{Condition, EventId, EventKind, Leaf, PointId, Process, Requirement, Role};

/// The most edits that are shown for one finding.
const MOST_EDITS: usize = 4;

/// The sizes at which an edited process is tried, and the most configurations of one.
const SIZES: usize = 3;
const MOST_CONFIGURATIONS: usize = 5_000;

/// Edits for one finding, the best first.
#[derive(Clone, Debug)]
pub struct Suggestion {
    /// The finding, by its position.
    pub finding: usize,
    /// Edits after which the clause holds.
    pub edits: Vec<Edit>,
}

/// A change of the process that makes a clause hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edit {
    /// What to change.
    pub kind: EditKind,
    /// Whether instances of up to three processes are safe afterwards; `None` if there is too much
    /// to look at.
    pub safe: Option<bool>,
    /// Whether every clause holds afterwards.
    pub compatible: bool,
}

/// What to change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EditKind {
    /// A further reaction on an event.
    Reaction {
        /// Where.
        at: PointId,
        /// The event.
        event: EventId,
        /// The location to go to.
        to: PointId,
    },
    /// A further internal step.
    Internal {
        /// Where.
        at: PointId,
        /// The location to go to.
        to: PointId,
    },
    /// A broadcast that a process sends where it has waited for another one to send it; it stays
    /// when another one does.
    Start {
        /// The path that receives it, by its position.
        leaf: usize,
    },
    /// Another end of a path that exists.
    Redirect {
        /// The path, by its position.
        leaf: usize,
        /// The location to go to instead.
        to: PointId,
    },
}

/// Edits for every finding, each tried on the process.
pub fn suggestions(process: &Process, analysis: &PhaseAnalysis) -> Vec<Suggestion> {
    let sets = Sets::of(process, &analysis.locals);
    let found = analysis.findings.iter().enumerate().map(|(number, finding)| {
        let edits = candidates(process, &analysis.locals, &sets, finding);
        let working = edits.into_iter().filter_map(|kind| {
            let (edited, locals) = edited(process, kind)?;
            tried(&edited, &locals, kind, (process, &analysis.locals, finding))
        });
        Suggestion { finding: number, edits: working.take(MOST_EDITS).collect() }
    });
    found.collect()
}

/// Edits for the steps of a way that others start: the process starts them itself. An edit is shown
/// if every clause of phase-compatibility holds with it and small instances stay safe.
pub fn independence(process: &Process, way: &[Transition]) -> Vec<Edit> {
    let dependent = way.iter().filter(|step| {
        step.kind == TransitionKind::Reacting
            && process.event(step.event).kind == EventKind::Broadcast
    });
    let working = dependent.filter_map(|step| {
        let kind = EditKind::Start { leaf: step.leaf? };
        let (edited, locals) = edited(process, kind)?;
        let sets = Sets::of(&edited, &locals);
        let left = findings(&edited, &sets, &sets.phases());
        let compatible = left.iter().all(|finding| !finding.initiable);
        let safe = is_safe(&edited, &locals);
        (compatible && safe == Some(true)).then_some(Edit { kind, safe, compatible })
    });
    working.take(MOST_EDITS).collect()
}

/// Additions before replacements, concrete ends before others, staying before moving.
fn candidates(
    process: &Process,
    locals: &LocalStates,
    sets: &Sets,
    finding: &Finding,
) -> Vec<EditKind> {
    let point = |state: usize| locals.states[state].point;
    let event = finding.event;
    let at = point(finding.state);
    let is_resting = process.point(at).location != at;
    let ends = |kind: TransitionKind| -> BTreeSet<PointId> {
        sets.of_event(event, kind).map(|own| point(own.target)).collect()
    };
    let reacting: BTreeSet<PointId> = sets.reacting(event).into_iter().map(point).collect();
    let mut edits = Vec::new();
    if !is_resting {
        let acting = matches!(finding.clause, Clause::ActingReacts)
            .then(|| ends(TransitionKind::Acting))
            .unwrap_or_default();
        let targets = acting.into_iter().chain([at]).chain(ends(TransitionKind::Reacting));
        edits.extend(targets.map(|to| EditKind::Reaction { at, event, to }));
        if finding.clause != Clause::ActingReacts && finding.clause != Clause::ActorsAgree {
            edits.extend(reacting.iter().map(|to| EditKind::Internal { at, to: *to }));
        }
    }
    if let Some(leaf) = finding.transition.and_then(|own| own.leaf) {
        edits.extend(reacting.iter().map(|to| EditKind::Redirect { leaf, to: *to }));
    }
    let mut known = Vec::new();
    edits.retain(|edit| {
        !known.contains(edit) && {
            known.push(*edit);
            true
        }
    });
    edits
}

/// The process with an edit, and its local states.
fn edited(process: &Process, edit: EditKind) -> Option<(Process, LocalStates)> {
    let mut process = process.clone();
    let blank = |event: EventId, role: Role, source: PointId, target: PointId| Leaf {
        event,
        role,
        source,
        data: crate::process::LeafData::default(),
        reads: Vec::new(),
        condition: Condition::Local,
        writes: Vec::new(),
        target,
        span: process.point(source).span,
        goto: None,
    };
    match edit {
        EditKind::Reaction { at, event, to } => {
            let leaves: Vec<Leaf> = reactions(&process, event)
                .into_iter()
                .map(|role| blank(event, role, at, to))
                .collect();
            process.unconcerned.retain(|known| *known != (at, event));
            process.leaves.extend(leaves);
        }
        EditKind::Internal { at, to } => {
            let internal =
                process.events.iter().position(|event| event.kind == EventKind::Internal);
            let leaf = blank(EventId(internal?), Role::Alone, at, to);
            process.leaves.push(leaf);
        }
        EditKind::Start { leaf } => {
            let received = process.leaves.get(leaf)?.clone();
            let Role::Receive { payload: None } = received.role else { return None };
            let role = Role::Send { payload: None, to: None };
            let waits = process.leaves.get_mut(leaf)?;
            (waits.target, waits.writes) = (received.source, Vec::new());
            process.leaves.push(Leaf { role, ..received });
        }
        EditKind::Redirect { leaf, to } => process.leaves.get_mut(leaf)?.target = to,
    }
    let locals = local_states(&process, MOST_STATES).ok()?;
    Some((process, locals))
}

/// The parts that a location without a say plays in an event.
fn reactions(process: &Process, event: EventId) -> Vec<Role> {
    match process.event(event).kind {
        EventKind::Broadcast | EventKind::EnvironmentBroadcast => {
            vec![Role::Receive { payload: None }]
        }
        EventKind::Partition { .. } => vec![Role::Lose],
        EventKind::Consensus { .. } => {
            let own = process.leaves.iter().filter(|leaf| leaf.event == event);
            let decided: BTreeSet<&Vec<i64>> = own
                .filter_map(|leaf| match &leaf.role {
                    Role::Decide { values, .. } => Some(values),
                    _ => None,
                })
                .collect();
            let role = |values: &Vec<i64>| Role::Decide { proposal: None, values: values.clone() };
            decided.into_iter().map(role).collect()
        }
        EventKind::Internal | EventKind::EnvironmentRendezvous | EventKind::Rendezvous => {
            Vec::new()
        }
    }
}

/// The edit, if the clause holds with it.
fn tried(
    edited: &Process,
    locals: &LocalStates,
    kind: EditKind,
    (process, before, finding): (&Process, &LocalStates, &Finding),
) -> Option<Edit> {
    let sets = Sets::of(edited, locals);
    let left = findings(edited, &sets, &sets.phases());
    let state = &before.states[finding.state];
    let is_same = |other: &&Finding| {
        other.clause == finding.clause
            && other.event == finding.event
            && locals.states[other.state] == *state
    };
    if left.iter().any(|other| is_same(&other)) {
        return None;
    }
    debug_assert_eq!(process.points.len(), edited.points.len(), "an edit adds no location");
    let compatible = left.iter().all(|other| !other.initiable);
    Some(Edit { kind, safe: is_safe(edited, locals), compatible })
}

/// Whether small instances satisfy every specification.
fn is_safe(process: &Process, locals: &LocalStates) -> Option<bool> {
    let system = CounterSystem { process, locals };
    for size in 1..=SIZES {
        let reached = system.reachable(size, MOST_CONFIGURATIONS)?;
        let holds = |requirement: &Requirement| {
            reached
                .iter()
                .all(|states| requirement.holds(states.iter().map(|at| &locals.states[*at])))
        };
        if !process.specifications.iter().all(|own| holds(&own.requirement)) {
            return Some(false);
        }
    }
    Some(true)
}
