//! What the grammar did not like, in the words of a user.

use pest::error::{Error, ErrorVariant, InputLocation};

use super::grammar::Rule;
use super::token::token_at;
use crate::diagnostic::{Code, Diagnostic};
use crate::source::Span;

const SYNTAX: Code = Code("RML0001");

/// The message for a failed match in the chunk that begins at `offset`.
pub(super) fn syntax_error(error: &Error<Rule>, chunk: &str, offset: usize) -> Diagnostic {
    let place = match error.location {
        InputLocation::Pos(place) | InputLocation::Span((place, _)) => place,
    };
    let place = place + chunk[place..].len() - chunk[place..].trim_start_matches(' ').len();
    let (found, span) = match token_at(chunk, place) {
        Some(token) => (format!("`{}`", token.text(chunk)), token.span),
        None => ("the end of the file".to_owned(), Span::new(place, place)),
    };
    let found = if found == "`\n`" { "the end of the line".to_owned() } else { found };
    let wanted = match &error.variant {
        ErrorVariant::ParsingError { positives, .. } => format!("{positives:?}"),
        ErrorVariant::CustomError { message } => message.clone(),
    };
    let span = Span::new(span.start + offset, span.end + offset);
    Diagnostic::error(SYNTAX, format!("expected {wanted}, found {found}"), span)
}
