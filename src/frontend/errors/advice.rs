//! Hints for common syntax errors.

use itertools::Itertools;

use super::foreign_habits;
use super::labels;
use super::syntax_error::{SyntaxFailure, shortened};
use crate::frontend::syntax::grammar::Rule;
use crate::frontend::syntax::token::{Token, TokenKind};
use crate::keywords::{DECLARING, is_keyword};
use crate::source::Span;

/// A better message than the general one, a better place and advice; each may be missing.
#[derive(Default)]
pub(crate) struct Advice {
    /// Instead of "expected …, found …".
    pub(crate) message: Option<String>,
    /// What the message is about, instead of the token at which reading stopped.
    pub(crate) place: Option<Token>,
    /// What to do.
    pub(crate) hint: Option<String>,
    /// What may be written in that place or in another one, if the advice is as simple as that.
    pub(crate) instead: Option<(Option<Span>, String)>,
}

impl Advice {
    pub(crate) fn hint(hint: impl Into<String>) -> Self {
        Advice { hint: Some(hint.into()), ..Advice::default() }
    }

    pub(crate) fn full(message: impl Into<String>, hint: impl Into<String>) -> Self {
        Advice { message: Some(message.into()), ..Advice::hint(hint) }
    }

    pub(crate) fn at(self, token: Token) -> Self {
        Advice { place: Some(token), ..self }
    }

    pub(crate) fn instead(self, text: impl Into<String>) -> Self {
        Advice { instead: Some((None, text.into())), ..self }
    }

    pub(crate) fn instead_of(self, place: Span, text: impl Into<String>) -> Self {
        Advice { instead: Some((Some(place), text.into())), ..self }
    }
}

