//! Hints for constructs of other languages: what to write instead.

use super::advice::Advice;
use super::foreign_tokens;
use super::syntax_error::SyntaxFailure;
use crate::frontend::syntax::grammar::Rule;
use crate::frontend::syntax::token::{Token, TokenKind};
use crate::keywords::{DECLARING, is_keyword};
use crate::source::Span;

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

pub(crate) fn is_identifier(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_alphabetic())
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

pub(crate) fn is_name(trouble: &SyntaxFailure<'_>, token: Token) -> bool {
    token.kind == TokenKind::Word && !is_keyword(trouble.token_text(token))
}

/// Variables that are not bound as they are here.
pub(crate) fn binders(trouble: &SyntaxFailure<'_>) -> Option<Advice> {
    let (previous, found) = (trouble.before.last()?, trouble.found?);
    let word = trouble.token_text(found);
    if previous.kind == TokenKind::Quantifier && word == "(" {
        let advice =
            Advice::hint("write the variables without parentheses: `forall X: s, Y: t. F`");
        let inner =
            trouble.text[found.span.end..].split(['(', ')', '\n']).next().unwrap_or_default();
        let end = found.span.end + inner.len();
        return Some(match trouble.text[end..].starts_with(')') {
            true => advice.instead_of(Span::new(found.span.start, end + 1), format!("{inner}.")),
            false => advice,
        });
    }
    if !trouble.wants(Rule::dot) {
        return None;
    }
    if matches!(word, "in" | "\\in") {
        let message = format!("unknown keyword `{word}`");
        let advice = Advice::full(message, "write the sort after a colon: `forall X: s. F`");
        return Some(advice.instead_of(Span::new(previous.span.end, found.span.end), ":"));
    }
    let another_variable = trouble.wants(Rule::colon)
        && found.kind == TokenKind::Word
        && trouble.after(found).is_some_and(|next| !matches!(trouble.token_text(next), "(" | "="));
    let end = Span::new(previous.span.end, previous.span.end);
    if another_variable {
        let hint = "separate variables by commas and end them with a dot: `forall X, Y. F`";
        return Some(Advice::hint(hint).instead_of(end, ","));
    }
    let advice =
        Advice::hint("end the variables of a quantifier with a dot: `forall X: s, Y: t. F`");
    Some(match trouble.before.as_slice() {
        // `forall X: r(X)`
        [.., colon, _] if word == "(" && trouble.token_text(*colon) == ":" => {
            advice.instead_of(colon.span, ".")
        }
        _ if word == ":" => advice.instead("."),
        _ => advice.instead_of(end, "."),
    })
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
    let advice = Advice::full(format!("unknown keyword `{text}`"), hint).at(first);
    let line = trouble.text[first.span.start..].split(['\n', '}', ';']).next().unwrap_or_default();
    Some(match hint {
        _ if hint.ends_with("leave this line out") => advice
            .instead_of(Span::new(first.span.start, first.span.start + line.trim_end().len()), ""),
        _ if matches!(text, "definition" | "let") => advice.instead("define"),
        _ => advice,
    })
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
            let advice = Advice::full(unknown(first), format!("{hint}, {BETWEEN}"));
            return Some(advice.at(previous).instead(""));
        }
    }
    let begins = !trouble.wants(Rule::and);
    if begins && matches!(text, "&" | "|" | "∧" | "∨") {
        // `&&` is two.
        let next = trouble
            .after(found)
            .filter(|next| next.span.start == found.span.end && trouble.token_text(*next) == text);
        let whole = next.map_or(found.span, |next| found.span.to(next.span));
        return Some(Advice::hint(format!("`{text}` stands {BETWEEN}")).instead_of(whole, ""));
    }
    let hint = foreign_tokens::operator(text)?;
    if begins && matches!(text, "/\\" | "\\/") {
        return Some(Advice::full(unknown(text), format!("{hint}, {BETWEEN}")).instead(""));
    }
    let advice = Advice::full(unknown(text), hint);
    Some(match text {
        "\\A" => advice.instead("forall"),
        "\\E" => advice.instead("exists"),
        "in" | "\\in" | "notin" | "\\notin" => member(trouble, advice),
        _ => advice,
    })
}

