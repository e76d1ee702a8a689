//! What a protocol was never seen to do: the lines under a verdict, and the same for programs.

use serde_json::{Value, json};

use super::explore::size;
use super::lines::line;
use crate::coverage::{Exercise, Looked};
use crate::logic::Name;
use crate::protocol::{Protocol, Size};
use crate::report::json::explore::{named_sizes, names};

/// What is known of the coverage of a protocol.
#[derive(Clone, Copy, Debug)]
pub enum Covered<'a> {
    /// It was not asked for.
    NotAsked,
    /// No state was looked at.
    NoState,
    /// This was seen.
    Seen(&'a Exercise),
}

impl<'a> Covered<'a> {
    /// What was seen, if it was asked for.
    pub fn asked(exercise: Option<&'a Exercise>) -> Self {
        exercise.map_or(Covered::NoState, Covered::Seen)
    }
}

/// The lines under a verdict.
pub(in crate::report) fn under_verdict(
    out: &mut String,
    protocol: &Protocol,
    covered: Covered<'_>,
) {
    let lines = match covered {
        Covered::NotAsked => Vec::new(),
        Covered::NoState => vec!["no state was looked at".to_owned()],
        Covered::Seen(exercise) => lines(protocol, exercise),
    };
    for text in lines {
        line(out, 0, format_args!("coverage     {text}"));
    }
}

/// A line for the actions, and one for the properties; none where all was seen.
pub fn lines(protocol: &Protocol, exercise: &Exercise) -> Vec<String> {
    let mut lines = Vec::new();
    if !exercise.idle.is_empty() {
        lines.push(format!("{}: {}", idle(protocol, &exercise.looked), exercise.idle.join(", ")));
    }
    if !exercise.unmet.is_empty() {
        let properties = |name: &Name| format!("[{name}]");
        let names: Vec<String> = exercise.unmet.iter().map(properties).collect();
        let unmet = unmet(protocol, &exercise.looked);
        lines.push(format!("premise {unmet}: {}", names.join(", ")));
    }
    lines
}

/// `never possible at any size up to node=3`
pub fn idle(protocol: &Protocol, looked: &Looked) -> String {
    match looked.is_complete() {
        true => format!("never possible {}", everywhere(protocol, looked)),
        false => format!("possible in no state that was seen, {}", in_part(protocol, looked)),
    }
}

/// `never holds at any size up to node=3`, of a premise
pub fn unmet(protocol: &Protocol, looked: &Looked) -> String {
    match looked.is_complete() {
        true => format!("never holds {}", everywhere(protocol, looked)),
        false => format!("holds in no state that was seen, {}", in_part(protocol, looked)),
    }
}

fn everywhere(protocol: &Protocol, looked: &Looked) -> String {
    match looked.up_to.is_empty() {
        true => format!("at {}{}", size(protocol, &looked.up_to), integers(looked)),
        false => format!("at any size {}", up_to(protocol, looked)),
    }
}

fn in_part(protocol: &Protocol, looked: &Looked) -> String {
    let Looked { sizes, exhausted, .. } = looked;
    match looked.up_to.is_empty() {
        true => format!("not searched to the end{}", integers(looked)),
        false => {
            let up_to = up_to(protocol, looked);
            format!("with {exhausted} of {sizes} sizes {up_to} searched to the end")
        }
    }
}

fn up_to(protocol: &Protocol, looked: &Looked) -> String {
    let further = looked.further.iter().map(|own| format!(" and at {}", size(protocol, own)));
    let (largest, further) = (size(protocol, &looked.up_to), further.collect::<String>());
    format!("up to {largest}{further}{}", integers(looked))
}

fn integers(looked: &Looked) -> String {
    looked.window.map_or_else(String::new, |(low, high)| format!(" (int {low}..{high})"))
}

/// What was looked at and not seen, for programs; nothing if nothing was looked at.
pub fn json(protocol: &Protocol, covered: Covered<'_>) -> Value {
    let Covered::Seen(Exercise { idle, unmet, looked }) = covered else { return Value::Null };
    let sizes = |size: &Size| named_sizes(protocol, size);
    json!({
        "never_possible": names(idle),
        "premise_never_holds": names(unmet),
        "complete": looked.is_complete(),
        "up_to": sizes(&looked.up_to),
        "further": looked.further.iter().map(sizes).collect::<Vec<_>>(),
        "int": looked.window.map(|(low, high)| json!([low, high])),
        "sizes": looked.sizes,
        "exhausted": looked.exhausted,
    })
}
