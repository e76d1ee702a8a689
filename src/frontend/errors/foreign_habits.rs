//! Hints for constructs of other languages: what to write instead.

use super::advice::Advice;
use super::foreign_tokens;
use super::syntax_error::SyntaxFailure;
use crate::frontend::syntax::grammar::Rule;
use crate::frontend::syntax::token::{Token, TokenKind};
use crate::keywords::{DECLARING, is_keyword};
use crate::source::Span;

/// The lines that may have a label.
const LABELLED: &[&str] = &["axiom", "init", "safety", "lemma"];

/// A declaration among the statements of an action.
pub(crate) fn local_declaration(trouble: &SyntaxFailure<'_>) -> Option<Advice> {
    let first = trouble.first().filter(|_| trouble.is_in_action())?;
    let word = trouble.token_text(first);
    if word == "var" || word == "variable" {
        let message = "actions have no local variables";
        return Some(
            Advice::full(message, "declare a value that it picks as a parameter").at(first),
        );
    }
    DECLARING.contains(&word).then(|| {
        Advice::full(format!("`{word}` is not allowed in an action"), "close the action before it")
            .at(first)
    })
}

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
            Some(Advice::full("a guard has no label", "write `require F`").at(*name))
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
            Some(cure(trouble.token_text(*first), "label"))
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
            Some(cure(trouble.token_text(*first), trouble.token_text(*name)).at(*name))
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

fn is_name(trouble: &SyntaxFailure<'_>, token: Token) -> bool {
    token.kind == TokenKind::Word && !is_keyword(trouble.token_text(token))
}

/// Variables that are not bound as they are here.
pub(crate) fn binders(trouble: &SyntaxFailure<'_>) -> Option<Advice> {
    let (previous, found) = (trouble.before.last()?, trouble.found?);
    let word = trouble.token_text(found);
    if previous.kind == TokenKind::Quantifier && word == "(" {
        return Some(Advice::hint(
            "write the variables without parentheses: `forall X: s, Y: t. F`",
        ));
    }
    if !trouble.wants(Rule::dot) {
        return None;
    }
    if matches!(word, "in" | "\\in") {
        let message = format!("unknown keyword `{word}`");
        return Some(Advice::full(message, "write the sort after a colon: `forall X: s. F`"));
    }
    let another_variable = trouble.wants(Rule::colon)
        && found.kind == TokenKind::Word
        && trouble.after(found).is_some_and(|next| !matches!(trouble.token_text(next), "(" | "="));
    let hint = match another_variable {
        true => "separate variables by commas and end them with a dot: `forall X, Y. F`",
        false => "end the variables of a quantifier with a dot: `forall X: s, Y: t. F`",
    };
    Some(Advice::hint(hint))
}

/// A word that begins declarations or statements of another language.
pub(crate) fn word(trouble: &SyntaxFailure<'_>) -> Option<Advice> {
    let first = trouble.first()?;
    let text = trouble.token_text(first);
    let hint = match text {
        // In an action it was a local variable.
        "var" => "write `variable`",
        _ => foreign_tokens::WORDS.iter().find(|(word, _)| *word == text)?.1,
    };
    Some(Advice::full(format!("unknown keyword `{text}`"), hint).at(first))
}

