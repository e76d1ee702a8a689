//! Traverses the expressions of statements, and renames binders that would hide a name.

use std::collections::BTreeSet;

use super::name_set::NameSet;
use super::rewrite::{RewriteObstacle, rename_binders};
use crate::frontend::lowering::variables::free_names;
use crate::frontend::syntax::surface::{
    AssignStatement, Expression, ExpressionKind, LeftArgument, RightValue, Statement, StatementKind,
};
use crate::logic::Name;
use crate::source::{Span, Spanned};

/// The statements with something else for each expression.
///
/// # Errors
/// The first obstacle that `map` meets.
pub(crate) fn map_expressions(
    statements: &[Statement],
    map: &mut dyn FnMut(&Expression) -> Result<Expression, RewriteObstacle>,
) -> Result<Vec<Statement>, RewriteObstacle> {
    statements.iter().map(|statement| map_statement(statement, map)).collect()
}

fn map_statement(
    statement: &Statement,
    map: &mut dyn FnMut(&Expression) -> Result<Expression, RewriteObstacle>,
) -> Result<Statement, RewriteObstacle> {
    let kind = match &statement.value {
        StatementKind::Require(formula) => StatementKind::Require(map(formula)?),
        StatementKind::Relate(targets, formula) => {
            StatementKind::Relate(targets.clone(), map(formula)?)
        }
        StatementKind::If(condition, then, otherwise) => StatementKind::If(
            map(condition)?,
            map_expressions(then, map)?,
            map_expressions(otherwise, map)?,
        ),
        StatementKind::Assign(assignment) => {
            StatementKind::Assign(map_assignment(assignment, map)?)
        }
        StatementKind::Together(assignments) => {
            let assignments = assignments.iter().map(|assignment| map_assignment(assignment, map));
            StatementKind::Together(assignments.collect::<Result<_, _>>()?)
        }
    };
    Ok(Spanned::new(kind, statement.span))
}

fn map_assignment(
    assignment: &AssignStatement,
    map: &mut dyn FnMut(&Expression) -> Result<Expression, RewriteObstacle>,
) -> Result<AssignStatement, RewriteObstacle> {
    let arguments = assignment.arguments.iter().map(|argument| {
        let value = match &argument.value {
            LeftArgument::Star => LeftArgument::Star,
            LeftArgument::Expression(inner) => LeftArgument::Expression(map(inner)?),
        };
        Ok(Spanned::new(value, argument.span))
    });
    let arguments = arguments.collect::<Result<Vec<_>, _>>()?;
    let value = match &assignment.value.value {
        RightValue::Star => RightValue::Star,
        RightValue::Expression(value) => RightValue::Expression(map(value)?),
    };
    let value = Spanned::new(value, assignment.value.span);
    Ok(AssignStatement { target: assignment.target.clone(), arguments, value })
}

/// The statements with binders renamed where they hide a name in scope.
///
/// # Errors
/// If an expression is nested too deeply.
pub(crate) fn rename_binders_in_bodies(
    statements: &[Statement],
    reserved: &NameSet,
) -> Result<Vec<Statement>, RewriteObstacle> {
    let mut tidied = Vec::new();
    for statement in statements {
        // The variables on the left are in scope on the right, also where they are not mentioned.
        let mut reserved = reserved.clone();
        let assignments = match &statement.value {
            StatementKind::Assign(assignment) => std::slice::from_ref(assignment),
            StatementKind::Together(assignments) => assignments,
            StatementKind::Require(_) | StatementKind::If(..) | StatementKind::Relate(..) => &[],
        };
        for assignment in assignments {
            let names = assignment.arguments.iter().filter_map(|argument| match &argument.value {
                LeftArgument::Expression(argument) => argument.as_name().cloned(),
                LeftArgument::Star => None,
            });
            reserved.extend(names);
        }
        tidied.push(match &statement.value {
            StatementKind::If(condition, then, otherwise) => {
                let kind = StatementKind::If(
                    rename_binders(condition, &reserved)?,
                    rename_binders_in_bodies(then, &reserved)?,
                    rename_binders_in_bodies(otherwise, &reserved)?,
                );
                Spanned::new(kind, statement.span)
            }
            _ => map_statement(statement, &mut |expression| rename_binders(expression, &reserved))?,
        });
    }
    Ok(tidied)
}

