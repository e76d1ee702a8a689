//! Syntax errors of the grammar, translated into terms of the language.

use std::collections::BTreeSet;

use itertools::Itertools;
use pest::error::{Error, ErrorVariant, InputLocation};

use super::advice::advice;
use crate::diagnostic::{Diagnostic, Edit};
use crate::frontend::syntax::brackets::Chunk;
use crate::frontend::syntax::codes;
use crate::frontend::syntax::grammar::Rule;
use crate::frontend::syntax::scan::{scan, token_in};
use crate::frontend::syntax::statement_ends::indent;
use crate::frontend::syntax::token::{Token, TokenKind};
use crate::source::Span;

/// The place where the grammar gave up, and what surrounds it.
pub(crate) struct SyntaxFailure<'a> {
    /// The rule for the whole, which determines the language.
    pub(crate) root: Rule,
    /// The laid-out text of the whole file.
    pub(crate) text: &'a str,
    /// Where that is.
    pub(crate) place: usize,
    /// Where the declaration begins.
    pub(crate) start: usize,
    /// The tokens of the statement before the place.
    pub(crate) before: Vec<Token>,
    /// The token at the place, unless the text ends there.
    pub(crate) found: Option<Token>,
    /// The rules that could have continued.
    pub(crate) wanted: BTreeSet<Rule>,
}

/// A syntax error and where reading stopped.
pub(crate) struct SyntaxError {
    /// The message.
    pub(crate) diagnostic: Diagnostic,
    /// The byte at which no rule could go on.
    pub(crate) place: usize,
    /// Whether a line ended too early.
    pub(crate) at_line_end: bool,
}

/// The message for a chunk of the laid-out `text` that does not match `root`.
pub(crate) fn syntax_error(
    error: &Error<Rule>,
    root: Rule,
    text: &str,
    chunk: &Chunk,
) -> SyntaxError {
    let trouble = SyntaxFailure::new(error, root, text, chunk);
    let advice = advice(&trouble);
    let message = advice.message.unwrap_or_else(|| {
        format!("expected {}, found {}", trouble.expectation(), trouble.found_words())
    });
    let span = advice.place.map_or_else(|| trouble.span(), |token| token.span);
    let mut diagnostic = Diagnostic::error(codes::SYNTAX, message, span);
    diagnostic = match advice.instead {
        Some((place, text)) => diagnostic.mended([Edit::new(place.unwrap_or(span), text)]),
        None => diagnostic.instead_any(advice.hint.as_deref().map_or_else(Vec::new, replacements)),
    };
    diagnostic.hint = advice.hint;
    // The parser limits recursion by the thread's stack, independently of our own limit.
    if let ErrorVariant::CustomError { .. } = error.variant {
        diagnostic = Diagnostic::error(codes::TOO_DEEP, "nested too deeply", span);
    }
    SyntaxError { diagnostic, place: trouble.place, at_line_end: trouble.found.is_some_and(is_end) }
}

/// The words that a hint puts in the place of what the message is about: all that it says, or one
/// for each purpose.
fn replacements(hint: &str) -> Vec<String> {
    let written = hint.strip_prefix("write ").or(hint.strip_prefix("an assignment is written "));
    let Some(rest) = written.and_then(|written| written.strip_prefix('`')) else {
        return Vec::new();
    };
    // Words and what is between them, in turn.
    let (words, between): (Vec<&str>, Vec<&str>) = rest.split('`').tuples().unzip();
    let ends = between
        .iter()
        .all(|own| own.is_empty() || own.starts_with(" if ") || own.starts_with(" for "));
    let simple = words.iter().all(|word| !word.is_empty() && !word.contains(' '));
    if !ends || !simple {
        return Vec::new();
    }
    words.into_iter().map(str::to_owned).collect()
}

