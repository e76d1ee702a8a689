//! A run as pictures, one for each state, with keys and a slider.

use std::collections::BTreeSet;

use serde::Serialize;

use crate::analysis::RigidStructure;
use crate::finite::{Claim, ClaimFailure, ClaimViolation};
use crate::logic::Value;
use crate::picture::{ElementId, Film, Filming, Frame, Markup, Stage, SymbolWords, own_names};
use crate::protocol::{Protocol, Sort};
use crate::report::text::trace;

/// Longer runs are printed as a list of steps.
const LONGEST_STRIP: usize = 12;

/// Where a run is too large for everything else, so many lines of it are shown.
const MAX_LINES: usize = 2_000;

/// A film as the script reads it.
#[derive(Serialize)]
pub(super) struct FilmData<'a> {
    pub(super) first: &'a str,
    pub(super) facts: Vec<&'a str>,
    pub(super) start: &'a [usize],
    pub(super) steps: Vec<(String, &'a [usize], &'a [usize])>,
    pub(super) changes: bool,
    pub(super) marked: Vec<String>,
}

/// A run that violates something.
pub(super) fn violation(
    protocol: &Protocol,
    structure: &RigidStructure,
    words: &SymbolWords,
    claims: &[Claim],
    violation: &ClaimViolation,
) -> Markup {
    let run = &violation.trace;
    let protocol = &protocol.with_names_of(&run.initial);
    let name = own_names(protocol);
    let filming = Filming { protocol, structure, name: &name, words };
    let mut out = Markup::new();
    let failure = trace::failure(protocol, claims, &violation.failure);
    let film = match filming.film(&run.initial, run.steps.iter().map(|step| &step.state)) {
        Ok(film) => film,
        Err(error) => {
            out.leaf("p", &[("class", &"note")], format!("No pictures: {error}."));
            let text = trace::trace(protocol, claims, violation);
            out.leaf("pre", &[("class", &"text")], shortened(&text));
            return out;
        }
    };
    let marked = marked(claims, &violation.failure);
    let titles: Vec<String> =
        run.steps.iter().map(|step| trace::invocation(protocol, &step.invocation)).collect();
    if let Some(reason) = film.too_large {
        out.leaf("p", &[("class", &"note")], format!("States are shown as tables: {reason}."));
    }
    let stage =
        film.too_large.is_none().then(|| Stage::new(&film, protocol, structure, &run.initial));
    out.leaf(
        "p",
        &[("class", &"legend keys")],
        "Arrow keys, Home and End step through the run. What a step makes true is strong, what it \
         makes false is struck out.",
    );
    player(&mut out, &film, stage.as_ref(), &titles, &marked);
    out.element("p", &[("class", &"failure keep")], |inner| {
        inner.leaf("strong", &[], "fails: ");
        inner.leaf("code", &[], &failure);
    });
    for sentence in trace::missing(protocol, claims, &violation.failure, run.last()) {
        out.leaf("p", &[("class", &"note keep")], sentence);
    }
    strip(&mut out, &film, stage.as_ref(), &titles, &marked);
    let steps = film.changes.iter().zip(titles);
    let steps = steps.map(|(changes, title)| (title, &*changes.added, &*changes.removed));
    let names = marked
        .iter()
        .filter_map(|(sort, index)| Some(film.elements.get(sort)?.get(*index as usize)?.clone()));
    data(
        &mut out,
        "film-run",
        &FilmData {
            first: "initial state",
            facts: film.items.iter().map(|item| item.fact.as_str()).collect(),
            start: &film.start,
            steps: steps.collect(),
            changes: true,
            marked: names.collect(),
        },
    );
    out
}

/// The first lines of a long text.
pub(super) fn shortened(text: &str) -> String {
    let lines: Vec<&str> = text.lines().take(MAX_LINES).collect();
    lines.join("\n")
}

/// Data for the script.
pub(super) fn data(out: &mut Markup, id: &str, film: &FilmData<'_>) {
    // Texts and numbers always have a JSON form.
    let json = serde_json::to_string(film).unwrap_or_default();
    out.data(id, &json);
}

/// The elements for which a property fails.
fn marked(claims: &[Claim], failure: &ClaimFailure) -> BTreeSet<ElementId> {
    let ClaimFailure::Claim(index, values) = failure else { return BTreeSet::new() };
    let vars = claims[*index].vars.iter().zip(values);
    vars.filter_map(|(var, value)| match (var.sort, value) {
        (Sort::Declared(sort), Value::Element(index)) => Some((sort, *index)),
        _ => None,
    })
    .collect()
}

fn player(
    out: &mut Markup,
    film: &Film,
    stage: Option<&Stage<'_>>,
    titles: &[String],
    marked: &BTreeSet<ElementId>,
) {
    let root: &[(&'static str, &dyn std::fmt::Display)] =
        &[("class", &"player"), ("data-film", &"film-run"), ("tabindex", &0)];
    out.element("div", root, |player| {
        player.element("div", &[], |main| {
            main.element("div", &[("class", &"controls")], |controls| {
                for (by, label, hint) in [
                    ("first", "|◀", "first state"),
                    ("-1", "◀", "one step back"),
                    ("1", "▶", "one step on"),
                    ("last", "▶|", "last state"),
                ] {
                    controls.leaf("button", &[("data-by", &by), ("title", &hint)], label);
                }
                let last = titles.len();
                let range: &[(&'static str, &dyn std::fmt::Display)] = &[
                    ("type", &"range"),
                    ("min", &0),
                    ("max", &last),
                    ("value", &0),
                    ("aria-label", &"step"),
                ];
                controls.empty("input", range);
                controls.leaf("output", &[], format!("0 of {last}"));
            });
            main.element("figure", &[], |figure| {
                figure.leaf("figcaption", &[("class", &"title mono")], "initial state");
                if let Some(stage) = stage {
                    let frame = Frame::of(film, 0, marked.clone());
                    figure.append(&stage.picture("picture-run", &frame));
                } else {
                    figure.element("ul", &[("class", &"changes")], |_| {});
                }
            });
        });
        player.element("div", &[("class", &"side")], |side| {
            side.element("div", &[("class", &"steps")], |_| {});
            if stage.is_some() {
                side.element("ul", &[("class", &"changes")], |_| {});
            }
        });
    });
}

/// All states one below the other, for paper.
fn strip(
    out: &mut Markup,
    film: &Film,
    stage: Option<&Stage<'_>>,
    titles: &[String],
    marked: &BTreeSet<ElementId>,
) {
    out.element("div", &[("class", &"strip")], |strip| {
        let pictures = stage.filter(|_| titles.len() <= LONGEST_STRIP);
        for number in 0..=titles.len().min(MAX_LINES) {
            let title = match number.checked_sub(1) {
                None => "initial state".to_owned(),
                Some(step) => format!("{number}. {}", titles[step]),
            };
            let Some(stage) = pictures else {
                strip.leaf("div", &[("class", &"mono")], title);
                continue;
            };
            let last = number == titles.len();
            let marked = if last { marked.clone() } else { BTreeSet::new() };
            let frame = Frame::of(film, number, marked);
            strip.element("figure", &[("class", &"keep")], |figure| {
                figure.leaf("figcaption", &[("class", &"mono")], title);
                figure.append(&stage.picture(&format!("strip-{number}"), &frame));
            });
        }
    });
}
