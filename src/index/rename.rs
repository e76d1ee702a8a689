//! Whether a thing may get another name, and which places change with it.

use super::entity::{Entity, EntityId, EntityKind, IndexedText, Place};
use super::{Index, Span};
use crate::frontend::syntax::scan::scan;
use crate::frontend::syntax::token::TokenKind;
use crate::keywords::{is_keyword, is_poor_name};

/// Why a thing does not get a name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RenameRefusal {
    /// It is no name.
    #[error("`{0}` is not a name: a name is a letter followed by letters, digits and `_`")]
    NotAName(String),
    /// It is reserved.
    #[error("`{0}` is a reserved word")]
    Reserved(String),
    /// It means something of its own in certificates, or as a sort.
    #[error("`{0}` has a meaning of its own in some places: choose another name")]
    Confusing(String),
    /// Certificates would read the end as the name of a system.
    #[error(
        "`{0}` ends like a symbol of one of the two systems in a certificate: choose a name without \
         `_L` and `_C` at its end"
    )]
    System(String),
    /// Something must start in lower case.
    #[error("{0} must start in lower case: capitalised names are variables")]
    Capital(&'static str),
    /// A variable without a binder must be capitalised.
    #[error("this variable has no binder, so it must start with a capital")]
    NoCapital,
    /// The name is taken.
    #[error("`{name}` is already {what} (line {line})")]
    Taken {
        /// The name.
        name: String,
        /// What has it.
        what: &'static str,
        /// Where that is declared.
        line: usize,
    },
    /// A name without a place.
    #[error(
        "`{0}` is the name that a `quorums` line gives where none is written: add `by` and a name to \
         that line"
    )]
    Unwritten(String),
    /// Symbols are called after it.
    #[error(
        "`{0}` is a machine, and its states and variables are called after it, such as `{0}_state`: \
         change all of these names by hand"
    )]
    Machine(String),
    /// Parts of a text are not known.
    #[error("{0} has syntax errors, which may hide uses of this name: correct them first")]
    Unread(String),
    /// The protocol is in another language.
    #[error("{0} is not in RML: names are changed in RML only")]
    OtherLanguage(String),
}

impl Index {
    /// Every place that changes if a thing gets a name.
    ///
    /// # Errors
    /// Why it cannot have that name, or why not all places are known.
    pub fn rename(&self, id: EntityId, name: &str) -> Result<Vec<&Place>, RenameRefusal> {
        self.may_be_renamed(id)?;
        let entity = self.entity(id);
        if *entity.name == *name {
            return Ok(Vec::new());
        }
        well_formed(name)?;
        self.fitting_case(id, name)?;
        if let Some(other) =
            self.entities.iter().find(|other| *other.name == *name && self.conflicts(entity, other))
        {
            let source = self.source(other.text);
            let line = source.map_or(0, |source| source.position(other.span.start).line);
            let what = other.kind.words();
            return Err(RenameRefusal::Taken { name: name.to_owned(), what, line });
        }
        Ok(self.places_of(id).collect())
    }

    /// Whether all places of a thing are known and its name is written somewhere.
    ///
    /// # Errors
    /// Why it keeps its name.
    pub fn may_be_renamed(&self, id: EntityId) -> Result<(), RenameRefusal> {
        let entity = self.entity(id);
        if let Some(read) = &self.protocol {
            if !read.is_ours && entity.text == IndexedText::Protocol {
                return Err(RenameRefusal::OtherLanguage(read.source.name().to_owned()));
            }
            if !read.is_whole && entity.text == IndexedText::Protocol {
                return Err(RenameRefusal::Unread(read.source.name().to_owned()));
            }
        }
        if let Some(read) = self.certificate.as_ref().filter(|read| !read.is_whole) {
            return Err(RenameRefusal::Unread(read.source.name().to_owned()));
        }
        if self.is_machine(entity) {
            return Err(RenameRefusal::Machine(entity.name.to_string()));
        }
        if entity.is_written {
            Ok(())
        } else {
            Err(RenameRefusal::Unwritten(entity.name.to_string()))
        }
    }

    fn is_machine(&self, entity: &Entity) -> bool {
        let read = self.protocol.as_ref().and_then(|read| read.machines.as_ref());
        entity.kind == EntityKind::Sort
            && read.is_some_and(|read| read.written.has_machine(&entity.name))
    }

    fn fitting_case(&self, id: EntityId, name: &str) -> Result<(), RenameRefusal> {
        let entity = self.entity(id);
        let capital = name.starts_with(|first: char| first.is_uppercase());
        // A capital in the declaration of a parameter is legal in definitions.
        let was_capital = entity.name.starts_with(|first: char| first.is_uppercase());
        let lower = entity.kind.is_global() || entity.kind == EntityKind::Parameter;
        let is_bound = entity.declaration != entity.scope.unwrap_or_default();
        match entity.kind {
            _ if lower && capital && !was_capital => {
                Err(RenameRefusal::Capital(entity.kind.words()))
            }
            EntityKind::Variable if !is_bound && !capital => Err(RenameRefusal::NoCapital),
            _ => Ok(()),
        }
    }

    /// Whether two things cannot have one name.
    fn conflicts(&self, renamed: &Entity, other: &Entity) -> bool {
        let overlap = |one: Span, two: Span| one.start < two.end && two.start < one.end;
        match (renamed.kind.is_label(), other.kind.is_label()) {
            // Clauses and cases have names of their own; a clause's is unique in its case.
            (true, true) => {
                let own = |kind| matches!(kind, EntityKind::Case | EntityKind::Clause);
                match (own(renamed.kind), own(other.kind)) {
                    (true, true) => renamed.kind == other.kind && renamed.owner == other.owner,
                    (false, false) => true,
                    _ => false,
                }
            }
            (true, false) | (false, true) => false,
            // A local name may not hide a declared one, wherever it stands.
            (false, false) => match (renamed.scope, other.scope) {
                (Some(one), Some(two)) => renamed.text == other.text && overlap(one, two),
                _ => true,
            },
        }
    }
}

/// Refuses what the grammar would not read as a name everywhere.
fn well_formed(name: &str) -> Result<(), RenameRefusal> {
    let owned = || name.to_owned();
    let word = scan(name)
        .next()
        .filter(|token| token.kind == TokenKind::Word && token.span == Span::new(0, name.len()));
    if word.is_none() || !name.starts_with(|first: char| first.is_ascii_alphabetic()) {
        return Err(RenameRefusal::NotAName(owned()));
    }
    if is_keyword(name) {
        return Err(RenameRefusal::Reserved(owned()));
    }
    if is_poor_name(name) || matches!(name, "int" | "bool" | "sim") {
        return Err(RenameRefusal::Confusing(owned()));
    }
    if ["_L", "_L'", "_C"].iter().any(|end| name.ends_with(end)) {
        return Err(RenameRefusal::System(owned()));
    }
    Ok(())
}
