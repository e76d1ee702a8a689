//! Ivy's formulas and terms as surface expressions.
//!
//! A variable may carry its type where it is used; the types are collected and the variables bound
//! around the whole formula.

use pest::iterators::Pair;

use super::grammar::Rule;
use super::unsupported::unsupported;
use crate::diagnostic::Diagnostic;
use crate::frontend::lowering::variables::free_names;
use crate::frontend::syntax::codes;
use crate::frontend::syntax::matched::{Matched, QuantifiedRules, operator};
use crate::frontend::syntax::operators::{
    Arrows, Grouping, Negation, OpenQuantifiers, Operator, OperatorPart, Reach, tree,
};
use crate::frontend::syntax::surface::{
    Arithmetic, Binder, Expression, ExpressionKind, Identifier,
};
use crate::logic::Quantifier;
use crate::source::Span;

/// The parts of a quantified formula.
const QUANTIFIED: QuantifiedRules<Rule> =
    QuantifiedRules { exists: Rule::exists, binder: Rule::binder, body: Rule::expression };

/// Ivy 1.6 and 1.7 group repeated arrows differently, whatever a text says of its version.
const GROUPING: Grouping = Grouping {
    arrows: Arrows::Apart,
    negation: Negation::OfTheComparison,
    quantifiers: OpenQuantifiers::Anywhere,
};

/// How much `x if c else y` includes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Conditionals {
    /// It binds more tightly than comparisons, since Ivy 1.7.
    Tight,
    /// Before, it was looser than `|`, and the two must not meet without parentheses.
    Apart,
}

impl Conditionals {
    /// What the version in the first line of a text means; one that is not understood may be old.
    pub(crate) fn of(text: &str) -> Self {
        let first = text.lines().next().unwrap_or_default().trim();
        let Some(language) = first.strip_prefix("#lang") else { return Conditionals::Tight };
        let number = |part: &str| part.trim().parse::<u32>().ok();
        let version = language.trim().strip_prefix("ivy").and_then(|own| own.split_once('.'));
        match version.map(|(major, minor)| (number(major), number(minor))) {
            Some((Some(major), Some(minor))) if (major, minor) >= (1, 7) => Conditionals::Tight,
            _ => Conditionals::Apart,
        }
    }
}

/// Builds the tree from matches in one declaration.
pub(crate) struct IvyExpressionBuilder<'a> {
    /// Where the declaration begins in the whole text.
    pub(crate) offset: usize,
    /// How the version of the language groups conditionals.
    conditionals: Conditionals,
    /// What was found wrong on the way.
    pub(crate) diagnostics: &'a mut Vec<Diagnostic>,
    /// Types written at variables of the formula at hand.
    annotations: Vec<Binder>,
    /// The places of numerals.
    pub(crate) numerals: Vec<Span>,
}

impl Matched<Rule> for IvyExpressionBuilder<'_> {
    fn offset(&self) -> usize {
        self.offset
    }

    fn messages(&mut self) -> &mut Vec<Diagnostic> {
        self.diagnostics
    }
}

impl<'a> IvyExpressionBuilder<'a> {
    /// A builder for matches in the declaration that begins at `offset`.
    pub(crate) fn new(
        offset: usize,
        conditionals: Conditionals,
        diagnostics: &'a mut Vec<Diagnostic>,
    ) -> Self {
        let (annotations, numerals) = (Vec::new(), Vec::new());
        IvyExpressionBuilder { offset, conditionals, diagnostics, annotations, numerals }
    }

    /// A formula that stands by itself: variables with a type written at them are bound around it.
    pub(crate) fn formula(&mut self, pair: Pair<'_, Rule>) -> Expression {
        let body = self.value(pair);
        let mut binders: Vec<Binder> = Vec::new();
        let free = free_names(&body);
        for binder in std::mem::take(&mut self.annotations) {
            let name = &binder.name.value;
            if free.contains(name) && binders.iter().all(|other| other.name.value != *name) {
                binders.push(binder);
            }
        }
        if binders.is_empty() {
            return body;
        }
        let span = body.span;
        Expression::new(ExpressionKind::Quantified(Quantifier::Forall, binders, body), span)
    }

    /// An expression whose variables are bound elsewhere: types written at them are redundant.
    pub(crate) fn open_expression(&mut self, pair: Pair<'_, Rule>) -> Expression {
        let expression = self.value(pair);
        self.annotations.clear();
        expression
    }

    fn value(&mut self, pair: Pair<'_, Rule>) -> Expression {
        let matched: Vec<Pair<'_, Rule>> = pair.into_inner().collect();
        if self.conditionals == Conditionals::Apart && matched.len() > 1 {
            matched.iter().for_each(|part| self.refuse_conditional(part));
        }
        let parts = matched.into_iter().map(|part| self.part(part)).collect();
        tree(parts, GROUPING, self.diagnostics)
    }

    /// Ivy 1.6 reads `a | b if c else d` as `(a | b) if c else d`, Ivy 1.7 as `a | (b if c else d)`.
    fn refuse_conditional(&mut self, part: &Pair<'_, Rule>) {
        let is_conditional =
            part.as_rule() == Rule::conditional && part.clone().into_inner().count() > 1;
        if is_conditional {
            let message = "`if … else` beside another operator is ambiguous before Ivy 1.7";
            let help = "put parentheses around one of them, or state `#lang ivy1.7`";
            let span = self.span(part);
            self.diagnostics.push(Diagnostic::error(codes::PRECEDENCE, message, span).hint(help));
        }
    }

