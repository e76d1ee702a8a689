//! What a name is, where it is declared and used, and another name for it.

use lsp_server::ErrorCode;
use lsp_types::{
    DocumentHighlight, DocumentHighlightKind, GotoDefinitionResponse, Hover, HoverContents,
    Location, MarkupContent, MarkupKind, PrepareRenameResponse, ReferenceParams, RenameParams,
    TextDocumentPositionParams, TextEdit,
};

use super::Refusal;
use super::fixes::TextChanges;
use super::view::View;
use crate::index::{EntityId, IndexedText, Place, Role};

/// What is known of the name at a position.
pub(super) fn hover(view: &View<'_>, at: &TextDocumentPositionParams) -> Option<Hover> {
    let place = view.place(at)?;
    let contents = MarkupContent { kind: MarkupKind::Markdown, value: description(view, place) };
    let range = Some(view.range(view.side, place.word));
    Some(Hover { contents: HoverContents::Markup(contents), range })
}

fn description(view: &View<'_>, place: &Place) -> String {
    let mut parts = vec![format!("```rml\n{}\n```", view.index.declaration(place.entity))];
    parts.extend(view.index.remark(place));
    parts.extend(view.index.comment(place.entity));
    parts.extend(view.elsewhere(place.entity));
    parts.join("\n\n")
}

/// Where the name at a position is declared.
pub(super) fn definition(
    view: &View<'_>,
    at: &TextDocumentPositionParams,
) -> Option<GotoDefinitionResponse> {
    let entity = view.index.entity(view.place(at)?.entity);
    Some(GotoDefinitionResponse::Scalar(view.location(entity.text, entity.span)))
}

/// Every place of the name at a position, in both texts.
pub(super) fn references(view: &View<'_>, asked: &ReferenceParams) -> Option<Vec<Location>> {
    let place = view.place(&asked.text_document_position)?;
    let places = view
        .index
        .places_of(place.entity)
        .filter(|place| asked.context.include_declaration || place.role != Role::Declares);
    Some(places.map(|place| view.location(place.text, place.word)).collect())
}

/// Every place of the name at a position, in the text at hand.
pub(super) fn highlights(
    view: &View<'_>,
    at: &TextDocumentPositionParams,
) -> Option<Vec<DocumentHighlight>> {
    let entity = view.place(at)?.entity;
    let places = view.index.places_of(entity).filter(|place| place.text == view.side);
    let highlight = |place: &Place| DocumentHighlight {
        range: view.range(place.text, place.word),
        kind: Some(match place.role {
            Role::Declares | Role::Writes => DocumentHighlightKind::WRITE,
            Role::Reads => DocumentHighlightKind::READ,
        }),
    };
    Some(places.map(highlight).collect())
}

/// Whether the name at a position can be changed, and which part of the word it is.
pub(super) fn prepared_rename(
    view: &View<'_>,
    at: &TextDocumentPositionParams,
) -> Result<Option<PrepareRenameResponse>, Refusal> {
    let Some(place) = view.place(at) else { return Ok(None) };
    view.index.may_be_renamed(place.entity).map_err(|refusal| failed(refusal.to_string()))?;
    let range = view.range(view.side, place.name);
    let placeholder = view.index.entity(place.entity).name.to_string();
    Ok(Some(PrepareRenameResponse::RangeWithPlaceholder { range, placeholder }))
}

/// The edits that give the name at a position another one, in every open text.
pub(super) fn rename(view: &View<'_>, asked: &RenameParams) -> Result<TextChanges, Refusal> {
    let Some(place) = view.place(&asked.text_document_position) else {
        return Err(failed("there is no name here that could be changed".to_owned()));
    };
    let places = view.index.rename(place.entity, &asked.new_name);
    let places = places.map_err(|refusal| failed(refusal.to_string()))?;
    declared_in_an_open_text(view, place.entity)?;
    let mut edits = TextChanges::default();
    for place in places {
        let edit = TextEdit::new(view.range(place.text, place.name), asked.new_name.clone());
        let uri = view.uri(place.text).as_str().to_owned();
        edits.changes.entry(uri).or_default().push(edit);
    }
    Ok(edits)
}

/// What the editor does not have open may be open elsewhere, and is not changed.
fn declared_in_an_open_text(view: &View<'_>, id: EntityId) -> Result<(), Refusal> {
    let entity = view.index.entity(id);
    if view.is_open(entity.text) {
        return Ok(());
    }
    let name = view.index.source(IndexedText::Protocol).map_or("", |source| source.name());
    Err(failed(format!("`{}` is declared in {name}: open that file first", entity.name)))
}

fn failed(reason: String) -> Refusal {
    (ErrorCode::RequestFailed, reason)
}
