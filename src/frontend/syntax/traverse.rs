//! Recursion over surface expressions, and the spelling of their operators: for printers and for
//! the readers of other languages.

use super::surface::{
    Arithmetic, Connective, Expression, ExpressionKind, Hole, HoleForm, Item, Module, Moment,
    Statement, StatementKind,
};
use crate::logic::{Comparison, Name, Quantifier};
use crate::source::Span;

impl Module {
    /// The first statement that RML cannot express: a formula over two states.
    pub fn first_relation_of_states(&self) -> Option<Span> {
        self.items.iter().find_map(|item| match &item.value {
            Item::Action(action) => relation_of_states(&action.body),
            Item::Sorts(_)
            | Item::Enumeration(_)
            | Item::Symbol(_)
            | Item::Structure(_)
            | Item::Define(_)
            | Item::Axiom(_)
            | Item::Init(_)
            | Item::Safety(_)
            | Item::Lemma(_)
            | Item::Owed(_)
            | Item::Candidate(_)
            | Item::Run(_) => None,
        })
    }
}

fn relation_of_states(statements: &[Statement]) -> Option<Span> {
    statements.iter().find_map(|statement| match &statement.value {
        StatementKind::Relate(..) => Some(statement.span),
        StatementKind::If(_, then, otherwise) => {
            relation_of_states(then).or_else(|| relation_of_states(otherwise))
        }
        StatementKind::Require(_) | StatementKind::Assign(_) | StatementKind::Together(_) => None,
    })
}

impl Expression {
    /// Whether a capitalised name stands here without a binder.
    pub fn has_unbound_variables(&self) -> bool {
        fn unbound(expression: &Expression, bound: &mut Vec<Name>) -> bool {
            let before = bound.len();
            match &*expression.kind {
                ExpressionKind::Name(name) => {
                    let is_variable = name.chars().next().is_some_and(char::is_uppercase);
                    return is_variable && !bound.contains(name);
                }
                ExpressionKind::Quantified(_, binders, _) => {
                    bound.extend(binders.iter().map(|binder| binder.name.value.clone()));
                }
                _ => {}
            }
            let found = expression.children().into_iter().any(|child| unbound(child, bound));
            bound.truncate(before);
            found
        }
        unbound(self, &mut Vec::new())
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
            ExpressionKind::Hole(Hole { form, .. }) => match form {
                HoleForm::Open => Vec::new(),
                HoleForm::OneOf(members) | HoleForm::Table(members) => members.iter().collect(),
            },
        }
    }

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
            ExpressionKind::Hole(Hole { name, form }) => {
                let form = match form {
                    HoleForm::Open => HoleForm::Open,
                    HoleForm::OneOf(members) => HoleForm::OneOf(all(members)),
                    HoleForm::Table(members) => HoleForm::Table(all(members)),
                };
                ExpressionKind::Hole(Hole { name: name.clone(), form })
            }
        };
        Expression::new(kind, self.span)
    }
}

impl ExpressionKind {
    /// The word or operator in its canonical spelling, for those that have one.
    pub fn sign(&self) -> Option<&'static str> {
        let sign = match self {
            ExpressionKind::Integer(_)
            | ExpressionKind::Name(_)
            | ExpressionKind::Apply(..)
            | ExpressionKind::If { .. } => return None,
            ExpressionKind::Hole(_) => "??",
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
