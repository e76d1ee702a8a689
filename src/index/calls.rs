//! The symbol or action whose arguments are being written at a place.

use super::{EntityId, Index, IndexedText};
use crate::frontend::syntax::scan::scan;
use crate::frontend::syntax::token::{Token, TokenKind};

/// An application that is open at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Call {
    /// What is applied.
    pub entity: EntityId,
    /// The position of the argument that is being written, from 0.
    pub argument: usize,
}

impl Index {
    /// The innermost application that is open at a byte of a text.
    pub fn call(&self, text: IndexedText, offset: usize) -> Option<Call> {
        let source = self.text(text);
        let mut open: Vec<(Option<Token>, usize)> = Vec::new();
        let mut previous: Option<Token> = None;
        for token in scan(source).take_while(|token| token.span.end <= offset) {
            match token.kind {
                TokenKind::OpenParenthesis => {
                    open.push((previous.filter(|before| before.kind == TokenKind::Word), 0));
                }
                TokenKind::CloseParenthesis => {
                    open.pop();
                }
                TokenKind::Comma => {
                    if let Some((_, commas)) = open.last_mut() {
                        *commas += 1;
                    }
                }
                TokenKind::OpenBrace | TokenKind::CloseBrace => open.clear(),
                _ => {}
            }
            if !matches!(token.kind, TokenKind::Blank | TokenKind::LineEnd | TokenKind::Comment) {
                previous = Some(token);
            }
        }
        let (name, argument) = open.pop()?;
        let entity = self.named(name?.text(source))?;
        (!self.params(entity).is_empty()).then_some(Call { entity, argument })
    }

    /// The global thing of a name, also with the name of a system.
    pub(super) fn named(&self, word: &str) -> Option<EntityId> {
        let known = |name: &str| {
            let mut all = self.entities();
            all.find(|(_, own)| own.kind.is_global() && *own.name == *name).map(|(id, _)| id)
        };
        let stems = ["_L'", "_L", "_C"].iter().filter_map(|end| word.strip_suffix(end));
        known(word).or_else(|| stems.into_iter().find_map(known))
    }
}
