//! The new value of a symbol as assignments: at single places where the formula allows it.

use std::collections::{BTreeMap, BTreeSet};

use super::two_states::{in_place, mentions};
use super::update_clause::{Becomes, argument_index, position};
use crate::frontend::format::expressions::print_expression;
use crate::frontend::lowering::build::assignment;
use crate::frontend::lowering::rewrite::{Replacement, rewrite};
use crate::frontend::lowering::statement_bodies::assigned;
use crate::frontend::lowering::variables::{free_names, is_variable};
use crate::frontend::syntax::surface::{
    Expression, ExpressionKind, Identifier, LeftArgument, Statement, StatementKind,
};
use crate::logic::{Name, fresh_name};
use crate::source::{Span, Spanned};

/// The symbol that is assigned.
pub(super) struct UpdateTarget<'a> {
    /// Its name.
    pub(super) name: &'a Name,
    /// How many arguments it takes.
    pub(super) arity: usize,
    /// What the text calls them.
    pub(super) preferred_names: &'a [Option<Name>],
    /// The position of the transition.
    pub(super) span: Span,
}

/// Some arguments and what they equal.
type UpdatePattern = BTreeMap<usize, Expression>;

impl UpdateTarget<'_> {
    /// The assignments that make the symbol what it becomes; none if they cannot be found.
    pub(super) fn assignments(&self, becomes: &Becomes) -> Option<Vec<Statement>> {
        let statements = self.at(becomes, &UpdatePattern::new())?;
        // Places are found before the step: where several assignments follow each other, the
        // symbol must not decide where it changes.
        let single =
            statements.len() == 1 && matches!(&statements[0].value, StatementKind::Assign(_));
        (single || !self.finds_places(&statements)).then_some(statements)
    }

    fn finds_places(&self, statements: &[Statement]) -> bool {
        statements.iter().any(|statement| match &statement.value {
            StatementKind::If(_, then, otherwise) => {
                self.finds_places(then) || self.finds_places(otherwise)
            }
            StatementKind::Assign(assignment) => {
                assignment.arguments.iter().any(|argument| match &argument.value {
                    LeftArgument::Expression(argument) => mentions(argument, self.name),
                    LeftArgument::Star => false,
                })
            }
            StatementKind::Require(_) | StatementKind::Together(_) | StatementKind::Relate(..) => {
                false
            }
        })
    }

    /// The assignments at the places of a pattern.
    fn at(&self, becomes: &Becomes, pattern: &UpdatePattern) -> Option<Vec<Statement>> {
        match becomes {
            Becomes::Open => Some(vec![self.assign(pattern, None)]),
            Becomes::Value(value) => self.refined(value, pattern),
            Becomes::Split(condition, yes, no) => {
                if !mentions_arguments(condition) {
                    let (then, otherwise) = (self.at(yes, pattern)?, self.at(no, pattern)?);
                    return Some(self.branch(condition, then, otherwise));
                }
                if let Some(inner) = matched(condition) {
                    return self.inside(&inner, yes, no, pattern);
                }
                let (Becomes::Value(then), Becomes::Value(otherwise)) = (&**yes, &**no) else {
                    return None;
                };
                let branches = [then.clone(), otherwise.clone()];
                let value = Expression::conditional(condition.clone(), branches, condition.span);
                Some(vec![self.assign(pattern, Some(&value))])
            }
        }
    }

    /// First everywhere, then again at the inner places.
    fn inside(
        &self,
        inner: &UpdatePattern,
        yes: &Becomes,
        no: &Becomes,
        pattern: &UpdatePattern,
    ) -> Option<Vec<Statement>> {
        if inner.keys().any(|index| pattern.contains_key(index)) {
            return None;
        }
        let mut statements = self.at(no, pattern)?;
        let reads_itself = yes
            .expressions()
            .into_iter()
            .chain(inner.values())
            .any(|part| mentions(part, self.name));
        if reads_itself && !statements.is_empty() {
            return None;
        }
        let mut both = pattern.clone();
        both.extend(inner.iter().map(|(index, value)| (*index, value.clone())));
        statements.extend(self.at(yes, &both)?);
        Some(statements)
    }

    /// `r(X) | X = n` sets one place, `r(X) & X != n` clears one; else the value is assigned.
    fn refined(&self, value: &Expression, pattern: &UpdatePattern) -> Option<Vec<Statement>> {
        if self.is_unchanged(value) {
            return Some(Vec::new());
        }
        let whole = || Some(vec![self.assign(pattern, Some(value))]);
        let (parts, truth) = match &*value.kind {
            ExpressionKind::Or(parts) => (parts, true),
            ExpressionKind::And(parts) => (parts, false),
            ExpressionKind::If { then, condition, otherwise } => {
                let (yes, no) = (Becomes::Value(then.clone()), Becomes::Value(otherwise.clone()));
                let split = Becomes::split(condition.clone(), yes, no);
                return self.split_value(&split, pattern).or_else(whole);
            }
            _ => return whole(),
        };
        let (base, places): (Vec<&Expression>, Vec<&Expression>) =
            parts.iter().partition(|part| mentions(part, self.name));
        let [base] = base[..] else { return whole() };
        let places: Option<Vec<UpdatePattern>> = places
            .into_iter()
            .map(|part| if truth { matched(part) } else { excluded(part) })
            .collect();
        let Some(places) = places else { return whole() };
        if places.iter().any(|place| place.keys().any(|index| pattern.contains_key(index))) {
            return whole();
        }
        let Some(mut statements) = self.refined(base, pattern) else { return whole() };
        for mut place in places {
            place.extend(pattern.iter().map(|(index, value)| (*index, value.clone())));
            let value = Expression::truth(truth, value.span);
            statements.push(self.assign(&place, Some(&value)));
        }
        Some(statements)
    }

    fn split_value(&self, split: &Becomes, pattern: &UpdatePattern) -> Option<Vec<Statement>> {
        match split {
            Becomes::Split(condition, yes, no) => match matched(condition) {
                Some(inner) => self.inside(&inner, yes, no, pattern),
                None => None,
            },
            other => self.at(other, pattern),
        }
    }

    fn branch(
        &self,
        condition: &Expression,
        then: Vec<Statement>,
        otherwise: Vec<Statement>,
    ) -> Vec<Statement> {
        let condition = in_place(condition);
        let span = condition.span;
        let kind = match (then.is_empty(), otherwise.is_empty()) {
            (true, true) => return Vec::new(),
            (true, false) => StatementKind::If(condition.negated(), otherwise, Vec::new()),
            _ => StatementKind::If(condition, then, otherwise),
        };
        vec![Spanned::new(kind, span)]
    }

    /// Whether a value is the symbol before, at the same place.
    fn is_unchanged(&self, value: &Expression) -> bool {
        value.as_applied().is_some_and(|(name, arguments)| {
            let mut indices = arguments.iter().map(argument_index).enumerate();
            let is_whole = !arguments.is_empty() || self.arity == 0;
            name == self.name && is_whole && indices.all(|(index, found)| found == Some(index))
        })
    }

    /// `symbol(pattern) := value`, or any value.
    fn assign(&self, pattern: &UpdatePattern, value: Option<&Expression>) -> Statement {
        let names = self.names(pattern, value);
        let renamed = |part: &Expression| {
            let replace = |name: &str| {
                let index = position(name)?;
                Some(Replacement::Value(names.get(index)?.clone()))
            };
            let reserved = names.iter().flat_map(free_names).collect();
            in_place(&rewrite(part, &reserved, &replace).unwrap_or_else(|_| part.clone()))
        };
        let target = Identifier::new(self.name.clone(), self.span);
        let arguments = names.iter().map(in_place).collect();
        let statement = assignment(target, arguments, value.map(renamed), self.span);
        Spanned::new(StatementKind::Assign(statement), self.span)
    }

    /// What stands for each argument: its value in the pattern, or a variable.
    fn names(&self, pattern: &UpdatePattern, value: Option<&Expression>) -> Vec<Expression> {
        let mut taken = value.map(free_names).unwrap_or_default();
        taken.extend(pattern.values().flat_map(free_names));
        let mut names = Vec::new();
        for index in 0..self.arity {
            if let Some(value) = pattern.get(&index) {
                names.push(value.clone());
                continue;
            }
            let preferred = self.preferred_names.get(index).cloned().flatten();
            let preferred = preferred.unwrap_or_else(|| format!("X{}", index + 1).into());
            let name = fresh_name(&capitalised(&preferred), |name| taken.contains(name));
            taken.insert(name.clone());
            names.push(Expression::name(name, self.span));
        }
        names
    }
}

