//! Reads a text declaration by declaration, so that each wrong one gets its own message.

use std::borrow::Cow;

use pest::Parser;
use pest::iterators::Pair;

use super::brackets::{Chunk, Comment, PreparedText};
use super::expression::ExpressionBuilder;
use super::grammar::{Grammar, Rule};
use super::statement_ends::{StatementWords, indent, split_statements};
use crate::diagnostic::{Diagnostic, refuse};
use crate::frontend::errors::messages::{given_up, too_long};
use crate::frontend::errors::syntax_error::syntax_error;
use crate::source::Span;

/// After this many messages the rest of a file is not checked.
const MESSAGE_LIMIT: usize = 100;

/// The most wrong statements of one declaration that get a message each.
const STATEMENT_LIMIT: usize = 10;

/// The longest declaration in bytes: matching one takes many times its size.
pub(crate) const LONGEST_DECLARATION: usize = 1 << 20;

/// The comments and diagnostics of a text.
pub(crate) struct Rest {
    /// The comments, in order.
    pub(crate) comments: Vec<Comment>,
    /// The messages, in order.
    pub(crate) diagnostics: Vec<Diagnostic>,
}

/// Matches every declaration of a text with `rule` and hands it to `build`.
pub(crate) fn read_items(
    source: &str,
    words: StatementWords,
    rule: Rule,
    mut build: impl FnMut(&mut ExpressionBuilder, Pair<'_, Rule>),
) -> Rest {
    let mut prepared = split_statements(source, words);
    let mut diagnostics = std::mem::take(&mut prepared.diagnostics);
    let mut failed = None;
    for chunk in prepared.chunks.iter().filter(|chunk| !chunk.broken) {
        if diagnostics.len() >= MESSAGE_LIMIT {
            diagnostics.push(given_up(chunk.span.start_only()));
            break;
        }
        if chunk.span.end - chunk.span.start > LONGEST_DECLARATION {
            refuse(&mut diagnostics, too_long(chunk.span.start_only()));
            continue;
        }
        if failed.is_some_and(|failed| continues_previous(source, failed, chunk, words)) {
            continue;
        }
        let mut builder = ExpressionBuilder::new(chunk.span.start);
        let outcome = read_chunk(&prepared, chunk, rule, &mut builder, &mut build);
        failed = (outcome != ItemOutcome::Read).then_some((chunk, outcome));
        diagnostics.append(&mut builder.diagnostics);
    }
    diagnostics.sort_by_key(|diagnostic| diagnostic.primary.span);
    Rest { comments: prepared.comments, diagnostics }
}

/// The result of reading a declaration.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ItemOutcome {
    /// It was read, at least in part.
    Read,
    /// It is wrong.
    Wrong,
    /// A line end cut it short.
    CutShort,
}

/// Whether a chunk seems to belong to the wrong declaration before it: it begins like no
/// declaration, and that one was cut short by a line end or begins further to the left.
fn continues_previous(
    source: &str,
    failed: (&Chunk, ItemOutcome),
    chunk: &Chunk,
    words: StatementWords,
) -> bool {
    let text = &source[chunk.span.start..chunk.span.end];
    let word = text.split(|c: char| !c.is_ascii_alphabetic()).next().unwrap_or_default();
    let (before, outcome) = failed;
    !words.declaring.contains(&word)
        && (outcome == ItemOutcome::CutShort
            || indent(source, chunk.span.start) > indent(source, before.span.start))
}

/// Reads one declaration; a wrong statement in its block is left out and the rest read again.
fn read_chunk(
    prepared: &PreparedText,
    chunk: &Chunk,
    rule: Rule,
    builder: &mut ExpressionBuilder,
    build: &mut impl FnMut(&mut ExpressionBuilder, Pair<'_, Rule>),
) -> ItemOutcome {
    let mut text = Cow::Borrowed(&prepared.text[chunk.span.start..chunk.span.end]);
    let mut left_out = None;
    for _ in 0..STATEMENT_LIMIT {
        let error = match Grammar::parse(rule, &text) {
            Ok(pairs) => {
                let item = pairs.flatten().nth(1).expect("a match has an item");
                build(builder, item);
                return ItemOutcome::Read;
            }
            Err(error) => syntax_error(&error, rule, &prepared.text, chunk),
        };
        let place = error.place - chunk.span.start;
        // Right behind a statement that was left out, the trouble is still the old one.
        if left_out.is_none_or(|end| !text[end..place.max(end)].trim().is_empty()) {
            refuse(&mut builder.diagnostics, error.diagnostic);
        }
        let Some(statement) = statement_around(&text, place) else {
            return if error.at_line_end { ItemOutcome::CutShort } else { ItemOutcome::Wrong };
        };
        left_out = Some(statement.end);
        let blanks = " ".repeat(statement.end - statement.start);
        text.to_mut().replace_range(statement.start..statement.end, &blanks);
    }
    ItemOutcome::Wrong
}

/// The statement that reaches from one separator to the next, unless there is none, it has a
/// block or it is not inside one.
fn statement_around(text: &str, place: usize) -> Option<Span> {
    let separators = ['\n', ';', '{', '}'];
    let start = text[..place].rfind(separators)? + 1;
    let end = text[place..].find(separators).map_or(text.len(), |length| place + length);
    let is_statement = !text[start..end].trim().is_empty() && !text[end..].starts_with('{');
    is_statement.then(|| Span::new(start, end))
}
