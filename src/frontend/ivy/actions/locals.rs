//! Expressions, locals and calls inside a body.

use std::collections::BTreeSet;

use super::statement_lowering::{Entering, Flow, IvyLocal, Lowering, is_value};
use crate::diagnostic::Diagnostic;
use crate::frontend::ivy::names::declared_names::IvyTable;
use crate::frontend::ivy::names::scope::distinguishes_copies;
use crate::frontend::ivy::parse::tree::{IvyStep, IvyValue};
use crate::frontend::ivy::parse::unsupported::{CALLS, UNSUPPORTED, reserved_local};
use crate::frontend::lowering::rewrite::Replacement;
use crate::frontend::lowering::variables::{free_names, is_variable};
use crate::frontend::syntax::surface::{
    Binder, Expression, ExpressionKind, Identifier, StatementKind,
};
use crate::logic::{Name, Quantifier};
use crate::source::{Span, Spanned};

impl Lowering<'_> {
    /// An expression in RML; calls in it are made first.
    pub(crate) fn expression(&mut self, expression: &Expression, flow: &mut Flow) -> Expression {
        let calls = flow.locals.len();
        let hoisted = self.hoist_calls(expression, flow);
        let lowered = self.lowered(&hoisted, flow);
        flow.locals.truncate(calls);
        lowered
    }

    /// An expression without calls in RML.
    pub(crate) fn lowered(&mut self, expression: &Expression, flow: &Flow) -> Expression {
        let table = self.table;
        let mut read = free_names(expression);
        read.retain(|name| {
            table.is_defined(name) && flow.locals.iter().all(|local| local.name != *name)
        });
        if !read.is_empty() {
            let stale = table.refuse_stale(&read, &flow.assigned(), expression.span);
            self.diagnostics.extend(stale);
        }
        let local = |name: &str| {
            let local = flow.locals.iter().rev().find(|local| &*local.name == name)?;
            Some(Replacement::Value(local.value.clone()))
        };
        match table.expression(expression, self.names.reserved(), &local) {
            Ok(lowered) => {
                let truths = self.parameters.iter().filter(|param| &*param.sort.value == "bool");
                let truths: Vec<Name> = truths.map(|param| param.name.clone()).collect();
                table.with_equivalences(&lowered, &truths)
            }
            Err(obstacle) => {
                self.diagnostics.push(obstacle.refused(CALLS));
                Expression::truth(true, expression.span)
            }
        }
    }

    /// The expression with every call replaced by a local that has its result.
    pub(crate) fn hoist_calls(&mut self, expression: &Expression, flow: &mut Flow) -> Expression {
        self.hoist(expression, &mut Vec::new(), flow)
    }

    fn hoist(
        &mut self,
        expression: &Expression,
        bound: &mut Vec<Name>,
        flow: &mut Flow,
    ) -> Expression {
        let outside = bound.len();
        if let ExpressionKind::Quantified(_, binders, _) = &*expression.kind {
            bound.extend(binders.iter().map(|binder| binder.name.value.clone()));
        }
        let mapped = match &*expression.kind {
            // Ivy calls what the condition calls before what the values call.
            ExpressionKind::If { then, condition, otherwise } => {
                let condition = self.hoist(condition, bound, flow);
                let then = self.hoist(then, bound, flow);
                let otherwise = self.hoist(otherwise, bound, flow);
                Expression::conditional(condition, [then, otherwise], expression.span)
            }
            _ => expression.map_children(|child| self.hoist(child, bound, flow)),
        };
        bound.truncate(outside);
        let Some((name, arguments)) = self.as_call(&mapped, flow) else { return mapped };
        let span = expression.span;
        if free_names(&mapped).iter().any(|name| bound.contains(name)) {
            let message = format!("`{name}` would be called for every value of a variable");
            let hint = "describe the result by a formula instead";
            self.diagnostics.push(Diagnostic::error(CALLS, message, span).hint(hint));
            return mapped;
        }
        let mut results = self.call(&name, &arguments, span, flow);
        let result = if results.is_empty() { None } else { Some(results.remove(0)) };
        let temporary = Name::from(format!(" {}", self.steps));
        self.steps += 1;
        let value = result.unwrap_or(IvyLocal {
            name: temporary.clone(),
            sort: None,
            value: Expression::truth(true, span),
        });
        flow.locals.push(IvyLocal { name: temporary.clone(), ..value });
        Expression::name(temporary, span)
    }

    /// The action that an expression calls, and with what.
    pub(crate) fn as_call(
        &self,
        expression: &Expression,
        flow: &Flow,
    ) -> Option<(Name, Vec<Expression>)> {
        let (name, arguments) = expression.as_applied()?;
        let hidden = flow.locals.iter().any(|local| local.name == *name);
        let called = !hidden && self.table.actions.contains_key(name);
        called.then(|| (name.clone(), arguments.to_vec()))
    }

    /// Writes a call out; its results are the values of the action's `returns`.
    pub(crate) fn call(
        &mut self,
        name: &Name,
        arguments: &[Expression],
        span: Span,
        flow: &mut Flow,
    ) -> Vec<IvyLocal> {
        let action = self.table.actions[name].clone();
        let refusal = match &action.body {
            _ if self.calls.contains(name) => Some(format!("`{name}` calls itself")),
            None => Some(format!("action `{name}` has no definition")),
            Some(_) if action.params.len() != arguments.len() => Some(format!(
                "`{name}` takes {} arguments, not {}",
                action.params.len(),
                arguments.len()
            )),
            Some(_) => None,
        };
        if let Some(message) = refusal {
            let diagnostic = Diagnostic::error(CALLS, message, span);
            self.diagnostics.push(diagnostic.also(action.name.span, "declared here"));
            return Vec::new();
        }
        let mut locals = Vec::new();
        for (param, argument) in action.params.iter().zip(arguments) {
            let value = self.lowered(argument, flow);
            let value = self.frozen_value(&param.name.value, value, param.sort.as_ref(), flow);
            locals.push(IvyLocal {
                name: param.name.value.clone(),
                sort: param.sort.clone(),
                value,
            });
        }
        let caller = std::mem::replace(&mut flow.locals, locals);
        action.returns.iter().for_each(|result| self.declare(result, flow));
        self.calls.push(name.clone());
        self.block(action.body.as_deref().unwrap_or_default(), flow);
        self.calls.pop();
        let callee = std::mem::replace(&mut flow.locals, caller);
        callee.into_iter().skip(action.params.len()).collect()
    }

    /// A value that stays what it is: as it is, or as a parameter that equals it here.
    pub(crate) fn frozen_value(
        &mut self,
        name: &str,
        value: Expression,
        sort: Option<&Identifier>,
        flow: &mut Flow,
    ) -> Expression {
        self.refuse_open(&value);
        if self.is_stable(&value) {
            return value;
        }
        let Some(sort) = sort else {
            self.needs_type(name, value.span);
            return value;
        };
        let parameter = self.parameter(name, sort, value.span);
        flow.out.push(is_value(&parameter, value, sort));
        parameter
    }

    /// A local of unknown value.
    pub(crate) fn declare(&mut self, binder: &Binder, flow: &mut Flow) {
        let Binder { name, sort } = binder;
        self.diagnostics.extend(reserved_local(name));
        let value = match sort {
            Some(sort) => self.parameter(&name.value, sort, name.span),
            None => {
                self.needs_type(&name.value, name.span);
                Expression::truth(true, name.span)
            }
        };
        flow.locals.push(IvyLocal { name: name.value.clone(), sort: sort.clone(), value });
    }

    /// `var x : t := value`
    pub(crate) fn variable(&mut self, binder: &Binder, value: Option<&IvyValue>, flow: &mut Flow) {
        let Some(IvyValue::Expression(value)) = value else { return self.declare(binder, flow) };
        let Binder { name, sort } = binder;
        self.diagnostics.extend(reserved_local(name));
        let value = self.expression(value, flow);
        let value = self.frozen_value(&name.value, value, sort.as_ref(), flow);
        flow.locals.push(IvyLocal { name: name.value.clone(), sort: sort.clone(), value });
    }

    /// `if some x:t. F { … } else { … }`: if there is one, `x` is a parameter of which `F` holds.
    pub(crate) fn some(
        &mut self,
        binders: &[Binder],
        formula: &Expression,
        [then, otherwise]: [&[IvyStep]; 2],
        span: Span,
        flow: &mut Flow,
    ) {
        let kind =
            ExpressionKind::Quantified(Quantifier::Exists, binders.to_vec(), formula.clone());
        let exists = self.lowered(&Expression::new(kind, span), flow);
        let mut inside = flow.clone();
        binders.iter().for_each(|binder| self.declare(binder, &mut inside));
        let chosen = inside.locals.split_off(flow.locals.len());
        inside.locals.extend(chosen.iter().cloned());
        let holds = self.lowered(formula, &inside);
        let statements = vec![Spanned::new(StatementKind::Require(holds), span)];
        let entering = Entering { locals: chosen, statements };
        self.lower_branch(exists, entering, [then, otherwise], span, flow);
    }

    /// Refuses a value that is another one for every element.
    fn refuse_open(&mut self, value: &Expression) {
        let is_open = |name: &Name| is_variable(name) && !distinguishes_copies(name);
        if let Some(name) = free_names(value).into_iter().find(is_open) {
            let message = format!("`{name}` ranges over all elements, but this is a single value");
            let hint = "bind it with `forall` or `exists`";
            self.diagnostics.push(Diagnostic::error(CALLS, message, value.span).hint(hint));
        }
    }

    /// Refuses a local whose type is needed and missing.
    pub(crate) fn needs_type(&mut self, name: &str, span: Span) {
        let message = format!("the type of `{name}` is missing");
        let hint = format!("write `{name} : t`");
        self.diagnostics.push(Diagnostic::error(CALLS, message, span).hint(hint));
    }

    /// Refuses a statement that calls something else.
    pub(crate) fn not_an_action(&mut self, call: &Expression) {
        let message = "no action has this name: it cannot be called";
        self.diagnostics.push(Diagnostic::error(CALLS, message, call.span));
    }

    /// Refuses a body that calls make too long.
    pub(crate) fn refuse_long_body(&mut self, span: Span) {
        let message = "this action becomes too long when calls are expanded";
        let already = self.diagnostics.iter().any(|diagnostic| diagnostic.message == message);
        if !already {
            self.diagnostics.push(Diagnostic::error(UNSUPPORTED, message, span));
        }
    }
}

/// The symbols that statements assign, those of the actions they call included.
pub(crate) fn collect_assigned(
    steps: &[IvyStep],
    table: &IvyTable,
    seen: &mut BTreeSet<Name>,
    found: &mut BTreeSet<Name>,
) {
    let mut mentioned = BTreeSet::new();
    steps.iter().for_each(|step| step.value.mentions(found, &mut mentioned));
    for name in mentioned {
        if let Some(action) = table.actions.get(&name)
            && seen.insert(name)
        {
            collect_assigned(action.body.as_deref().unwrap_or_default(), table, seen, found);
        }
    }
}
