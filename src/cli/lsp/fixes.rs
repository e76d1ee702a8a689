//! Edits that follow the hints of messages, and the searches that can be started anywhere.

use std::collections::BTreeMap;

use lsp_types::{CodeActionParams, Command, TextEdit, Uri};
use serde::Serialize;

use super::documents::{Documents, is_certificate};
use super::lenses::{CHECK, EXPLORE, PROVE};
use super::positions::{Encoding, Lines};
use crate::diagnostic::{Diagnostic, Edit, Fix};
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
    let place = message.primary.span;
    let edits: Vec<(&Fix, Edit)> =
        message.fixes.iter().filter_map(|fix| Some((fix, fix.edit(place, text)?))).collect();
    let one = edits.len() == 1;
    let action = |(fix, Edit { span, text: new }): (&Fix, Edit)| {
        let shown = |text: &str| text.trim().replace('\n', " … ");
        let found = text.get(span.start..span.end).unwrap_or_default();
        let title = match fix {
            Fix::Rename { to, .. } => {
                let name = text.get(place.start..place.end).unwrap_or_default();
                format!("Rename `{name}` to `{to}`")
            }
            Fix::Edits(_) if found.is_empty() => format!("Insert `{}`", shown(&new)),
            Fix::Edits(_) if new.is_empty() => format!("Remove `{}`", shown(found)),
            Fix::Edits(_) => format!("Replace `{}` by `{}`", shown(found), shown(&new)),
        };
        let edit = TextEdit::new(lines.range(span), new);
        let changes = BTreeMap::from([(uri.as_str().to_owned(), vec![edit])]);
        OfferedAction {
            title,
            kind: "quickfix",
            is_preferred: Some(one),
            edit: Some(TextChanges { changes }),
            command: None,
        }
    };
    edits.into_iter().map(action).collect()
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