/// An operator of another language.
pub(crate) fn operator(trouble: &SyntaxFailure<'_>) -> Option<Advice> {
    let found = trouble.found?;
    let text = trouble.token_text(found);
    let unknown = |text: &str| {
        let what = if matches!(text, "\\A" | "\\E") { "quantifier" } else { "operator" };
        format!("unknown {what} `{text}`")
    };
    if let Some(previous) = trouble.before.last().copied() {
        let first = trouble.token_text(previous);
        let doubled =
            foreign_tokens::DOUBLED.iter().find(|entry| (entry.0, entry.1) == (first, text));
        if let Some((.., hint)) = doubled.filter(|_| previous.span.end == found.span.start) {
            let whole = Token { span: previous.span.to(found.span), ..found };
            return Some(Advice::full(unknown(&format!("{first}{text}")), *hint).at(whole));
        }
        // It has been read as a name.
        if first == "not" && !matches!(text, ")" | ",") {
            return foreign_tokens::operator(first)
                .map(|hint| Advice::full(unknown(first), hint).at(previous));
        }
        if matches!(first, "and" | "or") && found.kind == TokenKind::Word {
            let hint = foreign_tokens::operator(first)?;
            return Some(Advice::full(unknown(first), format!("{hint}, {BETWEEN}")).at(previous));
        }
    }
    let begins = !trouble.wants(Rule::and);
    if begins && matches!(text, "&" | "|" | "∧" | "∨") {
        return Some(Advice::hint(format!("`{text}` stands {BETWEEN}")));
    }
    let hint = foreign_tokens::operator(text)?;
    if begins && matches!(text, "/\\" | "\\/") {
        return Some(Advice::full(unknown(text), format!("{hint}, {BETWEEN}")).instead(""));
    }
    Some(Advice::full(unknown(text), hint))
}

/// Where an operator that joins formulas stands.
const BETWEEN: &str = "between formulas and not before the first";

/// An action used as a statement, or a formula that is none.
pub(crate) fn call(trouble: &SyntaxFailure<'_>) -> Option<Advice> {
    let first = trouble.first().filter(|_| trouble.is_in_action())?;
    let name = trouble.token_text(first);
    if first.kind == TokenKind::Word && trouble.is_action(name) {
        let message = format!("`{name}` is an action: actions do not call each other");
        return Some(Advice::full(message, "write its statements out").at(first));
    }
    if let Some(found) = trouble.found.filter(|found| {
        trouble.before.len() == 1 && found.kind == TokenKind::Word && is_name(trouble, first)
    }) {
        let called = trouble.token_text(found);
        return Some(match trouble.is_action(called) {
            true => {
                let message = format!("`{called}` is an action: actions do not call each other");
                Advice::full(message, "write its statements out").at(found)
            }
            false => {
                let message = format!("no statement begins with `{name}`");
                Advice::full(message, "a statement is `require F`, `r(x) := …` or `if F { … }`")
                    .at(first)
            }
        });
    }
    let ends = matches!(trouble.found_text(), "" | "}" | ";")
        && !trouble.is_indented_more()
        && trouble.next_line_text() != ":=";
    (ends && trouble.wants(Rule::assign) && is_name(trouble, first)).then(|| {
        let statement = trouble.text[first.span.start..trouble.place].trim_end();
        let hint =
            format!("write `require {statement}` for a guard, `{statement} := …` to change it");
        Advice::full("this is not a statement", hint).at(first)
    })
}

/// The header of an action as in other languages.
pub(crate) fn header(trouble: &SyntaxFailure<'_>) -> Option<Advice> {
    let first = trouble.token_text(trouble.first()?);
    let (previous, found) = (trouble.before.last()?, trouble.found?);
    let hint = match (first, trouble.found_text()) {
        ("action", "=") => {
            let hint = "leave the `=` out: `action a(x: s) { … }`";
            return Some(Advice::hint(hint).instead(""));
        }
        ("action", "returns") => {
            "actions have no results: declare what it picks as a parameter".to_owned()
        }
        ("action", word)
            if found.kind == TokenKind::Word
                && is_name(trouble, *previous)
                && trouble.wants(Rule::closing) =>
        {
            format!("a parameter is written `{word}: {}`", trouble.token_text(*previous))
        }
        ("if", "then") => "put the statements into a block: `if F { … }`".to_owned(),
        ("relation" | "rigid" | "immutable" | "mutable", "<" | "<=" | "(")
            if trouble.previous_text() == "relation" =>
        {
            "an order is a relation with a name, and axioms: `rigid relation le(node, node)`"
                .to_owned()
        }
        ("sort" | "type", found) if found == "=" || trouble.previous_text() == "=" => {
            "list the elements of one sort in braces: `sort colour = { red, green }`".to_owned()
        }
        (_, ":") if trouble.before.iter().any(|token| trouble.token_text(*token) == "relation") => {
            match trouble.previous_text() {
                ")" => "a relation is true or false: it has no result".to_owned(),
                _ => return None,
            }
        }
        _ => return None,
    };
    Some(Advice::hint(hint))
}

