//! What a protocol was never seen to do: the lines under a verdict.

use super::counts::line;
use super::trace::expected_runs::with_steps;
use crate::coverage::{Exercise, idle, unmet};
use crate::logic::Name;
use crate::protocol::Protocol;

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
pub(crate) fn under_verdict(out: &mut String, protocol: &Protocol, covered: Covered<'_>) {
    let notes = match covered {
        Covered::NotAsked => Vec::new(),
        Covered::NoState => vec!["no state was looked at".to_owned()],
        Covered::Seen(exercise) => coverage_notes(protocol, exercise),
    };
    for text in notes {
        line!(out, 0, "coverage     {text}");
    }
    if let Covered::Seen(exercise) = covered {
        for run in &exercise.runs {
            line!(out, 0, "runs         {}", with_steps(protocol, run));
        }
    }
}

/// A line for the actions, and one for the properties; none where all was seen.
pub fn coverage_notes(protocol: &Protocol, exercise: &Exercise) -> Vec<String> {
    let mut notes = Vec::new();
    if !exercise.idle.is_empty() {
        notes.push(format!("{}: {}", idle(protocol, &exercise.looked), exercise.idle.join(", ")));
    }
    if !exercise.unmet.is_empty() {
        let properties = |name: &Name| format!("[{name}]");
        let names: Vec<String> = exercise.unmet.iter().map(properties).collect();
        let unmet = unmet(protocol, &exercise.looked);
        notes.push(format!("premise {unmet}: {}", names.join(", ")));
    }
    notes
}
