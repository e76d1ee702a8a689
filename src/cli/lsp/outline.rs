//! The outline of a text, and the colours of its tokens.

use lsp_types::{
    DocumentSymbol, SemanticToken, SemanticTokenModifier, SemanticTokenType, SemanticTokens,
    SemanticTokensLegend, SymbolKind,
};

use super::positions::Lines;
use super::view::View;
use crate::index::{Colour, EntityKind, OutlineItem, Role};

/// The outline of a text.
pub(super) fn outline(view: &View<'_>) -> Vec<DocumentSymbol> {
    let lines = view.lines();
    view.index.outline(view.side).into_iter().map(|item| symbol(item, &lines)).collect()
}

// The protocol still has the field, and the type has no other constructor.
#[allow(deprecated)]
fn symbol(item: OutlineItem, lines: &Lines<'_>) -> DocumentSymbol {
    let children: Vec<DocumentSymbol> =
        item.children.into_iter().map(|child| symbol(child, lines)).collect();
    DocumentSymbol {
        name: item.name.to_string(),
        detail: None,
        kind: symbol_kind(item.kind),
        tags: None,
        deprecated: None,
        range: lines.range(item.span),
        selection_range: lines.range(item.name_span),
        children: (!children.is_empty()).then_some(children),
    }
}

fn symbol_kind(kind: EntityKind) -> SymbolKind {
    match kind {
        EntityKind::Sort => SymbolKind::CLASS,
        EntityKind::Element | EntityKind::CutoffElement => SymbolKind::ENUM_MEMBER,
        EntityKind::Relation
        | EntityKind::RigidRelation
        | EntityKind::Function
        | EntityKind::RigidFunction
        | EntityKind::Definition => SymbolKind::FUNCTION,
        EntityKind::Constant => SymbolKind::CONSTANT,
        EntityKind::StateVariable => SymbolKind::FIELD,
        EntityKind::Action => SymbolKind::EVENT,
        EntityKind::Safety | EntityKind::Lemma | EntityKind::Label | EntityKind::Clause => {
            SymbolKind::PROPERTY
        }
        EntityKind::Case => SymbolKind::NAMESPACE,
        EntityKind::Parameter | EntityKind::Variable => SymbolKind::VARIABLE,
    }
}

const TYPES: &[SemanticTokenType] = &[
    SemanticTokenType::KEYWORD,
    SemanticTokenType::COMMENT,
    SemanticTokenType::NUMBER,
    SemanticTokenType::OPERATOR,
    SemanticTokenType::TYPE,
    SemanticTokenType::ENUM_MEMBER,
    SemanticTokenType::FUNCTION,
    SemanticTokenType::PROPERTY,
    SemanticTokenType::MACRO,
    SemanticTokenType::EVENT,
    SemanticTokenType::DECORATOR,
    SemanticTokenType::PARAMETER,
    SemanticTokenType::VARIABLE,
];

const MODIFIERS: &[SemanticTokenModifier] = &[
    SemanticTokenModifier::DECLARATION,
    SemanticTokenModifier::READONLY,
    SemanticTokenModifier::MODIFICATION,
];

/// The names of the colours, by their numbers.
pub(super) fn legend() -> SemanticTokensLegend {
    SemanticTokensLegend { token_types: TYPES.to_vec(), token_modifiers: MODIFIERS.to_vec() }
}

/// The colours of a text: each token with its distance from the one before it.
pub(super) fn colours(view: &View<'_>) -> SemanticTokens {
    let lines = view.lines();
    let (mut line, mut column) = (0, 0);
    let mut data = Vec::new();
    for coloured in view.index.colours(view.side) {
        let start = lines.position(coloured.span.start);
        let (kind, modifiers) = numbers(coloured.colour);
        data.push(SemanticToken {
            delta_line: start.line - line,
            delta_start: if start.line == line {
                start.character - column
            } else {
                start.character
            },
            length: lines.width(coloured.span),
            token_type: kind,
            token_modifiers_bitset: modifiers,
        });
        (line, column) = (start.line, start.character);
    }
    SemanticTokens { result_id: None, data }
}

fn numbers(colour: Colour) -> (u32, u32) {
    let number = |wanted: &SemanticTokenType| {
        TYPES.iter().zip(0..).find(|(own, _)| *own == wanted).map_or(0, |(_, number)| number)
    };
    let kind = match colour {
        Colour::Keyword => SemanticTokenType::KEYWORD,
        Colour::Comment => SemanticTokenType::COMMENT,
        Colour::Number => SemanticTokenType::NUMBER,
        Colour::Operator => SemanticTokenType::OPERATOR,
        Colour::BuiltIn | Colour::Name(EntityKind::Sort, _) => SemanticTokenType::TYPE,
        Colour::Name(kind, _) => name(kind),
    };
    let Colour::Name(entity, role) = colour else { return (number(&kind), 0) };
    let rigid = matches!(
        entity,
        EntityKind::RigidRelation | EntityKind::RigidFunction | EntityKind::Constant
    );
    let modifiers = u32::from(role == Role::Declares)
        | u32::from(rigid) << 1
        | u32::from(role == Role::Writes) << 2;
    (number(&kind), modifiers)
}

fn name(kind: EntityKind) -> SemanticTokenType {
    match kind {
        EntityKind::Sort => SemanticTokenType::TYPE,
        EntityKind::Element | EntityKind::CutoffElement => SemanticTokenType::ENUM_MEMBER,
        EntityKind::Relation
        | EntityKind::RigidRelation
        | EntityKind::Function
        | EntityKind::RigidFunction => SemanticTokenType::FUNCTION,
        EntityKind::Constant | EntityKind::StateVariable => SemanticTokenType::PROPERTY,
        EntityKind::Definition => SemanticTokenType::MACRO,
        EntityKind::Action => SemanticTokenType::EVENT,
        EntityKind::Safety
        | EntityKind::Lemma
        | EntityKind::Label
        | EntityKind::Case
        | EntityKind::Clause => SemanticTokenType::DECORATOR,
        EntityKind::Parameter => SemanticTokenType::PARAMETER,
        EntityKind::Variable => SemanticTokenType::VARIABLE,
    }
}
