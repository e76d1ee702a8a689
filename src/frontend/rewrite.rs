//! Replacing names in surface expressions: other names, values, definitions written out.
//!
//! Nothing is captured, and no binder hides a name that is in scope: it gets another name. Free
//! capitalised names are variables and stay as they are.

use std::collections::BTreeSet;
use std::rc::Rc;

use super::layout::NESTING_LIMIT;
use super::surface::{Binder, Connective, Expression, ExpressionKind, Identifier};
use super::taken::Taken;
use super::variables::free_names;
use crate::diagnostic::{Code, Diagnostic};
use crate::logic::{Name, fresh_name};
use crate::source::Span;

/// What stands instead of a name.
#[derive(Clone, Debug)]
pub(super) enum Replacement {
    /// Another name, with these arguments before its own.
    Name(Name, Vec<Expression>),
    /// An expression; the name takes no arguments.
    Value(Expression),
    /// What it is defined to be.
    Definition(Rc<Definition>),
}

/// `name(params)` stands for `body`.
#[derive(Clone, Debug)]
pub(super) struct Definition {
    /// The parameters.
    pub(super) params: Vec<Name>,
    /// What it stands for; it mentions no other names that are not declared.
    pub(super) body: Expression,
}

/// Why an expression could not be rewritten.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Obstacle {
    /// Definitions written out make it too large or too deep.
    TooLarge(Span),
    /// A definition used with a wrong number of arguments: name, wanted, found.
    Arity(Name, usize, usize, Span),
}

impl Obstacle {
    /// The refusal of what could not be written out.
    pub(super) fn refused(&self, code: Code) -> Diagnostic {
        match self {
            Obstacle::TooLarge(span) => {
                let message = "this grows too large when definitions are written out";
                let hint = "declare a relation and say in axioms or `init` what it holds";
                Diagnostic::error(code, message, *span).hint(hint)
            }
            Obstacle::Arity(name, wanted, found, span) => {
                let message = format!("`{name}` takes {wanted} arguments, not {found}");
                Diagnostic::error(code, message, *span)
            }
        }
    }
}

/// No expression grows larger than this by writing definitions out.
const LARGEST: usize = 200_000;

/// Replaces names in expressions.
pub(super) struct Rewriter<'a> {
    /// What stands instead of a name that is not bound.
    replace: &'a dyn Fn(&str) -> Option<Replacement>,
    /// What a sort is called.
    sorts: &'a dyn Fn(&str) -> Option<Name>,
    /// Names that no binder may take.
    reserved: &'a Taken,
    /// Free names of the expression at hand.
    free: BTreeSet<Name>,
    /// The binders in scope, as written and as renamed, innermost last.
    bound: Vec<(Name, Name)>,
    /// The parameters of the definitions being written out, innermost last.
    arguments: Vec<Vec<(Name, Expression)>>,
    depth: usize,
    size: usize,
}

/// The expression with every name replaced.
///
/// # Errors
/// If it grows too large, or a definition is used with a wrong number of arguments.
pub(super) fn rewrite(
    expression: &Expression,
    reserved: &Taken,
    replace: &dyn Fn(&str) -> Option<Replacement>,
) -> Result<Expression, Obstacle> {
    rewrite_with_sorts(expression, reserved, replace, &|_| None)
}

/// The expression with every name replaced, and every sort called by another name.
///
/// # Errors
/// If it grows too large, or a definition is used with a wrong number of arguments.
pub(super) fn rewrite_with_sorts(
    expression: &Expression,
    reserved: &Taken,
    replace: &dyn Fn(&str) -> Option<Replacement>,
    sorts: &dyn Fn(&str) -> Option<Name>,
) -> Result<Expression, Obstacle> {
    let free = free_names(expression);
    let (bound, arguments) = (Vec::new(), Vec::new());
    let mut rewriter =
        Rewriter { replace, sorts, reserved, free, bound, arguments, depth: 0, size: 0 };
    rewriter.expression(expression)
}

/// The expression with binders renamed where they hide a name in scope.
///
/// # Errors
/// If it is nested too deeply.
pub(super) fn apart(expression: &Expression, reserved: &Taken) -> Result<Expression, Obstacle> {
    rewrite(expression, reserved, &|_| None)
}

