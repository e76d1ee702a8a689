//! The layout of languages in which line ends mean nothing: where declarations begin, and whether
//! brackets match.
//!
//! Like `layout` it hands on the text with every byte at its old place, comments and line ends
//! turned into blanks, and refuses what is nested too deeply for any later recursion.

use crate::diagnostic::Diagnostic;
use crate::frontend::syntax::statement_ends::{
    Bracket, Chunk, Comment, NESTING_LIMIT, StatementEnds, too_deep, unclosed,
};
use crate::frontend::syntax::token::{Token, TokenKind, tokens};
use crate::source::Span;

/// The words of a language that its layout needs to know; all of them are reserved.
#[derive(Clone, Copy, Debug)]
pub(in crate::frontend) struct LayoutFreeWords {
    /// These begin a declaration outside all brackets.
    pub(in crate::frontend) declaring: &'static [&'static str],
    /// After these, a declaring word goes on with the declaration.
    pub(in crate::frontend) before: &'static [&'static str],
    /// These begin a statement inside a block.
    pub(in crate::frontend) stating: &'static [&'static str],
}

/// Lays out a text.
pub(in crate::frontend) fn freeform(source: &str, words: LayoutFreeWords) -> StatementEnds {
    let mut scan = LayoutFreeScan {
        source,
        words,
        output: vec![b' '; source.len()],
        chunks: Vec::new(),
        diagnostics: Vec::new(),
        groups: vec![Bracket::new(None, 0)],
        uncounted: 0,
        previous: None,
    };
    let mut comments = Vec::new();
    for token in tokens(source) {
        match token.kind {
            TokenKind::Blank | TokenKind::LineEnd => {}
            TokenKind::Comment => comments.push(Comment { span: token.span }),
            _ => scan.token(token),
        }
    }
    scan.finish(comments)
}

/// The layout of the tokens seen so far.
struct LayoutFreeScan<'a> {
    source: &'a str,
    words: LayoutFreeWords,
    output: Vec<u8>,
    chunks: Vec<Chunk>,
    diagnostics: Vec<Diagnostic>,
    /// The brackets that are open; the first entry stands for none.
    groups: Vec<Bracket>,
    /// Brackets opened beyond the nesting limit.
    uncounted: usize,
    previous: Option<Token>,
}

impl LayoutFreeScan<'_> {
    fn token(&mut self, token: Token) {
        let text = token.text(self.source);
        if self.chunks.is_empty() || (self.groups.len() == 1 && self.declares(text)) {
            self.begin_chunk(token.span.start);
        }
        if self.words.stating.contains(&text) || self.words.declaring.contains(&text) {
            self.group_mut().restart();
        }
        self.output[token.span.start..token.span.end].copy_from_slice(text.as_bytes());
        match token.kind {
            TokenKind::OpenParenthesis | TokenKind::OpenBrace => self.open(token),
            TokenKind::CloseParenthesis => self.close(TokenKind::OpenParenthesis),
            TokenKind::CloseBrace => {
                self.close(TokenKind::OpenBrace);
                self.group_mut().restart();
            }
            TokenKind::Semicolon => self.group_mut().restart(),
            kind => self.group_mut().count(kind, text),
        }
        if self.group().depth() > NESTING_LIMIT {
            self.break_chunk(too_deep(token.span));
        }
        self.previous = Some(token);
    }

    fn declares(&self, text: &str) -> bool {
        let before = self.previous.map_or("", |previous| previous.text(self.source));
        self.words.declaring.contains(&text) && !self.words.before.contains(&before)
    }

    fn begin_chunk(&mut self, start: usize) {
        self.group_mut().restart();
        if let Some(last) = self.chunks.last_mut() {
            last.span.end = start;
        }
        self.chunks.push(Chunk::new(Span::new(start, self.source.len())));
    }

    fn open(&mut self, token: Token) {
        if self.group().depth() > NESTING_LIMIT {
            self.uncounted += 1;
        } else {
            let outside = self.group().depth() + 1;
            self.groups.push(Bracket::new(Some(token), outside));
        }
    }

    /// Closes the innermost bracket; a `}` also ends parentheses that were left open.
    fn close(&mut self, opening: TokenKind) {
        if self.uncounted > 0 {
            self.uncounted -= 1;
            return;
        }
        let matches = |group: &Bracket| group.opener.is_some_and(|opener| opener.kind == opening);
        if opening == TokenKind::OpenBrace && self.groups.iter().any(matches) {
            while !matches(self.group()) {
                self.report_unclosed();
            }
        }
        if matches(self.group()) {
            self.groups.pop();
        }
    }

    /// Forgets the innermost bracket, with a message.
    fn report_unclosed(&mut self) {
        if let Some(opener) = self.groups.pop().and_then(|group| group.opener) {
            self.break_chunk(unclosed(opener));
        }
    }

    fn break_chunk(&mut self, diagnostic: Diagnostic) {
        if let Some(chunk) = self.chunks.last_mut()
            && !std::mem::replace(&mut chunk.broken, true)
        {
            self.diagnostics.push(diagnostic);
        }
    }

    fn finish(mut self, comments: Vec<Comment>) -> StatementEnds {
        while self.groups.len() > 1 {
            self.report_unclosed();
        }
        let text = String::from_utf8(self.output).expect("whole tokens were copied over blanks");
        StatementEnds { text, chunks: self.chunks, comments, diagnostics: self.diagnostics }
    }

    fn group(&self) -> &Bracket {
        self.groups.last().expect("the outermost entry is never removed")
    }

    fn group_mut(&mut self) -> &mut Bracket {
        self.groups.last_mut().expect("the outermost entry is never removed")
    }
}