impl<'a> SyntaxFailure<'a> {
    fn new(error: &Error<Rule>, root: Rule, text: &'a str, chunk: &Chunk) -> Self {
        let place = match error.location {
            InputLocation::Pos(place) | InputLocation::Span((place, _)) => place,
        };
        let wanted = match &error.variant {
            ErrorVariant::ParsingError { positives, .. } => positives.iter().copied().collect(),
            ErrorVariant::CustomError { .. } => BTreeSet::new(),
        };
        let place = chunk.span.start + place;
        let start = place + text[place..].find(|c| c != ' ').unwrap_or(text.len() - place);
        let before =
            scan(&text[chunk.span.start..place]).filter(|token| token.kind != TokenKind::Blank);
        let before = before.map(|token| token.moved(chunk.span.start)).collect_vec();
        SyntaxFailure {
            root,
            text,
            place,
            start: chunk.span.start,
            before: last_statement(before),
            found: token_in(text, start),
            wanted,
        }
    }

    /// The text of a token.
    pub(crate) fn token_text(&self, token: Token) -> &'a str {
        token.text(self.text)
    }

    /// The text at the place; nothing at the end of a line or of the file.
    pub(crate) fn found_text(&self) -> &'a str {
        self.found.filter(|token| !is_end(*token)).map_or("", |token| self.token_text(token))
    }

    /// Where the token at the place begins.
    pub(crate) fn found_start(&self) -> usize {
        self.found.map_or(self.text.len(), |token| token.span.start)
    }

    /// The text of the token before the place.
    pub(crate) fn previous_text(&self) -> &'a str {
        self.before.last().map_or("", |token| self.token_text(*token))
    }

    /// The first token of the statement in which the place is.
    pub(crate) fn first(&self) -> Option<Token> {
        self.before.first().copied().or(self.found).filter(|token| !is_end(*token))
    }

    /// The first word of the next line, where a line ends too early.
    pub(crate) fn next_line_text(&self) -> &'a str {
        let rest = self.found.map_or("", |token| &self.text[token.span.end..]);
        let first =
            scan(rest).find(|token| !matches!(token.kind, TokenKind::Blank | TokenKind::LineEnd));
        first.map_or("", |token| token.text(rest))
    }

    /// The tokens of the line before the declaration.
    pub(crate) fn line_before(&self) -> Vec<Token> {
        let before = self.text[..self.start].trim_end();
        let start = before.rfind('\n').map_or(0, |newline| newline + 1);
        let found = scan(&before[start..]).filter(|token| token.kind != TokenKind::Blank);
        found.map(|token| token.moved(start)).collect()
    }

    /// The token after another one, on the same line.
    pub(crate) fn after(&self, token: Token) -> Option<Token> {
        let rest = scan(&self.text[token.span.end..]);
        let next = rest.map(|next| next.moved(token.span.end));
        next.into_iter().find(|next| next.kind != TokenKind::Blank)
    }

    /// Whether the place is among the statements of an action.
    pub(crate) fn is_in_action(&self) -> bool {
        let start = token_in(self.text, self.start);
        start.is_some_and(|start| self.token_text(start) == "action" && self.first() != Some(start))
    }

    /// Whether an action of that name is declared.
    pub(crate) fn is_action(&self, name: &str) -> bool {
        let words = scan(self.text).filter(|token| token.kind != TokenKind::Blank);
        words.tuple_windows().any(|(word, named)| {
            self.token_text(word) == "action" && self.token_text(named) == name
        })
    }

    /// Whether the declaration does not begin at the left margin.
    pub(crate) fn is_inset(&self) -> bool {
        indent(self.text, self.start) > 0
    }

    /// Whether the statement is indented more than the line before it.
    pub(crate) fn is_indented_more(&self) -> bool {
        let Some(first) = self.first() else { return false };
        let before = self.text[..first.span.start].trim_end();
        let line = before.rfind('\n').map_or(0, |newline| newline + 1);
        let blanks = before[line..].len() - before[line..].trim_start().len();
        indent(self.text, first.span.start) > blanks && !before.ends_with('{')
    }

    /// Whether the line continues with an assignment.
    pub(crate) fn assigns(&self) -> bool {
        let rest = scan(&self.text[self.place..]);
        let line = rest.into_iter().take_while(|token| !is_end(*token));
        line.into_iter().any(|token| token.kind == TokenKind::Assign)
    }

    /// Whether a rule could have continued.
    pub(crate) fn wants(&self, rule: Rule) -> bool {
        self.wanted.contains(&rule)
    }

    fn found_words(&self) -> String {
        match self.found {
            None => "the end of the file".to_owned(),
            Some(token) if is_end(token) => "the end of the line".to_owned(),
            Some(token) => format!("`{}`", shortened(self.token_text(token))),
        }
    }

    /// The wrong token; the end of what comes before, where a line or the text ends too early.
    fn span(&self) -> Span {
        match (self.found, self.before.last()) {
            (Some(token), _) if !is_end(token) => token.span,
            (_, Some(previous)) => Span::new(previous.span.end, previous.span.end),
            (Some(token), None) => Span::new(token.span.start, token.span.start),
            (None, None) => Span::new(self.text.len(), self.text.len()),
        }
    }

    /// What could have stood at the place.
    fn expectation(&self) -> String {
        // Each of these comes with many alternatives that would only lengthen the list.
        let leaders = [
            Rule::chain,
            Rule::quantified,
            Rule::value,
            Rule::place,
            Rule::declaration,
            Rule::sort_word,
        ];
        let words: Vec<String> = match leaders.iter().find(|leader| self.wants(**leader)) {
            Some(leader) => describe(*leader).into_iter().collect(),
            None => {
                let rules = self.wanted.iter().filter(|rule| !self.is_irrelevant(**rule));
                rules.filter_map(|rule| describe(*rule)).unique().sorted().collect()
            }
        };
        match words.split_last() {
            None => "something else".to_owned(),
            Some((last, [])) => last.clone(),
            Some((last, others)) => format!("{} or {last}", others.join(", ")),
        }
    }

    fn is_irrelevant(&self, rule: Rule) -> bool {
        match rule {
            Rule::opening => {
                [Rule::and, Rule::EOI, Rule::statement_end].iter().any(|rule| self.wants(*rule))
            }
            Rule::identifier => self.wants(Rule::require_word),
            _ => false,
        }
    }
}

