//! Grammar matches to surface expressions.
//!
//! `if … else` binds most loosely; `operators` handles the others.

use pest::iterators::Pair;

use super::grammar::Rule;
use super::matched::{Matched, QuantifiedRules, operator};
use super::operators::{Arrows, Grouping, Negation, OpenQuantifiers, OperatorPart, Reach, tree};
use super::surface::{Binder, Expression, ExpressionKind, Hole, HoleForm};
use crate::diagnostic::Diagnostic;

/// Builds surface nodes from matches in one chunk of a text.
pub(crate) struct ExpressionBuilder {
    /// Where the chunk begins in the whole text.
    offset: usize,
    /// What was found wrong on the way.
    pub(crate) diagnostics: Vec<Diagnostic>,
}

/// The parts of a quantified formula.
const QUANTIFIED: QuantifiedRules<Rule> =
    QuantifiedRules { exists: Rule::exists, binder: Rule::binder, body: Rule::expression };

/// How RML groups arrows and negations.
const GROUPING: Grouping = Grouping {
    arrows: Arrows::ToTheRight,
    negation: Negation::OfTheComparison,
    quantifiers: OpenQuantifiers::Loose,
};

impl Matched<Rule> for ExpressionBuilder {
    fn offset(&self) -> usize {
        self.offset
    }

    fn messages(&mut self) -> &mut Vec<Diagnostic> {
        &mut self.diagnostics
    }
}

impl ExpressionBuilder {
    /// A builder for matches in a chunk that begins at `offset`.
    pub(crate) fn new(offset: usize) -> Self {
        ExpressionBuilder { offset, diagnostics: Vec::new() }
    }

    /// The binders among the parts of a match.
    pub(crate) fn binders(&self, pair: Pair<'_, Rule>) -> Vec<Binder> {
        parts(&pair, Rule::binder).map(|binder| self.binder(binder)).collect()
    }

    /// The expressions between parentheses.
    pub(crate) fn arguments(&mut self, pair: Pair<'_, Rule>) -> Vec<Expression> {
        parts(&pair, Rule::expression).map(|argument| self.expression(argument)).collect()
    }

    /// An expression.
    pub(crate) fn expression(&mut self, pair: Pair<'_, Rule>) -> Expression {
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
        let parts: Vec<OperatorPart> = pair.into_inner().map(|part| self.part(part)).collect();
        tree(parts, GROUPING, &mut self.diagnostics)
    }

    fn part(&mut self, pair: Pair<'_, Rule>) -> OperatorPart {
        let span = self.span(&pair);
        let closed = |kind| OperatorPart::Operand(Expression::new(kind, span), Reach::Closed);
        match pair.as_rule() {
            Rule::true_word => closed(ExpressionKind::Truth(true)),
            Rule::false_word => closed(ExpressionKind::Truth(false)),
            Rule::integer => closed(self.integer(&pair)),
            Rule::reference => closed(self.reference(pair)),
            Rule::hole => closed(self.hole(pair)),
            Rule::group => {
                let inner = pair.into_inner().nth(1).expect("the grammar fills a group");
                let inner = self.expression(inner);
                OperatorPart::Operand(Expression { span, ..inner }, Reach::Closed)
            }
            Rule::quantified => OperatorPart::Operand(
                Expression::new(self.quantified(pair, &QUANTIFIED, Self::expression), span),
                Reach::ToTheEnd,
            ),
            _ => OperatorPart::Operator(operator(&pair), span),
        }
    }

    fn hole(&mut self, pair: Pair<'_, Rule>) -> ExpressionKind {
        let mut hole = Hole { name: None, form: HoleForm::Open };
        for part in pair.into_inner() {
            match part.as_rule() {
                Rule::hole_list => hole.form = HoleForm::OneOf(self.arguments(part)),
                Rule::hole_table => hole.form = HoleForm::Table(self.arguments(part)),
                _ => hole.name = Some(self.identifier(&part)),
            }
        }
        ExpressionKind::Hole(hole)
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
}

fn is_word(rule: Rule) -> bool {
    matches!(rule, Rule::if_word | Rule::else_word)
}

/// The parts of a match that are matches of a rule, in order.
pub(crate) fn parts<'i>(
    pair: &Pair<'i, Rule>,
    rule: Rule,
) -> impl Iterator<Item = Pair<'i, Rule>> + use<'i> {
    pair.clone().into_inner().filter(move |part| part.as_rule() == rule)
}

/// The first part of a match that is a match of a rule, where the grammar has one.
pub(crate) fn part<'i>(pair: &Pair<'i, Rule>, rule: Rule) -> Pair<'i, Rule> {
    parts(pair, rule).next().expect("the grammar has this part here")
}
