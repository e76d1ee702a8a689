//! Preparing texts of languages in which line ends mean nothing: where declarations begin, and
//! whether brackets match.

use crate::frontend::syntax::brackets::{BracketScan, Chunk, Comment, PreparedText};
use crate::frontend::syntax::token::{Token, TokenKind, tokens};
use crate::source::Span;

/// The words of a language that separate its declarations and statements; all of them are reserved.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LayoutFreeWords {
    /// These begin a declaration outside all brackets.
    pub(crate) declaring: &'static [&'static str],
    /// After these, a declaring word continues the declaration.
    pub(crate) before: &'static [&'static str],
    /// These begin a statement inside a block.
    pub(crate) stating: &'static [&'static str],
}

/// Prepares a text.
pub(crate) fn split_declarations(source: &str, words: LayoutFreeWords) -> PreparedText {
    let text = BracketScan::new(source.len());
    let mut scan = LayoutFreeScan { source, words, text, previous: None };
    for token in tokens(source) {
        match token.kind {
            TokenKind::Blank | TokenKind::LineEnd => {}
            TokenKind::Comment => scan.text.comments.push(Comment { span: token.span }),
            _ => scan.token(token),
        }
    }
    scan.text.finish()
}

/// The tokens seen so far.
struct LayoutFreeScan<'a> {
    source: &'a str,
    words: LayoutFreeWords,
    text: BracketScan,
    previous: Option<Token>,
}

impl LayoutFreeScan<'_> {
    fn token(&mut self, token: Token) {
        let text = token.text(self.source);
        if self.text.chunks.is_empty() || (self.text.is_outermost() && self.declares(text)) {
            self.begin_chunk(token.span.start);
        }
        if self.words.stating.contains(&text) || self.words.declaring.contains(&text) {
            self.text.restart();
        }
        self.text.copy(token, text);
        if matches!(token.kind, TokenKind::CloseBrace | TokenKind::Semicolon) {
            self.text.restart();
        }
        self.previous = Some(token);
    }

    fn declares(&self, text: &str) -> bool {
        let before = self.previous.map_or("", |previous| previous.text(self.source));
        self.words.declaring.contains(&text) && !self.words.before.contains(&before)
    }

    fn begin_chunk(&mut self, start: usize) {
        self.text.restart();
        if let Some(last) = self.text.chunks.last_mut() {
            last.span.end = start;
        }
        self.text.chunks.push(Chunk::new(Span::new(start, self.source.len()), true));
    }
}
