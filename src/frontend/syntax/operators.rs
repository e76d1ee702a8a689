//! Operator precedence: a flat sequence of operands and operators becomes one expression.
//!
//! Loosest first: `<->`, `->`, `|`, `&`, `~`, comparisons, `+ -`, unary `-`. Languages differ in
//! how arrows and negations group; what one of them reads in no agreed way is refused.

use std::iter::Peekable;
use std::vec::IntoIter;

use itertools::PeekingNext;

use super::surface::{Arithmetic, Connective, Expression, ExpressionKind};
use crate::diagnostic::{Diagnostic, refuse};
use crate::frontend::errors::messages::{binds_loosely, chained, negated_left_side};
use crate::logic::Comparison;
use crate::source::Span;

/// An operator, in whatever spelling.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operator {
    /// `<->`
    Iff,
    /// `->`
    Implies,
    /// `|`
    Or,
    /// `&`
    And,
    /// `~`
    Not,
    /// `=`
    Equal,
    /// `!=`
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    AtMost,
    /// `>`
    Greater,
    /// `>=`
    AtLeast,
    /// `+`
    Plus,
    /// `-`, binary or unary.
    Minus,
}

/// One element of the flat sequence of operators and operands; it ends with an operand.
pub(crate) enum OperatorPart {
    /// An operator and its place.
    Operator(Operator, Span),
    /// An operand and how far it reaches.
    Operand(Expression, Reach),
}

/// How far an operand reaches to the right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reach {
    /// It ends where it ends.
    Closed,
    /// A quantifier: to the end of the sequence.
    ToTheEnd,
}

/// How a language groups what could be grouped in two ways.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Grouping {
    /// The arrows.
    pub(crate) arrows: Arrows,
    /// A negation before a comparison.
    pub(crate) negation: Negation,
    /// A quantifier after a comparison.
    pub(crate) quantifiers: OpenQuantifiers,
}

/// Where quantifiers may stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OpenQuantifiers {
    /// Not after an operator that binds more tightly than they do.
    Loose,
    /// Everywhere: `a = exists X. b` reaches to the end.
    Anywhere,
}

/// How arrows group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Arrows {
    /// `a -> b -> c` is `a -> (b -> c)`, and `->` binds more tightly than `<->`.
    ToTheRight,
    /// The versions of the language disagree: two arrows in a row need parentheses.
    Apart,
}

/// What a negation before a comparison applies to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Negation {
    /// `~a = b` is `~(a = b)`.
    OfTheComparison,
    /// `!a = b` would be `(!a) = b`: parentheses are needed.
    OfTheOperand,
}

/// The expression that a sequence stands for.
pub(crate) fn tree(
    parts: Vec<OperatorPart>,
    grouping: Grouping,
    diagnostics: &mut Vec<Diagnostic>,
) -> Expression {
    let parts = parts.into_iter().peekable();
    let mut parser = PrecedenceParser { parts, grouping, diagnostics };
    match grouping.arrows {
        Arrows::ToTheRight => parser.equivalence(),
        Arrows::Apart => parser.one_arrow(),
    }
}

/// Takes parts from the left.
struct PrecedenceParser<'a> {
    parts: Peekable<IntoIter<OperatorPart>>,
    grouping: Grouping,
    diagnostics: &'a mut Vec<Diagnostic>,
}

