//! The tuples `(x, l, o)` of the paper (§5.1): a symbol, its arguments, and its value.
//!
//! `*` stands wherever something is not known, so an atom with more `*` speaks of more.

use crate::protocol::{SortId, SymbolId};

/// An argument of an atom; `N` are the names that are known where the atom stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AtomEntry<N> {
    /// `*`: anything.
    Any,
    /// A parameter of an action, or an element of the violation.
    Named(N),
    /// A rigid constant of the protocol.
    Constant(SymbolId),
    /// An integer literal.
    Integer(i64),
    /// An element of an enumeration, by its position.
    Element(SortId, u32),
}

/// What a symbol is required to be, or is made to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AtomValue<N> {
    /// `*`: anything; for a relation, either truth value may matter.
    Any,
    /// A relation holds or does not hold.
    Truth(bool),
    /// A function has this value; never [`AtomEntry::Any`].
    Is(AtomEntry<N>),
}

/// A mutable symbol at arguments, with its value.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NeededAtom<N> {
    /// The relation or function; never rigid.
    pub symbol: SymbolId,
    /// Where.
    pub args: Vec<AtomEntry<N>>,
    /// What.
    pub output: AtomValue<N>,
}

/// A name that an action's atoms can mention.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ActionLocal {
    /// A parameter of the action, by position.
    Param(usize),
    /// A pattern variable of an assignment, by position; prints as `*`.
    Pattern(usize),
}

/// An element that takes part in the violation, by its position among the violators.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Violator(pub usize);

/// An atom in an action.
pub type ActionAtom = NeededAtom<ActionLocal>;

/// A clause of the paper: an atom about the violators and anything else.
pub type NeededClause = NeededAtom<Violator>;

/// An action with an entry for each of its parameters.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ActionInvocation {
    /// The action, by position.
    pub action: usize,
    /// What its parameters are.
    pub args: Vec<AtomEntry<Violator>>,
}

/// That one thing speaks of everything another speaks of.
pub trait Subsumes {
    /// Whether `other` is a special case of this.
    fn subsumes(&self, other: &Self) -> bool;
}

impl<N: PartialEq> Subsumes for AtomEntry<N> {
    fn subsumes(&self, other: &Self) -> bool {
        *self == AtomEntry::Any || self == other
    }
}

impl<N: PartialEq> Subsumes for [AtomEntry<N>] {
    fn subsumes(&self, other: &Self) -> bool {
        self.len() == other.len() && self.iter().zip(other).all(|(one, two)| one.subsumes(two))
    }
}

impl<N: PartialEq> Subsumes for AtomValue<N> {
    fn subsumes(&self, other: &Self) -> bool {
        *self == AtomValue::Any || self == other
    }
}

impl<N: PartialEq> Subsumes for NeededAtom<N> {
    fn subsumes(&self, other: &Self) -> bool {
        self.symbol == other.symbol
            && self.output.subsumes(&other.output)
            && self.args.subsumes(&other.args)
    }
}

impl Subsumes for ActionInvocation {
    fn subsumes(&self, other: &Self) -> bool {
        self.action == other.action && self.args.subsumes(&other.args)
    }
}

/// The positions of those that no other subsumes, each once.
pub(super) fn most_general<T: Subsumes + PartialEq>(all: &[T]) -> Vec<usize> {
    let is_covered = |index: usize, item: &T| {
        all.iter().enumerate().any(|(other_index, other)| {
            other.subsumes(item) && (other != item || other_index < index)
        })
    };
    (0..all.len()).filter(|index| !is_covered(*index, &all[*index])).collect()
}
