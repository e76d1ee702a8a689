//! `forall X. condition -> (new(r(X)) <-> value)`: the new value that one conjunct gives a symbol.
//!
//! The arguments of the symbol are called ` 1`, ` 2` and so on, which no text can mention, so that
//! several conjuncts about one symbol can be combined.

use std::collections::BTreeMap;

use super::two_states::{is_after, mentions};
use crate::frontend::format::expressions::print_expression;
use crate::frontend::lowering::name_set::NameSet;
use crate::frontend::lowering::rewrite::{Replacement, rewrite};
use crate::frontend::lowering::variables::free_names;
use crate::frontend::syntax::surface::{Binder, Connective, Expression, ExpressionKind};
use crate::logic::{Name, Quantifier};

/// What a symbol becomes, place by place.
#[derive(Clone, Debug)]
pub(super) enum Becomes {
    /// Anything.
    Open,
    /// This.
    Value(Expression),
    /// The first where the condition holds, the second elsewhere.
    Split(Expression, Box<Becomes>, Box<Becomes>),
}

/// One conjunct about the new value of one symbol.
pub(super) struct UpdateClause {
    /// The symbol.
    pub(super) symbol: Name,
    /// The variables that stand for its arguments in the text.
    pub(super) vars: Vec<Option<Name>>,
    /// What it becomes.
    pub(super) becomes: Becomes,
}

impl Becomes {
    /// One thing where a condition holds, another elsewhere.
    pub(super) fn split(condition: Expression, yes: Becomes, no: Becomes) -> Self {
        match &*condition.kind {
            ExpressionKind::Truth(true) => yes,
            ExpressionKind::Not(inner) => Becomes::split(inner.clone(), no, yes),
            ExpressionKind::Equal { left, right, negated: true } => {
                let equal = Expression::equal(left.clone(), right.clone(), condition.span);
                Becomes::split(equal, no, yes)
            }
            _ => Becomes::Split(normal(condition), Box::new(yes), Box::new(no)),
        }
    }

    /// Both at once, unless they could contradict each other.
    pub(super) fn and(self, other: Becomes) -> Option<Becomes> {
        match (self, other) {
            (Becomes::Open, one) | (one, Becomes::Open) => Some(one),
            (Becomes::Split(first, yes, no), Becomes::Split(second, yes_too, no_too))
                if print_expression(&first) == print_expression(&second) =>
            {
                let (yes, no) = (yes.and(*yes_too)?, no.and(*no_too)?);
                Some(Becomes::Split(first, Box::new(yes), Box::new(no)))
            }
            _ => None,
        }
    }

    /// Every expression in it.
    pub(super) fn expressions(&self) -> Vec<&Expression> {
        match self {
            Becomes::Open => Vec::new(),
            Becomes::Value(value) => vec![value],
            Becomes::Split(condition, yes, no) => {
                let mut all = vec![condition];
                all.extend(yes.expressions());
                all.extend(no.expressions());
                all
            }
        }
    }
}

/// The name of an argument, counted from 0.
pub(super) fn argument(position: usize) -> Name {
    format!(" {}", position + 1).into()
}

/// The position of an argument.
pub(super) fn position(name: &str) -> Option<usize> {
    name.strip_prefix(' ')?.parse::<usize>().ok()?.checked_sub(1)
}

/// The position of the argument that an expression is.
pub(super) fn argument_index(expression: &Expression) -> Option<usize> {
    position(expression.as_name()?)
}

/// A conjunction with its parts in a fixed order, and arguments on the left of equations.
fn normal(condition: Expression) -> Expression {
    let span = condition.span;
    match &*condition.kind {
        ExpressionKind::And(parts) => {
            let mut parts: Vec<Expression> = parts.iter().cloned().flat_map(flat).collect();
            parts.sort_by_key(print_expression);
            Expression::new(ExpressionKind::And(parts), span)
        }
        _ => oriented(condition),
    }
}

fn flat(condition: Expression) -> Vec<Expression> {
    match &*condition.kind {
        ExpressionKind::And(parts) => parts.iter().cloned().flat_map(flat).collect(),
        _ => vec![oriented(condition)],
    }
}

