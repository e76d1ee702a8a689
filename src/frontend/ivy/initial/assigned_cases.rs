//! What the assignments of `after init` leave of a symbol, case by case, and the formula that says
//! so.

use crate::frontend::lowering::rewrite::MacroDefinition;
use crate::frontend::lowering::variables::{free_names, is_variable};
use crate::frontend::syntax::surface::{Connective, Expression, ExpressionKind, Identifier};
use crate::logic::Name;
use crate::source::Span;

/// Where and what a symbol was assigned.
#[derive(Clone)]
pub(crate) struct SymbolCase {
    /// The condition on the argument variables; `None` everywhere.
    pub(crate) guard: Option<Expression>,
    /// The value; `None` if any.
    pub(crate) value: Option<Expression>,
}

/// What is known of an assigned symbol.
pub(crate) struct Assigned {
    /// The variables that stand for its arguments.
    pub(crate) vars: Vec<Expression>,
    /// The first holds unless a later one does.
    pub(crate) cases: Vec<SymbolCase>,
    pub(crate) relation: bool,
    pub(crate) span: Span,
}

impl SymbolCase {
    /// A variable that does not stand for an argument.
    pub(crate) fn unbound(&self, vars: &[Expression]) -> Option<(Name, Span)> {
        let parts = self.guard.iter().chain(&self.value);
        let mut found = parts.flat_map(|part| variables(part).map(|name| (name, part.span)));
        found.find(|(name, _)| vars.iter().all(|var| name_of(var) != *name))
    }
}

impl Assigned {
    /// The value at every place, if it is known everywhere.
    pub(crate) fn definition(&self) -> Option<MacroDefinition> {
        let params = self.vars.iter().map(name_of).collect();
        Some(MacroDefinition { params, body: self.value()? })
    }

    fn value(&self) -> Option<Expression> {
        let mut cases = self.cases.iter();
        let first = cases.next().filter(|first| first.guard.is_none())?;
        let mut value = first.value.clone()?;
        for case in cases {
            let condition = case.guard.clone()?;
            let span = self.span;
            let (then, otherwise) = (case.value.clone()?, value);
            value = Expression::conditional(condition, [then, otherwise], span);
        }
        Some(value)
    }

    /// What holds of the symbol in the end; nothing if any value is possible everywhere.
    pub(crate) fn formula(&self, name: &Name) -> Option<Expression> {
        if let Some(value) = self.value() {
            return Some(self.equals(name, value));
        }
        // From the first case to the last: where a later one applies, it decides.
        let mut holds: Option<Expression> = None;
        for case in &self.cases {
            let here = case.value.clone().map(|value| self.equals(name, value));
            holds = match (&case.guard, here, holds) {
                (None, here, _) => here,
                (Some(guard), Some(here), None) => Some(Expression::implies(guard.clone(), here)),
                (Some(guard), None, Some(before)) => {
                    Some(Expression::implies(guard.clone().negated(), before))
                }
                (Some(_), None, None) => None,
                (Some(guard), Some(then), Some(otherwise)) => {
                    Some(Expression::conditional(guard.clone(), [then, otherwise], self.span))
                }
            };
        }
        holds
    }

    /// `name(vars)` is `value`.
    fn equals(&self, name: &Name, value: Expression) -> Expression {
        let at = self.span;
        let symbol = Identifier::new(name.clone(), at);
        let symbol = Expression::applied(symbol, self.vars.clone(), at);
        let kind = match (&*value.kind, self.relation) {
            (ExpressionKind::Truth(true), true) => return symbol,
            (ExpressionKind::Truth(false), true) => ExpressionKind::Not(symbol),
            (_, true) => ExpressionKind::Connective(Connective::Iff, symbol, value),
            (_, false) => ExpressionKind::Equal { left: symbol, right: value, negated: false },
        };
        Expression::new(kind, at)
    }
}

/// The variables that are free in an expression.
pub(crate) fn variables(expression: &Expression) -> impl Iterator<Item = Name> {
    free_names(expression).into_iter().filter(|name| is_variable(name))
}

pub(crate) fn name_of(var: &Expression) -> Name {
    var.as_name().cloned().expect("argument variables are names")
}
