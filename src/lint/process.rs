//! Suspicions about a process, in words: what it never does in small instances.

use crate::coverage::process::{Obstacle, Unused};
use crate::diagnostic::{Code, Diagnostic};
use crate::process::{EventId, EventKind, PointId, Process};

/// A location that no process reaches.
pub const UNREACHED_LOCATION: Code = Code("MER0201");
/// An event that never happens.
pub const NEVER_HAPPENS: Code = Code("MER0202");
/// A broadcast that no other process receives unless one crashes.
pub const ONLY_AFTER_CRASHES: Code = Code("MER0203");
/// A handler that never runs.
pub const IDLE_HANDLER: Code = Code("MER0204");
/// A property about states that do not occur.
pub const ABOUT_NOTHING: Code = Code("MER0205");

/// A warning for everything that a process never does.
pub fn about_process(process: &Process, unused: &Unused) -> Vec<Diagnostic> {
    let words = Words { process, unused };
    let mut found = Vec::new();
    found.extend(unused.locations.iter().map(|location| words.location(*location)));
    for (event, obstacle) in &unused.events {
        let name = &process.event(*event).name;
        let message = match process.event(*event).kind {
            EventKind::Broadcast if *obstacle != Obstacle::NotSent => {
                format!("`{name}` is never received by any process, {}", words.looked())
            }
            _ => format!("`{name}` never happens, {}", words.looked()),
        };
        found.push(words.event(NEVER_HAPPENS, message, *event, obstacle));
    }
    for (event, obstacle) in &unused.after_crashes {
        let name = &process.event(*event).name;
        let message =
            format!("`{name}` is received only after a process has crashed, {}", words.looked());
        found.push(words.event(ONLY_AFTER_CRASHES, message, *event, obstacle));
    }
    for (location, event, span) in &unused.handlers {
        let at = &process.point(*location).name;
        let message = match process.event(*event).kind {
            EventKind::Internal => format!("this handler of `{at}` never runs, {}", words.looked()),
            _ => {
                let name = &process.event(*event).name;
                format!("this handler of `{name}` in `{at}` never runs, {}", words.looked())
            }
        };
        let hint = "its condition never holds there, or its event happens only while no process \
                    is there";
        found.push(Diagnostic::warning(IDLE_HANDLER, message, *span).hint(hint));
    }
    for index in &unused.specifications {
        let specification = &process.specifications[*index];
        let message = format!(
            "the property `{}` is about states that no process is in, {}",
            specification.property,
            words.looked()
        );
        let hint = "it says nothing about these instances";
        found.push(Diagnostic::warning(ABOUT_NOTHING, message, specification.span).hint(hint));
    }
    found
}

struct Words<'a> {
    process: &'a Process,
    unused: &'a Unused,
}

impl Words<'_> {
    /// Where it was looked for.
    fn looked(&self) -> String {
        let Unused { processes, is_complete, .. } = self.unused;
        match is_complete {
            true => format!("with up to {processes} processes"),
            false => format!("in what was seen of up to {processes} processes"),
        }
    }

    fn location(&self, location: PointId) -> Diagnostic {
        let point = self.process.point(location);
        let message = format!("no process ever reaches `{}`, {}", point.name, self.looked());
        let warning = Diagnostic::warning(UNREACHED_LOCATION, message, point.span);
        let into = |leaf: &&crate::process::Leaf| {
            let target = self.process.point(leaf.target).location;
            target == location && self.process.point(leaf.source).location != location
        };
        let mut events: Vec<EventId> =
            self.process.leaves.iter().filter(into).map(|leaf| leaf.event).collect();
        events.sort_unstable();
        events.dedup();
        let never = |event: &EventId| self.unused.events.iter().any(|(own, _)| own == event);
        if events.is_empty() {
            return warning.hint("no handler of another location goes there");
        }
        if events.iter().all(never) {
            let names = events.iter().map(|event| format!("`{}`", self.process.event(*event).name));
            let names = names.collect::<Vec<_>>().join(", ");
            return warning.hint(format!("only {names} leads there, and never happens"));
        }
        warning.hint("the handlers that go there never run")
    }

    fn event(
        &self,
        code: Code,
        message: String,
        event: EventId,
        obstacle: &Obstacle,
    ) -> Diagnostic {
        let declared = self.process.event(event);
        let warning = Diagnostic::warning(code, message, declared.span);
        let name = &declared.name;
        match obstacle {
            Obstacle::NotSent => warning.hint("no handler sends it"),
            Obstacle::NotReceived if declared.kind == EventKind::EnvironmentRendezvous => {
                warning.hint("no handler receives or sends it")
            }
            Obstacle::NotReceived => warning.hint("no handler receives it"),
            Obstacle::NotReady(points) => {
                let hint = format!("no process is ever ready for it at {}", self.points(points));
                warning.hint(hint)
            }
            Obstacle::Others { ready, blocking } => {
                warning.hint(self.others(name, declared.kind, *ready, blocking))
            }
            Obstacle::Environment => {
                warning.hint("the environment is never ready for it when a process is")
            }
            Obstacle::Unclear => {
                warning.hint("its participants never agree on who takes part, or on whom to answer")
            }
        }
    }

    fn others(&self, name: &str, kind: EventKind, ready: PointId, blocking: &[PointId]) -> String {
        let points = self.points(blocking);
        let ready = &self.process.point(ready).name;
        let whenever = format!("whenever a process is ready at `{ready}`, ");
        match kind {
            EventKind::Rendezvous => format!("{whenever}no other process can receive it"),
            EventKind::Broadcast | EventKind::EnvironmentBroadcast => {
                format!(
                    "{whenever}one at {points} neither receives nor ignores it; a \
                     handler or `passive {name}` there would let it happen"
                )
            }
            _ => format!("{whenever}another participant is at {points} and cannot take part"),
        }
    }

    fn points(&self, points: &[PointId]) -> String {
        let names = points.iter().map(|point| format!("`{}`", self.process.point(*point).name));
        names.collect::<Vec<_>>().join(" or ")
    }
}