/// `x \in r` and `x \notin r`
fn member(trouble: &SyntaxFailure<'_>, advice: Advice) -> Advice {
    let (Some(found), Some(element)) = (trouble.found, trouble.before.last().copied()) else {
        return advice;
    };
    match trouble.after(found) {
        Some(set) if is_name(trouble, element) && is_name(trouble, set) => {
            let sign = if trouble.found_text().contains("not") { "~" } else { "" };
            let (set_name, name) = (trouble.token_text(set), trouble.token_text(element));
            let whole = element.span.to(set.span);
            advice.instead_of(whole, format!("{sign}{set_name}({name})"))
        }
        _ => advice,
    }
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
        let whole = Span::new(first.span.start, first.span.start + statement.len());
        let advice = Advice::full("this is not a statement", hint).at(first);
        advice.instead_of(whole, format!("require {statement}"))
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
            let parameter = format!("{word}: {}", trouble.token_text(*previous));
            let advice = Advice::hint(format!("a parameter is written `{parameter}`"));
            return Some(advice.instead_of(previous.span.to(found.span), parameter));
        }
        ("if", "then") => "put the statements into a block: `if F { … }`".to_owned(),
        ("relation" | "rigid" | "immutable" | "mutable", "<" | "<=" | "(")
            if trouble.previous_text() == "relation" =>
        {
            "an order is a relation with a name, and axioms: `rigid relation le(node, node)`"
                .to_owned()
        }
        ("sort" | "type", found) if found == "=" || trouble.previous_text() == "=" => {
            let hint = "list the elements of one sort in braces: `sort colour = { red, green }`";
            return Some(elements(trouble, Advice::hint(hint)));
        }
        (_, ":") if trouble.before.iter().any(|token| trouble.token_text(*token) == "relation") => {
            match trouble.previous_text() {
                ")" => {
                    let advice = Advice::hint("a relation is true or false: it has no result");
                    let result =
                        trouble.after(found).filter(|next| trouble.token_text(*next) == "bool");
                    return Some(match result {
                        Some(result) => advice.instead_of(found.span.to(result.span), ""),
                        None => advice,
                    });
                }
                _ => return None,
            }
        }
        _ => return None,
    };
    Some(Advice::hint(hint))
}

/// `red | green` after the sort that has these elements.
fn elements(trouble: &SyntaxFailure<'_>, advice: Advice) -> Advice {
    let start = trouble.found_start();
    let line = trouble.text[start..].split('\n').next().unwrap_or_default().trim_end();
    let names: Vec<&str> = line.split('|').map(str::trim).collect();
    if trouble.previous_text() != "=" || !names.iter().all(|name| is_identifier(name)) {
        return advice;
    }
    advice.instead_of(Span::new(start, start + line.len()), format!("{{ {} }}", names.join(", ")))
}

/// `-- a comment` and `(* a comment *)` where a declaration should begin, and `Name == F`.
pub(crate) fn declaration(trouble: &SyntaxFailure<'_>) -> Option<Advice> {
    let first = trouble.first().filter(|first| first.span.start == trouble.start)?;
    let rest = &trouble.text[first.span.start..];
    if let Some(opening) = ["--", "(*"].iter().find(|opening| rest.starts_with(**opening)) {
        let whole = Token { span: Span::new(first.span.start, first.span.start + 2), ..first };
        return Some(foreign_tokens::comment_advice(opening))
            .map(|(message, hint)| Advice::full(message, hint).at(whole))
            .map(|advice| if *opening == "--" { advice.instead("#") } else { advice });
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
            let hint = format!("assign the value after the step, without a prime: `{target} := …`");
            let left = first.span.to(trouble.found?.span);
            return Some(Advice::hint(hint).instead_of(left, format!("{target} :=")));
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
        "[" if adjacent => {
            let advice = Advice::hint("arguments are written in parentheses");
            Some(match in_brackets(trouble, found) {
                Some((whole, arguments)) => advice.instead_of(whole, format!("({arguments})")),
                None => advice,
            })
        }
        "[" if trouble.token_text(*previous) == "require" => {
            let advice = Advice::hint("a guard has no label");
            Some(match in_brackets(trouble, found) {
                Some((whole, _)) => advice.instead_of(whole, ""),
                None => advice,
            })
        }
        _ => None,
    }
}

/// The text between brackets without others inside, and the place of both.
fn in_brackets<'a>(trouble: &SyntaxFailure<'a>, open: Token) -> Option<(Span, &'a str)> {
    let inner = trouble.text[open.span.end..].split(['[', ']', '\n']).next()?;
    let end = open.span.end + inner.len();
    let whole = Span::new(open.span.start, end + 1);
    trouble.text[end..].starts_with(']').then_some((whole, inner))
}
