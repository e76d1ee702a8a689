//! `sat trace { … }`: the runs that a file expects.
//!
//! As in mypyvy, a trace that begins with an assertion other than `assert init` may begin in any
//! state that satisfies it; every other trace begins in an initial state.

use std::collections::BTreeMap;

use pest::iterators::Pair;

use super::codes::TRACES;
use super::expressions::MypyvyExpressionBuilder;
use super::grammar::Rule;
use super::lower::MypyvyLowerer;
use super::tree::{MypyvyDeclaration, MypyvyDeclarationKind};
use crate::diagnostic::Diagnostic;
use crate::frontend::syntax::matched::Matched;
use crate::frontend::syntax::surface::{Expression, Item, RunCall, RunForm, RunItem, RunPart};
use crate::logic::Name;
use crate::source::Spanned;

impl MypyvyExpressionBuilder<'_> {
    /// A trace, its names as written.
    pub(super) fn trace(&mut self, pair: Pair<'_, Rule>) -> RunItem {
        let mut form = RunForm::Sat;
        let mut parts = Vec::new();
        for part in pair.into_inner() {
            match part.as_rule() {
                Rule::unsat_word => form = RunForm::Unsat,
                Rule::claim_init => {
                    if !parts.is_empty() {
                        let message = "`assert init` must come first in a trace";
                        let span = self.span(&part);
                        self.diagnostics.push(Diagnostic::error(TRACES, message, span));
                    }
                    parts.push(RunPart::Initially);
                }
                Rule::claim => {
                    let formula = part.into_inner().find(|part| part.as_rule() == Rule::expression);
                    let formula = formula.expect("the grammar puts a formula after `assert`");
                    parts.push(RunPart::Holds(self.expression(formula)));
                }
                Rule::any_step => parts.push(RunPart::Any),
                Rule::step => {
                    let calls = part.into_inner().filter(|part| part.as_rule() == Rule::call);
                    parts.push(RunPart::OneOf(calls.map(|call| self.call(call)).collect()));
                }
                _ => {}
            }
        }
        RunItem { label: None, form, parts }
    }

    fn call(&mut self, pair: Pair<'_, Rule>) -> RunCall {
        let mut parts = pair.into_inner();
        let action = self.identifier(&parts.next().expect("the grammar puts a name first"));
        let mut arguments = None;
        for part in parts {
            match part.as_rule() {
                Rule::opening => arguments = Some(Vec::new()),
                Rule::call_argument => {
                    let inner = part.into_inner().find(|part| part.as_rule() == Rule::expression);
                    let inner = inner.map(|inner| self.expression(inner));
                    arguments.get_or_insert_default().push(inner);
                }
                _ => {}
            }
        }
        RunCall { action, arguments }
    }
}

impl MypyvyLowerer<'_> {
    /// The traces of a file, with RML names.
    pub(super) fn traces(&mut self, declarations: &[MypyvyDeclaration]) -> Vec<Spanned<Item>> {
        let arities: BTreeMap<&Name, usize> = declarations
            .iter()
            .filter_map(|declaration| match &declaration.value {
                MypyvyDeclarationKind::Transition(found) => {
                    Some((&found.name.value, found.params.len()))
                }
                _ => None,
            })
            .collect();
        let mut traces = Vec::new();
        for declaration in declarations {
            if let MypyvyDeclarationKind::Trace(trace) = &declaration.value {
                let parts = trace.parts.iter().map(|part| self.trace_part(part, &arities));
                let parts = parts.collect();
                let run = Item::Run(RunItem { parts, ..trace.clone() });
                traces.push(Spanned::new(run, declaration.span));
            }
        }
        traces
    }

    fn trace_part(&mut self, part: &RunPart, arities: &BTreeMap<&Name, usize>) -> RunPart {
        match part {
            RunPart::Holds(formula) => RunPart::Holds(self.in_trace(formula)),
            RunPart::Initially => RunPart::Initially,
            RunPart::Any => RunPart::Any,
            RunPart::OneOf(calls) => {
                let calls = calls.iter().map(|call| self.trace_call(call, arities));
                RunPart::OneOf(calls.collect())
            }
        }
    }

    fn trace_call(&mut self, call: &RunCall, arities: &BTreeMap<&Name, usize>) -> RunCall {
        let name = &call.action.value;
        let found = call.arguments.as_ref().map(Vec::len);
        let refusal = match arities.get(name) {
            None => Some(format!("there is no transition `{name}`")),
            Some(wanted) => found
                .filter(|found| found != wanted)
                .map(|found| format!("`{name}` takes {wanted} arguments, not {found}")),
        };
        if let Some(message) = refusal {
            self.diagnostics.push(Diagnostic::error(TRACES, message, call.action.span));
        }
        let arguments = call.arguments.as_ref().map(|arguments| {
            let lower = |argument: &Option<Expression>| {
                argument.as_ref().map(|argument| self.in_trace(argument))
            };
            arguments.iter().map(lower).collect()
        });
        RunCall { action: self.table.name(&call.action), arguments }
    }

    fn in_trace(&mut self, expression: &Expression) -> Expression {
        self.formula(expression, &BTreeMap::new())
    }
}
