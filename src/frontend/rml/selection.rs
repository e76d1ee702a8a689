//! Which lines of a text are the property, and which may serve as lemmas.
//!
//! Other languages keep the property and the invariants that prove it in lines of one kind.

use crate::diagnostic::Diagnostic;
use crate::frontend::syntax::codes::{NO_SUCH_LINE, NOT_USED};
use crate::frontend::syntax::surface::{Identifier, Item, LabelledFormula, Module};
use crate::source::{Lemmas, SourceFile, Span, Spanned};

/// Turns the invariants of a text into properties and lemmas, as selected.
pub(crate) fn select(module: &mut Module, source: &SourceFile) -> Vec<Diagnostic> {
    let reading = source.reading();
    match &reading.property {
        Some(name) => choose(module, source, name, reading.lemmas),
        None => by_word(module, reading.lemmas),
    }
}

/// One line is the property; the others are lemmas or nothing.
fn choose(module: &mut Module, source: &SourceFile, name: &str, lemmas: Lemmas) -> Vec<Diagnostic> {
    let is_named = |label: &Identifier| {
        // Labels that RML does not allow have another name in the tree.
        &*label.value == name || source.text().get(label.span.start..label.span.end) == Some(name)
    };
    let chosen =
        |item: &Item| line(item).is_some_and(|line| line.label.as_ref().is_some_and(is_named));
    if !module.items.iter().any(|item| chosen(&item.value)) {
        let known: Vec<String> = module
            .items
            .iter()
            .filter_map(|item| line(&item.value)?.label.as_ref())
            .map(|label| format!("`{}`", label.value))
            .collect();
        let message = format!("no line is labelled `{name}`");
        let hint = match known.is_empty() {
            true => "give the line a label: `[name]` before its formula".to_owned(),
            false => format!("there are {}", known.join(", ")),
        };
        return vec![Diagnostic::error(NO_SUCH_LINE, message, Span::default()).hint(hint)];
    }
    let mut unused = Vec::new();
    for item in std::mem::take(&mut module.items) {
        let span = item.span;
        let put = |kind| Spanned::new(kind, span);
        match item.value {
            value if chosen(&value) => {
                module.items.extend(line(&value).cloned().map(|line| put(Item::Safety(line))));
            }
            Item::Safety(line) | Item::Candidate(line) => match lemmas {
                Lemmas::Used => module.items.push(put(Item::Candidate(line))),
                Lemmas::Unused => unused.push(span),
            },
            other => module.items.push(put(other)),
        }
    }
    note_unused(&unused).into_iter().collect()
}

/// `safety` lines are the property; without one, every invariant is.
fn by_word(module: &mut Module, lemmas: Lemmas) -> Vec<Diagnostic> {
    let is_safety = |item: &Spanned<Item>| matches!(item.value, Item::Safety(_));
    let has_safety = module.items.iter().any(is_safety);
    let mut unused = Vec::new();
    for item in std::mem::take(&mut module.items) {
        let span = item.span;
        match (item.value, has_safety, lemmas) {
            (Item::Candidate(line), false, _) => {
                module.items.push(Spanned::new(Item::Safety(line), span));
            }
            (Item::Candidate(_), true, Lemmas::Unused) => unused.push(span),
            (other, _, _) => module.items.push(Spanned::new(other, span)),
        }
    }
    note_unused(&unused).into_iter().collect()
}

fn note_unused(unused: &[Span]) -> Option<Diagnostic> {
    let first = unused.first()?;
    let message = match unused.len() {
        1 => "this invariant is not used".to_owned(),
        count => format!("this and {} more invariants are not used", count - 1),
    };
    let note = Diagnostic::note(NOT_USED, message, *first);
    Some(note.hint("`--lemmas` tries them as lemmas"))
}

/// The line that may become the property.
fn line(item: &Item) -> Option<&LabelledFormula> {
    match item {
        Item::Safety(line) | Item::Candidate(line) | Item::Lemma(line) => Some(line),
        Item::Sorts(_)
        | Item::Enumeration(_)
        | Item::Symbol(_)
        | Item::Structure(_)
        | Item::Define(_)
        | Item::Axiom(_)
        | Item::Init(_)
        | Item::Owed(_)
        | Item::Action(_)
        | Item::Run(_) => None,
    }
}
