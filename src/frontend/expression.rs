//! From what the grammar matched to surface expressions.
//!
//! `if … else` binds most loosely; the other operators find their operands in `operators`.

use pest::iterators::Pair;

use super::codes;
use super::grammar::Rule;
use super::operators::{Arrows, Grouping, Negation, Operator, Part, Quantifiers, Reach, tree};
use super::surface::{Binder, Expression, ExpressionKind, Identifier};
use crate::diagnostic::Diagnostic;
use crate::logic::Quantifier;
use crate::source::{Span, Spanned};

/// Builds surface nodes from matches in one chunk of a text.
pub(super) struct Builder {
    /// Where the chunk begins in the whole text.
    offset: usize,
    /// What was found wrong on the way.
    pub(super) diagnostics: Vec<Diagnostic>,
}

/// How our own texts group arrows and negations.
const GROUPING: Grouping = Grouping {
    arrows: Arrows::ToTheRight,
    negation: Negation::OfTheComparison,
    quantifiers: Quantifiers::Loose,
};

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
        tree(parts, GROUPING, &mut self.diagnostics)
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
            rule => Part::Operator(operator(rule), span),
        }
    }

    fn integer(&mut self, pair: &Pair<'_, Rule>) -> ExpressionKind {
        let value = pair.as_str().parse().unwrap_or_else(|_| {
            let message = format!("this number is larger than {}", i64::MAX);
            self.diagnostics.push(Diagnostic::error(codes::INTEGER, message, self.span(pair)));
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
}

fn is_word(rule: Rule) -> bool {
    matches!(rule, Rule::if_word | Rule::else_word)
}

fn operator(rule: Rule) -> Operator {
    match rule {
        Rule::iff => Operator::Iff,
        Rule::implies => Operator::Implies,
        Rule::or => Operator::Or,
        Rule::and => Operator::And,
        Rule::not => Operator::Not,
        Rule::equal => Operator::Equal,
        Rule::not_equal => Operator::NotEqual,
        Rule::less => Operator::Less,
        Rule::at_most => Operator::AtMost,
        Rule::greater => Operator::Greater,
        Rule::at_least => Operator::AtLeast,
        Rule::plus => Operator::Plus,
        _ => Operator::Minus,
    }
}
