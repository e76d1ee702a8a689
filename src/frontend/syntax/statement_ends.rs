//! Which line ends end a statement, where declarations begin, and whether brackets match.
//!
//! One pass over the text before the grammar sees it. The text that it hands on has every byte at
//! its old place, but comments and line ends that mean nothing have become blanks, so the grammar
//! is spared both. It also refuses what is nested too deeply for any later recursion.

use super::codes;
use super::token::{Token, TokenKind};
use crate::diagnostic::Diagnostic;
use crate::frontend::errors::foreign_tokens::{comment_advice, is_comment, tokens};
use crate::source::Span;

/// How deeply parentheses, blocks, quantifiers and right-associative operators may nest.
pub const NESTING_LIMIT: usize = 200;

/// The words of a language that layout needs to know; all of them are reserved.
#[derive(Clone, Copy, Debug)]
pub(in crate::frontend) struct StatementWords {
    /// These begin a declaration, wherever a line begins with them.
    pub(in crate::frontend) declaring: &'static [&'static str],
    /// Declarations that begin with these go on until a block ends or another declaration begins.
    pub(in crate::frontend) continuing: &'static [&'static str],
}

/// A comment and where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comment {
    /// From `#` to the end of the line.
    pub span: Span,
}

/// A text made ready for the grammar.
pub(in crate::frontend) struct StatementEnds {
    /// The text, byte for byte at its old place.
    pub(in crate::frontend) text: String,
    /// The declarations, in order.
    pub(in crate::frontend) chunks: Vec<Chunk>,
    /// The comments, in order.
    pub(in crate::frontend) comments: Vec<Comment>,
    /// Brackets that do not match and nesting that is too deep.
    pub(in crate::frontend) diagnostics: Vec<Diagnostic>,
}

/// The text of one declaration, or of something that stands where one should.
#[derive(Clone, Debug)]
pub(in crate::frontend) struct Chunk {
    /// From its first token to its last.
    pub(in crate::frontend) span: Span,
    /// Whether a message about it has been given already.
    pub(in crate::frontend) broken: bool,
    /// Whether further statements may belong to it.
    open: bool,
}

impl Chunk {
    /// A chunk that has not been looked at.
    pub(in crate::frontend) fn new(span: Span) -> Self {
        Chunk { span, broken: false, open: true }
    }
}

/// Lays out a text.
pub(in crate::frontend) fn layout(source: &str, words: StatementWords) -> StatementEnds {
    let mut scan = StatementScan::new(source, words);
    for token in tokens(source) {
        match token.kind {
            TokenKind::Blank => {}
            TokenKind::Comment => scan.comments.push(Comment { span: token.span }),
            TokenKind::LineEnd => {
                let (_, last) = scan.line_ends.get_or_insert((token.span.start, 0));
                *last = token.span.start;
            }
            TokenKind::Other if is_comment(token.text(source)) => scan.foreign_comment(token),
            _ => scan.token(token),
        }
    }
    scan.finish()
}

/// The layout of the tokens seen so far.
struct StatementScan<'a> {
    source: &'a str,
    words: StatementWords,
    output: Vec<u8>,
    chunks: Vec<Chunk>,
    comments: Vec<Comment>,
    diagnostics: Vec<Diagnostic>,
    /// The brackets that are open; the first entry stands for none.
    groups: Vec<Bracket>,
    /// Brackets opened beyond the nesting limit.
    uncounted: usize,
    previous: Option<Token>,
    /// The first and the last line end since the previous token.
    line_ends: Option<(usize, usize)>,
    /// Whether the previous token began a statement.
    after_first: bool,
}

/// An open bracket and how deeply the expression in it is nested so far.
pub(in crate::frontend) struct Bracket {
    pub(in crate::frontend) opener: Option<Token>,
    outside: usize,
    /// Operators whose right side reaches as far as it can.
    reaching: usize,
    /// Operators whose operands end at the next `&` or `|`.
    tight: usize,
    in_binders: bool,
}

