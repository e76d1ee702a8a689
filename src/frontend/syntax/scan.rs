//! Divides a text in RML or a certificate into tokens.
//!
//! Spellings of other languages are one token each, so that one mistake gets one message; none of
//! them is legal.

use super::token::{Token, TokenKind, token_at};
use crate::source::Span;

/// Whether a text begins with a comment of another language.
pub(in crate::frontend) fn is_comment(text: &str) -> bool {
    ["//", "/*", "\\*"].iter().any(|opening| text.starts_with(opening))
}

/// The tokens of a text in RML or a certificate, which together cover it; spellings of other
/// languages are one token each.
pub(in crate::frontend) fn tokens(source: &str) -> impl Iterator<Item = Token> + '_ {
    let mut start = 0;
    std::iter::from_fn(move || {
        let token = token_in(source, start)?;
        start = token.span.end;
        Some(token)
    })
}

/// The token that begins at a byte offset of a text in RML or a certificate.
pub(in crate::frontend) fn token_in(source: &str, start: usize) -> Option<Token> {
    let token = token_at(source, start)?;
    let rest = &source[start..];
    let spelled = if token.kind == TokenKind::Other { spelling(rest) } else { None };
    Some(match spelled {
        Some((kind, length)) => Token { kind, span: Span::new(start, start + length) },
        None => token,
    })
}

/// The spelling of another language at the beginning of a text. No rule of our grammar begins with
/// its first character, so the grammar never reads on behind it.
fn spelling(rest: &str) -> Option<(TokenKind, usize)> {
    if is_comment(rest) {
        return Some((TokenKind::Other, comment(rest)));
    }
    let letters = rest.bytes().skip(1).take_while(u8::is_ascii_alphabetic).count();
    let length = match rest.as_bytes() {
        [b'/', b'\\' | b'=', ..] | [b'\\', b'/', ..] => 2,
        [b'\\', ..] if letters > 0 => 1 + letters,
        _ => return None,
    };
    let kind = match &rest[..length] {
        "/\\" | "\\/" | "\\land" | "\\lor" => TokenKind::Junction,
        "\\equiv" => TokenKind::Arrow,
        "\\A" | "\\E" => TokenKind::Quantifier,
        "\\lnot" | "\\neg" => TokenKind::Not,
        "/=" | "\\in" | "\\notin" | "\\leq" | "\\geq" => TokenKind::Comparison,
        _ => TokenKind::Other,
    };
    Some((kind, length))
}

/// The length of a comment: to the end of the line, or to what closes it.
fn comment(rest: &str) -> usize {
    let closed = rest.starts_with("/*").then(|| rest[2..].find("*/")).flatten();
    match closed {
        Some(length) => length + 4,
        None => rest.find(['\n', '\r']).unwrap_or(rest.len()),
    }
}