/// Only capitalised names are variables on the left of an assignment.
fn capitalised(name: &Name) -> Name {
    if is_variable(name) {
        return name.clone();
    }
    let mut name = name.to_string();
    if name.starts_with(|c: char| c.is_ascii_lowercase()) {
        name[..1].make_ascii_uppercase();
    } else {
        name.insert(0, 'X');
    }
    name.into()
}

fn mentions_arguments(expression: &Expression) -> bool {
    free_names(expression).iter().any(|name| position(name).is_some())
}

/// The pattern that a condition is: some arguments equal something.
fn matched(condition: &Expression) -> Option<UpdatePattern> {
    let parts = match &*condition.kind {
        ExpressionKind::And(parts) => parts.clone(),
        _ => vec![condition.clone()],
    };
    let mut pattern = UpdatePattern::new();
    for part in parts {
        let ExpressionKind::Equal { left, right, negated: false } = &*part.kind else {
            return None;
        };
        let (index, value) = match (argument_index(left), argument_index(right)) {
            (Some(index), None) => (index, right),
            (None, Some(index)) => (index, left),
            _ => return None,
        };
        if mentions_arguments(value) || pattern.insert(index, value.clone()).is_some() {
            return None;
        }
    }
    Some(pattern)
}

/// The pattern that a condition excludes.
fn excluded(condition: &Expression) -> Option<UpdatePattern> {
    match &*condition.kind {
        ExpressionKind::Not(inner) => matched(inner),
        ExpressionKind::Equal { left, right, negated: true } => {
            matched(&Expression::equal(left.clone(), right.clone(), condition.span))
        }
        _ => None,
    }
}

