//! Errors about brackets and nesting.

use crate::diagnostic::Diagnostic;
use crate::frontend::syntax::brackets::NESTING_LIMIT;
use crate::frontend::syntax::codes;
use crate::frontend::syntax::token::{Token, TokenKind};
use crate::source::Span;

/// The message for a bracket that is never closed.
pub(crate) fn unclosed(opener: Token) -> Diagnostic {
    let (what, closer) = match opener.kind {
        TokenKind::OpenBrace => ("block", "}"),
        _ => ("parenthesis", ")"),
    };
    Diagnostic::error(codes::UNCLOSED, format!("this {what} is never closed"), opener.span)
        .labelled(format!("opened here, no `{closer}` follows"))
}

/// The message for what is nested too deeply.
pub(crate) fn too_deep(span: Span) -> Diagnostic {
    let message = format!("nested more than {NESTING_LIMIT} levels deep");
    let hint = "split it: move a part to a relation, a lemma or a separate `require`";
    Diagnostic::error(codes::TOO_DEEP, message, span).hint(hint)
}
