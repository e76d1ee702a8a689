//! Help while writing: what may come next, and the arguments of what is applied.

use lsp_types::{
    CompletionItem, CompletionItemKind, CompletionParams, CompletionTextEdit, Documentation,
    ParameterInformation, ParameterLabel, SignatureHelp, SignatureHelpParams, SignatureInformation,
    TextEdit,
};

use super::view::View;
use crate::index::{EntityKind, Proposal};

/// What may be written at a position.
pub(super) fn completion(view: &View<'_>, asked: &CompletionParams) -> Vec<CompletionItem> {
    let offset = view.offset(asked.text_document_position.position);
    let completions = view.index.completions(view.side, offset);
    let range = view.range(view.side, completions.word);
    let item = |proposal: Proposal| {
        let entity = proposal.entity.map(|id| (id, view.index.entity(id)));
        CompletionItem {
            label: proposal.text.clone(),
            kind: Some(match entity {
                Some((_, entity)) => kind(entity.kind),
                None => CompletionItemKind::KEYWORD,
            }),
            detail: entity.map(|(id, _)| view.index.declaration(id)),
            documentation: entity
                .and_then(|(id, _)| view.index.comment(id))
                .map(Documentation::String),
            text_edit: Some(CompletionTextEdit::Edit(TextEdit::new(range, proposal.text))),
            ..CompletionItem::default()
        }
    };
    completions.proposals.into_iter().map(item).collect()
}

fn kind(kind: EntityKind) -> CompletionItemKind {
    match kind {
        EntityKind::Sort => CompletionItemKind::CLASS,
        EntityKind::Element | EntityKind::CutoffElement => CompletionItemKind::ENUM_MEMBER,
        EntityKind::Relation
        | EntityKind::RigidRelation
        | EntityKind::Function
        | EntityKind::RigidFunction
        | EntityKind::Definition => CompletionItemKind::FUNCTION,
        EntityKind::Constant => CompletionItemKind::CONSTANT,
        EntityKind::StateVariable => CompletionItemKind::FIELD,
        EntityKind::Action => CompletionItemKind::EVENT,
        EntityKind::Safety
        | EntityKind::Lemma
        | EntityKind::Label
        | EntityKind::Case
        | EntityKind::Clause => CompletionItemKind::PROPERTY,
        EntityKind::Parameter | EntityKind::Variable => CompletionItemKind::VARIABLE,
    }
}

/// The arguments of the symbol or action that is applied at a position.
pub(super) fn signature(view: &View<'_>, asked: &SignatureHelpParams) -> Option<SignatureHelp> {
    let offset = view.offset(asked.text_document_position_params.position);
    let call = view.index.call(view.side, offset)?;
    let params = view.index.params(call.entity);
    let active = u32::try_from(call.argument).unwrap_or(u32::MAX);
    let labels = params.iter().map(|(name, sort)| {
        let parts: Vec<&str> = [name, sort].into_iter().flatten().map(|part| &**part).collect();
        ParameterInformation {
            label: ParameterLabel::Simple(parts.join(": ")),
            documentation: None,
        }
    });
    let signature = SignatureInformation {
        label: view.index.rank(call.entity),
        documentation: view.index.comment(call.entity).map(Documentation::String),
        parameters: Some(labels.collect()),
        active_parameter: Some(active),
    };
    Some(SignatureHelp {
        signatures: vec![signature],
        active_signature: Some(0),
        active_parameter: Some(active),
    })
}