/// Finds the advice for one kind of error.
type Adviser = fn(&SyntaxFailure<'_>) -> Option<Advice>;

/// For protocols, the most telling first.
const PROTOCOL: &[Adviser] = &[
    foreign_habits::local_declaration,
    labels::colon,
    labels::label,
    foreign_habits::binders,
    keyword_as_name,
    foreign_habits::word,
    foreign_habits::operator,
    foreign_habits::call,
    foreign_habits::header,
    foreign_habits::start,
    foreign_habits::declaration,
    foreign_habits::update,
    assignment,
    star,
    bodiless_action,
    arranged_sort,
    unmatched_bracket,
    declaration,
    shape,
    foreign_habits::brackets,
    character,
    line,
];

/// For other languages that share the grammar of expressions.
const GENERAL: &[Adviser] = &[
    certificate_item,
    foreign_habits::binders,
    keyword_as_name,
    foreign_habits::operator,
    assignment,
    star,
    unmatched_bracket,
    character,
    line,
];

/// The advice for a syntax error.
pub(crate) fn advice(trouble: &SyntaxFailure<'_>) -> Advice {
    let advisers = if trouble.root == Rule::declaration { PROTOCOL } else { GENERAL };
    advisers.iter().find_map(|adviser| adviser(trouble)).unwrap_or_default()
}

fn keyword_as_name(trouble: &SyntaxFailure<'_>) -> Option<Advice> {
    let word = trouble.found_text();
    let a_name = trouble.wants(Rule::identifier) || trouble.wants(Rule::sort_name);
    (is_keyword(word) && a_name && !trouble.wants(Rule::require_word)).then(|| {
        Advice::full(format!("`{word}` is a keyword and cannot be a name"), "choose another name")
    })
}

fn assignment(trouble: &SyntaxFailure<'_>) -> Option<Advice> {
    match trouble.found_text() {
        "=" if trouble.wants(Rule::assign) => Some(Advice::hint("an assignment is written `:=`")),
        "<-" if trouble.wants(Rule::and) => Some(
            Advice::full(
                "`<-` is always an assignment",
                "for a comparison with a negative number write `x < -1`",
            )
            .instead("< -"),
        ),
        ":=" | "←" if trouble.wants(Rule::and) => {
            Some(Advice::hint("assignments belong in actions; a formula uses `=` or `<->`"))
        }
        _ => None,
    }
}

fn star(trouble: &SyntaxFailure<'_>) -> Option<Advice> {
    const HINT: &str = "`*` stands for a whole right side (`x := *`) or for a whole argument on \
                        the left (`r(n, *) := false`)";
    let is_star = |text| matches!(text, "*" | "∗");
    (is_star(trouble.found_text()) || is_star(trouble.previous_text())).then(|| Advice::hint(HINT))
}

/// An action whose header ends the declaration.
fn bodiless_action(trouble: &SyntaxFailure<'_>) -> Option<Advice> {
    let (first, last) = (trouble.first()?, trouble.before.last()?);
    let bodiless = trouble.token_text(first) == "action"
        && trouble.wants(Rule::block_start)
        && trouble.found_text().is_empty();
    bodiless.then(|| {
        Advice::full("this action has no body", "an action that does nothing has the body `{ }`")
            .at(*last)
            .instead_of(Span::new(last.span.end, last.span.end), " { }")
    })
}

/// A structure that is declared like a relation.
fn arranged_sort(trouble: &SyntaxFailure<'_>) -> Option<Advice> {
    let declares = trouble.wants(Rule::on_word) && trouble.before.len() == 2;
    declares.then(|| {
        let words = trouble.before.iter().map(|token| trouble.token_text(*token));
        Advice::hint(format!("write `{} on SORT`", words.collect::<Vec<_>>().join(" ")))
    })
}

fn unmatched_bracket(trouble: &SyntaxFailure<'_>) -> Option<Advice> {
    let closer = trouble.found_text();
    let ended = trouble.wants(Rule::EOI)
        || trouble.wants(Rule::declaration)
        || trouble.wants(Rule::statement_end);
    (ended && matches!(closer, ")" | "}"))
        .then(|| Advice { message: Some(format!("unmatched `{closer}`")), ..Advice::default() })
        .map(|advice| advice.instead(""))
}

/// When a line end does not end a statement.
const CONTINUE: &str = "a statement continues over a line end inside `( )`, after an operator or \
                        before one";

/// Something that begins like no declaration; it may have been read as a bare constant.
fn declaration(trouble: &SyntaxFailure<'_>) -> Option<Advice> {
    let first = trouble.first()?;
    let word = trouble.token_text(first);
    let bare = trouble.wants(Rule::colon) && trouble.before.len() == 1 && !is_keyword(word);
    if !trouble.wants(Rule::declaration) && !bare {
        return None;
    }
    let message = format!("expected a declaration, found `{}`", shortened(word));
    let nearest = DECLARING.iter().min_by_key(|keyword| distance(word, keyword))?;
    let hint = if word.len() > 2 && distance(word, nearest) <= 2 {
        return Some(did_you_mean(message, nearest).at(first));
    } else if matches!(trouble.found_text(), ":=" | "<-" | "←") || trouble.assigns() {
        "statements belong in actions".to_owned()
    } else if trouble.is_inset() {
        CONTINUE.to_owned()
    } else {
        "a declaration begins with sort, relation, function, constant, variable, axiom, init, \
         action, safety or lemma"
            .to_owned()
    };
    Some(Advice::full(message, hint).at(first))
}

fn did_you_mean(message: String, nearest: &str) -> Advice {
    Advice::full(message, format!("did you mean `{nearest}`?")).instead(nearest)
}

/// The words that begin what a certificate consists of.
const ITEMS: &[&str] = &["certificate", "lemma", "history", "rank", "case", "invariant"];

/// A header that is cut short, or something that begins like no part of a certificate.
fn certificate_item(trouble: &SyntaxFailure<'_>) -> Option<Advice> {
    let first = trouble.first().filter(|_| trouble.wants(Rule::certificate_item))?;
    let word = trouble.token_text(first);
    if word == "certificate" {
        let hint = "it is `certificate 1 for NAME` and, in the next line, `sha256 …`; without a \
                    header, `rmlcut check --rebase` prints the right one";
        return Some(Advice::full("incomplete header", hint).at(first));
    }
    if ITEMS.contains(&word) {
        return None;
    }
    let message = format!("expected a part of a certificate, found `{}`", shortened(word));
    let nearest = ITEMS.iter().min_by_key(|item| distance(word, item))?;
    if word.len() > 2 && distance(word, nearest) <= 2 {
        return Some(did_you_mean(message, nearest).at(first));
    }
    let hint = "a certificate consists of lemma, history, rank, case and invariant";
    Some(Advice::full(message, hint).at(first))
}

/// Declarations and applications of a shape that other languages have.
fn shape(trouble: &SyntaxFailure<'_>) -> Option<Advice> {
    let first = trouble.first().map_or("", |token| trouble.token_text(token));
    let symbol = matches!(first, "relation" | "function" | "rigid" | "immutable" | "mutable");
    let hint = match (trouble.previous_text(), trouble.found_text()) {
        ("rigid" | "immutable", "variable") => "declare a value that never changes as a `constant`",
        ("rigid" | "immutable", "constant") => "a constant is always rigid; leave the word out",
        ("mutable", "constant") => "declare a value that changes as a `variable`",
        ("(", ")") => "leave out the empty parentheses",
        (_, ":") if symbol && trouble.wants(Rule::comma) => "arguments are sorts without names",
        (_, ":") if first == "function" => {
            "declare a function without arguments as a `variable`, or as a `constant` if it never changes"
        }
        (_, ",") if trouble.wants(Rule::EOI) => "declare one symbol per line",
        _ => return None,
    };
    let advice = Advice::hint(hint);
    let (Some(previous), Some(found)) = (trouble.before.last(), trouble.found) else {
        return Some(advice);
    };
    let both = previous.span.to(found.span);
    let next = trouble.after(found).map_or(found.span.end, |next| next.span.start);
    Some(match (trouble.previous_text(), trouble.found_text()) {
        ("rigid" | "immutable", word) => {
            advice.instead_of(both, if word == "variable" { "constant" } else { word })
        }
        ("mutable", _) => advice.instead_of(both, "variable"),
        ("(", _) => advice.instead_of(both, ""),
        (_, ":") if previous.kind == TokenKind::Word && trouble.wants(Rule::comma) => {
            advice.instead_of(Span::new(previous.span.start, next), "")
        }
        (_, ":") if !trouble.wants(Rule::comma) => {
            advice.instead_of(trouble.first()?.span, "variable")
        }
        _ => advice,
    })
}

fn character(trouble: &SyntaxFailure<'_>) -> Option<Advice> {
    const HINT: &str = "a name starts with a letter from a to z, large or small; letters, digits \
                        and `_` may follow";
    let first = trouble.found_text().chars().next()?;
    let starts = trouble.wants(Rule::identifier) || trouble.wants(Rule::sort_name);
    let strange = if starts { first == '_' || first.is_ascii_digit() } else { false };
    (strange || !first.is_ascii() && first.is_alphanumeric()).then(|| Advice::hint(HINT))
}

fn line(trouble: &SyntaxFailure<'_>) -> Option<Advice> {
    let found = trouble.found?;
    if trouble.wants(Rule::statement_end) && found.kind == TokenKind::Word {
        let hint = "write one statement per line, or separate them by `;`";
        return Some(Advice::hint(hint).instead(format!("; {}", trouble.found_text())));
    }
    let operator = trouble.before.last().is_some_and(|token| token.kind.is_binary());
    let next = trouble.next_line_text();
    let continues_previous = !operator && next != "}" && !DECLARING.contains(&next);
    (found.kind == TokenKind::LineEnd && continues_previous).then(|| Advice::hint(CONTINUE))
}

/// How many letters must be added, dropped or replaced to make one word the other.
fn distance(left: &str, right: &str) -> usize {
    let mut row = (0..=right.len()).collect_vec();
    for (i, a) in left.bytes().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for (j, b) in right.bytes().enumerate() {
            let replaced = diagonal + usize::from(a != b);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[right.len()]
}

#[cfg(test)]
mod tests {
    use crate::frontend::{parse, parse_certificate};
    use crate::source::SourceFile;

    #[test]
    fn words_of_certificates_are_foreign_to_protocols_only() {
        let text = "invariant {\n  [one] p &\n}\n";
        let protocol = parse(&SourceFile::new("a.rml", text)).diagnostics;
        assert!(protocol[0].message.contains("unknown keyword"));
        let certificate = parse_certificate(&SourceFile::new("a.cut", text)).diagnostics;
        assert_eq!(certificate[0].message, "expected a formula or a term, found `}`");
    }

    #[test]
    fn parts_of_certificates_are_known() {
        let first = |text: &str| {
            let messages = parse_certificate(&SourceFile::new("a.cut", text)).diagnostics;
            let first = messages.into_iter().next().expect("a message");
            (first.message, first.hint.unwrap_or_default())
        };
        let (message, hint) = first("certificate 1 for lock\n\ncase a for b { }\n");
        assert_eq!(message, "incomplete header");
        assert!(hint.contains("--rebase"), "{hint}");
        let (message, hint) = first("cases a for b { }\n");
        assert_eq!(message, "expected a part of a certificate, found `cases`");
        assert_eq!(hint, "did you mean `case`?");
    }
}
