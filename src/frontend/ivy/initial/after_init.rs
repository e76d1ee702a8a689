//! The statements of `after init` as formulas about the first state.
//!
//! They run from an arbitrary state. Each assigned symbol ends up with a value given by cases, and
//! the formulas state it. A value that depends on what the run has overwritten is refused: no
//! formula about the first state alone can express it.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::assigned_cases::{Assigned, SymbolCase, name_of, variables};
use crate::diagnostic::Diagnostic;
use crate::frontend::ivy::names::scope::distinguishes_copies;
use crate::frontend::ivy::parse::unsupported::INITIAL;
use crate::frontend::lowering::name_set::NameSet;
use crate::frontend::lowering::rewrite::{Replacement, rewrite};
use crate::frontend::lowering::statement_bodies::assigned;
use crate::frontend::lowering::variables::{free_names, is_variable};
use crate::frontend::syntax::surface::{
    AssignStatement, Expression, ExpressionKind, Identifier, LeftArgument, RightValue, Statement,
    StatementKind,
};
use crate::logic::{Name, fresh_name};
use crate::source::Span;

/// The run from an arbitrary state.
pub(crate) struct StartCases<'a> {
    relations: &'a BTreeSet<Name>,
    reserved: &'a NameSet,
    state: BTreeMap<Name, Assigned>,
    order: Vec<Name>,
    formulas: Vec<Expression>,
    diagnostics: &'a mut Vec<Diagnostic>,
}

