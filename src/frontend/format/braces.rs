//! Locates the braces of a block, which the tree does not record, to place comments around them.

use crate::frontend::syntax::surface::ActionItem;
use crate::frontend::syntax::token::{Token, TokenKind, tokens};
use crate::source::{Span, Spanned};

/// The places of a block's braces; where there are none, the places where they would be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct BraceSpan {
    /// Of the opening brace.
    pub(crate) start: usize,
    /// Of the first statement, or of the closing brace if there is none.
    pub(crate) first: usize,
    /// Of the closing brace.
    pub(crate) end: usize,
}

/// Finds blocks in a text whose braces match.
pub(crate) struct Blocks<'a> {
    text: &'a str,
}

impl<'a> Blocks<'a> {
    /// The blocks of a text.
    pub(crate) fn new(text: &'a str) -> Self {
        Blocks { text }
    }

    /// The block of an action; the paper's actions have none.
    pub(crate) fn of_action(&self, action: &ActionItem, span: Span) -> BraceSpan {
        let header = action.params.iter().map(|param| param.name.span.end);
        let header_end = header.fold(action.name.span.end, usize::max);
        if self.ends_with_brace(span) && self.first_brace(header_end, action).is_some() {
            self.after(header_end, &action.body)
        } else {
            let first = action.body.first().map_or(span.end, |first| first.span.start);
            BraceSpan { start: header_end, first, end: self.end_of_line(span.end) }
        }
    }

    /// The first block after an offset; `statements` are those in it.
    pub(crate) fn after<T>(&self, offset: usize, statements: &[Spanned<T>]) -> BraceSpan {
        let first = |end| statements.first().map_or(end, |statement| statement.span.start);
        let mut depth = 0_usize;
        let mut start = offset;
        for token in self.tokens_from(offset) {
            match token.kind {
                TokenKind::OpenBrace => {
                    if depth == 0 {
                        start = token.span.start;
                    }
                    depth += 1;
                }
                TokenKind::CloseBrace if depth <= 1 => {
                    let end = token.span.start;
                    return BraceSpan { start, first: first(end), end };
                }
                TokenKind::CloseBrace => depth -= 1,
                _ => {}
            }
        }
        let end = self.text.len();
        BraceSpan { start, first: first(end), end }
    }

    fn end_of_line(&self, offset: usize) -> usize {
        let rest = self.text.get(offset..).unwrap_or_default();
        offset + rest.find(['\n', '\r']).unwrap_or(rest.len())
    }

    fn ends_with_brace(&self, span: Span) -> bool {
        self.text.get(..span.end).is_some_and(|text| text.ends_with('}'))
    }

    /// The brace between an action's header and its first statement.
    fn first_brace(&self, header_end: usize, action: &ActionItem) -> Option<Token> {
        let limit = action.body.first().map_or(self.text.len(), |first| first.span.start);
        self.tokens_from(header_end)
            .take_while(|token| token.span.start < limit)
            .find(|token| token.kind == TokenKind::OpenBrace)
    }

    fn tokens_from(&self, offset: usize) -> impl Iterator<Item = Token> + '_ {
        tokens(self.text.get(offset..).unwrap_or_default()).map(move |token| token.moved(offset))
    }
}
