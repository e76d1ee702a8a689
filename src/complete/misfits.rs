//! Alternatives that do not fit where their hole stands: each is put there alone, so that the message
//! is about it and not about how holes are represented.

use super::sketch::{HoleChoice, Sketch, filled};
use crate::diagnostic::Diagnostic;
use crate::elaborate::elaborate;
use crate::frontend::syntax::surface::Expression;
use crate::source::Span;

/// Everything that is wrong with a sketch: its alternatives, each by itself, and what is wrong
/// elsewhere.
pub(super) fn with_misfits(name: &str, sketch: &Sketch, whole: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let mut found = misfits(name, sketch);
    if found.is_empty() {
        return whole;
    }
    let places = || sketch.holes.iter().flat_map(|hole| &hole.places);
    let elsewhere = |error: &Diagnostic| {
        let span = error.primary.span;
        !places().any(|place| is_inside(span, *place) || is_inside(*place, span))
    };
    found.extend(whole.into_iter().filter(elsewhere));
    found.sort_by_key(|own| own.primary.span);
    found
}

/// What is wrong with the alternatives of a sketch, each by itself.
fn misfits(name: &str, sketch: &Sketch) -> Vec<Diagnostic> {
    let mut found: Vec<Diagnostic> = Vec::new();
    let firsts: Option<Vec<&Expression>> =
        sketch.holes.iter().map(|hole| options(&hole.choice).into_iter().next()).collect();
    let Some(firsts) = firsts else { return found };
    for (number, hole) in sketch.holes.iter().enumerate() {
        for alternative in options(&hole.choice) {
            let filling = |other| if other == number { alternative } else { firsts[other] };
            let module = filled(&sketch.module, &|other| filling(other).clone());
            let errors = elaborate(name, &module).diagnostics;
            let own = errors.into_iter().filter(|error| {
                let span = error.primary.span;
                error.is_error()
                    && (is_inside(span, alternative.span) || hole.places.contains(&span))
            });
            for error in own {
                let error = located(error, alternative, &hole.places);
                if !found.iter().any(|known| is_same(known, &error)) {
                    found.push(error);
                }
            }
        }
    }
    found
}

fn options(choice: &HoleChoice) -> Vec<&Expression> {
    match choice {
        HoleChoice::OneOf(alternatives) => alternatives.iter().map(|own| &own.expression).collect(),
        HoleChoice::Table(conditions) => conditions.iter().collect(),
        HoleChoice::Entries { .. } => Vec::new(),
    }
}

fn is_inside(span: Span, outer: Span) -> bool {
    outer.start <= span.start && span.end <= outer.end
}

fn is_same(one: &Diagnostic, two: &Diagnostic) -> bool {
    one.primary.span == two.primary.span && one.message == two.message
}

/// A message at the alternative that it is about, with the places of its hole.
fn located(error: Diagnostic, alternative: &Expression, places: &[Span]) -> Diagnostic {
    let mut error = error;
    if !is_inside(error.primary.span, alternative.span) {
        error.primary.span = alternative.span;
    }
    for place in places.iter().filter(|place| !is_inside(alternative.span, **place)) {
        error = error.also(*place, "it has to fit here too");
    }
    match error.hint {
        Some(_) => error,
        None => error.hint("every alternative has to fit every place of its hole"),
    }
}
