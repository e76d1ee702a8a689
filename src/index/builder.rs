//! Collects things and places while the trees of the texts are walked.

use std::collections::BTreeMap;

use super::entity::{Entity, EntityId, EntityKind, IndexedText, Place, Role};
use crate::frontend::syntax::scan::scan;
use crate::frontend::syntax::surface::{Binder, Identifier};
use crate::frontend::syntax::token::TokenKind;
use crate::logic::Name;
use crate::source::Span;

/// How symbols of the protocol are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Spelling {
    /// By their names.
    Plain,
    /// Also with the system they are read in, such as `r_L`, `r_L'`, `r_C` and `any_r`.
    WithSystem,
}

/// The index so far, and what names mean at the place that is walked.
pub(super) struct Builder<'a> {
    pub(super) entities: Vec<Entity>,
    pub(super) places: Vec<Place>,
    pub(super) globals: BTreeMap<Name, EntityId>,
    pub(super) labels: BTreeMap<Name, EntityId>,
    /// The text that is walked.
    pub(super) text: &'a str,
    pub(super) side: IndexedText,
    /// Names that mean something here only, innermost last.
    pub(super) locals: Vec<EntityId>,
    /// Where a capitalised name without a binder is a variable: the part of the text in which it is
    /// the same one.
    pub(super) closed: Option<Span>,
    pub(super) spelling: Spelling,
    /// What the coming variables belong to.
    pub(super) owner: Option<EntityId>,
    /// The action or case that is walked.
    pub(super) within: Option<EntityId>,
    /// Variables that are equal to each other somewhere, so that they have one sort.
    pub(super) equal: Vec<(EntityId, EntityId)>,
}

/// A declaration that the index is to have.
pub(super) struct Declaration<'a> {
    pub(super) name: &'a Identifier,
    pub(super) kind: EntityKind,
    pub(super) span: Span,
    pub(super) sorts: Vec<Name>,
    pub(super) sort: Option<Name>,
}

impl<'a> Declaration<'a> {
    /// A declaration without sorts.
    pub(super) fn new(name: &'a Identifier, kind: EntityKind, span: Span) -> Self {
        Declaration { name, kind, span, sorts: Vec::new(), sort: None }
    }
}

impl<'a> Builder<'a> {
    pub(super) fn new() -> Self {
        Builder {
            entities: Vec::new(),
            places: Vec::new(),
            globals: BTreeMap::new(),
            labels: BTreeMap::new(),
            text: "",
            side: IndexedText::Protocol,
            locals: Vec::new(),
            closed: None,
            spelling: Spelling::Plain,
            owner: None,
            within: None,
            equal: Vec::new(),
        }
    }

    /// Continues with another text.
    pub(super) fn enter(&mut self, side: IndexedText, text: &'a str) {
        self.side = side;
        self.text = text;
    }

    fn add(&mut self, declaration: Declaration<'_>, scope: Option<Span>) -> EntityId {
        let Declaration { name, kind, span, sorts, sort } = declaration;
        let id = EntityId(self.entities.len());
        let is_written = self.text.get(name.span.start..name.span.end) == Some(&*name.value);
        self.entities.push(Entity {
            name: name.value.clone(),
            kind,
            text: self.side,
            span: name.span,
            declaration: span,
            scope,
            sorts,
            sort,
            owner: self.owner,
            is_written,
        });
        self.place(id, name.span, name.span, Role::Declares);
        id
    }

    /// Declares a name for both texts; the first declaration of a name counts.
    pub(super) fn global(&mut self, declaration: Declaration<'_>) -> EntityId {
        let name = declaration.name.value.clone();
        let id = self.add(declaration, None);
        *self.globals.entry(name).or_insert(id)
    }

    /// Declares a label.
    pub(super) fn label(&mut self, declaration: Declaration<'_>) -> EntityId {
        let name = declaration.name.value.clone();
        let id = self.add(declaration, None);
        *self.labels.entry(name).or_insert(id)
    }

    /// Declares a name that means something in one part of the text.
    pub(super) fn local(&mut self, declaration: Declaration<'_>, scope: Span) -> EntityId {
        let id = self.add(declaration, Some(scope));
        self.locals.push(id);
        id
    }

    /// Declares parameters or bound variables.
    pub(super) fn binders(&mut self, binders: &[Binder], kind: EntityKind, scope: Span) {
        for binder in binders {
            if let Some(sort) = &binder.sort {
                self.sort(sort);
            }
            let end = binder.sort.as_ref().map_or(binder.name.span, |sort| sort.span);
            let span = binder.name.span.to(end);
            let sort = binder.sort.as_ref().map(|sort| sort.value.clone());
            let declaration = Declaration { sort, ..Declaration::new(&binder.name, kind, span) };
            self.local(declaration, scope);
        }
    }

