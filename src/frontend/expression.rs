//! From what the grammar matched to surface expressions: operators find their operands here.
//!
//! Loosest first: `if … else`, `<->`, `->`, `|`, `&`, `~`, comparisons, `+ -`, unary `-`.

use std::vec::IntoIter;

use itertools::PeekingNext;
use pest::iterators::Pair;

use super::grammar::Rule;
use super::surface::{Arithmetic, Binder, Connective, Expression, ExpressionKind, Identifier};
use crate::diagnostic::{Code, Diagnostic};
use crate::logic::{Comparison, Quantifier};
use crate::source::{Span, Spanned};

const PRECEDENCE: Code = Code("RML0004");
const INTEGER: Code = Code("RML0005");

/// Builds surface nodes from matches in one chunk of a text.
pub(super) struct Builder {
    /// Where the chunk begins in the whole text.
    offset: usize,
    /// What was found wrong on the way.
    pub(super) diagnostics: Vec<Diagnostic>,
}

/// One element of the flat sequence of operators and operands.
enum Part {
    Operator(Rule, Span),
    Operand(Expression, Reach),
}

/// How far an operand reaches to the right.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reach {
    Closed,
    ToTheEnd,
}

type Parts = std::iter::Peekable<IntoIter<Part>>;

impl Builder {
    /// A builder for matches in the chunk that begins at `offset`.
    pub(super) fn new(offset: usize) -> Self {
        Builder { offset, diagnostics: Vec::new() }
    }

    /// Where a match stands, without the blanks that the grammar skips at its end.
    pub(super) fn span(&self, pair: &Pair<'_, Rule>) -> Span {
        let start = self.offset + pair.as_span().start();
        Span::new(start, start + pair.as_str().trim_end().len())
    }

    /// A name.
    pub(super) fn identifier(&self, pair: &Pair<'_, Rule>) -> Identifier {
        Spanned::new(pair.as_str().trim_end().into(), self.span(pair))
    }

    /// A name with an optional sort.
    pub(super) fn binder(&self, pair: Pair<'_, Rule>) -> Binder {
        let mut parts = pair.into_inner();
        let name = parts.next().map(|name| self.identifier(&name));
        let sort = parts.last().map(|sort| self.identifier(&sort));
        Binder { name: name.expect("the grammar puts a name first"), sort }
    }

    /// The binders among the parts of a match.
    pub(super) fn binders(&self, pair: Pair<'_, Rule>) -> Vec<Binder> {
        let binders = pair.into_inner().filter(|part| part.as_rule() == Rule::binder);
        binders.map(|binder| self.binder(binder)).collect()
    }

    /// The expressions between parentheses.
    pub(super) fn arguments(&mut self, pair: Pair<'_, Rule>) -> Vec<Expression> {
        let arguments = pair.into_inner().filter(|part| part.as_rule() == Rule::expression);
        arguments.map(|argument| self.expression(argument)).collect()
    }

    /// An expression.
    pub(super) fn expression(&mut self, pair: Pair<'_, Rule>) -> Expression {
        let mut parts = pair.into_inner();
        let chain = parts.next().expect("the grammar puts a chain first");
        let then = self.chain(chain);
        match parts.next() {
            Some(conditional) => self.conditional(then, conditional),
            None => then,
        }
    }

    fn conditional(&mut self, then: Expression, pair: Pair<'_, Rule>) -> Expression {
        let mut parts = pair.into_inner().filter(|part| !is_word(part.as_rule()));
        let condition = parts.next().expect("the grammar puts a condition after `if`");
        let otherwise = parts.next().expect("the grammar puts an expression after `else`");
        let condition = self.chain(condition);
        let otherwise = self.expression(otherwise);
        let span = then.span.to(otherwise.span);
        Expression::new(ExpressionKind::If { then, condition, otherwise }, span)
    }

    fn chain(&mut self, pair: Pair<'_, Rule>) -> Expression {
        let parts: Vec<Part> = pair.into_inner().map(|part| self.part(part)).collect();
        self.equivalence(&mut parts.into_iter().peekable())
    }

