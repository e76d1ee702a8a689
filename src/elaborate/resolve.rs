//! What expressions are elaborated against: written names to typed symbols of some vocabulary.
//!
//! The elaboration of expressions does not depend on protocols: any implementation of `Resolve` (a
//! protocol, a step of one, a certificate) gets sorted formulas in its own vocabulary.

use crate::diagnostic::{Code, Diagnostic, Label};
use crate::frontend::syntax::surface::Moment;
use crate::logic::{Formula, Name, Rank, Var, Vocabulary};
use crate::source::Span;

/// Resolves the names in an expression.
pub trait Resolve<V: Vocabulary> {
    /// What `name` stands for when it is read at `moment` (`Old` unless written otherwise).
    fn resolve(&self, name: &str, moment: Moment) -> Lookup<V>;
    /// The sort called `name`.
    fn sort(&self, name: &str) -> Option<V::Sort>;
    /// The sort that stands for the integers.
    fn integers(&self) -> V::Sort;
    /// What a sort is called.
    fn sort_name(&self, sort: V::Sort) -> Name;
    /// Every name that `resolve` knows: the nearest one becomes a hint.
    fn names(&self) -> Vec<Name>;
    /// Every name that `sort` knows.
    fn sort_names(&self) -> Vec<Name>;
    /// How many states the text may refer to.
    fn states(&self) -> ReadableStates {
        ReadableStates::One
    }
}

/// How many states a text may refer to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReadableStates {
    /// `old` and `new` are refused.
    One,
    /// `old(e)` and `new(e)` select the state.
    Two,
}

/// The answer for a name.
#[derive(Clone, Debug)]
pub enum Lookup<V: Vocabulary> {
    /// It is a symbol.
    Symbol(NameCandidate<V>),
    /// It is an element of an enumeration: its position, its sort, and where it was declared.
    Element(u32, V::Sort, Option<Span>),
    /// It is one of several symbols, distinguished by their sorts; at least one, all of one arity
    /// and either all relations or all functions.
    Overloaded(Vec<NameCandidate<V>>),
    /// It is a definition, written out where it is used.
    Definition(NamedFormula<V>),
    /// It is a variable of the context, and where that was declared.
    Variable(Var<V>, Option<Span>),
    /// It is known and may not be used here.
    Refused(NameRefusal),
    /// Its own declaration is wrong, which was reported there: no further message here.
    Mistaken,
    /// Nothing has that name.
    Unknown,
}

/// A symbol that a name may stand for.
#[derive(Clone, Debug)]
pub struct NameCandidate<V: Vocabulary> {
    /// The symbol.
    pub symbol: V::Symbol,
    /// Its rank.
    pub rank: Rank<V>,
    /// Where it was declared, if that is in the same text.
    pub declared: Option<Span>,
}

/// A formula that a name stands for.
#[derive(Clone, Debug)]
pub struct NamedFormula<V: Vocabulary> {
    /// The parameters.
    pub params: Vec<Var<V>>,
    /// The formula: only the parameters are free.
    pub formula: Formula<V>,
    /// Where it was declared, if that is in the same text.
    pub declared: Option<Span>,
}

/// Why a known name may not be used somewhere.
#[derive(Clone, Debug)]
pub struct NameRefusal {
    /// The code of the message.
    pub code: Code,
    /// The message.
    pub message: String,
    /// A related place in the same text.
    pub related: Option<Label>,
    /// What to do about it.
    pub hint: Option<String>,
    /// Names that may be meant.
    pub instead: Vec<String>,
}

impl NameRefusal {
    /// The refusal of what is written at `span`.
    pub(super) fn at(self, span: Span) -> Diagnostic {
        let mut diagnostic = Diagnostic::error(self.code, self.message, span);
        diagnostic.secondary.extend(self.related);
        diagnostic.hint = self.hint;
        diagnostic.instead_any(self.instead)
    }
}

/// Whether a name is written like a variable.
pub fn is_capitalised(name: &str) -> bool {
    name.chars().next().is_some_and(char::is_uppercase)
}
