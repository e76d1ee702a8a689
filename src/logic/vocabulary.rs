//! Vocabularies: which sorts and symbols a formula may mention is part of its Rust type.

use std::fmt::Debug;
use std::hash::Hash;

use super::{Formula, Name, Term};

/// The sorts and symbols of a family of formulas.
///
/// `Formula<OneState>` and `Formula<TwoSystems>` are different types, so a formula about one state
/// cannot be mistaken for one about two:
///
/// ```compile_fail,E0308
/// use rmlcut::logic::Formula;
/// use rmlcut::protocol::{OneState, StepSymbol, SymbolId, TwoStates};
///
/// let holds_now: Formula<OneState> = Formula::holds(SymbolId(0), vec![]);
/// let holds_later: Formula<TwoStates> = Formula::holds(StepSymbol::Post(SymbolId(0)), vec![]);
/// let confused = Formula::implies(holds_now, holds_later);
/// ```
///
/// Within one vocabulary the same is fine:
///
/// ```
/// use rmlcut::logic::Formula;
/// use rmlcut::protocol::{StepSymbol, SymbolId, TwoStates};
///
/// let holds_now: Formula<TwoStates> = Formula::holds(StepSymbol::Pre(SymbolId(0)), vec![]);
/// let holds_later: Formula<TwoStates> = Formula::holds(StepSymbol::Post(SymbolId(0)), vec![]);
/// let stays = Formula::implies(holds_now, holds_later);
/// ```
pub trait Vocabulary: Clone + Copy + Eq + Ord + Hash + Debug + Send + Sync + 'static {
    /// A sort of this vocabulary.
    type Sort: Clone + Copy + Eq + Ord + Hash + Debug + Send + Sync;
    /// A relation, function or constant symbol of this vocabulary.
    type Symbol: Clone + Copy + Eq + Ord + Hash + Debug + Send + Sync;
}

/// What a sort stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Domain {
    /// Some finite non-empty set.
    Finite,
    /// Exactly these distinct elements.
    Enumeration(Vec<Name>),
    /// The mathematical integers.
    Int,
}

/// The name and meaning of a sort.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SortDeclaration {
    /// Its name.
    pub name: Name,
    /// What it stands for.
    pub domain: Domain,
}

/// The rank of a symbol.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rank<V: Vocabulary> {
    /// The sorts of its arguments.
    pub params: Vec<V::Sort>,
    /// The sort of its value; `None` for a relation.
    pub result: Option<V::Sort>,
}

/// The name and rank of a symbol.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SymbolDeclaration<V: Vocabulary> {
    /// Its name, unique among the symbols of the vocabulary.
    pub name: Name,
    /// Its rank.
    pub rank: Rank<V>,
}

/// What a vocabulary's sorts and symbols are called and how they are ranked.
///
/// Printers, provers and evaluators need this and nothing else.
pub trait Declarations<V: Vocabulary>: Sync {
    /// The declaration of a sort.
    fn sort(&self, sort: V::Sort) -> SortDeclaration;
    /// The declaration of a symbol.
    fn symbol(&self, symbol: V::Symbol) -> SymbolDeclaration<V>;
    /// A named element of an enumeration, if `symbol` is one: its sort and index.
    fn enumerated(&self, symbol: V::Symbol) -> Option<(V::Sort, usize)> {
        let _ = symbol;
        None
    }
    /// The name and the arguments of a definition that a formula is an instance of, if printers are
    /// to write it by name.
    fn abbreviation(&self, formula: &Formula<V>) -> Option<(Name, Vec<Term<V>>)> {
        let _ = formula;
        None
    }
}