    fn part(&mut self, pair: Pair<'_, Rule>) -> Part {
        let span = self.span(&pair);
        let closed = |kind| Part::Operand(Expression::new(kind, span), Reach::Closed);
        match pair.as_rule() {
            Rule::true_word => closed(ExpressionKind::Truth(true)),
            Rule::false_word => closed(ExpressionKind::Truth(false)),
            Rule::integer => closed(self.integer(&pair)),
            Rule::reference => closed(self.reference(pair)),
            Rule::group => {
                let inner = pair.into_inner().nth(1).expect("the grammar fills a group");
                let inner = self.expression(inner);
                Part::Operand(Expression { span, ..inner }, Reach::Closed)
            }
            Rule::quantified => {
                Part::Operand(Expression::new(self.quantified(pair), span), Reach::ToTheEnd)
            }
            operator => Part::Operator(operator, span),
        }
    }

    fn integer(&mut self, pair: &Pair<'_, Rule>) -> ExpressionKind {
        let value = pair.as_str().parse().unwrap_or_else(|_| {
            let message = format!("this number is larger than {}", i64::MAX);
            self.diagnostics.push(Diagnostic::error(INTEGER, message, self.span(pair)));
            0
        });
        ExpressionKind::Integer(value)
    }

    fn reference(&mut self, pair: Pair<'_, Rule>) -> ExpressionKind {
        let mut parts = pair.into_inner();
        let name = parts.next().expect("the grammar puts a name first");
        let name = self.identifier(&name);
        match parts.next() {
            None => ExpressionKind::Name(name.value),
            Some(arguments) => ExpressionKind::Apply(name, self.arguments(arguments)),
        }
    }

    fn quantified(&mut self, pair: Pair<'_, Rule>) -> ExpressionKind {
        let mut quantifier = Quantifier::Forall;
        let mut binders = Vec::new();
        let mut body = None;
        for part in pair.into_inner() {
            match part.as_rule() {
                Rule::exists => quantifier = Quantifier::Exists,
                Rule::binder => binders.push(self.binder(part)),
                Rule::expression => body = Some(self.expression(part)),
                _ => {}
            }
        }
        let body = body.expect("the grammar puts a body after the dot");
        ExpressionKind::Quantified(quantifier, binders, body)
    }

    fn equivalence(&mut self, parts: &mut Parts) -> Expression {
        let mut left = self.implication(parts);
        let mut first = None;
        while let Some((_, operator)) = next_operator(parts, |rule| rule == Rule::iff) {
            if let Some(first) = first.replace(operator) {
                self.refuse_chain("`<->` does not associate", first, operator);
            }
            let right = self.implication(parts);
            let span = left.span.to(right.span);
            left = Expression::new(ExpressionKind::Connective(Connective::Iff, left, right), span);
        }
        left
    }

    fn implication(&mut self, parts: &mut Parts) -> Expression {
        let left = self.disjunction(parts);
        if next_operator(parts, |rule| rule == Rule::implies).is_none() {
            return left;
        }
        let right = self.implication(parts);
        let span = left.span.to(right.span);
        Expression::new(ExpressionKind::Connective(Connective::Implies, left, right), span)
    }

    fn disjunction(&mut self, parts: &mut Parts) -> Expression {
        let mut members = vec![self.conjunction(parts)];
        while next_operator(parts, |rule| rule == Rule::or).is_some() {
            members.push(self.conjunction(parts));
        }
        join(members, ExpressionKind::Or)
    }

    fn conjunction(&mut self, parts: &mut Parts) -> Expression {
        let mut members = vec![self.negation(parts)];
        while next_operator(parts, |rule| rule == Rule::and).is_some() {
            members.push(self.negation(parts));
        }
        join(members, ExpressionKind::And)
    }

    fn negation(&mut self, parts: &mut Parts) -> Expression {
        if let Some((_, operator)) = next_operator(parts, |rule| rule == Rule::not) {
            let inner = self.negation(parts);
            let span = operator.to(inner.span);
            return Expression::new(ExpressionKind::Not(inner), span);
        }
        let reaching = |part: &Part| matches!(part, Part::Operand(_, Reach::ToTheEnd));
        match parts.peeking_next(reaching) {
            Some(Part::Operand(expression, _)) => expression,
            _ => self.comparison(parts),
        }
    }

