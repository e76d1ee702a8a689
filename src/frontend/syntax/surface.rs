//! The tree every front end produces: names unresolved, sorts optional, a span on every node.
//!
//! It only records what was written; whether that makes sense is the elaborator's question.

use crate::logic::{Comparison, Name, Quantifier};
use crate::source::{Span, Spanned};

/// A name as written.
pub type Identifier = Spanned<Name>;

/// A whole protocol file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Module {
    /// The declarations, as written.
    pub items: Vec<Spanned<Item>>,
}

/// One top-level declaration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Item {
    /// `sort a, b`
    Sorts(Vec<Identifier>),
    /// `sort s = { a, b }`
    Enumeration(EnumerationItem),
    /// A relation, function, constant or variable.
    Symbol(SymbolItem),
    /// `order le on s` and the like.
    Structure(StructureItem),
    /// `define d(params) := F`
    Define(DefinitionItem),
    /// `axiom [label] F`
    Axiom(LabelledFormula),
    /// `init [label] F`
    Init(LabelledFormula),
    /// `safety [label] F`
    Safety(LabelledFormula),
    /// `lemma [label] F`
    Lemma(LabelledFormula),
    /// A property that is always proved, whatever is selected, such as an assertion.
    Owed(LabelledFormula),
    /// An invariant of another language that may serve as a lemma.
    Candidate(LabelledFormula),
    /// `action a(params) { … }`
    Action(ActionItem),
    /// `reach [label] part, …`, or a trace of another language.
    Run(RunItem),
}

/// The declaration of a sort with its elements.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EnumerationItem {
    /// Its name.
    pub name: Identifier,
    /// Its elements, in the order written.
    pub elements: Vec<Identifier>,
}

/// A symbol's declaration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SymbolItem {
    /// Its name.
    pub name: Identifier,
    /// The sorts of its arguments.
    pub params: Vec<Identifier>,
    /// The sort of its value; `None` for a relation.
    pub result: Option<Identifier>,
    /// Whether it was declared to be unchanging.
    pub rigid: bool,
}

/// The declaration of a standard structure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StructureItem {
    /// Which one.
    pub word: StructureWord,
    /// The relation; for quorums the memberships, none if they were not written.
    pub names: Vec<Identifier>,
    /// The sorts of quorums.
    pub sorts: Vec<Identifier>,
    /// The sort it is about; for quorums that of the members.
    pub on: Identifier,
}

/// The word that a structure is declared with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StructureWord {
    /// `order`: a total order.
    Order,
    /// `ring`: a cyclic order.
    Ring,
    /// `tree`: nodes below one root.
    Tree,
    /// `successor`: what comes directly after in an order.
    Successor,
    /// `quorums`: sets that intersect.
    Quorums,
}

impl StructureWord {
    /// The word.
    pub fn text(self) -> &'static str {
        match self {
            StructureWord::Order => "order",
            StructureWord::Ring => "ring",
            StructureWord::Tree => "tree",
            StructureWord::Successor => "successor",
            StructureWord::Quorums => "quorums",
        }
    }
}

/// `name(params) := value`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DefinitionItem {
    /// What is defined.
    pub name: Identifier,
    /// Names for its arguments.
    pub params: Vec<Binder>,
    /// Its value.
    pub value: Expression,
}

/// A formula with an optional label.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LabelledFormula {
    /// The label between brackets.
    pub label: Option<Identifier>,
    /// The formula.
    pub formula: Expression,
}

/// An action's declaration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ActionItem {
    /// Its name.
    pub name: Identifier,
    /// Its parameters.
    pub params: Vec<Binder>,
    /// Its statements.
    pub body: Vec<Statement>,
}

/// A run that a text expects.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunItem {
    /// The label between brackets.
    pub label: Option<Identifier>,
    /// The form in which it was written.
    pub form: RunForm,
    /// What happens and what holds, in order.
    pub parts: Vec<RunPart>,
}

/// The form of an expected run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunForm {
    /// `reach a, F`: it exists at some size; further steps may come before each part.
    Reach,
    /// `sat trace { … }` of mypyvy: it exists at some size, with exactly these steps.
    Sat,
    /// `unsat trace { … }` of mypyvy: it exists at no size.
    Unsat,
}

/// A part of an expected run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RunPart {
    /// This holds in the state reached so far; in a `reach` line also the name of an action that
    /// happens.
    Holds(Expression),
    /// The state is initial: `assert init`.
    Initially,
    /// Any action happens.
    Any,
    /// One of these happens.
    OneOf(Vec<RunCall>),
}

/// An action that happens, with what is known of its arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunCall {
    /// The action.
    pub action: Identifier,
    /// Its arguments, `None` for any; without a list, all may be anything.
    pub arguments: Option<Vec<Option<Expression>>>,
}

