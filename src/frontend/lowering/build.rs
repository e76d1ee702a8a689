//! Builds and takes apart surface expressions, for the readers of other languages.

use crate::frontend::syntax::surface::{
    AssignStatement, Connective, Expression, ExpressionKind, Identifier, LeftArgument, RightValue,
    Statement, StatementKind,
};
use crate::logic::Name;
use crate::source::{Span, Spanned};

impl Expression {
    /// `true` or `false`.
    pub(crate) fn truth(value: bool, span: Span) -> Self {
        Expression::new(ExpressionKind::Truth(value), span)
    }

    /// A name alone.
    pub(crate) fn name(name: Name, span: Span) -> Self {
        Expression::new(ExpressionKind::Name(name), span)
    }

    /// A name at arguments, or alone if there are none.
    pub(crate) fn applied(name: Identifier, arguments: Vec<Expression>, span: Span) -> Self {
        if arguments.is_empty() {
            Expression::name(name.value, span)
        } else {
            Expression::new(ExpressionKind::Apply(name, arguments), span)
        }
    }

    /// `~self`, at the same place.
    pub(crate) fn negated(self) -> Self {
        let span = self.span;
        Expression::new(ExpressionKind::Not(self), span)
    }

    /// `left = right`.
    pub(crate) fn equal(left: Expression, right: Expression, span: Span) -> Self {
        Expression::new(ExpressionKind::Equal { left, right, negated: false }, span)
    }

    /// `premise -> conclusion`.
    pub(crate) fn implies(premise: Expression, conclusion: Expression) -> Self {
        let span = premise.span.to(conclusion.span);
        let kind = ExpressionKind::Connective(Connective::Implies, premise, conclusion);
        Expression::new(kind, span)
    }

    /// `then if condition else otherwise`.
    pub(crate) fn conditional(
        condition: Expression,
        [then, otherwise]: [Expression; 2],
        span: Span,
    ) -> Self {
        Expression::new(ExpressionKind::If { then, condition, otherwise }, span)
    }

    /// The conjunction of some formulas; one alone is itself.
    pub(crate) fn all_of(mut formulas: Vec<Expression>, span: Span) -> Self {
        match formulas.len() {
            0 => Expression::truth(true, span),
            1 => formulas.remove(0),
            _ => Expression::new(ExpressionKind::And(formulas), span),
        }
    }

    /// The name and the arguments, if it is a name, applied or alone.
    pub(crate) fn as_applied(&self) -> Option<(&Name, &[Expression])> {
        match &*self.kind {
            ExpressionKind::Name(name) => Some((name, &[])),
            ExpressionKind::Apply(name, arguments) => Some((&name.value, arguments)),
            _ => None,
        }
    }
}

/// `require formula`.
pub(crate) fn require(formula: Expression) -> Statement {
    let span = formula.span;
    Spanned::new(StatementKind::Require(formula), span)
}

/// `target(arguments) := value`, or any value.
pub(crate) fn assignment(
    target: Identifier,
    arguments: Vec<Expression>,
    value: Option<Expression>,
    span: Span,
) -> AssignStatement {
    let at = |argument: Expression| {
        let span = argument.span;
        Spanned::new(LeftArgument::Expression(argument), span)
    };
    let at_value = value.as_ref().map_or(span, |value| value.span);
    let value = value.map_or(RightValue::Star, RightValue::Expression);
    let arguments = arguments.into_iter().map(at).collect();
    AssignStatement { target, arguments, value: Spanned::new(value, at_value) }
}
