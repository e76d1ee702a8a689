//! What every token of a text is, for colours.

use super::entity::{EntityKind, IndexedText, Role};
use super::{Index, Span};
use crate::frontend::syntax::scan::scan;
use crate::frontend::syntax::token::{Token, TokenKind};
use crate::keywords::{is_keyword, is_word_of_certificates, is_word_of_structures};

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Colour {
    /// A word of the language.
    Keyword,
    /// A comment.
    Comment,
    /// A number.
    Number,
    /// An operator.
    Operator,
    /// A name, and what happens to it.
    Name(EntityKind, Role),
    /// A built-in sort.
    BuiltIn,
}

/// A part of a text with its colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Coloured {
    /// The part, within one line.
    pub span: Span,
    /// Its colour.
    pub colour: Colour,
}

impl Index {
    /// The colours of a text, in order.
    pub fn colours(&self, text: IndexedText) -> Vec<Coloured> {
        let source = self.text(text);
        let mut places = self.places(text).peekable();
        let mut coloured = Vec::new();
        for token in scan(source) {
            while places.next_if(|place| place.word.start < token.span.start).is_some() {}
            let name = places.peek().filter(|place| place.word.start == token.span.start);
            let colour = match name {
                Some(place) => Some(Colour::Name(self.entity(place.entity).kind, place.role)),
                None => plain(token, source, text),
            };
            coloured.extend(colour.map(|colour| Coloured { span: token.span, colour }));
        }
        coloured
    }
}

fn plain(token: Token, source: &str, side: IndexedText) -> Option<Colour> {
    let text = token.text(source);
    match token.kind {
        TokenKind::Comment => Some(Colour::Comment),
        TokenKind::Quantifier => Some(Colour::Keyword),
        TokenKind::Arrow
        | TokenKind::Junction
        | TokenKind::Comparison
        | TokenKind::Plus
        | TokenKind::Minus
        | TokenKind::Not
        | TokenKind::Assign => Some(Colour::Operator),
        TokenKind::Word if text.starts_with(|first: char| first.is_ascii_digit()) => {
            Some(Colour::Number)
        }
        TokenKind::Word if is_keyword(text) => Some(Colour::Keyword),
        TokenKind::Word if matches!(text, "int" | "bool") => Some(Colour::BuiltIn),
        TokenKind::Word => {
            let is_word = match side {
                IndexedText::Protocol => is_word_of_structures(text),
                IndexedText::Certificate => is_word_of_certificates(text),
            };
            is_word.then_some(Colour::Keyword)
        }
        _ => None,
    }
}