    fn part(&mut self, pair: Pair<'_, Rule>) -> OperatorPart {
        let span = self.span(&pair);
        match pair.as_rule() {
            Rule::quantified => OperatorPart::Operand(
                Expression::new(self.quantified(pair, &QUANTIFIED, Self::value), span),
                Reach::ToTheEnd,
            ),
            Rule::conditional => OperatorPart::Operand(self.conditional(pair), Reach::Closed),
            Rule::points_to => {
                self.diagnostics.push(unsupported("*>", span));
                OperatorPart::Operator(Operator::Equal, span)
            }
            _ => OperatorPart::Operator(operator(&pair), span),
        }
    }

    fn conditional(&mut self, pair: Pair<'_, Rule>) -> Expression {
        let mut parts = pair.into_inner();
        let then = self.sum(parts.next().expect("the grammar puts a value first"));
        let Some(_if) = parts.next() else { return then };
        let condition = self.value(parts.next().expect("the grammar puts a condition after `if`"));
        let otherwise = parts.last().expect("the grammar puts a value after `else`");
        let otherwise = self.alternative(otherwise);
        let span = then.span.to(otherwise.span);
        Expression::new(ExpressionKind::If { then, condition, otherwise }, span)
    }

    fn alternative(&mut self, pair: Pair<'_, Rule>) -> Expression {
        let mut negations = Vec::new();
        let mut value = None;
        for part in pair.into_inner() {
            match part.as_rule() {
                Rule::not => negations.push(self.span(&part)),
                _ => value = Some(self.sum(part)),
            }
        }
        let value = value.expect("the grammar puts a value after the negations");
        negations.into_iter().rev().fold(value, |inner, negation| {
            let span = negation.to(inner.span);
            Expression::new(ExpressionKind::Not(inner), span)
        })
    }

    fn sum(&mut self, pair: Pair<'_, Rule>) -> Expression {
        let mut parts = pair.into_inner();
        let mut left = self.term(parts.next().expect("the grammar puts a term first"));
        while let (Some(sign), Some(right)) = (parts.next(), parts.next()) {
            let right = self.term(right);
            let operation = match sign.as_rule() {
                Rule::minus => Arithmetic::Subtract,
                Rule::plus => Arithmetic::Add,
                _ => {
                    let word = sign.as_str().trim_end();
                    self.diagnostics.push(unsupported(word, self.span(&sign)));
                    Arithmetic::Add
                }
            };
            let span = left.span.to(right.span);
            left = Expression::new(ExpressionKind::Arithmetic(operation, left, right), span);
        }
        left
    }

    fn term(&mut self, pair: Pair<'_, Rule>) -> Expression {
        let span = self.span(&pair);
        let kind = match pair.as_rule() {
            Rule::true_word => ExpressionKind::Truth(true),
            Rule::false_word => ExpressionKind::Truth(false),
            Rule::numeral => {
                self.numerals.push(span);
                let integer = pair.into_inner().next().expect("the grammar begins with digits");
                self.integer(&integer)
            }
            Rule::group_expression => {
                let inner = pair.into_inner().nth(1).expect("the grammar fills the parentheses");
                return Expression { span, ..self.value(inner) };
            }
            Rule::variable_term => {
                let binder = self.binder(pair);
                let name = binder.name.value.clone();
                if binder.sort.is_some() {
                    self.annotations.push(binder);
                }
                ExpressionKind::Name(name)
            }
            Rule::path => return self.path(pair),
            Rule::old => {
                self.diagnostics.push(unsupported("old", span));
                ExpressionKind::Truth(true)
            }
            _ => {
                self.diagnostics.push(unsupported("some", span));
                ExpressionKind::Truth(true)
            }
        };
        Expression::new(kind, span)
    }

    /// `a.b(x).c(y)` is `a.b.c` of `x, y`.
    pub(crate) fn path(&mut self, pair: Pair<'_, Rule>) -> Expression {
        let span = self.span(&pair);
        let (mut names, mut arguments, mut applied) = (Vec::new(), Vec::new(), false);
        let segments = pair.into_inner().filter(|part| part.as_rule() == Rule::segment);
        for segment in segments {
            for part in segment.into_inner() {
                match part.as_rule() {
                    Rule::arguments => {
                        applied = true;
                        let parts = part.into_inner();
                        let values = parts.filter(|part| part.as_rule() == Rule::expression);
                        arguments.extend(values.map(|value| self.value(value)));
                    }
                    _ => names.push(self.identifier(&part)),
                }
            }
        }
        let place = names.iter().map(|name| name.span).reduce(Span::to).unwrap_or(span);
        let name: Vec<&str> = names.iter().map(|name| &*name.value).collect();
        let name = Identifier::new(name.join(".").into(), place);
        let kind = if applied {
            ExpressionKind::Apply(name, arguments)
        } else {
            ExpressionKind::Name(name.value)
        };
        Expression::new(kind, span)
    }
}
