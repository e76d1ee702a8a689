//! Processes written by hand or at random, as values.

use rmlcut::finite::Random;
use rmlcut::process::{
    Condition, Crash, Environment, Event, EventId, EventKind, Leaf, LocalState, Participants,
    Pattern, Point, PointId, Process, Requirement, Role, Specification,
};
use rmlcut::source::Span;

/// A process with these locations, the first of which is the initial one, and nothing to do.
pub(crate) fn process(points: &[&str]) -> Process {
    let point = |(index, name): (usize, &&str)| Point {
        name: (*name).into(),
        location: PointId(index),
        relation: format!("at_{name}").into(),
        span: Span::default(),
    };
    Process {
        name: "test".into(),
        sort: "process".into(),
        crashed: Some("crashed".into()),
        points: points.iter().enumerate().map(point).collect(),
        variables: Vec::new(),
        data: Vec::new(),
        links: Vec::new(),
        events: Vec::new(),
        leaves: Vec::new(),
        unconcerned: Vec::new(),
        initial: LocalState { point: PointId(0), values: Vec::new() },
        crash: Crash::Everywhere,
        environment: Environment::Generated,
        steps: Vec::new(),
        specifications: Vec::new(),
    }
}

/// Adds an event with its paths: the part, the location before and the one after.
pub(crate) fn event(process: &mut Process, kind: EventKind, paths: &[(Role, usize, usize)]) {
    let event = EventId(process.events.len());
    process.events.push(Event {
        name: format!("e{}", event.0).into(),
        kind,
        span: Span::default(),
    });
    process.leaves.extend(paths.iter().map(|(role, source, target)| Leaf {
        event,
        role: role.clone(),
        source: PointId(*source),
        reads: Vec::new(),
        condition: Condition::Local,
        data: rmlcut::process::LeafData::default(),
        writes: Vec::new(),
        target: PointId(*target),
        span: Span::default(),
        goto: None,
    }));
}

/// Requires that at most so many processes are at a location.
pub(crate) fn at_most(process: &mut Process, bound: usize, point: usize) {
    let pattern = Pattern { point: PointId(point), values: Vec::new() };
    process.specifications.push(Specification {
        property: format!("at_most_{bound}").into(),
        requirement: Requirement::AtMost(bound, vec![pattern]),
        is_owed: false,
        span: Span::default(),
    });
}

pub(crate) const SEND: Role = Role::Send { payload: None, to: None };
pub(crate) const RECEIVE: Role = Role::Receive { payload: None };

/// A process of up to four locations and four events.
pub(crate) fn random(random: &mut Random) -> Process {
    const NAMES: [&str; 4] = ["A", "B", "C", "D"];
    let count = 2 + random.below(3);
    let mut drawn = process(&NAMES[..count]);
    for _ in 0..1 + random.below(4) {
        let winners = 1 + random.below(2);
        let participants = Participants::All;
        let (kind, roles) = match random.below(5) {
            0 => (EventKind::Internal, vec![Role::Alone]),
            1 => (EventKind::Rendezvous, vec![SEND, RECEIVE]),
            2 => (EventKind::Broadcast, vec![SEND, RECEIVE, RECEIVE]),
            3 => (EventKind::EnvironmentBroadcast, vec![RECEIVE]),
            _ => (EventKind::Partition { participants, winners }, vec![Role::Win, Role::Lose]),
        };
        let mut paths = Vec::new();
        for source in 0..count {
            // A location takes part in an agreement as winner and as loser, or not at all.
            let agrees = random.below(3) > 0;
            for role in &roles {
                let wanted = match role {
                    Role::Win | Role::Lose => agrees,
                    _ => random.below(2) == 0,
                };
                if wanted {
                    paths.push((role.clone(), source, random.below(count)));
                }
            }
        }
        event(&mut drawn, kind, &paths);
    }
    at_most(&mut drawn, random.below(3), random.below(count));
    drawn
}

/// A process of this kind as text.
pub(crate) fn mercury(process: &Process) -> String {
    let mut text = format!("process Test\n{}", specification(process));
    text.push_str("actions\n");
    for event in &process.events {
        let kind = match event.kind {
            EventKind::Rendezvous => "rz",
            EventKind::Broadcast => "br",
            EventKind::EnvironmentBroadcast => "env br",
            _ => continue,
        };
        text.push_str(&format!("  {kind} {} : unit\n", event.name));
    }
    for (index, point) in process.points.iter().enumerate() {
        let initial = if index == 0 { "initial " } else { "" };
        text.push_str(&format!("{initial}location {}\n", point.name));
        let own = process.leaves.iter().filter(|leaf| leaf.source == PointId(index));
        for leaf in own {
            let event = process.event(leaf.event);
            let (name, to) = (&event.name, &process.point(leaf.target).name);
            let line = match (&leaf.role, event.kind) {
                (Role::Alone, _) => format!("on _ do goto {to}"),
                (Role::Send { .. }, EventKind::Rendezvous) => {
                    format!("on _ do sendrz({name}) goto {to}")
                }
                (Role::Send { .. }, _) => format!("on _ do sendbr({name}) goto {to}"),
                (Role::Receive { .. }, _) => format!("on recv({name}) do goto {to}"),
                (Role::Win, EventKind::Partition { winners, .. }) => {
                    format!("on Partition<{name}>(All, {winners}) win: goto {to}")
                }
                (Role::Lose, _) => format!("  lose: goto {to}"),
                _ => continue,
            };
            text.push_str(&format!("  {line}\n"));
        }
    }
    text
}

fn specification(process: &Process) -> String {
    let lines = process.specifications.iter().filter_map(|own| match &own.requirement {
        Requirement::AtMost(bound, patterns) => {
            let name = &process.point(patterns.first()?.point).name;
            Some(format!("safety [bound] atmost({bound}, {{{name}}})\n"))
        }
        _ => None,
    });
    lines.collect()
}