impl Bracket {
    pub(in crate::frontend) fn new(opener: Option<Token>, outside: usize) -> Self {
        Bracket { opener, outside, reaching: 0, tight: 0, in_binders: false }
    }

    pub(in crate::frontend) fn depth(&self) -> usize {
        self.outside + self.reaching + self.tight
    }

    pub(in crate::frontend) fn restart(&mut self) {
        self.reaching = 0;
        self.tight = 0;
        self.in_binders = false;
    }

    pub(in crate::frontend) fn count(&mut self, kind: TokenKind, text: &str) {
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

impl<'a> StatementScan<'a> {
    fn new(source: &'a str, words: StatementWords) -> Self {
        StatementScan {
            source,
            words,
            output: vec![b' '; source.len()],
            chunks: Vec::new(),
            comments: Vec::new(),
            diagnostics: Vec::new(),
            groups: vec![Bracket::new(None, 0)],
            uncounted: 0,
            previous: None,
            line_ends: None,
            after_first: false,
        }
    }

    fn token(&mut self, token: Token) {
        let text = token.text(self.source);
        let declares = self.begins_line()
            && self.words.declaring.contains(&text)
            && !self.is_within_block(token);
        if declares {
            self.close_all();
        }
        if declares || self.begins_statement(token, text) {
            self.begin_statement(token, declares);
        } else if self.after_first && token.kind == TokenKind::Colon {
            self.begin_bare_constant();
        } else {
            self.after_first = false;
        }
        self.output[token.span.start..token.span.end].copy_from_slice(text.as_bytes());
        self.bracket_or_operator(token, text);
        if let Some(chunk) = self.chunks.last_mut() {
            chunk.span.end = token.span.end;
        }
        self.previous = Some(token);
        self.line_ends = None;
    }

    /// A comment of another language: wrong, and read as a comment all the same.
    fn foreign_comment(&mut self, token: Token) {
        let opening = &token.text(self.source)[..2];
        let (message, hint) = comment_advice(opening);
        let span = Span::new(token.span.start, token.span.start + opening.len());
        self.diagnostics.push(Diagnostic::error(codes::SYNTAX, message, span).hint(hint));
    }

    /// Whether a word that could begin a declaration seems to be meant as a statement: it stands in
    /// a block, and further to the right than the declaration that has the block.
    fn is_within_block(&self, token: Token) -> bool {
        let in_braces = |group: &Bracket| {
            group.opener.is_some_and(|opener| opener.kind == TokenKind::OpenBrace)
        };
        let outside = self.chunks.last().map_or(0, |chunk| chunk.span.start);
        self.groups.iter().any(in_braces)
            && indent(self.source, token.span.start) > indent(self.source, outside)
    }

    /// Whether the coming token is the first of its line or follows a `;`.
    fn begins_line(&self) -> bool {
        self.line_ends.is_some()
            || self.previous.is_none_or(|previous| previous.kind == TokenKind::Semicolon)
    }

    /// The rule for lines: a line end ends a statement, except inside parentheses, after a binary
    /// operator or a quantifier's dot, or before a binary operator other than `-`.
    fn begins_statement(&self, token: Token, text: &str) -> bool {
        let Some(previous) = self.previous else { return true };
        if previous.kind == TokenKind::Semicolon {
            return true;
        }
        let inside =
            matches!(self.group().opener, Some(Token { kind: TokenKind::OpenParenthesis, .. }));
        let continues = inside
            || previous.kind.is_binary()
            || previous.kind == TokenKind::Dot
            || (token.kind.is_binary() && token.kind != TokenKind::Minus)
            || (previous.kind == TokenKind::CloseBrace && text == "else");
        self.line_ends.is_some() && !continues
    }

    fn begin_statement(&mut self, token: Token, declares: bool) {
        // The first, because a message may say that the line ended there; the last, because it
        // shows how far the statement is indented.
        if let Some((first, last)) = self.line_ends {
            self.output[first] = b'\n';
            self.output[last] = b'\n';
        }
        self.group_mut().restart();
        self.after_first = self.groups.len() == 1 && token.kind == TokenKind::Word;
        let continues = token.kind == TokenKind::Semicolon
            || self.chunks.last().is_some_and(|chunk| chunk.open);
        if self.groups.len() == 1 && (declares || !continues) {
            let open = self.words.continuing.contains(&token.text(self.source));
            self.begin_chunk(token.span.start, open);
        }
    }

    /// The paper declares a constant without a word: `owner : value`.
    fn begin_bare_constant(&mut self) {
        self.after_first = false;
        let start = self.previous.map_or(0, |name| name.span.start);
        if self.chunks.last().is_some_and(|chunk| chunk.span.start < start) {
            self.begin_chunk(start, false);
        }
    }

    fn begin_chunk(&mut self, start: usize, open: bool) {
        let span = Span::new(start, start);
        self.chunks.push(Chunk { span, broken: false, open });
    }

    fn bracket_or_operator(&mut self, token: Token, text: &str) {
        match token.kind {
            TokenKind::OpenParenthesis | TokenKind::OpenBrace => self.open(token),
            TokenKind::CloseParenthesis => self.close(TokenKind::OpenParenthesis),
            TokenKind::CloseBrace => self.close(TokenKind::OpenBrace),
            kind => self.group_mut().count(kind, text),
        }
        let is_broken = self.chunks.last().is_some_and(|chunk| chunk.broken);
        if !is_broken && self.group().depth() > NESTING_LIMIT {
            self.break_chunk(too_deep(token.span));
        }
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
        if opening == TokenKind::OpenBrace
            && self.groups.len() == 1
            && let Some(chunk) = self.chunks.last_mut()
        {
            chunk.open = false;
        }
    }

    fn close_all(&mut self) {
        self.uncounted = 0;
        while self.groups.len() > 1 {
            self.report_unclosed();
        }
    }

    /// Forgets the innermost bracket, with a message unless there has been one.
    fn report_unclosed(&mut self) {
        let Some(opener) = self.groups.pop().and_then(|group| group.opener) else { return };
        self.break_chunk(unclosed(opener));
    }

    fn break_chunk(&mut self, diagnostic: Diagnostic) {
        if let Some(chunk) = self.chunks.last_mut()
            && !std::mem::replace(&mut chunk.broken, true)
        {
            self.diagnostics.push(diagnostic);
        }
    }

    fn finish(mut self) -> StatementEnds {
        self.close_all();
        let text = String::from_utf8(self.output).expect("whole tokens were copied over blanks");
        StatementEnds {
            text,
            chunks: self.chunks,
            comments: self.comments,
            diagnostics: self.diagnostics,
        }
    }

    fn group(&self) -> &Bracket {
        self.groups.last().expect("the outermost entry is never removed")
    }

    fn group_mut(&mut self) -> &mut Bracket {
        self.groups.last_mut().expect("the outermost entry is never removed")
    }
}

/// How many bytes of its line stand before a place.
pub(in crate::frontend) fn indent(text: &str, place: usize) -> usize {
    place - text[..place].rfind('\n').map_or(0, |newline| newline + 1)
}

/// The message for a bracket that nothing closes.
pub(in crate::frontend) fn unclosed(opener: Token) -> Diagnostic {
    let (what, closer) = match opener.kind {
        TokenKind::OpenBrace => ("block", "}"),
        _ => ("parenthesis", ")"),
    };
    Diagnostic::error(codes::UNCLOSED, format!("this {what} is never closed"), opener.span)
        .labelled(format!("opened here, no `{closer}` follows"))
}

/// The message for what is nested too deeply.
pub(in crate::frontend) fn too_deep(span: Span) -> Diagnostic {
    let message = format!("nested more than {NESTING_LIMIT} levels deep");
    let hint = "name a part: move it to a relation, a lemma or a `require` of its own";
    Diagnostic::error(codes::TOO_DEEP, message, span).hint(hint)
}
