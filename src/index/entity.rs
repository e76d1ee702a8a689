//! What the index knows: named things, and the places where their names stand.

use crate::logic::Name;
use crate::source::Span;

/// One of the two texts that are indexed together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum IndexedText {
    /// The protocol.
    Protocol,
    /// The certificate.
    Certificate,
}

/// The position of a thing in its index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EntityId(pub(super) usize);

/// What a name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EntityKind {
    /// A sort.
    Sort,
    /// An element of an enumeration.
    Element,
    /// A relation that actions change.
    Relation,
    /// A relation that never changes.
    RigidRelation,
    /// A function that actions change.
    Function,
    /// A function that never changes.
    RigidFunction,
    /// A value that never changes.
    Constant,
    /// A value that actions change.
    StateVariable,
    /// A name for a formula.
    Definition,
    /// An action.
    Action,
    /// The label of a `safety` line.
    Safety,
    /// The label of a `lemma` line.
    Lemma,
    /// The label of an `axiom`, `init` or `reach` line.
    Label,
    /// A parameter of an action, a definition, a case or a `lockstep` line.
    Parameter,
    /// A variable of a formula, or one that matches arguments on the left of an assignment.
    Variable,
    /// A case of a certificate.
    Case,
    /// A labelled clause of a certificate.
    Clause,
    /// An element of the cutoff instance.
    CutoffElement,
}

impl EntityKind {
    /// Whether the name is declared once for the whole text: sorts, elements, symbols, definitions
    /// and actions share one space of names.
    pub fn is_global(self) -> bool {
        match self {
            EntityKind::Sort
            | EntityKind::Element
            | EntityKind::Relation
            | EntityKind::RigidRelation
            | EntityKind::Function
            | EntityKind::RigidFunction
            | EntityKind::Constant
            | EntityKind::StateVariable
            | EntityKind::Definition
            | EntityKind::Action => true,
            EntityKind::Safety
            | EntityKind::Lemma
            | EntityKind::Label
            | EntityKind::Parameter
            | EntityKind::Variable
            | EntityKind::Case
            | EntityKind::Clause
            | EntityKind::CutoffElement => false,
        }
    }

    /// Whether it is a label: labels never stand in formulas.
    pub fn is_label(self) -> bool {
        use EntityKind::{Case, Clause, Label, Lemma, Safety};
        matches!(self, Safety | Lemma | Label | Case | Clause)
    }

    /// Whether actions assign it.
    pub fn is_assignable(self) -> bool {
        matches!(self, EntityKind::Relation | EntityKind::Function | EntityKind::StateVariable)
    }

    /// What it is called in messages, with its article.
    pub fn words(self) -> &'static str {
        match self {
            EntityKind::Sort => "a sort",
            EntityKind::Element => "an element of an enumeration",
            EntityKind::Relation => "a relation",
            EntityKind::RigidRelation => "a rigid relation",
            EntityKind::Function => "a function",
            EntityKind::RigidFunction => "a rigid function",
            EntityKind::Constant => "a constant",
            EntityKind::StateVariable => "a variable of the state",
            EntityKind::Definition => "a definition",
            EntityKind::Action => "an action",
            EntityKind::Safety => "a safety property",
            EntityKind::Lemma => "a lemma",
            EntityKind::Label => "a label",
            EntityKind::Parameter => "a parameter",
            EntityKind::Variable => "a variable",
            EntityKind::Case => "a case",
            EntityKind::Clause => "a clause",
            EntityKind::CutoffElement => "an element of the cutoff instance",
        }
    }
}

/// A named thing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entity {
    /// Its name.
    pub name: Name,
    /// What it is.
    pub kind: EntityKind,
    /// The text that declares it.
    pub text: IndexedText,
    /// Where its name is declared; for a variable without a binder, where it stands first.
    pub span: Span,
    /// The whole declaration, or the part of a line that binds it.
    pub declaration: Span,
    /// The part of its text in which the name means this; everywhere if there is none.
    pub scope: Option<Span>,
    /// The sorts of its arguments, where the declaration lists sorts only.
    pub(super) sorts: Vec<Name>,
    /// The sort of its value, as far as it is known.
    pub sort: Option<Name>,
    /// What it belongs to: the action of a parameter, the enumeration of an element, the case of a
    /// clause, the property of a variable.
    pub owner: Option<EntityId>,
    /// Whether its name is written in its declaration.
    pub is_written: bool,
}

/// What a place does with a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Role {
    /// Declares it.
    Declares,
    /// Reads it, or refers to it.
    Reads,
    /// Assigns or defines it.
    Writes,
}

/// A place where a name stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The text.
    pub text: IndexedText,
    /// The whole word, such as `holds_L`.
    pub word: Span,
    /// The part of the word that is the name, such as `holds`.
    pub name: Span,
    /// What it stands for.
    pub entity: EntityId,
    /// What happens to it there.
    pub role: Role,
    /// The action or case in which it stands.
    pub within: Option<EntityId>,
}
