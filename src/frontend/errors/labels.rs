//! Hints for labels that are not written in brackets, and colons behind the word of a line.

use super::advice::Advice;
use super::foreign_habits::{is_identifier, is_name};
use super::foreign_tokens;
use super::syntax_error::SyntaxFailure;
use crate::frontend::syntax::grammar::Rule;
use crate::frontend::syntax::token::{Token, TokenKind};
use crate::source::Span;

/// The lines that may have a label.
const LABELLED: &[&str] = &["axiom", "init", "safety", "lemma"];

/// `safety: F`, `safety [one]: F` and `require one: F`.
pub(crate) fn colon(trouble: &SyntaxFailure<'_>) -> Option<Advice> {
    let first = trouble.first().filter(|_| trouble.found_text() == ":")?;
    let word = trouble.token_text(first);
    let takes_formula = LABELLED.contains(&word) || word == "require";
    match trouble.before.as_slice() {
        [_] if takes_formula => {
            Some(Advice::hint(format!("leave the colon out: `{word} F`")).instead(""))
        }
        [_, .., last] if takes_formula && trouble.token_text(*last) == "]" => {
            Some(Advice::hint(format!("leave the colon out: `{word} [label] F`")).instead(""))
        }
        [_, name] if word == "require" && is_name(trouble, *name) => {
            let label = name.span.to(trouble.found?.span);
            let advice = Advice::full("a guard has no label", "write `require F`");
            Some(advice.at(*name).instead_of(label, ""))
        }
        _ => None,
    }
}

/// `safety one: F`, `safety one F`, `safety one { F }`, `safety (one) F` and `safety "one" F`.
pub(crate) fn label(trouble: &SyntaxFailure<'_>) -> Option<Advice> {
    const MESSAGE: &str = "labels are written in brackets";
    let labelled = |token: Token| LABELLED.contains(&trouble.token_text(token));
    let cure = |word: &str, label: &str| Advice::full(MESSAGE, format!("`{word} [{label}] F`"));
    match trouble.before.as_slice() {
        [first] if labelled(*first) && trouble.found_text() == "\"" => {
            let advice = cure(trouble.token_text(*first), "label");
            let quoted = trouble.text[trouble.found_start()..].split('"').nth(1);
            Some(match quoted.filter(|name| is_identifier(name)) {
                Some(name) => {
                    let start = trouble.found_start();
                    let whole = Span::new(start, start + name.len() + 2);
                    advice.instead_of(whole, format!("[{name}]"))
                }
                None => advice,
            })
        }
        [first, name] if labelled(*first) && is_name(trouble, *name) => {
            let found = trouble.found?;
            let continues_previous = matches!(
                found.kind,
                TokenKind::Colon | TokenKind::Word | TokenKind::Quantifier | TokenKind::Not
            ) || trouble.found_text() == "{";
            let operator = foreign_tokens::operator(trouble.found_text()).is_some()
                || foreign_tokens::operator(trouble.token_text(*name)).is_some();
            let label = trouble.token_text(*name);
            (continues_previous && !operator).then(|| {
                cure(trouble.token_text(*first), label).at(*name).instead(format!("[{label}]"))
            })
        }
        [first, open, name, close]
            if labelled(*first)
                && (trouble.token_text(*open), trouble.token_text(*close)) == ("(", ")")
                && is_name(trouble, *name)
                && trouble.found?.kind == TokenKind::Word
                && foreign_tokens::operator(trouble.found_text()).is_none() =>
        {
            let label = trouble.token_text(*name);
            let advice = cure(trouble.token_text(*first), label).at(*name);
            Some(advice.instead_of(open.span.to(close.span), format!("[{label}]")))
        }
        [] | [_] => label_of_its_own_line(trouble).map(|(word, name)| {
            let label = trouble.token_text(name);
            cure(trouble.token_text(word), label).at(name).instead(format!("[{label}]"))
        }),
        _ => None,
    }
}

/// `safety one` in the line before one that begins like no declaration.
fn label_of_its_own_line(trouble: &SyntaxFailure<'_>) -> Option<(Token, Token)> {
    let wrong = trouble.wants(Rule::declaration) || trouble.wants(Rule::colon);
    let tokens = trouble.line_before();
    match tokens.as_slice() {
        [first, name]
            if wrong
                && trouble.is_inset()
                && LABELLED.contains(&trouble.token_text(*first))
                && is_name(trouble, *name) =>
        {
            Some((*first, *name))
        }
        _ => None,
    }
}
