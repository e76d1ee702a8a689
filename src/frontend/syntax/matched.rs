//! Positions, names, numbers and operators of grammar matches, for the builders of every language.

use pest::RuleType;
use pest::iterators::Pair;

use super::operators::Operator;
use super::surface::{Binder, Expression, ExpressionKind, Identifier};
use crate::diagnostic::{Diagnostic, refuse};
use crate::frontend::errors::messages::number_too_large;
use crate::logic::Quantifier;
use crate::source::{Span, Spanned};

/// The rules of the parts of a quantified formula.
pub(crate) struct QuantifiedRules<R> {
    /// The word `exists`; without it the formula is universal.
    pub(crate) exists: R,
    /// A bound variable.
    pub(crate) binder: R,
    /// The formula after the variables.
    pub(crate) body: R,
}

/// Something that builds trees from the matches of a grammar in one part of a text.
pub(crate) trait Matched<R: RuleType> {
    /// Where the part begins in the whole text.
    fn offset(&self) -> usize;

    /// What was found wrong on the way.
    fn messages(&mut self) -> &mut Vec<Diagnostic>;

    /// The position of a match, without the blanks that the grammar skips at its end.
    fn span(&self, pair: &Pair<'_, R>) -> Span {
        let start = self.offset() + pair.as_span().start();
        Span::new(start, start + pair.as_str().trim_end().len())
    }

    /// A name.
    fn identifier(&self, pair: &Pair<'_, R>) -> Identifier {
        Spanned::new(pair.as_str().trim_end().into(), self.span(pair))
    }

    /// The names among the parts of a match.
    fn identifiers(&self, pair: Pair<'_, R>, rule: R) -> Vec<Identifier> {
        let names = pair.into_inner().filter(|part| part.as_rule() == rule);
        names.map(|name| self.identifier(&name)).collect()
    }

    /// A name with an optional sort.
    fn binder(&self, pair: Pair<'_, R>) -> Binder {
        let mut parts = pair.into_inner();
        let name = parts.next().map(|name| self.identifier(&name));
        let sort = parts.last().map(|sort| self.identifier(&sort));
        Binder { name: name.expect("the grammar puts a name first"), sort }
    }

    /// A quantified formula, whose body `build` builds.
    fn quantified(
        &mut self,
        pair: Pair<'_, R>,
        rules: &QuantifiedRules<R>,
        build: fn(&mut Self, Pair<'_, R>) -> Expression,
    ) -> ExpressionKind {
        let mut quantifier = Quantifier::Forall;
        let mut binders = Vec::new();
        let mut body = None;
        for part in pair.into_inner() {
            let rule = part.as_rule();
            if rule == rules.exists {
                quantifier = Quantifier::Exists;
            } else if rule == rules.binder {
                binders.push(self.binder(part));
            } else if rule == rules.body {
                body = Some(build(self, part));
            }
        }
        let body = body.expect("the grammar puts a body after the variables");
        ExpressionKind::Quantified(quantifier, binders, body)
    }

    /// A decimal literal.
    fn integer(&mut self, pair: &Pair<'_, R>) -> ExpressionKind {
        let value = pair.as_str().trim_end().parse().unwrap_or_else(|_| {
            let span = self.span(pair);
            refuse(self.messages(), number_too_large(span));
            0
        });
        ExpressionKind::Integer(value)
    }
}

/// The operator of a sign, in the spellings of all languages.
pub(crate) fn operator<R: RuleType>(pair: &Pair<'_, R>) -> Operator {
    match pair.as_str().trim_end() {
        "<->" | "↔" | "⇔" | "⟺" => Operator::Iff,
        "->" | "=>" | "→" | "⇒" | "⟹" => Operator::Implies,
        "|" | "∨" => Operator::Or,
        "&" | "∧" => Operator::And,
        "~" | "!" | "¬" => Operator::Not,
        "=" => Operator::Equal,
        "!=" | "~=" | "≠" => Operator::NotEqual,
        "<" => Operator::Less,
        "<=" | "≤" => Operator::AtMost,
        ">" => Operator::Greater,
        ">=" | "≥" => Operator::AtLeast,
        "+" => Operator::Plus,
        _ => Operator::Minus,
    }
}
