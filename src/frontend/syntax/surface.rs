//! The tree every front end produces: names unresolved, sorts optional, a span on every node.
//!
//! It only records what was written; whether that makes sense is the elaborator's question.

use crate::logic::{Comparison, Name, Quantifier};
use crate::source::{Span, Spanned};

/// A name as written.
pub type Identifier = Spanned<Name>;

/// A whole protocol file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Module {
    /// The declarations, as written.
    pub items: Vec<Spanned<Item>>,
}

impl Module {
    /// The first statement that RML cannot express: a formula over two states.
    pub fn first_relation_of_states(&self) -> Option<Span> {
        self.items.iter().find_map(|item| match &item.value {
            Item::Action(action) => relation_of_states(&action.body),
            Item::Sorts(_)
            | Item::Symbol(_)
            | Item::Axiom(_)
            | Item::Init(_)
            | Item::Safety(_)
            | Item::Lemma(_)
            | Item::Owed(_)
            | Item::Candidate(_) => None,
        })
    }
}

fn relation_of_states(statements: &[Statement]) -> Option<Span> {
    statements.iter().find_map(|statement| match &statement.value {
        StatementKind::Relate(..) => Some(statement.span),
        StatementKind::If(_, then, otherwise) => {
            relation_of_states(then).or_else(|| relation_of_states(otherwise))
        }
        StatementKind::Require(_) | StatementKind::Assign(_) => None,
    })
}

/// One top-level declaration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Item {
    /// `sort a, b`
    Sorts(Vec<Identifier>),
    /// A relation, function, constant or variable.
    Symbol(SymbolItem),
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
    /// An invariant of another language that may serve as a lemma: left out if it is not universal.
    Candidate(LabelledFormula),
    /// `action a(params) { … }`
    Action(ActionItem),
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

    /// The expressions directly inside this one, in the order they are written.
    pub fn children(&self) -> Vec<&Expression> {
        match &*self.kind {
            ExpressionKind::Truth(_) | ExpressionKind::Integer(_) | ExpressionKind::Name(_) => {
                Vec::new()
            }
            ExpressionKind::Apply(_, members)
            | ExpressionKind::And(members)
            | ExpressionKind::Or(members) => members.iter().collect(),
            ExpressionKind::Not(inner)
            | ExpressionKind::Negative(inner)
            | ExpressionKind::Quantified(_, _, inner)
            | ExpressionKind::At(_, inner) => vec![inner],
            ExpressionKind::Equal { left, right, .. }
            | ExpressionKind::Compare { left, right, .. }
            | ExpressionKind::Connective(_, left, right)
            | ExpressionKind::Arithmetic(_, left, right) => vec![left, right],
            ExpressionKind::If { then, condition, otherwise } => vec![then, condition, otherwise],
        }
    }
}

impl Expression {
    /// The same expression with something else for each of its direct parts, and its binders.
    pub fn map_children(&self, mut map: impl FnMut(&Expression) -> Expression) -> Expression {
        let mut all = |parts: &[Expression]| parts.iter().map(&mut map).collect::<Vec<_>>();
        let kind = match &*self.kind {
            ExpressionKind::Truth(value) => ExpressionKind::Truth(*value),
            ExpressionKind::Integer(value) => ExpressionKind::Integer(*value),
            ExpressionKind::Name(name) => ExpressionKind::Name(name.clone()),
            ExpressionKind::Apply(name, arguments) => {
                ExpressionKind::Apply(name.clone(), all(arguments))
            }
            ExpressionKind::And(parts) => ExpressionKind::And(all(parts)),
            ExpressionKind::Or(parts) => ExpressionKind::Or(all(parts)),
            ExpressionKind::Not(inner) => ExpressionKind::Not(map(inner)),
            ExpressionKind::Negative(inner) => ExpressionKind::Negative(map(inner)),
            ExpressionKind::At(moment, inner) => ExpressionKind::At(*moment, map(inner)),
            ExpressionKind::Quantified(quantifier, binders, body) => {
                ExpressionKind::Quantified(*quantifier, binders.clone(), map(body))
            }
            ExpressionKind::Equal { left, right, negated } => {
                ExpressionKind::Equal { left: map(left), right: map(right), negated: *negated }
            }
            ExpressionKind::Compare { comparison, left, right, flipped } => {
                ExpressionKind::Compare {
                    comparison: *comparison,
                    left: map(left),
                    right: map(right),
                    flipped: *flipped,
                }
            }
            ExpressionKind::Connective(connective, left, right) => {
                ExpressionKind::Connective(*connective, map(left), map(right))
            }
            ExpressionKind::Arithmetic(operation, left, right) => {
                ExpressionKind::Arithmetic(*operation, map(left), map(right))
            }
            ExpressionKind::If { then, condition, otherwise } => ExpressionKind::If {
                then: map(then),
                condition: map(condition),
                otherwise: map(otherwise),
            },
        };
        Expression::new(kind, self.span)
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
}

impl ExpressionKind {
    /// The word or operator in its canonical spelling, for those that have one.
    pub fn sign(&self) -> Option<&'static str> {
        let sign = match self {
            ExpressionKind::Integer(_)
            | ExpressionKind::Name(_)
            | ExpressionKind::Apply(..)
            | ExpressionKind::If { .. } => return None,
            ExpressionKind::Truth(true) => "true",
            ExpressionKind::Truth(false) => "false",
            ExpressionKind::Equal { negated: false, .. } => "=",
            ExpressionKind::Equal { negated: true, .. } => "!=",
            ExpressionKind::Compare { comparison, flipped, .. } => match (comparison, flipped) {
                (Comparison::Less, false) => "<",
                (Comparison::LessEqual, false) => "<=",
                (Comparison::Less, true) => ">",
                (Comparison::LessEqual, true) => ">=",
            },
            ExpressionKind::Not(_) => "~",
            ExpressionKind::And(_) => "&",
            ExpressionKind::Or(_) => "|",
            ExpressionKind::Connective(Connective::Implies, ..) => "->",
            ExpressionKind::Connective(Connective::Iff, ..) => "<->",
            ExpressionKind::Arithmetic(Arithmetic::Add, ..) => "+",
            ExpressionKind::Arithmetic(Arithmetic::Subtract, ..) | ExpressionKind::Negative(_) => {
                "-"
            }
            ExpressionKind::Quantified(Quantifier::Forall, ..) => "forall",
            ExpressionKind::Quantified(Quantifier::Exists, ..) => "exists",
            ExpressionKind::At(Moment::Old, _) => "old",
            ExpressionKind::At(Moment::New, _) => "new",
        };
        Some(sign)
    }
}
