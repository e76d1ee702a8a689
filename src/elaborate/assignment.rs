//! Assignments: patterns on the left, values on the right.

use std::collections::BTreeMap;

use crate::diagnostic::refuse;
use crate::frontend::syntax::surface::{
    AssignStatement, Expression, ExpressionKind, LeftArgument, RightValue,
};
use crate::logic::{Declarations as _, Name, Var};
use crate::protocol::{
    Argument, Assignment, Command, OneState, RightSide, Sort, StateTerm, StateVar, Symbol,
};
use crate::source::{Span, Spanned};

use super::actions::ActionElaborator;
use super::expression;
use super::expression::{Context, Unbound};
use super::messages::{
    BURIED_PATTERN, NOT_ON_THE_LEFT, assigned_twice, pattern_mismatch, picked_together,
};
use super::resolve::is_capitalised;
use super::sorts::messages::wrong_arity;

impl ActionElaborator<'_> {
    /// `target(arguments) := value`
    pub(super) fn assign(&mut self, statement: &AssignStatement, span: Span) -> Option<Assignment> {
        let target = self.target(&statement.target)?;
        let symbol = self.declarations.signature.symbol(target);
        let given = statement.arguments.len();
        if given != symbol.params.len() {
            let left = statement.target.span;
            let name = &symbol.name;
            let wanted = symbol.params.len();
            refuse(self.diagnostics, wrong_arity(name, wanted, given, left, Some(symbol.span)));
            return None;
        }
        let arguments = self.arguments(&statement.arguments, symbol);
        let patterns = pattern_vars(&arguments);
        let arguments = arguments.into_iter().collect::<Option<Vec<_>>>();
        let value = match &statement.value.value {
            RightValue::Star => {
                let sorts = patterns.iter().map(|var| var.sort).collect();
                Some(RightSide::Havoc(self.choice(target, sorts)))
            }
            RightValue::Expression(value) => self.value(value, &patterns, symbol.result),
        };
        let (arguments, value) = (arguments?, value?);
        Some(Assignment { target, arguments, value, span })
    }

    /// `target(arguments), … := value, …`: no symbol is a target twice, since then two values
    /// could meet at one place, and nothing is picked freely.
    pub(super) fn together(&mut self, parts: &[AssignStatement], span: Span) -> Option<Command> {
        let mut first = BTreeMap::new();
        let mut accepted = true;
        for AssignStatement { target, value, .. } in parts {
            if let Some(first) = first.insert(&target.value, target.span) {
                refuse(self.diagnostics, assigned_twice(&target.value, target.span, first));
                accepted = false;
            }
            if value.value == RightValue::Star {
                refuse(self.diagnostics, picked_together(&target.value, value.span));
                accepted = false;
            }
        }
        let assignments: Vec<Option<Assignment>> = parts
            .iter()
            .map(|part| self.assign(part, part.target.span.to(part.value.span)))
            .collect();
        let assignments = assignments.into_iter().collect::<Option<Vec<_>>>()?;
        accepted.then_some(Command::Together(assignments, span))
    }

    fn arguments(
        &mut self,
        arguments: &[Spanned<LeftArgument>],
        symbol: &Symbol,
    ) -> Vec<Option<Argument>> {
        let mut stars = 0;
        let mut patterns: Vec<(StateVar, Span)> = Vec::new();
        let mut all = Vec::new();
        for (index, (argument, sort)) in arguments.iter().zip(&symbol.params).enumerate() {
            all.push(match &argument.value {
                LeftArgument::Star => {
                    stars += 1;
                    Some(Argument::Every(Var::new(format!("*{stars}"), *sort)))
                }
                LeftArgument::Expression(expression) => match pattern_name(expression) {
                    Some(name) => {
                        let var = Var::new(name.clone(), *sort);
                        self.check_pattern(&var, expression.span, &patterns, symbol, index + 1);
                        patterns.push((var.clone(), expression.span));
                        Some(Argument::Every(var))
                    }
                    None => self
                        .term(expression, &[], Unbound::Refused(BURIED_PATTERN), *sort)
                        .map(Argument::At),
                },
            });
        }
        all
    }

    /// A repeated pattern variable has one sort.
    fn check_pattern(
        &mut self,
        var: &StateVar,
        span: Span,
        earlier: &[(StateVar, Span)],
        symbol: &Symbol,
        position: usize,
    ) {
        let first = earlier.iter().find(|(other, _)| other.name == var.name);
        let Some((first, first_span)) = first.filter(|(first, _)| first.sort != var.sort) else {
            return;
        };
        let sort = |sort: Sort| self.declarations.signature.sort(sort).name;
        let sorts = [&*sort(var.sort), &*sort(first.sort)];
        let mismatch = pattern_mismatch((&var.name, span), (symbol, position), *first_span, sorts);
        refuse(self.diagnostics, mismatch);
    }

    fn value(
        &mut self,
        value: &Expression,
        patterns: &[StateVar],
        result: Option<Sort>,
    ) -> Option<RightSide> {
        let unbound = Unbound::Refused(NOT_ON_THE_LEFT);
        match result {
            Some(sort) => self.term(value, patterns, unbound, sort).map(RightSide::Term),
            None => {
                let (scope, diagnostics) = self.surroundings();
                let context = Context { resolver: &scope, variables: patterns, unbound };
                expression::formula::<OneState, _>(&context, value, diagnostics)
                    .map(RightSide::Formula)
            }
        }
    }

    fn term(
        &mut self,
        expression: &Expression,
        variables: &[StateVar],
        unbound: Unbound,
        sort: Sort,
    ) -> Option<StateTerm> {
        let (scope, diagnostics) = self.surroundings();
        let context = Context { resolver: &scope, variables, unbound };
        expression::term::<OneState, _>(&context, expression, sort, diagnostics)
    }
}

/// The distinct pattern variables that stars are not.
fn pattern_vars(arguments: &[Option<Argument>]) -> Vec<StateVar> {
    let mut vars: Vec<StateVar> = Vec::new();
    for argument in arguments {
        if let Some(Argument::Every(var)) = argument
            && !vars.iter().any(|other| other.name == var.name)
        {
            vars.push(var.clone());
        }
    }
    vars
}

/// A capitalised name alone is a pattern variable.
fn pattern_name(expression: &Expression) -> Option<&Name> {
    match &*expression.kind {
        ExpressionKind::Name(name) if is_capitalised(name) => Some(name),
        _ => None,
    }
}
