//! The tree of a certificate file: names unresolved, a span on every node.

use crate::source::{Span, Spanned};

use crate::frontend::syntax::surface::{
    ActionItem, Binder, DefinitionItem, Expression, Identifier, LabelledFormula, Statement,
    SymbolItem,
};

/// A whole certificate file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CertificateFile {
    /// What the certificate is for.
    pub header: Option<Header>,
    /// Lemmas that the certificate adds.
    pub lemmas: Vec<Spanned<LabelledFormula>>,
    /// History symbols and what is assigned to them.
    pub history: Vec<Spanned<HistoryItem>>,
    /// The order of the properties, if it is not as written.
    pub rank: Option<Spanned<Vec<Identifier>>>,
    /// The cases of a cutoff argument.
    pub cases: Vec<Spanned<CaseItem>>,
    /// The clauses of an invariant of the protocol itself.
    pub invariant: Option<Spanned<Vec<LabelledFormula>>>,
}

/// The first lines of a certificate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// The version of the format.
    pub format: Spanned<i64>,
    /// The name of the protocol.
    pub protocol: Identifier,
    /// The SHA-256 of the protocol's canonical text, in hexadecimal.
    pub digest: Identifier,
    /// The version of the program that wrote it.
    pub version: Option<Identifier>,
}

/// One history line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HistoryItem {
    /// `history relation r(s)`
    Symbol(SymbolItem),
    /// `history init F`
    Init(LabelledFormula),
    /// `history after a { … }`
    Assign {
        /// The action it belongs to.
        action: Identifier,
        /// Assignments to history symbols, at the end of the action, over its own parameters.
        body: Vec<Statement>,
    },
}

/// `case name for property { … }`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CaseItem {
    /// Its name.
    pub name: Identifier,
    /// The property whose violations it simulates.
    pub property: Identifier,
    /// Its lines.
    pub sections: Vec<Spanned<Section>>,
}

/// One line of a case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Section {
    /// `params a: node, b: node`
    Params(Vec<Binder>),
    /// `violators N1 = a, N2 = b`: a variable of the property and the parameter that stands for
    /// it; empty for `violators none`.
    Violators(Vec<(Identifier, Identifier)>),
    /// `select F`
    Select(Expression),
    /// `cut node = { a_C, b_C }`
    Cut {
        /// The sort.
        sort: Identifier,
        /// Its elements in `C`.
        elements: Vec<Identifier>,
    },
    /// `sim node(n) := t`
    Sim(DefinitionItem),
    /// `rigid r(x) := e`
    Rigid(DefinitionItem),
    /// `start r(x) := e`
    Start(DefinitionItem),
    /// `only [label] F`
    Only(LabelledFormula),
    /// `gamma [label] F`
    Gamma(LabelledFormula),
    /// `lockstep a(x) …`
    Lockstep(LockstepItem),
    /// `relax { action … }`
    Relax(Vec<Spanned<ActionItem>>),
    /// `close by invariant { … }`
    CloseByInvariant(Vec<LabelledFormula>),
    /// `close by certificate { sha256 … }`
    CloseByCertificate {
        /// The digest of the system that it is about.
        digest: Identifier,
        /// Its parts; it has no header of its own.
        parts: Box<CertificateFile>,
    },
}

/// How `C` answers one action.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LockstepItem {
    /// The action of `L`.
    pub action: Identifier,
    /// Names for its parameters; `None` if none were written.
    pub params: Option<Vec<Identifier>>,
    /// The answers, first match first.
    pub alternatives: Vec<AlternativeItem>,
}

/// `when F do …`, `otherwise do …`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AlternativeItem {
    /// The condition; `None` for `otherwise`.
    pub condition: Option<Expression>,
    /// The moves; none for a stutter.
    pub moves: Vec<MoveItem>,
    /// Where it was written.
    pub span: Span,
}

/// `try b(t) with w := e`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveItem {
    /// Where `try` was written, if it was.
    pub attempt: Option<Span>,
    /// The action of `C`.
    pub action: Identifier,
    /// Its arguments.
    pub args: Vec<Expression>,
    /// What its havocs pick.
    pub choices: Vec<DefinitionItem>,
    /// Where it was written.
    pub span: Span,
}