    /// Does some work in which further local names may be declared, and forgets these.
    pub(super) fn scoped(&mut self, work: impl FnOnce(&mut Self)) {
        let (before, closed, owner) = (self.locals.len(), self.closed, self.owner);
        work(self);
        self.locals.truncate(before);
        self.closed = closed;
        self.owner = owner;
    }

    /// A place, if the name stands there: other languages are translated, and defaults unwritten.
    fn place(&mut self, entity: EntityId, word: Span, name: Span, role: Role) {
        let written = self.text.get(name.start..name.end);
        if written == Some(&*self.entities[entity.0].name) {
            let within = self.within;
            self.places.push(Place { text: self.side, word, name, entity, role, within });
        }
    }

    /// A sort where it is used.
    pub(super) fn sort(&mut self, name: &Identifier) {
        if let Some(id) = self.globals.get(&name.value).copied()
            && self.entities[id.0].kind == EntityKind::Sort
        {
            self.place(id, name.span, name.span, Role::Reads);
        }
    }

    /// A global name where it is used.
    pub(super) fn used(&mut self, name: &Identifier, role: Role) -> Option<EntityId> {
        self.mention(&name.value, name.span, role)
    }

    /// A label where it is used.
    pub(super) fn used_label(&mut self, name: &Identifier) -> Option<EntityId> {
        let id = self.labels.get(&name.value).copied()?;
        self.place(id, name.span, name.span, Role::Reads);
        Some(id)
    }

    /// A variable of a property where a certificate mentions it.
    pub(super) fn variable_of(&mut self, property: EntityId, name: &Identifier) {
        let owned = self
            .entities
            .iter()
            .position(|entity| entity.owner == Some(property) && entity.name == name.value);
        if let Some(position) = owned {
            self.place(EntityId(position), name.span, name.span, Role::Reads);
        }
    }

    /// The local thing of that name, without a place.
    pub(super) fn known_local(&self, name: &str) -> Option<EntityId> {
        self.locals.iter().rev().copied().find(|id| *self.entities[id.0].name == *name)
    }

    /// A name in an expression: what it stands for, if that is known.
    pub(super) fn mention(&mut self, name: &str, span: Span, role: Role) -> Option<EntityId> {
        let word = self.word(name, span)?;
        if let Some(id) = self.known_local(name) {
            self.place(id, word, word, role);
            return Some(id);
        }
        if let Some((id, part)) = self.global_in(name) {
            let name = Span::new(word.start + part.start, word.start + part.end);
            self.place(id, word, name, role);
            return Some(id);
        }
        let scope = self.closed.filter(|_| name.starts_with(|first: char| first.is_uppercase()))?;
        let name = Identifier::new(name.into(), word);
        let id = self.add(Declaration::new(&name, EntityKind::Variable, scope), Some(scope));
        self.locals.push(id);
        Some(id)
    }

    /// Where a name stands in the place of an expression, which may have parentheses around it.
    fn word(&self, name: &str, span: Span) -> Option<Span> {
        let text = self.text.get(span.start..span.end)?;
        if text == name {
            return Some(span);
        }
        let found = scan(text)
            .find(|token| token.kind == TokenKind::Word && token.text(text) == name)?
            .moved(span.start);
        Some(found.span)
    }

    /// The global name in a word: as written, or with the name of a system.
    fn global_in(&self, word: &str) -> Option<(EntityId, Span)> {
        let known = |start: usize, end: usize| {
            let id = self.globals.get(word.get(start..end)?)?;
            Some((*id, Span::new(start, end)))
        };
        if self.spelling == Spelling::WithSystem {
            for suffix in ["_L'", "_L", "_C"] {
                if let Some(stem) = word.strip_suffix(suffix)
                    && let Some(found) = known(0, stem.len())
                {
                    return Some(found);
                }
            }
        }
        if let Some(found) = known(0, word.len()) {
            return Some(found);
        }
        if self.spelling == Spelling::Plain {
            return None;
        }
        // What a havoc of `L` picked, and the second havoc of the same symbol.
        let start = if word.starts_with("any_") { "any_".len() } else { 0 };
        let digits = word.trim_end_matches(|last: char| last.is_ascii_digit()).len();
        let numbered = word[..digits].strip_suffix('_').filter(|_| digits < word.len());
        let chosen = known(start, word.len());
        let numbered = || numbered.and_then(|stem| known(start, stem.len()));
        chosen.or_else(numbered).filter(|(id, _)| self.entities[id.0].kind.is_assignable())
    }

    /// Sorts of variables that are equal to variables whose sort is known.
    pub(super) fn spread_sorts(&mut self) {
        let equal = std::mem::take(&mut self.equal);
        // Each round reaches one variable further; longer chains are not written.
        for _ in 0..4 {
            for (one, other) in &equal {
                let sort = |id: &EntityId| self.entities[id.0].sort.clone();
                let sort = sort(one).or_else(|| sort(other));
                for id in [one, other] {
                    self.entities[id.0].sort.clone_from(&sort);
                }
            }
        }
    }
}