/// `-- a comment` and `(* a comment *)` where a declaration should begin, and `Name == F`.
pub(crate) fn declaration(trouble: &SyntaxFailure<'_>) -> Option<Advice> {
    let first = trouble.first().filter(|first| first.span.start == trouble.start)?;
    let rest = &trouble.text[first.span.start..];
    if let Some(opening) = ["--", "(*"].iter().find(|opening| rest.starts_with(**opening)) {
        let whole = Token { span: Span::new(first.span.start, first.span.start + 2), ..first };
        return Some(foreign_tokens::comment_advice(opening))
            .map(|(message, hint)| Advice::full(message, hint).at(whole));
    }
    let defines = rest[first.span.end - first.span.start..].trim_start().starts_with('=');
    (defines && is_name(trouble, first)).then(|| {
        let message = "definitions are not written with `==`";
        let hint = match trouble.token_text(first) {
            "Init" => "write `init` lines: formulas about the first state",
            "Next" => "every action may happen at any time; leave this out",
            "Spec" => "`init` lines and actions already define this; leave it out",
            _ => "write `define name(x) := formula`; what a step does is an `action`",
        };
        Advice::full(message, hint).at(first)
    })
}

/// Assignments about the first state.
pub(crate) fn start(trouble: &SyntaxFailure<'_>) -> Option<Advice> {
    let first = trouble.first().filter(|first| trouble.token_text(*first) == "init")?;
    let assigns = matches!(trouble.found_text(), ":=" | "<-" | "←")
        || trouble.before.len() == 1 && trouble.found_text() == "{";
    assigns.then(|| {
        let hint = "say what holds at first: `init ~r(X)`, `init x = 0`; whatever no line \
                    mentions is arbitrary";
        let message = "an `init` line is a formula, not an assignment";
        let place = trouble.found.unwrap_or(first);
        Advice::full(message, hint).at(place)
    })
}

/// `x += 1`, `x++`, `x' = 1` and `s.add(x)`.
pub(crate) fn update(trouble: &SyntaxFailure<'_>) -> Option<Advice> {
    let first = trouble.first().filter(|_| trouble.is_in_action())?;
    let name = trouble.token_text(first);
    if !trouble.wants(Rule::assign) || !is_name(trouble, first) {
        return None;
    }
    let hint = match trouble.found_text() {
        sign @ ("+" | "-") => format!("write `{name} := {name} {sign} 1`"),
        "." => {
            "a set is a relation: `r(x) := true` adds `x`, `r(x) := false` removes it".to_owned()
        }
        "=" if name.ends_with(['\'', '′']) => {
            let target = trouble.text[first.span.start..trouble.place].trim_end();
            let target = target.replace(['\'', '′'], "");
            format!("assign the value after the step, without a prime: `{target} := …`")
        }
        _ => return None,
    };
    Some(Advice::hint(hint))
}

/// `r[x]`
pub(crate) fn brackets(trouble: &SyntaxFailure<'_>) -> Option<Advice> {
    let (previous, found) = (trouble.before.last()?, trouble.found?);
    let adjacent = is_name(trouble, *previous) && previous.span.end == found.span.start;
    match trouble.found_text() {
        "[" if adjacent => Some(Advice::hint("arguments are written in parentheses")),
        "[" if trouble.token_text(*previous) == "require" => {
            Some(Advice::hint("a guard has no label"))
        }
        _ => None,
    }
}
