//! Which line ends end a statement, where declarations begin, and whether brackets match.
//!
//! One pass over the text before the grammar sees it. The result has every byte at
//! its old place, but comments and line ends that mean nothing have become blanks, so the grammar
//! never sees them.

use super::brackets::{BracketScan, Chunk, Comment, PreparedText};
use super::scan::scan;
use super::token::{Token, TokenKind};
use crate::diagnostic::refuse;
use crate::frontend::errors::foreign_spelling::is_comment;
use crate::frontend::errors::messages::foreign_comment;
use crate::keywords::OF_MACHINES;
use crate::source::Span;

/// The words of a language that separate statements.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StatementWords {
    /// These are reserved and begin a declaration, wherever a line begins with them.
    pub(crate) declaring: &'static [&'static str],
    /// Declarations that begin with these go on until a block ends or another declaration begins.
    pub(crate) continuing: &'static [&'static str],
    /// These begin a declaration where another word follows them; they are not reserved.
    pub(crate) structures: &'static [&'static str],
}

/// Prepares a text in which line ends matter.
pub(crate) fn split_statements(source: &str, words: StatementWords) -> PreparedText {
    let mut statements = StatementScan::new(source, words);
    for token in scan(source) {
        match token.kind {
            TokenKind::Blank => {}
            TokenKind::Comment => statements.text.comments.push(Comment { span: token.span }),
            TokenKind::LineEnd => {
                let (_, last) = statements.line_ends.get_or_insert((token.span.start, 0));
                *last = token.span.start;
            }
            TokenKind::Other if is_comment(token.text(source)) => statements.foreign_comment(token),
            _ => statements.token(token),
        }
    }
    statements.text.finish()
}

/// The tokens seen so far.
struct StatementScan<'a> {
    source: &'a str,
    words: StatementWords,
    text: BracketScan,
    previous: Option<Token>,
    /// The first and the last line end since the previous token.
    line_ends: Option<(usize, usize)>,
    /// Whether the previous token began a statement.
    after_first: bool,
}

impl<'a> StatementScan<'a> {
    fn new(source: &'a str, words: StatementWords) -> Self {
        StatementScan {
            source,
            words,
            text: BracketScan::new(source.len()),
            previous: None,
            line_ends: None,
            after_first: false,
        }
    }

    fn token(&mut self, token: Token) {
        let text = token.text(self.source);
        if let Some(previous) = self.previous.filter(|token| !token.kind.is_binary())
            && self.line_ends.is_some()
        {
            self.text.end_line(previous.span.end);
        }
        let declares = self.begins_line()
            && self.words.declaring.contains(&text)
            && !self.is_within_block(token);
        if declares {
            self.text.close_all();
        }
        if declares || self.begins_statement(token, text) {
            self.begin_statement(token, declares);
        } else if self.after_first && (token.kind == TokenKind::Colon || self.is_structure(token)) {
            self.begin_bare_item();
        } else {
            self.after_first = false;
        }
        self.text.copy(token, text);
        if let Some(chunk) = self.text.chunks.last_mut() {
            chunk.span.end = token.span.end;
        }
        self.previous = Some(token);
        self.line_ends = None;
    }

    /// A comment of another language: an error, but skipped like a comment to avoid further errors.
    fn foreign_comment(&mut self, token: Token) {
        let opening = &token.text(self.source)[..2];
        refuse(&mut self.text.diagnostics, foreign_comment(opening, token.span.start));
    }

    /// Whether a word that could begin a declaration seems to be meant as a statement: it stands in
    /// a block, and further to the right than the declaration that has the block, or where a
    /// machine may have it.
    fn is_within_block(&self, token: Token) -> bool {
        let outside = self.text.chunks.last().map_or(0, |chunk| chunk.span.start);
        let in_machine = self.source[outside..].starts_with("machine ")
            && OF_MACHINES.contains(&token.text(self.source));
        let inset = indent(self.source, token.span.start) > indent(self.source, outside);
        self.text.is_in_braces() && (inset || in_machine)
    }

    /// Whether the coming token is the first of its line or follows a `;`.
    fn begins_line(&self) -> bool {
        self.line_ends.is_some()
            || self.previous.is_none_or(|previous| previous.kind == TokenKind::Semicolon)
    }

    /// The rule for lines: a line end ends a statement, except inside parentheses, after a binary
    /// operator, a quantifier's dot or, in a block, a comma, or before a binary operator other than `-`.
    fn begins_statement(&self, token: Token, text: &str) -> bool {
        let Some(previous) = self.previous else { return true };
        if previous.kind == TokenKind::Semicolon {
            return true;
        }
        let continues = self.text.is_in_parentheses()
            || previous.kind.is_binary()
            || previous.kind == TokenKind::Dot
            || (previous.kind == TokenKind::Comma && self.text.is_in_braces())
            || (token.kind.is_binary() && token.kind != TokenKind::Minus)
            || (previous.kind == TokenKind::CloseBrace && text == "else");
        self.line_ends.is_some() && !continues
    }

    fn begin_statement(&mut self, token: Token, declares: bool) {
        // The first, because a message may report that the line ended there; the last, because it
        // shows how far the statement is indented.
        if let Some((first, last)) = self.line_ends {
            self.text.output[first] = b'\n';
            self.text.output[last] = b'\n';
        }
        self.text.restart();
        self.after_first = self.text.is_outermost() && token.kind == TokenKind::Word;
        let continues = token.kind == TokenKind::Semicolon
            || self.text.chunks.last().is_some_and(|chunk| chunk.open);
        if self.text.is_outermost() && (declares || !continues) {
            let open = self.words.continuing.contains(&token.text(self.source));
            self.begin_chunk(token.span.start, open);
        }
    }

    /// Whether the previous word declares a structure: two words that follow each other are no
    /// statement.
    fn is_structure(&self, token: Token) -> bool {
        let word = self.previous.map_or("", |previous| previous.text(self.source));
        token.kind == TokenKind::Word && self.words.structures.contains(&word)
    }

    /// The paper declares a constant without a word, `owner : value`, and structures are declared
    /// with words that may be names elsewhere.
    fn begin_bare_item(&mut self) {
        self.after_first = false;
        let start = self.previous.map_or(0, |name| name.span.start);
        if self.text.chunks.last().is_some_and(|chunk| chunk.span.start < start) {
            self.begin_chunk(start, false);
        }
    }

    fn begin_chunk(&mut self, start: usize, open: bool) {
        self.text.chunks.push(Chunk::new(Span::new(start, start), open));
    }
}

/// How many bytes of its line stand before a place.
pub(crate) fn indent(text: &str, place: usize) -> usize {
    place - text[..place].rfind('\n').map_or(0, |newline| newline + 1)
}