/// The formulas that hold exactly after the statements, run from any state.
pub(crate) fn formulas(
    statements: &[Statement],
    relations: &BTreeSet<Name>,
    reserved: &NameSet,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<Expression> {
    let mut start = StartCases {
        relations,
        reserved,
        state: BTreeMap::new(),
        order: Vec::new(),
        formulas: Vec::new(),
        diagnostics,
    };
    for (index, statement) in statements.iter().enumerate() {
        let mut later = BTreeSet::new();
        assigned(&statements[index..], &mut later);
        let mut after = BTreeSet::new();
        assigned(&statements[index + 1..], &mut after);
        start.statement(statement, None, &later, &after);
    }
    let order = std::mem::take(&mut start.order);
    for name in order {
        let assigned = start.state.remove(&name).expect("every name in the order is assigned");
        start.formulas.extend(assigned.formula(&name));
    }
    start.formulas
}

impl StartCases<'_> {
    /// Runs a statement under a condition; the symbols `later` are assigned in it or after it,
    /// those in `after` after it.
    fn statement(
        &mut self,
        statement: &Statement,
        condition: Option<&Expression>,
        later: &BTreeSet<Name>,
        after: &BTreeSet<Name>,
    ) {
        match &statement.value {
            StatementKind::Require(formula) => {
                // A guard may read what the same statement has nothing to do with.
                let overwritten = if condition.is_some() { later } else { after };
                let Some(formula) = self.read(formula, overwritten) else { return };
                self.formulas.push(match condition {
                    Some(condition) => Expression::implies(condition.clone(), formula),
                    None => formula,
                });
            }
            StatementKind::Assign(assignment) => self.assign(assignment, condition, later),
            StatementKind::If(inner, then, otherwise) => {
                let mut open = variables(inner).filter(|name| !distinguishes_copies(name));
                if let Some(name) = open.next() {
                    let message = format!(
                        "`{name}` is not bound: the condition of an `if` is not closed by itself"
                    );
                    let hint = "bind it with `forall` or `exists`";
                    let diagnostic = Diagnostic::error(INITIAL, message, inner.span);
                    return self.diagnostics.push(diagnostic.hint(hint));
                }
                let Some(inner) = self.read(inner, later) else { return };
                let not = inner.clone().negated();
                for (branch, inner) in [(then, inner), (otherwise, not)] {
                    let both = join(condition.cloned(), inner);
                    for statement in branch {
                        self.statement(statement, Some(&both), later, later);
                    }
                }
            }
            // Ivy has neither.
            StatementKind::Together(_) | StatementKind::Relate(..) => {}
        }
    }

    /// An expression of the current state as one of the last: symbols that are assigned later are
    /// replaced by what they are now.
    fn read(&mut self, expression: &Expression, later: &BTreeSet<Name>) -> Option<Expression> {
        let mut values = BTreeMap::new();
        for name in free_names(expression).into_iter().filter(|name| later.contains(name)) {
            match self.state.get(&name).and_then(Assigned::definition) {
                Some(definition) => {
                    values.insert(name, Rc::new(definition));
                }
                None => {
                    let message = format!("this reads `{name}`, which is overwritten");
                    let hint = format!(
                        "assign `{name}` everywhere first, or constrain the first state by `assume`"
                    );
                    let diagnostic = Diagnostic::error(INITIAL, message, expression.span);
                    self.diagnostics.push(diagnostic.hint(hint));
                    return None;
                }
            }
        }
        if values.is_empty() {
            return Some(expression.clone());
        }
        let replace =
            |name: &str| values.get(name).map(|value| Replacement::Definition(value.clone()));
        match rewrite(expression, self.reserved, &replace) {
            Ok(expression) => Some(expression),
            Err(obstacle) => {
                self.diagnostics.push(obstacle.refused(INITIAL));
                None
            }
        }
    }

    fn assign(
        &mut self,
        assignment: &AssignStatement,
        condition: Option<&Expression>,
        later: &BTreeSet<Name>,
    ) {
        let Identifier { value: target, span } = &assignment.target;
        let mut guard = condition.cloned();
        let mut vars = Vec::new();
        let mut taken: NameSet = self.reserved.clone();
        for argument in &assignment.arguments {
            if let LeftArgument::Expression(argument) = &argument.value {
                taken.extend(free_names(argument));
            }
        }
        if let RightValue::Expression(value) = &assignment.value.value {
            taken.extend(free_names(value));
        }
        for argument in &assignment.arguments {
            let LeftArgument::Expression(expression) = &argument.value else { continue };
            if matches!(&*expression.kind, ExpressionKind::Name(name) if is_variable(name)) {
                vars.push(expression.clone());
                continue;
            }
            let Some(place) = self.read(expression, later) else { return };
            let name = fresh_name(&"X".into(), |name| taken.contains(name));
            taken.insert(name.clone());
            let var = Expression::new(ExpressionKind::Name(name), argument.span);
            let equal = ExpressionKind::Equal { left: var.clone(), right: place, negated: false };
            guard = Some(join(guard, Expression::new(equal, argument.span)));
            vars.push(var);
        }
        let value = match &assignment.value.value {
            RightValue::Star => None,
            RightValue::Expression(value) => {
                // What is assigned here reads itself only if it was assigned before.
                let Some(value) = self.read(value, later) else { return };
                Some(value)
            }
        };
        let case = SymbolCase { guard, value };
        if let Some((name, span)) = case.unbound(&vars) {
            return self.unbound(&name, span);
        }
        let relation = self.relations.contains(target);
        self.record(target, *span, relation, vars, case);
    }

    /// Refuses a variable that is not on the left.
    fn unbound(&mut self, name: &Name, span: Span) {
        let diagnostic = if distinguishes_copies(name) {
            let message = "every copy of the instance assigns its own value here";
            let hint = "assign only what the instance declares";
            Diagnostic::error(INITIAL, message, span).hint(hint)
        } else {
            let message = format!("`{name}` does not occur on the left");
            let hint = "use a variable of the left side, or bind it with `forall` or `exists`";
            Diagnostic::error(INITIAL, message, span).hint(hint)
        };
        self.diagnostics.push(diagnostic);
    }

    fn record(
        &mut self,
        target: &Name,
        span: Span,
        relation: bool,
        vars: Vec<Expression>,
        case: SymbolCase,
    ) {
        match self.state.get_mut(target) {
            Some(known) if case.guard.is_some() && known.vars.len() == vars.len() => {
                let names = vars.iter().map(name_of).zip(known.vars.iter().cloned());
                let names: BTreeMap<Name, Expression> = names.collect();
                let in_scope = known.vars.iter().map(name_of).collect();
                let replace =
                    |name: &str| names.get(name).map(|var| Replacement::Value(var.clone()));
                let renamed = |part: &Expression| {
                    rewrite(part, &in_scope, &replace).unwrap_or_else(|_| part.clone())
                };
                let case = SymbolCase {
                    guard: case.guard.as_ref().map(renamed),
                    value: case.value.as_ref().map(renamed),
                };
                known.cases.push(case);
            }
            _ => {
                if !self.state.contains_key(target) {
                    self.order.push(target.clone());
                }
                let assigned = Assigned { vars, cases: vec![case], relation, span };
                self.state.insert(target.clone(), assigned);
            }
        }
    }
}

fn join(left: Option<Expression>, right: Expression) -> Expression {
    let Some(left) = left else { return right };
    let span = left.span;
    Expression::new(ExpressionKind::And(vec![left, right]), span)
}
