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
use crate::frontend::syntax::surface::Expression;
use crate::frontend::trace::expected_runs::{
    ExpectedTrace, TraceCall, TraceItem, TracePart, TraceStart,
};
use crate::logic::Name;

impl MypyvyExpressionBuilder<'_> {
    /// A trace, its names as written.
    pub(super) fn trace(&mut self, pair: Pair<'_, Rule>) -> TraceItem {
        let span = self.span(&pair);
        let mut expected = ExpectedTrace::Possible;
        let mut start = None;
        let mut parts = Vec::new();
        for part in pair.into_inner() {
            match part.as_rule() {
                Rule::unsat_word => expected = ExpectedTrace::Impossible,
                Rule::claim_init => {
                    if start.is_some() {
                        let message = "`assert init` must come first in a trace";
                        let span = self.span(&part);
                        self.diagnostics.push(Diagnostic::error(TRACES, message, span));
                    }
                    start = Some(TraceStart::Initial);
                }
                Rule::claim => {
                    start = start.or(Some(TraceStart::Anywhere));
                    let formula = part.into_inner().find(|part| part.as_rule() == Rule::expression);
                    let formula = formula.expect("the grammar puts a formula after `assert`");
                    parts.push(TracePart::Holds(self.expression(formula)));
                }
                Rule::any_step => {
                    start = start.or(Some(TraceStart::Initial));
                    parts.push(TracePart::Any);
                }
                Rule::step => {
                    start = start.or(Some(TraceStart::Initial));
                    let calls = part.into_inner().filter(|part| part.as_rule() == Rule::call);
                    parts.push(TracePart::OneOf(calls.map(|call| self.call(call)).collect()));
                }
                _ => {}
            }
        }
        TraceItem { expected, start: start.unwrap_or(TraceStart::Initial), parts, span }
    }

    fn call(&mut self, pair: Pair<'_, Rule>) -> TraceCall {
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
        TraceCall { action, arguments }
    }
}

impl MypyvyLowerer<'_> {
    /// The traces of a file, with RML names.
    pub(super) fn traces(&mut self, declarations: &[MypyvyDeclaration]) -> Vec<TraceItem> {
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
                traces.push(TraceItem { parts, ..trace.clone() });
            }
        }
        traces
    }

    fn trace_part(&mut self, part: &TracePart, arities: &BTreeMap<&Name, usize>) -> TracePart {
        match part {
            TracePart::Holds(formula) => TracePart::Holds(self.in_trace(formula)),
            TracePart::Any => TracePart::Any,
            TracePart::OneOf(calls) => {
                let calls = calls.iter().map(|call| self.trace_call(call, arities));
                TracePart::OneOf(calls.collect())
            }
        }
    }

    fn trace_call(&mut self, call: &TraceCall, arities: &BTreeMap<&Name, usize>) -> TraceCall {
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
        TraceCall { action: self.table.name(&call.action), arguments }
    }

    fn in_trace(&mut self, expression: &Expression) -> Expression {
        self.formula(expression, &BTreeMap::new())
    }
}
