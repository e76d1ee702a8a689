//! What may be written at a place.

use super::entity::{Entity, EntityId, EntityKind, IndexedText};
use super::{Index, Span};
use crate::frontend::syntax::scan::scan;
use crate::frontend::syntax::token::{Token, TokenKind};
use crate::keywords::{CASE_LINES, CERTIFICATE_PARTS, DECLARING, STRUCTURES};

/// What may be written at a place.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Completions {
    /// The word that is there so far.
    pub word: Span,
    /// What may replace it.
    pub proposals: Vec<Proposal>,
}

/// Something that may be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proposal {
    /// The text.
    pub text: String,
    /// What it stands for; words of the language stand for nothing.
    pub entity: Option<EntityId>,
}

/// Where a place is, as the tokens before it show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Spot {
    /// A declaration, or a part of a certificate, begins.
    Declaration,
    /// A line of a case begins.
    CaseLine,
    /// A statement begins.
    Statement,
    /// A sort.
    Sort,
    /// A property.
    Property,
    /// An action.
    Action,
    /// A word that is being declared.
    NewName,
    /// A formula.
    Formula,
}

impl Index {
    /// What may be written at a byte of a text.
    pub fn completions(&self, text: IndexedText, offset: usize) -> Completions {
        let source = self.text(text);
        let mut before: Vec<Token> =
            scan(source).take_while(|token| token.span.start < offset).collect();
        if before.last().is_some_and(|token| token.kind == TokenKind::Comment) {
            return Completions::default();
        }
        let word = match before.last().copied() {
            Some(last) if last.kind == TokenKind::Word => {
                before.pop();
                last.span
            }
            _ => Span::new(offset, offset),
        };
        let spot = spot(source, &before, text);
        let mut proposals: Vec<Proposal> = words(spot, text)
            .map(|word| Proposal { text: word.to_owned(), entity: None })
            .collect();
        for (id, entity) in self.entities() {
            if self.is_visible(entity, text, offset) && fits(entity.kind, spot) {
                let texts = spellings(entity, spot, text);
                let named = texts.into_iter().map(|text| Proposal { text, entity: Some(id) });
                proposals.extend(named);
            }
        }
        let mut seen = std::collections::BTreeSet::new();
        proposals.retain(|proposal| seen.insert(proposal.text.clone()));
        Completions { word, proposals }
    }

    fn is_visible(&self, entity: &Entity, text: IndexedText, offset: usize) -> bool {
        match entity.scope {
            None => entity.text == IndexedText::Protocol || text == IndexedText::Certificate,
            Some(Span { start, end }) => {
                entity.text == text && start <= offset && offset <= end.max(start)
            }
        }
    }
}

/// The words of the language that fit.
fn words(spot: Spot, text: IndexedText) -> impl Iterator<Item = &'static str> {
    const STATEMENTS: &[&str] = &["require", "if", "else"];
    const FORMULAS: &[&str] = &["forall", "exists", "true", "false", "if", "else"];
    const ANSWERS: &[&str] = &["when", "otherwise", "do", "then", "stutter", "try", "with", "sim"];
    const BUILT_IN: &[&str] = &["int", "bool"];
    let lists: [&'static [&'static str]; 2] = match (spot, text) {
        (Spot::Declaration, IndexedText::Protocol) => [DECLARING, STRUCTURES],
        (Spot::Declaration, IndexedText::Certificate) => [CERTIFICATE_PARTS, &[]],
        (Spot::CaseLine, _) => [CASE_LINES, &["when", "otherwise"]],
        (Spot::Statement, _) => [STATEMENTS, &[]],
        (Spot::Sort, _) => [BUILT_IN, &[]],
        (Spot::Formula, IndexedText::Protocol) => [FORMULAS, &[]],
        (Spot::Formula, IndexedText::Certificate) => [FORMULAS, ANSWERS],
        (Spot::Property | Spot::Action | Spot::NewName, _) => [&[], &[]],
    };
    lists.into_iter().flatten().copied()
}

