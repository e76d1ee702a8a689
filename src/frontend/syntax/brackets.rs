//! Matching brackets and nesting depth: what every scan of a text before its grammar shares.
//!
//! Refuses what is nested too deeply for any later recursion.

use super::token::{Token, TokenKind};
use crate::diagnostic::{Diagnostic, refuse};
use crate::frontend::errors::messages::{too_deep, unclosed};
use crate::source::Span;

/// How deeply parentheses, blocks, quantifiers and right-associative operators may nest: later
/// stages recurse, and must not exhaust the stack.
pub const NESTING_LIMIT: usize = 200;

/// A comment and its position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comment {
    /// From `#` to the end of the line.
    pub span: Span,
}

/// A text prepared for the grammar: comments and insignificant line ends are blanks.
pub(crate) struct PreparedText {
    /// The text, byte for byte at its old place.
    pub(crate) text: String,
    /// The declarations, in order.
    pub(crate) chunks: Vec<Chunk>,
    /// The comments, in order.
    pub(crate) comments: Vec<Comment>,
    /// Brackets that do not match and nesting that is too deep.
    pub(crate) diagnostics: Vec<Diagnostic>,
}

/// The text of one declaration, or of whatever stands in its place.
#[derive(Clone, Debug)]
pub(crate) struct Chunk {
    /// From its first token to its last.
    pub(crate) span: Span,
    /// Whether a message about it has been given already.
    pub(crate) broken: bool,
    /// Whether further statements may belong to it.
    pub(crate) open: bool,
}

impl Chunk {
    /// A chunk without errors so far.
    pub(crate) fn new(span: Span, open: bool) -> Self {
        Chunk { span, broken: false, open }
    }
}

/// An open bracket and how deeply the expression in it is nested so far.
struct Bracket {
    opener: Option<Token>,
    outside: usize,
    /// Operators whose right side reaches as far as it can.
    reaching: usize,
    /// Operators whose operands end at the next `&` or `|`.
    tight: usize,
    in_binders: bool,
    /// The first end of a line inside it, where a statement could end.
    line_end: Option<usize>,
}

impl Bracket {
    fn new(opener: Option<Token>, outside: usize) -> Self {
        Bracket { opener, outside, reaching: 0, tight: 0, in_binders: false, line_end: None }
    }

    fn depth(&self) -> usize {
        self.outside + self.reaching + self.tight
    }

    fn is_opened_by(&self, kind: TokenKind) -> bool {
        self.opener.is_some_and(|opener| opener.kind == kind)
    }

    fn restart(&mut self) {
        self.reaching = 0;
        self.tight = 0;
        self.in_binders = false;
    }

    fn count(&mut self, kind: TokenKind, text: &str) {
        match kind {
            TokenKind::Quantifier => {
                self.reaching += self.tight + 1;
                self.tight = 0;
                self.in_binders = true;
            }
            TokenKind::Arrow => {
                self.reaching += 1;
                self.tight = 0;
            }
            TokenKind::Word if text == "if" => self.reaching += 1,
            TokenKind::Junction => self.tight = 0,
            TokenKind::Not | TokenKind::Plus | TokenKind::Minus => self.tight += 1,
            TokenKind::Dot => self.in_binders = false,
            TokenKind::Comma if !self.in_binders => self.restart(),
            _ => {}
        }
    }
}

/// A text in preparation: the tokens copied so far, and the brackets that are open.
pub(crate) struct BracketScan {
    pub(crate) output: Vec<u8>,
    pub(crate) chunks: Vec<Chunk>,
    pub(crate) comments: Vec<Comment>,
    pub(crate) diagnostics: Vec<Diagnostic>,
    /// The open brackets; the first entry stands for none.
    brackets: Vec<Bracket>,
    /// Brackets opened beyond the nesting limit.
    uncounted: usize,
}

impl BracketScan {
    /// A scan of `length` bytes, all blanks so far.
    pub(crate) fn new(length: usize) -> Self {
        BracketScan {
            output: vec![b' '; length],
            chunks: Vec::new(),
            comments: Vec::new(),
            diagnostics: Vec::new(),
            brackets: vec![Bracket::new(None, 0)],
            uncounted: 0,
        }
    }

