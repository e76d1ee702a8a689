//! Matches one declaration of another language, and reports what does not match.
//!
//! Our own language has better messages (`syntax_error`, `advice`); here the wrong token and what
//! could have stood there must do.

use std::collections::BTreeSet;

use pest::Parser;
use pest::error::{Error, ErrorVariant, InputLocation};
use pest::iterators::Pair;

use crate::diagnostic::{Code, Diagnostic};
use crate::frontend::syntax::brackets::{Chunk, PreparedText};
use crate::frontend::syntax::codes;
use crate::frontend::syntax::token::token_at;
use crate::source::Span;

/// After this many messages the rest of a file is not checked.
const MESSAGE_LIMIT: usize = 100;

/// How a language wants its declarations matched.
pub(crate) struct ForeignLanguage<R: 'static> {
    /// The rule for a whole declaration.
    pub(crate) rule: R,
    /// The code of its syntax errors.
    pub(crate) syntax: Code,
    /// What a rule stands for; nothing for those that would only lengthen a message.
    pub(crate) describe: fn(R) -> Option<&'static str>,
}

/// Matches every declaration of a text and hands its item to `build`, with the place where the
/// declaration begins.
pub(crate) fn read_chunks<R, P>(
    layout: &mut PreparedText,
    language: &ForeignLanguage<R>,
    mut build: impl FnMut(Pair<'_, R>, usize, &mut Vec<Diagnostic>),
) -> Vec<Diagnostic>
where
    R: pest::RuleType,
    P: Parser<R>,
{
    let mut diagnostics = std::mem::take(&mut layout.diagnostics);
    for chunk in layout.chunks.iter().filter(|chunk| !chunk.broken) {
        if diagnostics.len() >= MESSAGE_LIMIT {
            let message = "the rest of this file was not checked";
            diagnostics.push(Diagnostic::note(codes::GIVEN_UP, message, chunk.span.start_only()));
            break;
        }
        match P::parse(language.rule, &layout.text[chunk.span.start..chunk.span.end]) {
            Ok(pairs) => {
                let item = pairs.flatten().nth(1).expect("a declaration has an item");
                build(item, chunk.span.start, &mut diagnostics);
            }
            Err(error) => diagnostics.push(unexpected(&error, &layout.text, chunk, language)),
        }
    }
    diagnostics
}

fn unexpected<R: pest::RuleType>(
    error: &Error<R>,
    text: &str,
    chunk: &Chunk,
    language: &ForeignLanguage<R>,
) -> Diagnostic {
    let place = match error.location {
        InputLocation::Pos(place) | InputLocation::Span((place, _)) => chunk.span.start + place,
    };
    let start = place + text[place..].find(|c| c != ' ').unwrap_or(text.len() - place);
    let (found, span) = match token_at(text, start) {
        Some(token) => (format!("`{}`", token.text(text)), token.span),
        None => ("the end of the file".to_owned(), end_before(text, place)),
    };
    let wanted: BTreeSet<&str> = match &error.variant {
        ErrorVariant::ParsingError { positives, .. } => {
            positives.iter().filter_map(|rule| (language.describe)(*rule)).collect()
        }
        ErrorVariant::CustomError { .. } => BTreeSet::new(),
    };
    let message = match wanted.into_iter().collect::<Vec<_>>().split_last() {
        None => format!("unexpected {found}"),
        Some((last, [])) => format!("expected {last}, found {found}"),
        Some((last, others)) => format!("expected {} or {last}, found {found}", others.join(", ")),
    };
    Diagnostic::error(language.syntax, message, span)
}

/// The end of the last word before a place.
fn end_before(text: &str, place: usize) -> Span {
    let end = text[..place].trim_end().len();
    Span::new(end, end)
}
