//! A counterexample to an obligation, for people.

use crate::explain::{ExplainedMove, ExplainedStep, Explanation, Failing, MoveOutcome};
use crate::report::text::counts::line;
use crate::smt::Standing;

/// Facts are listed in lines no longer than this.
const WIDTH: usize = 96;

/// The column after the titles.
const COLUMN: usize = 12;

/// A counterexample as indented lines.
pub fn text(explanation: &Explanation) -> String {
    let mut out = String::new();
    let sizes = explanation.sizes.iter().map(|(sort, size)| format!("{sort}={size}"));
    let given = explanation.elements.iter().map(ToString::to_string);
    let given: Vec<String> = sizes.chain(given).collect();
    entry(&mut out, "with", &given);
    let (state, does) = match explanation.cutoff {
        Some(_) => ("L", "L does"),
        None => ("state", "step"),
    };
    entry(&mut out, state, &or_nothing(&explanation.large));
    if let Some(cutoff) = &explanation.cutoff {
        entry(&mut out, "C", &or_nothing(cutoff));
    }
    if let Some(step) = &explanation.step {
        step_text(&mut out, does, step);
    }
    failing_text(&mut out, &explanation.failing);
    if let Standing::SolverOnly(why) = &explanation.standing {
        let note = format!("this rests on the solver alone; it could not be evaluated: {why}");
        prose(&mut out, "note", &note);
    }
    for suggestion in &explanation.suggestions {
        prose(&mut out, "hint", suggestion);
    }
    out
}

fn or_nothing(facts: &[String]) -> Vec<String> {
    if facts.is_empty() { vec!["no facts".to_owned()] } else { facts.to_vec() }
}

fn step_text(out: &mut String, title: &str, step: &ExplainedStep) {
    entry(out, title, std::slice::from_ref(&step.action));
    entry(out, "", &step.changes);
    for (index, ExplainedMove { action, outcome }) in step.moves.iter().enumerate() {
        let title = if index == 0 { "C answers" } else { "then" };
        let outcome = match outcome {
            MoveOutcome::Done => "",
            MoveOutcome::Skipped => ": not possible, skipped",
            MoveOutcome::Impossible => ": not possible",
        };
        entry(out, title, &[format!("{action}{outcome}")]);
    }
    entry(out, "", &step.cutoff_changes);
}

fn failing_text(out: &mut String, failing: &Failing) {
    let what =
        if failing.at.is_empty() { failing.what.clone() } else { format!("{} at ", failing.what) };
    let at = failing.at.iter().map(ToString::to_string);
    let at = at.collect::<Vec<_>>().join(", ");
    broken(out, "fails", what.split_inclusive(' ').chain(at.split_inclusive(", ")));
    prose(out, "", &failing.formula);
    let facts: Vec<String> = failing
        .facts
        .iter()
        .map(|fact| format!("{} {}", fact.text, if fact.holds { "holds" } else { "does not hold" }))
        .collect();
    entry(out, "", &facts);
    failing.missing.iter().for_each(|sentence| prose(out, "", sentence));
}

/// A title and a list, broken into lines; nothing for an empty list.
fn entry(out: &mut String, title: &str, parts: &[String]) {
    let last = parts.len().saturating_sub(1);
    let parts = parts.iter().enumerate();
    let parts: Vec<String> = parts
        .map(|(index, part)| if index == last { part.clone() } else { format!("{part}, ") })
        .collect();
    broken(out, title, parts.iter().map(String::as_str));
}

/// A title and a text, broken into lines.
fn prose(out: &mut String, title: &str, text: &str) {
    broken(out, title, text.split_inclusive(' '));
}

fn broken<'a>(out: &mut String, title: &str, parts: impl Iterator<Item = &'a str>) {
    let mut title = title;
    let mut row = String::new();
    for part in parts {
        if !row.is_empty() && row.chars().count() + part.chars().count() + COLUMN > WIDTH {
            line!(out, 1, "{title:COLUMN$}{}", row.trim_end());
            title = "";
            row.clear();
        }
        row.push_str(part);
    }
    if !row.is_empty() {
        line!(out, 1, "{title:COLUMN$}{row}");
    }
}