impl PrecedenceParser<'_> {
    fn equivalence(&mut self) -> Expression {
        let mut left = self.implication();
        let mut first = None;
        while let Some((_, operator)) = self.next(|operator| operator == Operator::Iff) {
            if let Some(first) = first.replace(operator) {
                self.refuse_chain("`<->` does not associate", first, operator);
            }
            let right = self.implication();
            left = connected(Connective::Iff, left, right);
        }
        left
    }

    fn implication(&mut self) -> Expression {
        let left = self.disjunction();
        if self.next(|operator| operator == Operator::Implies).is_none() {
            return left;
        }
        let right = self.implication();
        connected(Connective::Implies, left, right)
    }

    fn one_arrow(&mut self) -> Expression {
        let mut left = self.disjunction();
        let mut first = None;
        let is_arrow = |operator| matches!(operator, Operator::Iff | Operator::Implies);
        while let Some((operator, span)) = self.next(is_arrow) {
            if let Some(first) = first.replace(span) {
                self.refuse_chain("two arrows in a row are ambiguous", first, span);
            }
            let connective =
                if operator == Operator::Iff { Connective::Iff } else { Connective::Implies };
            let right = self.disjunction();
            left = connected(connective, left, right);
        }
        left
    }

    fn disjunction(&mut self) -> Expression {
        let mut members = vec![self.conjunction()];
        while self.next(|operator| operator == Operator::Or).is_some() {
            members.push(self.conjunction());
        }
        join(members, ExpressionKind::Or)
    }

    fn conjunction(&mut self) -> Expression {
        let mut members = vec![self.negation()];
        while self.next(|operator| operator == Operator::And).is_some() {
            members.push(self.negation());
        }
        join(members, ExpressionKind::And)
    }

    fn negation(&mut self) -> Expression {
        if let Some((_, operator)) = self.next(|operator| operator == Operator::Not) {
            let inner = self.negation();
            self.check_negated(&inner, operator);
            let span = operator.to(inner.span);
            return Expression::new(ExpressionKind::Not(inner), span);
        }
        let reaching =
            |part: &OperatorPart| matches!(part, OperatorPart::Operand(_, Reach::ToTheEnd));
        match self.parts.peeking_next(reaching) {
            Some(OperatorPart::Operand(expression, _)) => expression,
            _ => self.comparison(),
        }
    }

    /// A chain is refused, and then read as what its author must have meant.
    fn comparison(&mut self) -> Expression {
        let mut left = self.sum();
        let mut members = Vec::new();
        let mut first = None;
        while let Some((operator, place)) = self.next(is_comparison) {
            match first {
                None => first = Some(place),
                Some(first) if members.len() == 1 => {
                    self.refuse_chain("comparisons do not chain", first, place);
                }
                Some(_) => {}
            }
            let right = self.sum();
            let span = left.span.to(right.span);
            let kind = comparison_kind(operator, left, right.clone());
            members.push(Expression::new(kind, span));
            left = right;
        }
        if members.is_empty() { left } else { join(members, ExpressionKind::And) }
    }

    fn sum(&mut self) -> Expression {
        let mut left = self.negative();
        let is_sum = |operator| matches!(operator, Operator::Plus | Operator::Minus);
        while let Some((operator, _)) = self.next(is_sum) {
            let right = self.negative();
            let arithmetic =
                if operator == Operator::Plus { Arithmetic::Add } else { Arithmetic::Subtract };
            let span = left.span.to(right.span);
            left = Expression::new(ExpressionKind::Arithmetic(arithmetic, left, right), span);
        }
        left
    }

    fn negative(&mut self) -> Expression {
        match self.parts.next().expect("the grammar ends a chain with an operand") {
            OperatorPart::Operator(Operator::Minus, operator) => {
                let inner = self.negative();
                let span = operator.to(inner.span);
                Expression::new(ExpressionKind::Negative(inner), span)
            }
            OperatorPart::Operator(_, operator) => {
                let inner = self.negative();
                let span = operator.to(inner.span);
                refuse(self.diagnostics, binds_loosely("`~`", operator, span));
                Expression::new(ExpressionKind::Not(inner), span)
            }
            OperatorPart::Operand(expression, Reach::ToTheEnd) => {
                if self.grouping.quantifiers == OpenQuantifiers::Loose {
                    refuse(
                        self.diagnostics,
                        binds_loosely("a quantifier", expression.span, expression.span),
                    );
                }
                expression
            }
            OperatorPart::Operand(expression, Reach::Closed) => expression,
        }
    }

    /// Takes the next part if it is one of the wanted operators.
    fn next(&mut self, wanted: impl Fn(Operator) -> bool) -> Option<(Operator, Span)> {
        let is_wanted = |part: &OperatorPart| matches!(part, OperatorPart::Operator(found, _) if wanted(*found));
        match self.parts.peeking_next(is_wanted) {
            Some(OperatorPart::Operator(operator, span)) => Some((operator, span)),
            _ => None,
        }
    }

    /// A comparison in parentheses begins with its parenthesis, a bare one with its left side.
    fn check_negated(&mut self, inner: &Expression, operator: Span) {
        let bare = match &*inner.kind {
            ExpressionKind::Equal { left, .. } | ExpressionKind::Compare { left, .. } => {
                left.span.start == inner.span.start
            }
            _ => false,
        };
        if bare && self.grouping.negation == Negation::OfTheOperand {
            refuse(self.diagnostics, negated_left_side(operator, inner.span));
        }
    }

    fn refuse_chain(&mut self, message: &str, first: Span, second: Span) {
        refuse(self.diagnostics, chained(message, first, second));
    }
}

fn connected(connective: Connective, left: Expression, right: Expression) -> Expression {
    let span = left.span.to(right.span);
    Expression::new(ExpressionKind::Connective(connective, left, right), span)
}

fn is_comparison(operator: Operator) -> bool {
    matches!(
        operator,
        Operator::Equal
            | Operator::NotEqual
            | Operator::Less
            | Operator::AtMost
            | Operator::Greater
            | Operator::AtLeast
    )
}

fn comparison_kind(operator: Operator, left: Expression, right: Expression) -> ExpressionKind {
    let compare = |comparison, flipped, left, right| ExpressionKind::Compare {
        comparison,
        left,
        right,
        flipped,
    };
    match operator {
        Operator::Equal => ExpressionKind::Equal { left, right, negated: false },
        Operator::NotEqual => ExpressionKind::Equal { left, right, negated: true },
        Operator::Less => compare(Comparison::Less, false, left, right),
        Operator::AtMost => compare(Comparison::LessEqual, false, left, right),
        Operator::Greater => compare(Comparison::Less, true, left, right),
        _ => compare(Comparison::LessEqual, true, left, right),
    }
}

fn join(
    mut members: Vec<Expression>,
    kind: impl FnOnce(Vec<Expression>) -> ExpressionKind,
) -> Expression {
    if members.len() == 1 {
        return members.remove(0);
    }
    let span = members.iter().map(|member| member.span).reduce(Span::to).unwrap_or_default();
    Expression::new(kind(members), span)
}