/// Every name that occurs free in the expressions of some statements.
pub(crate) fn mentioned(statements: &[Statement]) -> BTreeSet<Name> {
    let mut names = BTreeSet::new();
    let collected = map_expressions(statements, &mut |expression| {
        names.extend(free_names(expression));
        Ok(expression.clone())
    });
    debug_assert!(collected.is_ok(), "collecting meets no obstacle");
    names
}

/// Every symbol that some statements assign.
pub(crate) fn assigned(statements: &[Statement], found: &mut BTreeSet<Name>) {
    for statement in statements {
        match &statement.value {
            StatementKind::Require(_) => {}
            StatementKind::Assign(assignment) => {
                found.insert(assignment.target.value.clone());
            }
            StatementKind::Together(assignments) => {
                found.extend(assignments.iter().map(|each| each.target.value.clone()));
            }
            StatementKind::If(_, then, otherwise) => {
                assigned(then, found);
                assigned(otherwise, found);
            }
            StatementKind::Relate(targets, _) => {
                found.extend(targets.iter().map(|target| target.value.clone()));
            }
        }
    }
}

/// The statements with a name replaced by a truth value, and what that decides decided.
pub(crate) fn with_truth(statements: &[Statement], name: &Name, truth: bool) -> Vec<Statement> {
    let mut decided = Vec::new();
    for statement in statements {
        let mut set = |expression: &Expression| Ok(set_truth(expression, name, truth));
        match &statement.value {
            StatementKind::If(condition, then, otherwise) => {
                let condition = set_truth(condition, name, truth);
                let then = with_truth(then, name, truth);
                let otherwise = with_truth(otherwise, name, truth);
                match &*condition.kind {
                    ExpressionKind::Truth(true) => decided.extend(then),
                    ExpressionKind::Truth(false) => decided.extend(otherwise),
                    _ => {
                        let kind = StatementKind::If(condition, then, otherwise);
                        decided.push(Spanned::new(kind, statement.span));
                    }
                }
            }
            _ => decided.extend(map_statement(statement, &mut set).ok()),
        }
    }
    decided
}

fn set_truth(expression: &Expression, name: &Name, truth: bool) -> Expression {
    match &*expression.kind {
        ExpressionKind::Name(found) if found == name => Expression::truth(truth, expression.span),
        ExpressionKind::Quantified(_, binders, _)
            if binders.iter().any(|binder| binder.name.value == *name) =>
        {
            expression.clone()
        }
        _ => simplified(expression.map_children(|child| set_truth(child, name, truth))),
    }
}

/// Truth values decide what stands around them.
fn simplified(expression: Expression) -> Expression {
    let truth = |expression: &Expression| match &*expression.kind {
        ExpressionKind::Truth(value) => Some(*value),
        _ => None,
    };
    let span = expression.span;
    let value = |value| Expression::truth(value, span);
    match &*expression.kind {
        ExpressionKind::Not(inner) => match truth(inner) {
            Some(inner) => value(!inner),
            None => expression,
        },
        ExpressionKind::And(parts) => simplified_junction(parts, true, span).unwrap_or(expression),
        ExpressionKind::Or(parts) => simplified_junction(parts, false, span).unwrap_or(expression),
        ExpressionKind::If { then, condition, otherwise } => match truth(condition) {
            Some(true) => then.clone(),
            Some(false) => otherwise.clone(),
            None => expression,
        },
        _ => expression,
    }
}

/// A junction without its neutral parts; decided by its dominating part.
fn simplified_junction(parts: &[Expression], neutral: bool, span: Span) -> Option<Expression> {
    let is = |part: &Expression, value| *part.kind == ExpressionKind::Truth(value);
    if let Some(dominating) = parts.iter().find(|part| is(part, !neutral)) {
        return Some(dominating.clone());
    }
    let mut kept: Vec<Expression> =
        parts.iter().filter(|part| !is(part, neutral)).cloned().collect();
    match kept.len() {
        0 => Some(Expression::truth(neutral, span)),
        1 => Some(kept.remove(0)),
        count if count == parts.len() => None,
        _ if neutral => Some(Expression::new(ExpressionKind::And(kept), span)),
        _ => Some(Expression::new(ExpressionKind::Or(kept), span)),
    }
}