impl Rewriter<'_> {
    fn expression(&mut self, expression: &Expression) -> Result<Expression, Obstacle> {
        self.depth += 1;
        self.size += 1;
        if self.depth > 2 * NESTING_LIMIT || self.size > LARGEST {
            return Err(Obstacle::TooLarge(expression.span));
        }
        let rewritten = match &*expression.kind {
            ExpressionKind::Name(name) => self.reference(name, None, expression.span),
            ExpressionKind::Apply(name, arguments) => {
                let arguments = self.expressions(arguments)?;
                self.reference(&name.value, Some((name.span, arguments)), expression.span)
            }
            ExpressionKind::Quantified(quantifier, binders, body) => {
                let outside = self.bound.len();
                let binders = binders.iter().map(|binder| self.binder(binder)).collect();
                let body = self.expression(body)?;
                self.bound.truncate(outside);
                let kind = ExpressionKind::Quantified(*quantifier, binders, body);
                Ok(Expression::new(kind, expression.span))
            }
            _ => {
                let mut obstacle = None;
                let rewritten = expression.map_children(|child| match self.expression(child) {
                    Ok(child) => child,
                    Err(found) => {
                        obstacle.get_or_insert(found);
                        child.clone()
                    }
                });
                obstacle.map_or(Ok(rewritten), Err)
            }
        };
        self.depth -= 1;
        rewritten
    }

    fn expressions(&mut self, expressions: &[Expression]) -> Result<Vec<Expression>, Obstacle> {
        expressions.iter().map(|expression| self.expression(expression)).collect()
    }

    fn binder(&mut self, binder: &Binder) -> Binder {
        let name = &binder.name.value;
        let in_scope = |name: &Name| {
            self.reserved.contains(name)
                || self.free.contains(name)
                || self.bound.iter().any(|(_, new)| new == name)
        };
        let fresh = fresh_name(name, in_scope);
        self.bound.push((name.clone(), fresh.clone()));
        let sort = binder.sort.as_ref().map(|sort| {
            let name = (self.sorts)(&sort.value).unwrap_or_else(|| sort.value.clone());
            Identifier::new(name, sort.span)
        });
        Binder { name: Identifier::new(fresh, binder.name.span), sort }
    }

    fn reference(
        &mut self,
        name: &Name,
        applied: Option<(Span, Vec<Expression>)>,
        span: Span,
    ) -> Result<Expression, Obstacle> {
        let (at, arguments) = applied.unwrap_or((span, Vec::new()));
        if let Some((_, new)) = self.bound.iter().rev().find(|(old, _)| old == name) {
            return Ok(refer(new.clone(), at, arguments, span));
        }
        if let Some(values) = self.arguments.last()
            && let Some((_, value)) = values.iter().find(|(param, _)| param == name)
        {
            return Ok(value.clone());
        }
        match (self.replace)(name) {
            None => Ok(refer(name.clone(), at, arguments, span)),
            Some(Replacement::Name(new, mut leading)) => {
                leading.extend(arguments);
                Ok(refer(new, at, leading, span))
            }
            Some(Replacement::Value(value)) => Ok(value),
            Some(Replacement::Definition(definition)) => {
                self.write_out(name, &definition, arguments, span)
            }
        }
    }

    /// The arguments are rewritten already; the body is rewritten now, under their names.
    fn write_out(
        &mut self,
        name: &Name,
        definition: &Definition,
        arguments: Vec<Expression>,
        span: Span,
    ) -> Result<Expression, Obstacle> {
        if definition.params.len() != arguments.len() {
            let (wanted, found) = (definition.params.len(), arguments.len());
            return Err(Obstacle::Arity(name.clone(), wanted, found, span));
        }
        self.size += arguments.iter().map(size).sum::<usize>();
        let values = definition.params.iter().cloned().zip(arguments).collect();
        self.arguments.push(values);
        // What is bound around the use is not bound in the body, but must not be hidden by it.
        let outside = self.bound.iter().map(|(_, new)| (Name::from(""), new.clone())).collect();
        let outside = std::mem::replace(&mut self.bound, outside);
        let body = self.expression(&definition.body);
        self.bound = outside;
        self.arguments.pop();
        body
    }
}

/// How many nodes an expression has.
fn size(expression: &Expression) -> usize {
    1 + expression.children().into_iter().map(size).sum::<usize>()
}

fn refer(name: Name, at: Span, arguments: Vec<Expression>, span: Span) -> Expression {
    let kind = if arguments.is_empty() {
        ExpressionKind::Name(name)
    } else {
        ExpressionKind::Apply(Identifier::new(name, at), arguments)
    };
    Expression::new(kind, span)
}

/// The same expression with `<->` for `=` between formulas, where `is_formula` knows the names of
/// formulas.
pub(super) fn with_equivalences(
    expression: &Expression,
    is_formula: &dyn Fn(&Name) -> bool,
) -> Expression {
    let mapped = expression.map_children(|child| with_equivalences(child, is_formula));
    let ExpressionKind::Equal { left, right, negated } = &*mapped.kind else { return mapped };
    if !is_truth(left, is_formula) && !is_truth(right, is_formula) {
        return mapped;
    }
    let iff = ExpressionKind::Connective(Connective::Iff, left.clone(), right.clone());
    let iff = Expression::new(iff, mapped.span);
    if *negated { Expression::new(ExpressionKind::Not(iff), mapped.span) } else { iff }
}

fn is_truth(expression: &Expression, is_formula: &dyn Fn(&Name) -> bool) -> bool {
    match &*expression.kind {
        ExpressionKind::Integer(_)
        | ExpressionKind::Arithmetic(..)
        | ExpressionKind::Negative(_) => false,
        ExpressionKind::Name(name) => is_formula(name),
        ExpressionKind::Apply(name, _) => is_formula(&name.value),
        ExpressionKind::If { then, .. } => is_truth(then, is_formula),
        ExpressionKind::At(_, inner) => is_truth(inner, is_formula),
        _ => true,
    }
}
