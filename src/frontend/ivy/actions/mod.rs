//! Exported actions of Ivy as actions of a protocol.
//!
//! A parameter that is a truth value becomes two actions; an assertion becomes an action that
//! fails, and a relation that records it.

pub(crate) mod assignments;
pub(crate) mod locals;
pub(crate) mod stale_definitions;
pub(crate) mod statement_lowering;

use std::collections::BTreeSet;

use super::names::declared_names::IvyTable;
use super::parse::tree::ActionDeclaration;
use super::parse::unsupported::{ASSERTION, CALLS};
use crate::diagnostic::Diagnostic;
use crate::frontend::lowering::build::assignment;
use crate::frontend::lowering::naming::LoweredNames;
use crate::frontend::lowering::statement_bodies::{
    mentioned, rename_binders_in_bodies, with_truth,
};
use crate::frontend::syntax::surface::{
    ActionItem, Binder, Expression, Identifier, Statement, StatementKind,
};
use crate::logic::Name;
use crate::source::{Span, Spanned};
use locals::collect_assigned;
use statement_lowering::{Caller, Flow, IvyLocal, Lowering, Parameter};

/// The most Booleans that an action may choose: each doubles the number of actions.
const MAX_CHOICES: usize = 6;

/// Makes the actions of a file.
pub(super) struct ActionMaker<'a> {
    pub(super) table: &'a IvyTable,
    /// The names of everything made so far.
    pub(super) names: LoweredNames,
    /// The relation that records that an assertion has failed.
    pub(super) failed: Option<Identifier>,
    pub(super) diagnostics: &'a mut Vec<Diagnostic>,
}

impl ActionMaker<'_> {
    /// The actions that an exported action becomes.
    pub(super) fn action(&mut self, action: &ActionDeclaration) -> Vec<Spanned<ActionItem>> {
        let Some(body) = &action.body else {
            let message = format!("action `{}` has no definition", action.name.value);
            self.diagnostics.push(Diagnostic::error(CALLS, message, action.name.span));
            return Vec::new();
        };
        let mut assigns = BTreeSet::new();
        collect_assigned(body, self.table, &mut BTreeSet::new(), &mut assigns);
        let mut lowering =
            Lowering::new(self.table, Caller::Environment, &assigns, self.diagnostics);
        let mut flow = Flow::default();
        for param in &action.params {
            let local = written_parameter(&mut lowering, param);
            flow.locals.push(local);
        }
        action.returns.iter().for_each(|result| lowering.declare(result, &mut flow));
        lowering.calls.push(action.name.value.clone());
        lowering.block(body, &mut flow);
        let (parameters, checks) = (lowering.parameters, lowering.checks);
        let name = self.table.names.get(&action.name.value).unwrap_or(&action.name.value).clone();
        let name = Identifier::new(name, action.name.span);
        let mut made = self.split(&name, &parameters, flow.out, action.name.span);
        for check in checks {
            let mut body = check.body;
            body.push(self.fails(check.span));
            let fails = self.names.invent(&format!("{}_fails", name.value));
            let parameters: Vec<Parameter> = parameters
                .iter()
                .map(|param| Parameter { written: false, ..param.clone() })
                .collect();
            let name = Identifier::new(fails, name.span);
            made.extend(self.split(&name, &parameters, body, check.span));
        }
        made
    }

    /// `assertion_failed := true`
    fn fails(&mut self, span: Span) -> Statement {
        let names = &mut self.names;
        let diagnostics = &mut *self.diagnostics;
        let target = self.failed.get_or_insert_with(|| {
            let name = names.invent("assertion_failed");
            let message = format!("assertions are proved by the property `~{name}`");
            diagnostics.push(Diagnostic::note(ASSERTION, message, span));
            Identifier::new(name, span)
        });
        let value = Some(Expression::truth(true, span));
        let statement = assignment(target.clone(), Vec::new(), value, span);
        Spanned::new(StatementKind::Assign(statement), span)
    }

    /// One action for each choice of the truth values among the parameters.
    fn split(
        &mut self,
        name: &Identifier,
        parameters: &[Parameter],
        body: Vec<Statement>,
        span: Span,
    ) -> Vec<Spanned<ActionItem>> {
        let used = mentioned(&body);
        let parameters: Vec<&Parameter> =
            parameters.iter().filter(|param| param.written || used.contains(&param.name)).collect();
        let (choices, params): (Vec<&Parameter>, Vec<&Parameter>) =
            parameters.into_iter().partition(|param| &*param.sort.value == "bool");
        let choices: Vec<&Parameter> =
            choices.into_iter().filter(|choice| used.contains(&choice.name)).collect();
        if choices.len() > MAX_CHOICES {
            let message = format!("`{}` chooses more than {MAX_CHOICES} Booleans", name.value);
            let hint = "split the action by hand, or use a relation";
            self.diagnostics.push(Diagnostic::error(CALLS, message, name.span).hint(hint));
            return Vec::new();
        }
        let mut bodies = vec![(name.value.to_string(), body)];
        for choice in choices {
            bodies = bodies
                .into_iter()
                .flat_map(|(name, body)| {
                    let yes = with_truth(&body, &choice.name, true);
                    let no = with_truth(&body, &choice.name, false);
                    [
                        (format!("{name}_{}", choice.name), yes),
                        (format!("{name}_not_{}", choice.name), no),
                    ]
                })
                .collect();
        }
        let binders: Vec<Binder> =
            params.into_iter().map(|param| param.binder(self.table)).collect();
        let whole = bodies.len() == 1;
        bodies
            .into_iter()
            .map(|(preferred, body)| {
                let name = if whole { name.value.clone() } else { self.names.invent(&preferred) };
                let name = Identifier::new(name, span);
                let item = ActionItem {
                    name,
                    params: binders.clone(),
                    body: self.simplified_body(body, &binders),
                };
                Spanned::new(item, span)
            })
            .collect()
    }

    fn simplified_body(&mut self, body: Vec<Statement>, params: &[Binder]) -> Vec<Statement> {
        let mut reserved = self.names.reserved().clone();
        reserved.extend(params.iter().map(|param| param.name.value.clone()));
        match rename_binders_in_bodies(&body, &reserved) {
            Ok(body) => body,
            Err(obstacle) => {
                self.diagnostics.push(obstacle.refused(CALLS));
                Vec::new()
            }
        }
    }
}

/// A parameter as written: it keeps its name if that is free.
fn written_parameter(lowering: &mut Lowering<'_>, param: &Binder) -> IvyLocal {
    let name: Name = lowering.names.invent(&param.name.value);
    let span = param.name.span;
    let sort = param.sort.clone().unwrap_or_else(|| Identifier::new("bool".into(), span));
    let parameter = Parameter { name: name.clone(), sort: sort.clone(), written: true, span };
    lowering.parameters.push(parameter);
    let value = Expression::name(name, span);
    IvyLocal { name: param.name.value.clone(), sort: Some(sort), value }
}