/// Puts branches on one condition together, as long as nothing changes the condition between.
pub(super) fn joined(statements: Vec<Statement>) -> Vec<Statement> {
    let mut result: Vec<Statement> = Vec::new();
    for statement in statements {
        if let (StatementKind::If(condition, then, otherwise), Some(last)) =
            (&statement.value, result.last_mut())
            && let StatementKind::If(first, first_then, first_otherwise) = &mut last.value
        {
            let negated = negation(first) == print_expression(condition)
                || negation(condition) == print_expression(first);
            let same = print_expression(first) == print_expression(condition);
            let mut written = BTreeSet::new();
            assigned(first_then, &mut written);
            assigned(first_otherwise, &mut written);
            let stable = free_names(condition).iter().all(|name| !written.contains(name));
            if stable && (same || negated) {
                let (yes, no) = if same { (then, otherwise) } else { (otherwise, then) };
                first_then.extend(yes.iter().cloned());
                first_otherwise.extend(no.iter().cloned());
                continue;
            }
        }
        result.push(statement);
    }
    for statement in &mut result {
        if let StatementKind::If(_, then, otherwise) = &mut statement.value {
            *then = joined(std::mem::take(then));
            *otherwise = joined(std::mem::take(otherwise));
        }
    }
    result
}

fn negation(condition: &Expression) -> String {
    match &*condition.kind {
        ExpressionKind::Not(inner) => print_expression(inner),
        _ => print_expression(&condition.clone().negated()),
    }
}