    /// Copies a token to its place, and opens, closes or counts it.
    pub(crate) fn copy(&mut self, token: Token, text: &str) {
        self.output[token.span.start..token.span.end].copy_from_slice(text.as_bytes());
        match token.kind {
            TokenKind::OpenParenthesis | TokenKind::OpenBrace => self.open(token),
            TokenKind::CloseParenthesis => self.close(TokenKind::OpenParenthesis),
            TokenKind::CloseBrace => self.close(TokenKind::OpenBrace),
            kind => self.innermost_mut().count(kind, text),
        }
        if self.innermost().depth() > NESTING_LIMIT {
            self.break_chunk(too_deep(token.span));
        }
    }

    fn open(&mut self, token: Token) {
        if self.innermost().depth() > NESTING_LIMIT {
            self.uncounted += 1;
        } else {
            let outside = self.innermost().depth() + 1;
            self.brackets.push(Bracket::new(Some(token), outside));
        }
    }

    /// Closes the innermost bracket; a `}` also ends parentheses that were left open.
    fn close(&mut self, opening: TokenKind) {
        if self.uncounted > 0 {
            self.uncounted -= 1;
            return;
        }
        let matches = |bracket: &Bracket| bracket.is_opened_by(opening);
        if opening == TokenKind::OpenBrace && self.brackets.iter().any(matches) {
            while !matches(self.innermost()) {
                self.report_unclosed();
            }
        }
        if matches(self.innermost()) {
            self.brackets.pop();
        }
        if opening == TokenKind::OpenBrace
            && self.is_outermost()
            && let Some(chunk) = self.chunks.last_mut()
        {
            chunk.open = false;
        }
    }

    /// Reports every bracket that is still open.
    pub(crate) fn close_all(&mut self) {
        self.uncounted = 0;
        while !self.is_outermost() {
            self.report_unclosed();
        }
    }

    /// Reports the innermost bracket. A parenthesis may be closed at the end of its line, a block
    /// behind all that has been read.
    fn report_unclosed(&mut self) {
        let Some(Bracket { opener: Some(opener), line_end, .. }) = self.brackets.pop() else {
            return;
        };
        let line_end = line_end.filter(|_| opener.kind == TokenKind::OpenParenthesis);
        let read = self.chunks.last().map(|chunk| chunk.span.end);
        // In languages without layout a part of a text ends somewhere behind its last token.
        let ends_token = |end: &usize| self.output[..*end].last().is_some_and(|byte| *byte > b' ');
        self.break_chunk(unclosed(opener, line_end.or(read.filter(ends_token))));
    }

    /// Notes that a line ends where a statement could end.
    pub(crate) fn end_line(&mut self, place: usize) {
        self.innermost_mut().line_end.get_or_insert(place);
    }

    /// Reports an error in the last chunk, unless it has one already.
    fn break_chunk(&mut self, diagnostic: Diagnostic) {
        if let Some(chunk) = self.chunks.last_mut()
            && !std::mem::replace(&mut chunk.broken, true)
        {
            refuse(&mut self.diagnostics, diagnostic);
        }
    }

    /// The prepared text.
    pub(crate) fn finish(mut self) -> PreparedText {
        self.close_all();
        let text = String::from_utf8(self.output).expect("whole tokens were copied over blanks");
        let BracketScan { chunks, comments, diagnostics, .. } = self;
        PreparedText { text, chunks, comments, diagnostics }
    }

    /// Whether no bracket is open.
    pub(crate) fn is_outermost(&self) -> bool {
        self.brackets.len() == 1
    }

    /// Whether some open bracket is a brace.
    pub(crate) fn is_in_braces(&self) -> bool {
        self.brackets.iter().any(|bracket| bracket.is_opened_by(TokenKind::OpenBrace))
    }

    /// Whether the innermost open bracket is a parenthesis.
    pub(crate) fn is_in_parentheses(&self) -> bool {
        self.innermost().is_opened_by(TokenKind::OpenParenthesis)
    }

    /// Begins a new statement: depth is counted from the innermost bracket again.
    pub(crate) fn restart(&mut self) {
        self.innermost_mut().restart();
    }

    fn innermost(&self) -> &Bracket {
        self.brackets.last().expect("the outermost entry is never removed")
    }

    fn innermost_mut(&mut self) -> &mut Bracket {
        self.brackets.last_mut().expect("the outermost entry is never removed")
    }
}
