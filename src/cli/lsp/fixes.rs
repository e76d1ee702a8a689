//! Edits that follow the hints of messages, and the searches that can be started anywhere.

use std::collections::BTreeMap;

use lsp_types::{CodeActionParams, Command, TextEdit, Uri};
use serde::Serialize;

use super::documents::{Documents, is_certificate};
use super::lenses::{CHECK, EXPLORE, PROVE};
use super::positions::{Encoding, Lines};
use crate::diagnostic::Diagnostic;
use crate::source::Span;

/// Something that an editor offers: an edit or a command.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct OfferedAction {
    title: String,
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    is_preferred: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    edit: Option<TextChanges>,
    #[serde(skip_serializing_if = "Option::is_none")]
    command: Option<Command>,
}

/// Edits of texts by their addresses, always in the same order.
#[derive(Default, Serialize)]
pub(super) struct TextChanges {
    pub(super) changes: BTreeMap<String, Vec<TextEdit>>,
}

/// What an editor offers for a part of an open text.
pub(super) fn actions(
    documents: &Documents,
    asked: &CodeActionParams,
    encoding: Encoding,
) -> Vec<OfferedAction> {
    let uri = &asked.text_document.uri;
    let Some(text) = documents.text(uri) else { return Vec::new() };
    let lines = Lines::new(text, encoding);
    let part = Span::new(lines.offset(asked.range.start), lines.offset(asked.range.end));
    let wanted = |kind: &str| {
        let only = asked.context.only.as_ref();
        only.is_none_or(|only| only.iter().any(|own| kind.starts_with(own.as_str())))
    };
    let mut actions = Vec::new();
    if wanted("quickfix") {
        for message in documents.diagnostics(uri).unwrap_or_default() {
            let span = message.primary.span;
            if span.start <= part.end && part.start <= span.end {
                actions.extend(fixes(&message, text, uri, &lines));
            }
        }
    }
    if wanted("source") {
        actions.extend(commands(uri));
    }
    actions
}

fn fixes(message: &Diagnostic, text: &str, uri: &Uri, lines: &Lines<'_>) -> Vec<OfferedAction> {
    let Span { start, end } = message.primary.span;
    let found = text.get(start..end).unwrap_or_default();
    let one = message.replacements.len() == 1;
    let fix = |replacement: &String| {
        let title = match found {
            "" => format!("Insert `{}`", replacement.trim_end().replace('\n', " … ")),
            _ if replacement.is_empty() => format!("Remove `{found}`"),
            _ => format!("Replace `{found}` by `{replacement}`"),
        };
        let edit = TextEdit::new(lines.range(message.primary.span), replacement.clone());
        let changes = BTreeMap::from([(uri.as_str().to_owned(), vec![edit])]);
        OfferedAction {
            title,
            kind: "quickfix",
            is_preferred: Some(one),
            edit: Some(TextChanges { changes }),
            command: None,
        }
    };
    message.replacements.iter().map(fix).collect()
}

/// Not every editor shows lenses.
fn commands(uri: &Uri) -> Vec<OfferedAction> {
    let offered: &[(&str, &str)] = match is_certificate(uri) {
        true => &[("Check this certificate", CHECK)],
        false => &[("Explore small instances", EXPLORE), ("Prove for every size", PROVE)],
    };
    let action = |(title, command): &(&str, &str)| {
        let title = (*title).to_owned();
        let arguments = Some(vec![uri.as_str().into()]);
        let command = Some(Command::new(title.clone(), (*command).to_owned(), arguments));
        OfferedAction { title, kind: "source", is_preferred: None, edit: None, command }
    };
    offered.iter().map(action).collect()
}
