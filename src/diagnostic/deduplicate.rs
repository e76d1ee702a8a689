//! Reports the same mistake once.

use super::Diagnostic;
use crate::source::Span;

/// So many further places of the same mistake are pointed at.
const SHOWN: usize = 2;

/// The same messages, but no place has the same one twice, and the same mistake with the same cure
/// is reported once: where it is made first, pointing at the next places and counting the others.
#[must_use]
pub fn once(diagnostics: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let mut kept: Vec<(Diagnostic, Vec<Span>)> = Vec::new();
    for diagnostic in diagnostics {
        let same = |(first, _): &&mut (Diagnostic, Vec<Span>)| {
            first.is_error()
                && (first.hint.is_some() || first.primary.span == diagnostic.primary.span)
                && (first.code, &first.message, &first.hint)
                    == (diagnostic.code, &diagnostic.message, &diagnostic.hint)
        };
        match kept.iter_mut().find(same) {
            Some((first, again)) => {
                let span = diagnostic.primary.span;
                if span != first.primary.span && !again.contains(&span) {
                    again.push(span);
                }
            }
            None => kept.push((diagnostic, Vec::new())),
        }
    }
    kept.into_iter().map(|(first, again)| with_further_places(first, &again)).collect()
}

fn with_further_places(mut diagnostic: Diagnostic, again: &[Span]) -> Diagnostic {
    for span in again.iter().take(SHOWN) {
        diagnostic = diagnostic.also(*span, "here too");
    }
    if let (Some(hint), more @ 1..) = (&mut diagnostic.hint, again.len().saturating_sub(SHOWN)) {
        let places = if more == 1 { "place" } else { "places" };
        hint.push_str(&format!(" (the same at {more} more {places})"));
    }
    diagnostic
}
