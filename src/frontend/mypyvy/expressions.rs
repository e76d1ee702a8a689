//! mypyvy's formulas and terms as surface expressions.

use std::collections::BTreeSet;

use pest::iterators::Pair;

use super::codes::{MOMENTS, UNSUPPORTED};
use super::grammar::Rule;
use super::table::refused;
use crate::diagnostic::Diagnostic;
use crate::frontend::lowering::rewrite::{Replacement, rewrite};
use crate::frontend::lowering::variables::free_names;
use crate::frontend::syntax::matched::{Matched, QuantifiedRules, operator};
use crate::frontend::syntax::operators::{
    Arrows, Grouping, Negation, OpenQuantifiers, Operator, OperatorPart, Reach, tree,
};
use crate::frontend::syntax::surface::{Expression, ExpressionKind, Moment};
use crate::source::Span;

/// The parts of a quantified formula.
const QUANTIFIED: QuantifiedRules<Rule> =
    QuantifiedRules { exists: Rule::exists, binder: Rule::binder, body: Rule::expression };

/// `!` binds most tightly of all.
const GROUPING: Grouping = Grouping {
    arrows: Arrows::ToTheRight,
    negation: Negation::OfTheOperand,
    quantifiers: OpenQuantifiers::Anywhere,
};

/// Builds the tree from matches in one declaration.
pub(super) struct MypyvyExpressionBuilder<'a> {
    /// Where the declaration begins in the whole text.
    pub(super) offset: usize,
    /// What was found wrong on the way.
    pub(super) diagnostics: &'a mut Vec<Diagnostic>,
    /// The places of `old` and `new`.
    pub(super) moments: &'a mut Vec<(Moment, Span)>,
    /// The places of the arguments of primed symbols.
    pub(super) primed: &'a mut BTreeSet<Span>,
}

impl Matched<Rule> for MypyvyExpressionBuilder<'_> {
    fn offset(&self) -> usize {
        self.offset
    }

    fn messages(&mut self) -> &mut Vec<Diagnostic> {
        self.diagnostics
    }
}

