//! Messages about brackets, lengths, comments, precedence, numbers and assignments.

use super::foreign_tokens::comment_advice;
use crate::diagnostic::{Diagnostic, Edit};
use crate::frontend::syntax::brackets::NESTING_LIMIT;
use crate::frontend::syntax::codes;
use crate::frontend::syntax::items::LONGEST_DECLARATION;
use crate::frontend::syntax::token::{Token, TokenKind};
use crate::source::Span;

/// The message for a bracket that is never closed.
///
/// What closes it is offered at `end`.
pub(crate) fn unclosed(opener: Token, end: Option<usize>) -> Diagnostic {
    let (what, closer, line) = match opener.kind {
        TokenKind::OpenBrace => ("block", "}", "\n"),
        _ => ("parenthesis", ")", ""),
    };
    let refusal =
        Diagnostic::error(codes::UNCLOSED, format!("this {what} is never closed"), opener.span)
            .labelled(format!("opened here, no `{closer}` follows"));
    match end {
        Some(end) => refusal.mended([Edit::insert(end, format!("{line}{closer}"))]),
        None => refusal,
    }
}

/// The message for what is nested too deeply.
pub(crate) fn too_deep(span: Span) -> Diagnostic {
    let message = format!("nested more than {NESTING_LIMIT} levels deep");
    let hint = "split it: move a part to a relation, a lemma or a separate `require`";
    Diagnostic::error(codes::TOO_DEEP, message, span).hint(hint)
}

/// The message for a declaration that is too long to be matched.
pub(crate) fn too_long(span: Span) -> Diagnostic {
    let message = format!("this declaration is longer than {} MB", LONGEST_DECLARATION >> 20);
    let hint = "split it: several lines of the same kind are conjoined";
    Diagnostic::error(codes::TOO_LONG, message, span).hint(hint)
}

/// The note where a file has too many errors to go on.
pub(crate) fn given_up(span: Span) -> Diagnostic {
    Diagnostic::note(codes::GIVEN_UP, "the rest of this file was not checked", span)
}

/// The message for a comment of another language that begins at a place.
pub(crate) fn foreign_comment(opening: &str, start: usize) -> Diagnostic {
    let (message, hint) = comment_advice(opening);
    let span = Span::new(start, start + opening.len());
    let refusal = Diagnostic::error(codes::SYNTAX, message, span).hint(hint);
    if opening == "/*" { refusal } else { refusal.instead("#") }
}

/// The message for a negation that does not reach over the comparison behind it.
pub(crate) fn negated_left_side(operator: Span, comparison: Span) -> Diagnostic {
    let message = "this negation applies to the left side of the comparison only";
    let hint = "put parentheses around the comparison";
    let refusal = Diagnostic::error(codes::PRECEDENCE, message, operator).hint(hint);
    refusal.mended(parentheses(comparison))
}

fn parentheses(around: Span) -> [Edit; 2] {
    [Edit::insert(around.start, "("), Edit::insert(around.end, ")")]
}

/// The message for two operators in a row that do not associate.
pub(crate) fn chained(message: &str, first: Span, second: Span) -> Diagnostic {
    Diagnostic::error(codes::PRECEDENCE, message, second)
        .also(first, "after this one")
        .hint("add parentheses, or join two formulas by `&`")
}

/// The message for what binds more loosely than the operator before it.
pub(crate) fn binds_loosely(what: &str, span: Span, whole: Span) -> Diagnostic {
    let message = format!("{what} binds more loosely than the operator before it");
    let refusal = Diagnostic::error(codes::PRECEDENCE, message, span);
    refusal.hint("put parentheses around it").mended(parentheses(whole))
}

/// The message for an assignment of several symbols with more targets than values, or fewer.
pub(crate) fn unequal_sides([targets, values]: [usize; 2], span: Span) -> Diagnostic {
    let count = |count: usize, word: &str| match count {
        1 => format!("1 {word}"),
        _ => format!("{count} {word}s"),
    };
    let message = format!(
        "{} on the left, {} on the right",
        count(targets, "target"),
        count(values, "value")
    );
    Diagnostic::error(codes::UNEQUAL_SIDES, message, span)
        .hint("write one value for each target: `r(X), s(X) := F, G`")
}

/// The message for a number that does not fit.
pub(crate) fn number_too_large(span: Span) -> Diagnostic {
    let message = format!("this number is larger than {}", i64::MAX);
    Diagnostic::error(codes::INTEGER, message, span)
}