/// The tokens after the last end of a statement.
fn last_statement(mut tokens: Vec<Token>) -> Vec<Token> {
    let ends = |token: &Token| {
        is_end(*token)
            || matches!(
                token.kind,
                TokenKind::Semicolon | TokenKind::OpenBrace | TokenKind::CloseBrace
            )
    };
    let start = tokens.iter().rposition(ends).map_or(0, |index| index + 1);
    tokens.split_off(start)
}

fn is_end(token: Token) -> bool {
    token.kind == TokenKind::LineEnd
}

/// Long enough to recognise, short enough to read.
pub(crate) fn shortened(word: &str) -> String {
    const LONGEST: usize = 40;
    match word.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &word[..end]),
        None => word.to_owned(),
    }
}

fn describe(rule: Rule) -> Option<String> {
    let words = match rule {
        Rule::declaration | Rule::certificate_item | Rule::sort_word => "a declaration",
        Rule::chain | Rule::quantified | Rule::value | Rule::place => "a formula or a term",
        Rule::identifier => "a name",
        Rule::sort_name => "a sort",
        Rule::binder => "a variable",
        Rule::label_end => "`]`",
        Rule::opening | Rule::places | Rule::parameters => "`(`",
        Rule::closing => "`)`",
        Rule::comma => "`,`",
        Rule::colon => "`:`",
        Rule::dot => "`.`",
        Rule::assign => "`:=`",
        Rule::on_word => "`on`",
        Rule::of_word => "`of`",
        Rule::block | Rule::lines | Rule::block_start => "`{`",
        Rule::block_end => "`}`",
        Rule::require | Rule::branch | Rule::assignment | Rule::require_word => "a statement",
        Rule::statement_end | Rule::EOI => "the end of the line",
        Rule::iff | Rule::implies | Rule::and | Rule::or | Rule::plus | Rule::minus => {
            "an operator"
        }
        // They come with the others, and would only lengthen the list.
        Rule::equal
        | Rule::not_equal
        | Rule::at_most
        | Rule::at_least
        | Rule::less
        | Rule::greater
        | Rule::arguments
        | Rule::if_word
        | Rule::label => return None,
        other => return Some(fallback(other)),
    };
    Some(words.to_owned())
}

/// Rules named after a word stand for it; all others have names that can be read.
fn fallback(rule: Rule) -> String {
    let name = format!("{rule:?}");
    match name.strip_suffix("_word") {
        Some(word) => format!("`{word}`"),
        None => format!("a {}", name.replace('_', " ")),
    }
}