impl MypyvyExpressionBuilder<'_> {
    /// An expression.
    pub(super) fn expression(&mut self, pair: Pair<'_, Rule>) -> Expression {
        let parts = pair.into_inner().map(|part| self.part(part)).collect();
        tree(parts, GROUPING, self.diagnostics)
    }

    fn expressions(&mut self, pair: Pair<'_, Rule>) -> Vec<Expression> {
        let parts = pair.into_inner().filter(|part| part.as_rule() == Rule::expression);
        parts.map(|part| self.expression(part)).collect()
    }

    fn part(&mut self, pair: Pair<'_, Rule>) -> OperatorPart {
        let span = self.span(&pair);
        let closed = |kind| OperatorPart::Operand(Expression::new(kind, span), Reach::Closed);
        match pair.as_rule() {
            Rule::true_word => closed(ExpressionKind::Truth(true)),
            Rule::false_word => closed(ExpressionKind::Truth(false)),
            Rule::integer => closed(self.integer(&pair)),
            Rule::reference => closed(self.reference(pair)),
            Rule::group => {
                let inner = pair.into_inner().nth(1).expect("the grammar fills a group");
                let inner = self.expression(inner);
                OperatorPart::Operand(Expression { span, ..inner }, Reach::Closed)
            }
            Rule::moment => closed(self.moment(pair)),
            Rule::distinct => closed(self.distinct(pair)),
            Rule::quantified => OperatorPart::Operand(
                Expression::new(self.quantified(pair, &QUANTIFIED, Self::expression), span),
                Reach::ToTheEnd,
            ),
            Rule::conditional => OperatorPart::Operand(
                Expression::new(self.conditional(pair), span),
                Reach::ToTheEnd,
            ),
            Rule::binding => OperatorPart::Operand(self.binding(pair), Reach::ToTheEnd),
            Rule::times => {
                let diagnostic = Diagnostic::error(UNSUPPORTED, "`*` is not supported", span)
                    .labelled("a product, in mypyvy")
                    .hint("only sums and differences of integers are supported");
                self.diagnostics.push(diagnostic);
                OperatorPart::Operator(Operator::Plus, span)
            }
            _ => OperatorPart::Operator(operator(&pair), span),
        }
    }

    /// `r(X)`, or `r'(X)`: the symbol after the step, at what its arguments are before it.
    fn reference(&mut self, pair: Pair<'_, Rule>) -> ExpressionKind {
        let span = self.span(&pair);
        let mut parts = pair.into_inner();
        let name = self.identifier(&parts.next().expect("the grammar puts a name first"));
        let mut prime = None;
        let mut arguments = Vec::new();
        for part in parts {
            match part.as_rule() {
                Rule::prime => prime = Some(part),
                _ => arguments = self.expressions(part),
            }
        }
        if let Some(prime) = &prime {
            self.primed(prime, &mut arguments);
        }
        let symbol = Expression::applied(name, arguments, span);
        match prime {
            Some(_) => ExpressionKind::At(Moment::New, symbol),
            None => *symbol.kind,
        }
    }

    fn primed(&mut self, prime: &Pair<'_, Rule>, arguments: &mut [Expression]) {
        let span = self.span(prime);
        self.moments.push((Moment::New, span));
        if prime.as_str().trim_end().len() > 1 {
            let diagnostic =
                Diagnostic::error(MOMENTS, "two primes would refer to two steps", span)
                    .hint("a transition is one step: write one prime")
                    .instead("'");
            self.diagnostics.push(diagnostic);
        }
        for argument in arguments {
            let inner = argument.clone();
            self.primed.insert(inner.span);
            *argument = Expression::new(ExpressionKind::At(Moment::Old, inner), argument.span);
        }
    }

    fn moment(&mut self, pair: Pair<'_, Rule>) -> ExpressionKind {
        let span = self.span(&pair);
        let mut moment = Moment::Old;
        let mut inner = None;
        for part in pair.into_inner() {
            match part.as_rule() {
                Rule::new_word => moment = Moment::New,
                Rule::expression => inner = Some(self.expression(part)),
                _ => {}
            }
        }
        self.moments.push((moment, span));
        ExpressionKind::At(moment, inner.expect("the grammar fills the parentheses"))
    }

    /// Every two of the arguments differ.
    fn distinct(&mut self, pair: Pair<'_, Rule>) -> ExpressionKind {
        let span = self.span(&pair);
        let arguments = pair.into_inner().last().expect("the grammar puts arguments last");
        let arguments = self.expressions(arguments);
        let mut parts = Vec::new();
        for (index, left) in arguments.iter().enumerate() {
            for right in &arguments[index + 1..] {
                let span = left.span.to(right.span);
                let (left, right) = (left.clone(), right.clone());
                let kind = ExpressionKind::Equal { left, right, negated: true };
                parts.push(Expression::new(kind, span));
            }
        }
        *Expression::all_of(parts, span).kind
    }

    fn conditional(&mut self, pair: Pair<'_, Rule>) -> ExpressionKind {
        let mut parts = self.expressions(pair).into_iter();
        let mut next = || parts.next().expect("the grammar has three parts");
        let (condition, then, otherwise) = (next(), next(), next());
        ExpressionKind::If { then, condition, otherwise }
    }

    /// `let x = value in body` is the body with the value for `x`, as it is where `let` stands.
    fn binding(&mut self, pair: Pair<'_, Rule>) -> Expression {
        let span = self.span(&pair);
        let binder = pair.clone().into_inner().find(|part| part.as_rule() == Rule::binder);
        let name = self.binder(binder.expect("the grammar names the variable")).name.value;
        let mut parts = self.expressions(pair).into_iter();
        let value = parts.next().expect("the grammar has a value");
        let body = parts.next().expect("the grammar has a body");
        let reserved = free_names(&value).into_iter().collect();
        let replace = |found: &str| (*found == *name).then(|| Replacement::Value(value.clone()));
        match rewrite(&body, &reserved, &replace) {
            Ok(body) => Expression { span, ..body },
            Err(obstacle) => {
                self.diagnostics.push(refused(&obstacle));
                Expression::truth(true, span)
            }
        }
    }
}
