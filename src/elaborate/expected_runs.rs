//! `reach` lines and the traces of other languages: runs that a text expects.

use std::collections::BTreeMap;

use crate::diagnostic::{Diagnostic, refuse};
use crate::frontend::syntax::surface::{
    Expression, ExpressionKind, Identifier, Item, Module, RunCall, RunForm, RunItem,
    RunPart as WrittenPart,
};
use crate::logic::Name;
use crate::protocol::{
    Action, Beginning, Expectation, ExpectedRun, ExpectedStep, RunPart, StateFormula,
};
use crate::source::Span;

use super::declarations::{DeclaredMeaning, DeclaredNames};
use super::expression::{Context, Unbound};
use super::resolve::is_capitalised;
use super::scope::{NameReading, ProtocolScope, ScopeParam, Usage};
use super::{codes, expression};
use crate::diagnostic::near_names::nearest;

/// Elaborates every run that a file expects.
pub(super) fn expected_runs(
    module: &Module,
    declarations: &DeclaredNames,
    actions: &[Action],
    usage: &Usage,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<ExpectedRun> {
    let mut elaborator = RunElaborator { declarations, actions, usage, diagnostics };
    let mut runs = Vec::new();
    for item in &module.items {
        if let Item::Run(run) = &item.value {
            runs.extend(elaborator.run(run, item.span));
        }
    }
    runs
}

struct RunElaborator<'a> {
    declarations: &'a DeclaredNames,
    actions: &'a [Action],
    usage: &'a Usage,
    diagnostics: &'a mut Vec<Diagnostic>,
}

impl RunElaborator<'_> {
    fn run(&mut self, item: &RunItem, span: Span) -> Option<ExpectedRun> {
        let mut parts = Vec::new();
        let mut complete = true;
        for part in &item.parts {
            let part = match part {
                WrittenPart::Initially => continue,
                WrittenPart::Any => Some(RunPart::AnyStep),
                WrittenPart::OneOf(calls) => self.calls(calls).map(RunPart::OneOf),
                WrittenPart::Holds(formula) if item.form == RunForm::Reach => {
                    parts.push(RunPart::Steps);
                    self.goal(formula)
                }
                WrittenPart::Holds(formula) => {
                    self.formula(formula, &BTreeMap::new(), Unbound::Universal).map(RunPart::Holds)
                }
            };
            complete &= part.is_some();
            parts.extend(part);
        }
        // As in mypyvy, a trace that begins with an assertion begins in any state.
        let anywhere = item.form != RunForm::Reach
            && matches!(item.parts.first(), Some(WrittenPart::Holds(_)));
        complete.then(|| ExpectedRun {
            label: item.label.as_ref().map(|label| label.value.clone()),
            expectation: match item.form {
                RunForm::Reach => Expectation::Reachable,
                RunForm::Sat => Expectation::Possible,
                RunForm::Unsat => Expectation::Impossible,
            },
            beginning: if anywhere { Beginning::Anywhere } else { Beginning::Initial },
            parts,
            span,
        })
    }

    /// A part of a `reach` line: the name of an action, or a formula.
    fn goal(&mut self, goal: &Expression) -> Option<RunPart> {
        if let ExpressionKind::Apply(name, _) = &*goal.kind
            && self.is_action(&name.value)
        {
            let message = format!("`{}` is an action: a `reach` line names it alone", name.value);
            let hint = format!(
                "write `reach {}`; what holds afterwards may follow, as in `reach {}, exists N. …`",
                name.value, name.value
            );
            let refusal = Diagnostic::error(codes::UNKNOWN_NAME, message, goal.span).hint(hint);
            refuse(self.diagnostics, refusal.instead(name.value.to_string()));
            return None;
        }
        let Some(name) = goal.as_name() else { return self.state(goal) };
        if self.is_action(name) {
            let action = Identifier::new(name.clone(), goal.span);
            let calls = self.calls(&[RunCall { action, arguments: None }]);
            return calls.map(RunPart::OneOf);
        }
        if self.declarations.names.contains_key(name) || is_capitalised(name) {
            return self.state(goal);
        }
        let message = format!("there is no action or relation `{name}`");
        let known: Vec<Name> = self.declarations.names.keys().cloned().collect();
        let refusal = Diagnostic::error(codes::UNKNOWN_NAME, message, goal.span);
        let refusal = match nearest(name, &known) {
            Some(near) => refusal.hint(format!("did you mean `{near}`?")).instead(near.to_string()),
            None => refusal
                .hint("a `reach` line lists actions that happen and formulas that hold, in order"),
        };
        refuse(self.diagnostics, refusal);
        None
    }

    fn is_action(&self, name: &str) -> bool {
        let declared = self.declarations.names.get(name);
        declared.is_some_and(|declared| declared.meaning == DeclaredMeaning::Action)
    }

    fn state(&mut self, formula: &Expression) -> Option<RunPart> {
        self.formula(formula, &BTreeMap::new(), Unbound::NEEDS_BINDER).map(RunPart::Holds)
    }

    fn calls(&mut self, calls: &[RunCall]) -> Option<Vec<ExpectedStep>> {
        let calls: Vec<_> = calls.iter().map(|call| self.call(call)).collect();
        calls.into_iter().collect()
    }

    /// An action that happens; one whose declaration is wrong has its message there.
    fn call(&mut self, call: &RunCall) -> Option<ExpectedStep> {
        let actions = self.actions;
        let found = actions.iter().enumerate().find(|(_, own)| own.name == call.action.value);
        let (position, action) = found?;
        let span = call.action.span;
        let param = |var: &crate::protocol::StateVar| {
            (var.name.clone(), ScopeParam { sort: Some(var.sort), span })
        };
        let params: BTreeMap<Name, ScopeParam> = action.params.iter().map(param).collect();
        let given = call.arguments.iter().flatten().zip(&action.params);
        let given: Vec<_> = given.filter_map(|(given, own)| Some((given.as_ref()?, own))).collect();
        let conditions = given.into_iter().map(|(given, own)| {
            let left = Expression::new(ExpressionKind::Name(own.name.clone()), given.span);
            let equal = ExpressionKind::Equal { left, right: given.clone(), negated: false };
            self.formula(&Expression::new(equal, given.span), &params, Unbound::NEEDS_BINDER)
        });
        let conditions: Option<Vec<StateFormula>> = conditions.collect();
        Some(ExpectedStep { action: position, conditions: conditions? })
    }

    fn formula(
        &mut self,
        formula: &Expression,
        params: &BTreeMap<Name, ScopeParam>,
        unbound: Unbound,
    ) -> Option<StateFormula> {
        let (declarations, usage) = (self.declarations, self.usage);
        let reading = NameReading::Everything;
        let scope = ProtocolScope { declarations, params, usage, reading };
        let context = Context { resolver: &scope, variables: &[], unbound };
        expression::formula(&context, formula, self.diagnostics)
    }
}
