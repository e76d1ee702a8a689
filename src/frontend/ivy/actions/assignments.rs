//! Assignments: to locals, to symbols at elements and at all elements, from calls.

use std::collections::BTreeSet;

use super::statement_lowering::{Flow, IvyLocal, Lowering};
use crate::diagnostic::Diagnostic;
use crate::frontend::format::expressions::print_expression;
use crate::frontend::ivy::parse::tree::{IvyPlace, IvyValue};
use crate::frontend::ivy::parse::unsupported::{CALLS, IGNORED, UNSUPPORTED};
use crate::frontend::lowering::build::assignment;
use crate::frontend::lowering::variables::{free_names, is_variable};
use crate::frontend::syntax::surface::{AssignStatement, Expression, Identifier, StatementKind};
use crate::logic::{Name, fresh_name};
use crate::source::{Span, Spanned};

impl Lowering<'_> {
    /// `places := value`
    ///
    /// As in Ivy, calls on the left are made first, then those on the right; everything else is
    /// read after all of them.
    pub(crate) fn assign(
        &mut self,
        places: &[IvyPlace],
        value: &IvyValue,
        span: Span,
        flow: &mut Flow,
    ) {
        let outside = flow.locals.len();
        if self.refuse_same_place(places) {
            return;
        }
        let places: Vec<IvyPlace> =
            places.iter().map(|place| self.with_calls_made(place, flow)).collect();
        self.assign_with_calls_made(&places, value, span, flow);
        flow.locals.truncate(outside);
    }

    /// The place with every call in it replaced by a local that has its result.
    fn with_calls_made(&mut self, place: &IvyPlace, flow: &mut Flow) -> IvyPlace {
        let arguments = place.arguments.iter().map(|argument| self.hoist_calls(argument, flow));
        IvyPlace { arguments: arguments.collect(), target: place.target.clone() }
    }

    fn assign_with_calls_made(
        &mut self,
        places: &[IvyPlace],
        value: &IvyValue,
        span: Span,
        flow: &mut Flow,
    ) {
        let outside = flow.locals.len();
        if let IvyValue::Expression(expression) = value
            && let Some((name, arguments)) = self.as_call(expression, flow)
        {
            let arguments: Vec<Expression> =
                arguments.iter().map(|argument| self.hoist_calls(argument, flow)).collect();
            let results = self.call(&name, &arguments, expression.span, flow);
            flow.locals.truncate(outside);
            if results.len() != places.len() {
                let message = format!("`{name}` returns {} values", results.len());
                return self.diagnostics.push(Diagnostic::error(CALLS, message, span));
            }
            for (place, result) in places.iter().zip(results) {
                self.set(place, Some(result.value), span, flow);
            }
            return;
        }
        let [place] = places else {
            let message = "only a call has several values";
            return self.diagnostics.push(Diagnostic::error(CALLS, message, span));
        };
        let value = value.expression().map(|value| self.expression(value, flow));
        self.set(place, value, span, flow);
    }

    /// Of two results for one place, one would be lost.
    fn refuse_same_place(&mut self, places: &[IvyPlace]) -> bool {
        let mut seen = BTreeSet::new();
        let again = places.iter().find(|place| !seen.insert(print_place(place)));
        let Some(IvyPlace { target, .. }) = again else { return false };
        let message = format!("two results for `{}`", target.value);
        let hint = "assign the unneeded result to a local variable";
        self.diagnostics.push(Diagnostic::error(CALLS, message, target.span).hint(hint));
        true
    }

    /// Gives a place a value in RML, or any value.
    fn set(&mut self, place: &IvyPlace, value: Option<Expression>, span: Span, flow: &mut Flow) {
        let name = &place.target.value;
        let local = flow.locals.iter().rposition(|local| local.name == *name);
        match local {
            Some(index) => self.set_local(index, place, value, flow),
            None => self.set_symbol(place, value, span, flow),
        }
    }

    fn set_local(
        &mut self,
        index: usize,
        place: &IvyPlace,
        value: Option<Expression>,
        flow: &mut Flow,
    ) {
        let IvyLocal { name, sort, .. } = flow.locals[index].clone();
        if !place.arguments.is_empty() {
            let message = format!("the local variable `{name}` takes no arguments");
            return self.diagnostics.push(Diagnostic::error(CALLS, message, place.target.span));
        }
        let value = match (value, &sort) {
            (Some(value), sort) => self.frozen_value(&name, value, sort.as_ref(), flow),
            (None, Some(sort)) => self.parameter(&name, sort, place.target.span),
            (None, None) => return self.needs_type(&name, place.target.span),
        };
        flow.locals[index].value = value;
    }

    fn set_symbol(
        &mut self,
        place: &IvyPlace,
        value: Option<Expression>,
        span: Span,
        flow: &mut Flow,
    ) {
        let Identifier { value: name, span: at } = &place.target;
        if self.table.is_defined(name) || self.table.actions.contains_key(name) {
            let what = if self.table.is_defined(name) { "defined" } else { "an action" };
            let message = format!("`{name}` is {what}: it cannot be assigned");
            return self.diagnostics.push(Diagnostic::error(UNSUPPORTED, message, *at));
        }
        let arguments: Vec<Expression> =
            place.arguments.iter().map(|argument| self.expression(argument, flow)).collect();
        let target = self.table.names.get(name).unwrap_or(name).clone();
        let target = Identifier::new(target, *at);
        if self.refuse_repeated(&arguments) {
            return;
        }
        let statement = if arguments.iter().any(is_buried) {
            match self.assign_at_every_element(target, arguments, value, span) {
                Some(statement) => statement,
                None => return,
            }
        } else {
            assignment(target, arguments, value, span)
        };
        flow.out.push(Spanned::new(StatementKind::Assign(statement), span));
    }

    /// Ivy reads `r(X, X) := v` as an assignment everywhere, which is hardly ever intended.
    fn refuse_repeated(&mut self, arguments: &[Expression]) -> bool {
        let mut seen = BTreeSet::new();
        let again = arguments
            .iter()
            .filter_map(|argument| variable(argument).map(|name| (name, argument.span)))
            .find(|(name, _)| !seen.insert((*name).clone()));
        let Some((name, span)) = again else { return false };
        let message = format!("`{name}` occurs twice on the left");
        let diagnostic = Diagnostic::error(UNSUPPORTED, message, span)
            .labelled("Ivy assigns at every pair, not only where the two are equal")
            .hint("for the diagonal write `r(X, Y) := v if X = Y else r(X, Y)`");
        self.diagnostics.push(diagnostic);
        true
    }

    /// `r(I, f(I)) := v`: at every `I`, so at every pair `I, Y` with `Y = f(I)`.
    fn assign_at_every_element(
        &mut self,
        target: Identifier,
        arguments: Vec<Expression>,
        value: Option<Expression>,
        span: Span,
    ) -> Option<AssignStatement> {
        let whole: BTreeSet<Name> = arguments.iter().filter_map(variable).cloned().collect();
        let mut taken: BTreeSet<Name> = arguments.iter().flat_map(free_names).collect();
        taken.extend(value.iter().flat_map(free_names));
        let mut conditions = Vec::new();
        let mut left = Vec::new();
        for argument in arguments {
            if !is_buried(&argument) {
                left.push(argument);
                continue;
            }
            let at = argument.span;
            if let Some(alone) = variables(&argument).find(|name| !whole.contains(name)) {
                let message = format!("`{alone}` occurs only inside a larger argument");
                let hint = "assign at every element, with a condition: `v if … else r(X)`";
                self.diagnostics.push(Diagnostic::error(UNSUPPORTED, message, at).hint(hint));
                return None;
            }
            let fresh = fresh_name(&"Y".into(), |name| taken.contains(name));
            taken.insert(fresh.clone());
            let fresh = Expression::name(fresh, at);
            conditions.push(Expression::equal(fresh.clone(), argument, at));
            left.push(fresh);
        }
        let Some(then) = value else {
            let message = "an arbitrary value at places given by a formula is not supported";
            self.diagnostics.push(Diagnostic::error(UNSUPPORTED, message, span));
            return None;
        };
        let note = "this assigns at every element for which the variables stand; Ivy loses the \
                    steps in which the computed places differ";
        self.diagnostics.push(Diagnostic::note(IGNORED, note, span));
        let condition = Expression::all_of(conditions, span);
        let otherwise = Expression::applied(target.clone(), left.clone(), target.span);
        let value = Expression::conditional(condition, [then, otherwise], span);
        Some(assignment(target, left, Some(value), span))
    }
}

fn print_place(IvyPlace { target, arguments }: &IvyPlace) -> String {
    let arguments: Vec<String> = arguments.iter().map(print_expression).collect();
    format!("{}({})", target.value, arguments.join(", "))
}

/// The variable that an argument is.
fn variable(argument: &Expression) -> Option<&Name> {
    argument.as_name().filter(|name| is_variable(name))
}

/// The variables inside an argument.
fn variables(argument: &Expression) -> impl Iterator<Item = Name> {
    free_names(argument).into_iter().filter(|name| is_variable(name))
}

fn is_buried(argument: &Expression) -> bool {
    variable(argument).is_none() && variables(argument).next().is_some()
}