fn oriented(condition: Expression) -> Expression {
    let ExpressionKind::Equal { left, right, negated } = &*condition.kind else { return condition };
    let is_argument = |side: &Expression| argument_index(side).is_some();
    if is_argument(left) || !is_argument(right) {
        return condition;
    }
    let kind =
        ExpressionKind::Equal { left: right.clone(), right: left.clone(), negated: *negated };
    Expression::new(kind, condition.span)
}

/// The new value that a conjunct gives a symbol, if it states nothing else.
pub(super) fn clause(conjunct: &Expression) -> Option<UpdateClause> {
    let (binders, body): (&[Binder], &Expression) = match &*conjunct.kind {
        ExpressionKind::Quantified(Quantifier::Forall, binders, body) => (binders, body),
        _ => (&[], conjunct),
    };
    let mut premises = Vec::new();
    let mut core = body;
    while let ExpressionKind::Connective(Connective::Implies, premise, conclusion) = &*core.kind {
        premises.push(premise.clone());
        core = conclusion;
    }
    let (place, value) = equation(core)?;
    let (symbol, arguments) = target(&place)?;
    let marked = super::two_states::after(&symbol);
    let parts = premises.iter().chain([&value]).chain(&arguments);
    if parts.into_iter().any(|part| mentions(part, &marked)) {
        return None;
    }
    let mut names: BTreeMap<Name, Expression> = BTreeMap::new();
    let mut vars = Vec::new();
    for (index, found) in arguments.iter().enumerate() {
        let variable = variable(found, binders).filter(|name| !names.contains_key(*name));
        if let Some(name) = variable {
            names.insert(name.clone(), Expression::name(argument(index), found.span));
        }
        vars.push(variable.cloned());
    }
    let renamed = |part: &Expression| in_arguments(part, &names, binders);
    let mut conditions = Vec::new();
    for (index, found) in arguments.iter().enumerate().filter(|(index, _)| vars[*index].is_none()) {
        let left = Expression::name(argument(index), found.span);
        conditions.push(Expression::equal(left, renamed(found)?, found.span));
    }
    for premise in &premises {
        conditions.push(renamed(premise)?);
    }
    let value = Becomes::Value(renamed(&value)?);
    // Without conditions this is the value: `split` decides what is true.
    let condition = Expression::all_of(conditions, conjunct.span);
    let becomes = Becomes::split(condition, value, Becomes::Open);
    Some(UpdateClause { symbol, vars, becomes })
}

/// A place in the state after, and what it is.
fn equation(core: &Expression) -> Option<(Expression, Expression)> {
    let truth = |value| Expression::truth(value, core.span);
    match &*core.kind {
        ExpressionKind::Connective(Connective::Iff, left, right)
        | ExpressionKind::Equal { left, right, negated: false } => {
            if target(left).is_some() {
                Some((left.clone(), right.clone()))
            } else {
                target(right)?;
                Some((right.clone(), left.clone()))
            }
        }
        ExpressionKind::Not(inner) => {
            target(inner)?;
            Some((inner.clone(), truth(false)))
        }
        _ => {
            target(core)?;
            Some((core.clone(), truth(true)))
        }
    }
}

fn target(place: &Expression) -> Option<(Name, Vec<Expression>)> {
    let (name, arguments) = place.as_applied()?;
    Some((is_after(name)?.into(), arguments.to_vec()))
}

/// The bound variable that an argument is.
fn variable<'a>(argument: &'a Expression, binders: &[Binder]) -> Option<&'a Name> {
    argument.as_name().filter(|name| binders.iter().any(|binder| binder.name.value == **name))
}

/// An expression in the arguments; nothing if another bound variable remains.
fn in_arguments(
    part: &Expression,
    names: &BTreeMap<Name, Expression>,
    binders: &[Binder],
) -> Option<Expression> {
    let replace = |name: &str| names.get(name).map(|new| Replacement::Value(new.clone()));
    let renamed = rewrite(part, &NameSet::default(), &replace).ok()?;
    let free = free_names(&renamed);
    let left = binders.iter().any(|binder| free.contains(&binder.name.value));
    (!left).then_some(renamed)
}
