//! mypyvy as written: declarations before definitions are expanded and transitions read.

use crate::frontend::syntax::surface::{
    Binder, Expression, Identifier, LabelledFormula, RunItem, SymbolItem,
};
use crate::source::Spanned;

/// A declaration and its place.
pub(super) type MypyvyDeclaration = Spanned<MypyvyDeclarationKind>;

/// What is declared.
#[derive(Clone, Debug)]
pub(super) enum MypyvyDeclarationKind {
    /// `sort s`
    Sort(Identifier),
    /// `mutable relation r(s)` and its relatives.
    Symbol(SymbolItem),
    /// `derived relation r(s): F`
    Derived(Identifier, Expression),
    /// `definition d(x: s) = F`
    Definition(Identifier, Vec<Binder>, Expression),
    /// `axiom F`
    Axiom(LabelledFormula),
    /// `init F`
    Init(LabelledFormula),
    /// `safety F`
    Safety(LabelledFormula),
    /// `invariant F`
    Invariant(LabelledFormula),
    /// `transition t(x: s) modifies r, q  F`
    Transition(MypyvyTransition),
    /// `sat trace { … }`
    Trace(RunItem),
}

/// A transition.
#[derive(Clone, Debug)]
pub(super) struct MypyvyTransition {
    /// Its name.
    pub(super) name: Identifier,
    /// Its parameters.
    pub(super) params: Vec<Binder>,
    /// What may change.
    pub(super) modifies: Vec<Identifier>,
    /// How the states before and after are related.
    pub(super) formula: Expression,
}
