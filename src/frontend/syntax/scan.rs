//! Divides a text in RML or a certificate into tokens.
//!
//! Spellings of other languages are one token each, so that one mistake gets one message; none of
//! them is legal.

use super::token::{Token, TokenKind, token_at};
use crate::frontend::errors::foreign_spelling::spelling;
use crate::source::Span;

/// The tokens of a text in RML or a certificate, which together cover it; spellings of other
/// languages are one token each.
pub(crate) fn scan(source: &str) -> impl Iterator<Item = Token> + '_ {
    let mut start = 0;
    std::iter::from_fn(move || {
        let token = token_in(source, start)?;
        start = token.span.end;
        Some(token)
    })
}

/// The token that begins at a byte offset of a text in RML or a certificate.
pub(crate) fn token_in(source: &str, start: usize) -> Option<Token> {
    let token = token_at(source, start)?;
    let rest = &source[start..];
    let spelled = if token.kind == TokenKind::Other { spelling(rest) } else { None };
    Some(match spelled {
        Some((kind, length)) => Token { kind, span: Span::new(start, start + length) },
        None => token,
    })
}