fn fits(kind: EntityKind, spot: Spot) -> bool {
    match spot {
        Spot::Declaration | Spot::CaseLine | Spot::NewName => false,
        Spot::Sort => kind == EntityKind::Sort,
        Spot::Property => matches!(kind, EntityKind::Safety | EntityKind::Lemma),
        Spot::Action => kind == EntityKind::Action,
        Spot::Statement => kind.is_assignable(),
        Spot::Formula => !kind.is_label() && !matches!(kind, EntityKind::Sort | EntityKind::Action),
    }
}

/// How a thing is written: in a certificate, symbols with the system they are read in.
fn spellings(entity: &Entity, spot: Spot, text: IndexedText) -> Vec<String> {
    let name = &entity.name;
    let is_symbol = entity.kind.is_global() && entity.kind != EntityKind::Element;
    match (spot, text) {
        (Spot::Formula, IndexedText::Certificate) if is_symbol => {
            vec![name.to_string(), format!("{name}_L"), format!("{name}_C")]
        }
        _ => vec![name.to_string()],
    }
}

/// Where a place is, by the tokens before it.
fn spot(source: &str, before: &[Token], text: IndexedText) -> Spot {
    let mut braces: Vec<&str> = Vec::new();
    let mut opener = "";
    let mut parentheses = 0_usize;
    let mut statement: Vec<Token> = Vec::new();
    for token in before {
        match token.kind {
            TokenKind::Blank | TokenKind::Comment => continue,
            TokenKind::OpenBrace => {
                braces.push(opener);
                statement.clear();
                continue;
            }
            TokenKind::CloseBrace => {
                braces.pop();
                statement.clear();
                continue;
            }
            TokenKind::OpenParenthesis => parentheses += 1,
            TokenKind::CloseParenthesis => parentheses = parentheses.saturating_sub(1),
            TokenKind::LineEnd | TokenKind::Semicolon => {
                let continues = parentheses > 0
                    || statement
                        .last()
                        .is_some_and(|last| last.kind.is_binary() || last.kind == TokenKind::Dot);
                if !continues {
                    statement.clear();
                    parentheses = 0;
                }
                continue;
            }
            _ => {}
        }
        if statement.is_empty() {
            opener = token.text(source);
            // Declarations close whatever was left open, as they do for the parser.
            if text == IndexedText::Protocol && DECLARING.contains(&opener) {
                braces.clear();
            }
        }
        statement.push(*token);
    }
    let words: Vec<&str> = statement.iter().map(|token| token.text(source)).collect();
    match (words.as_slice(), braces.last()) {
        ([], None) => Spot::Declaration,
        ([], Some(&"case")) => Spot::CaseLine,
        ([], Some(&"lockstep")) => Spot::CaseLine,
        ([], Some(&"sort" | &"type")) => Spot::NewName,
        ([], Some(_)) if text == IndexedText::Protocol => Spot::Statement,
        ([], Some(_)) => Spot::Formula,
        (words, _) => within(words, text),
    }
}

/// The spot in a statement that has begun.
fn within(words: &[&str], text: IndexedText) -> Spot {
    let (first, last) = (words[0], words[words.len() - 1]);
    let head: Vec<&str> = words.iter().copied().filter(|word| *word != "rigid").collect();
    let open = words.iter().filter(|word| **word == "(").count()
        > words.iter().filter(|word| **word == ")").count();
    match (first, last) {
        ("case", "for") | ("rank", _) => Spot::Property,
        ("certificate" | "case", _) => Spot::NewName,
        ("lockstep", "lockstep" | "do" | "then" | "try")
        | ("when" | "otherwise", "do" | "then" | "try")
        | ("history", "after") => Spot::Action,
        ("cut", "cut") | ("sim", "sim") => Spot::Sort,
        (_, ":" | "on" | "of") => Spot::Sort,
        ("relation" | "function" | "rigid" | "immutable" | "mutable" | "history", "(" | ",")
            if open =>
        {
            Spot::Sort
        }
        _ if head.len() == 1 && DECLARING.contains(&head[0]) => match head[0] {
            "axiom" | "init" | "safety" | "lemma" => Spot::Formula,
            "reach" => Spot::Formula,
            _ if text == IndexedText::Certificate && first == "rigid" => Spot::Formula,
            _ => Spot::NewName,
        },
        ("action" | "sort" | "type", _) => Spot::NewName,
        (_, "[" | "forall" | "exists" | "∀" | "∃") => Spot::NewName,
        _ => Spot::Formula,
    }
}