/// A bound variable or parameter, with its sort if it was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Binder {
    /// The name.
    pub name: Identifier,
    /// The sort, if written.
    pub sort: Option<Identifier>,
}

/// A statement of an action.
pub type Statement = Spanned<StatementKind>;

/// The shapes of statements.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StatementKind {
    /// `require F`
    Require(Expression),
    /// `target(arguments) := value`
    Assign(AssignStatement),
    /// `target(arguments), … := value, …`: as many values as targets.
    Together(Vec<AssignStatement>),
    /// `if F { … } else { … }`
    If(Expression, Vec<Statement>, Vec<Statement>),
    /// A formula over the state before (`Old`) and after (`New`) that changes the named symbols.
    Relate(Vec<Identifier>, Expression),
}

/// An assignment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AssignStatement {
    /// What is assigned.
    pub target: Identifier,
    /// Where: expressions, pattern variables or stars.
    pub arguments: Vec<Spanned<LeftArgument>>,
    /// What it becomes.
    pub value: Spanned<RightValue>,
}

/// An argument on the left of an assignment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LeftArgument {
    /// An expression; a bare capitalised name is a pattern variable.
    Expression(Expression),
    /// `*`
    Star,
}

/// The right side of an assignment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RightValue {
    /// An expression.
    Expression(Expression),
    /// `*`
    Star,
}

/// An expression: a term or a formula; which one is the elaborator's question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expression {
    /// What it is.
    pub kind: Box<ExpressionKind>,
    /// Where it was written.
    pub span: Span,
}

impl Expression {
    /// An expression at a place.
    pub fn new(kind: ExpressionKind, span: Span) -> Self {
        Expression { kind: Box::new(kind), span }
    }

    /// The name, if it is only a name.
    pub fn as_name(&self) -> Option<&Name> {
        match &*self.kind {
            ExpressionKind::Name(name) => Some(name),
            _ => None,
        }
    }
}

/// A binary connective.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Connective {
    /// `->`
    Implies,
    /// `<->`
    Iff,
}

/// Integer arithmetic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Arithmetic {
    /// `+`
    Add,
    /// `-`
    Subtract,
}

/// Which of the two states of a step an expression is read in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Moment {
    /// Before the step.
    Old,
    /// After the step.
    New,
}

/// The shapes of expressions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExpressionKind {
    /// `true`, `false`
    Truth(bool),
    /// A decimal literal.
    Integer(i64),
    /// A name alone: a variable, a parameter, a constant or a nullary relation.
    Name(Name),
    /// `name(arguments)`; the identifier keeps its own span.
    Apply(Identifier, Vec<Expression>),
    /// `a = b`; `a != b` is its negation, marked by `negated`.
    Equal {
        /// The left side.
        left: Expression,
        /// The right side.
        right: Expression,
        /// Whether it was written `!=`.
        negated: bool,
    },
    /// `a < b`, `a <= b`; `>` and `>=` are these with `flipped` set (left and right as written).
    Compare {
        /// Strict or not.
        comparison: Comparison,
        /// The left side as written.
        left: Expression,
        /// The right side as written.
        right: Expression,
        /// Whether it was written with `>` or `>=`.
        flipped: bool,
    },
    /// `~F`
    Not(Expression),
    /// `F & G & …`: at least two.
    And(Vec<Expression>),
    /// `F | G | …`: at least two.
    Or(Vec<Expression>),
    /// `F -> G`, `F <-> G`
    Connective(Connective, Expression, Expression),
    /// `a + b`, `a - b`
    Arithmetic(Arithmetic, Expression, Expression),
    /// `-a`
    Negative(Expression),
    /// `then if condition else otherwise`
    If {
        /// The value if the condition holds.
        then: Expression,
        /// The condition.
        condition: Expression,
        /// The value if it does not.
        otherwise: Expression,
    },
    /// `forall X: s, Y. F`
    Quantified(Quantifier, Vec<Binder>, Expression),
    /// `old(e)`, `new(e)`: only in two-state formulas.
    At(Moment, Expression),
    /// `??`: only in sketches.
    Hole(Hole),
}

/// A place that the author of a sketch leaves open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hole {
    /// Its name; equal names are one hole.
    pub name: Option<Identifier>,
    /// What may stand there.
    pub form: HoleForm,
}

/// What may stand in a hole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HoleForm {
    /// `??`: anything of the default language.
    Open,
    /// `??{a, b}`: one of these.
    OneOf(Vec<Expression>),
    /// `??[c, d]`: any truth table over these conditions.
    Table(Vec<Expression>),
}