    fn comparison(&mut self, parts: &mut Parts) -> Expression {
        let mut left = self.sum(parts);
        let mut first = None;
        while let Some((operator, span)) = next_operator(parts, is_comparison) {
            if let Some(first) = first.replace(span) {
                self.refuse_chain("comparisons do not chain", first, span);
            }
            let right = self.sum(parts);
            let span = left.span.to(right.span);
            left = Expression::new(comparison_kind(operator, left, right), span);
        }
        left
    }

    fn sum(&mut self, parts: &mut Parts) -> Expression {
        let mut left = self.negative(parts);
        let is_sum = |rule| matches!(rule, Rule::plus | Rule::minus);
        while let Some((operator, _)) = next_operator(parts, is_sum) {
            let right = self.negative(parts);
            let arithmetic =
                if operator == Rule::plus { Arithmetic::Add } else { Arithmetic::Subtract };
            let span = left.span.to(right.span);
            left = Expression::new(ExpressionKind::Arithmetic(arithmetic, left, right), span);
        }
        left
    }

    fn negative(&mut self, parts: &mut Parts) -> Expression {
        match parts.next().expect("the grammar ends a chain with an operand") {
            Part::Operator(Rule::minus, operator) => {
                let inner = self.negative(parts);
                let span = operator.to(inner.span);
                Expression::new(ExpressionKind::Negative(inner), span)
            }
            Part::Operator(_, operator) => {
                self.refuse_loose("`~` binds more loosely than the operator before it", operator);
                let inner = self.negative(parts);
                let span = operator.to(inner.span);
                Expression::new(ExpressionKind::Not(inner), span)
            }
            Part::Operand(expression, Reach::ToTheEnd) => {
                self.refuse_loose(
                    "a quantifier binds more loosely than the operator before it",
                    expression.span,
                );
                expression
            }
            Part::Operand(expression, Reach::Closed) => expression,
        }
    }

    fn refuse_chain(&mut self, message: &str, first: Span, second: Span) {
        let diagnostic = Diagnostic::error(PRECEDENCE, message, second)
            .also(first, "after this one")
            .hint("put parentheses around one of the two, or join two formulas by `&`");
        self.diagnostics.push(diagnostic);
    }

    fn refuse_loose(&mut self, message: &str, span: Span) {
        let diagnostic =
            Diagnostic::error(PRECEDENCE, message, span).hint("put parentheses around it");
        self.diagnostics.push(diagnostic);
    }
}

fn is_word(rule: Rule) -> bool {
    matches!(rule, Rule::if_word | Rule::else_word)
}

fn is_comparison(rule: Rule) -> bool {
    matches!(
        rule,
        Rule::equal | Rule::not_equal | Rule::less | Rule::at_most | Rule::greater | Rule::at_least
    )
}

fn comparison_kind(operator: Rule, left: Expression, right: Expression) -> ExpressionKind {
    let compare = |comparison, flipped, left, right| ExpressionKind::Compare {
        comparison,
        left,
        right,
        flipped,
    };
    match operator {
        Rule::equal => ExpressionKind::Equal { left, right, negated: false },
        Rule::not_equal => ExpressionKind::Equal { left, right, negated: true },
        Rule::less => compare(Comparison::Less, false, left, right),
        Rule::at_most => compare(Comparison::LessEqual, false, left, right),
        Rule::greater => compare(Comparison::Less, true, left, right),
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

/// Takes the next part if it is one of the wanted operators.
fn next_operator(parts: &mut Parts, wanted: impl Fn(Rule) -> bool) -> Option<(Rule, Span)> {
    let is_wanted = |part: &Part| matches!(part, Part::Operator(rule, _) if wanted(*rule));
    match parts.peeking_next(is_wanted) {
        Some(Part::Operator(rule, span)) => Some((rule, span)),
        _ => None,
    }
}
