//! How far a comment or an operator of another language reaches, so that one mistake gets one
//! message, and texts whose beginning shows that they are in another language.

use crate::diagnostic::Diagnostic;
use crate::frontend::syntax::codes;
use crate::frontend::syntax::token::TokenKind;
use crate::source::Span;

/// Whether a text begins with a comment of another language.
pub(crate) fn is_comment(text: &str) -> bool {
    ["//", "/*", "\\*"].iter().any(|opening| text.starts_with(opening))
}

/// The spelling of another language at the beginning of a text. No rule of our grammar begins with
/// its first character, so the grammar never reads on behind it.
pub(crate) fn spelling(rest: &str) -> Option<(TokenKind, usize)> {
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

/// The refusal of a text whose first line shows that it is in another language: all other errors
/// would be consequences.
pub(crate) fn other_language(text: &str) -> Option<Diagnostic> {
    let start = text.len() - text.trim_start().len();
    let line = text[start..].lines().next().unwrap_or_default().trim_end();
    let dashes = line.len() - line.trim_start_matches('-').len();
    let (language, hint) = if line.starts_with("#lang ivy") {
        ("Ivy", "rename the file to `.ivy` to read it as Ivy")
    } else if dashes >= 4 && line[dashes..].trim_start().starts_with("MODULE") {
        (
            "TLA+",
            "TLA+ is not read: write the protocol with `sort`, `relation`, `init`, `action` \
                  and `safety` lines",
        )
    } else {
        return None;
    };
    let message = format!("this text is in {language}, not in RML");
    let span = Span::new(start, start + line.len());
    Some(Diagnostic::error(codes::SYNTAX, message, span).hint(hint))
}

/// JSON is an output format only: a second syntax to read would be a second one to trust.
pub(crate) fn json_certificate() -> Diagnostic {
    let message = "certificates are read in their text form, not as JSON";
    Diagnostic::error(codes::SYNTAX, message, Span::new(0, 0))
        .hint("`rmlcut show certificate` and `rmlcut synth -o` write the text form")
}
