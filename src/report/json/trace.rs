//! Runs and what fails in them, as JSON.

use serde::Serialize;

use super::Named;
use crate::finite::{Claim, ClaimFailure, ClaimViolation};
use crate::logic::Value;
use crate::process::Described;
use crate::protocol::{Protocol, Rigidity, State, StateVar, Trace, element_name};
use crate::report::text::trace::own_words;
use crate::report::text::trace::process_words::StepWords;
use crate::report::text::trace::{
    Change, ShownValue, arguments, changes, defined_changes, failure, invocation, missing, shown,
};

/// A run: the instance, the first state, and every step with what it changed.
#[derive(Serialize)]
pub(super) struct RunReport {
    instance: Named<Vec<EntryReport>>,
    initial: Named<Vec<EntryReport>>,
    steps: Vec<StepReport>,
}

/// A run and what fails at its end.
#[derive(Serialize)]
pub(super) struct ViolationReport {
    #[serde(flatten)]
    run: RunReport,
    what: FailureReport,
    summary: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    missing: Vec<String>,
}

/// One entry of a table: a tuple of a relation, or a value of a function.
#[derive(Serialize)]
#[serde(untagged)]
enum EntryReport {
    Tuple(Vec<String>),
    Value { at: Vec<String>, value: String },
}

#[derive(Serialize)]
struct StepReport {
    action: String,
    arguments: Named<String>,
    summary: String,
    changes: Vec<Change>,
    /// The same in the words of the process, where there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    words: Option<StepWords>,
    /// Definitions whose truth changed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    defined: Vec<Change>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum FailureReport {
    Claim { property: String, elements: Named<String> },
    Deadlock { deadlock: bool },
}

impl RunReport {
    pub(super) fn new(protocol: &Protocol, run: &Trace) -> Self {
        let protocol = &protocol.with_names_of(&run.initial);
        let steps = run.steps.iter();
        let before = std::iter::once(&run.initial).chain(steps.clone().map(|step| &step.state));
        let steps = steps.zip(before).map(|(step, before)| {
            let action = &protocol.actions[step.invocation.action];
            StepReport {
                action: action.name.to_string(),
                arguments: elements(protocol, &action.params, &step.invocation.args),
                summary: invocation(protocol, &step.invocation),
                changes: changes(protocol, before, &step.state),
                words: None,
                defined: defined_changes(protocol, before, &step.state),
            }
        });
        RunReport {
            instance: tables(protocol, &run.initial, Rigidity::Rigid),
            initial: tables(protocol, &run.initial, Rigidity::Mutable),
            steps: steps.collect(),
        }
    }

    /// With what the steps are in the words of what was written.
    pub(super) fn in_words(
        mut self,
        described: Option<&Described>,
        protocol: &Protocol,
        run: &Trace,
    ) -> Self {
        let words = described.map(|own| own_words::steps(own, protocol, run));
        for (step, words) in self.steps.iter_mut().zip(words.into_iter().flatten()) {
            step.words = Some(words);
        }
        self
    }
}

impl ViolationReport {
    pub(super) fn new(protocol: &Protocol, claims: &[Claim], violation: &ClaimViolation) -> Self {
        let protocol = &protocol.with_names_of(&violation.trace.initial);
        let what = match &violation.failure {
            ClaimFailure::Claim(index, values) => {
                let claim = &claims[*index];
                let elements = elements(protocol, &claim.vars, values);
                FailureReport::Claim { property: claim.name.to_string(), elements }
            }
            ClaimFailure::Deadlock => FailureReport::Deadlock { deadlock: true },
        };
        let summary = failure(protocol, claims, &violation.failure);
        let missing = missing(protocol, claims, &violation.failure, violation.trace.last());
        ViolationReport { run: RunReport::new(protocol, &violation.trace), what, summary, missing }
    }

    /// With what happens in the words of what was written.
    pub(super) fn in_words(
        mut self,
        described: Option<&Described>,
        protocol: &Protocol,
        violation: &ClaimViolation,
    ) -> Self {
        let Some(described) = described else { return self };
        let trace = &violation.trace;
        self.run = self.run.in_words(Some(described), protocol, trace);
        let words = own_words::failure(described, protocol, trace.last(), &violation.failure);
        self.summary = words.unwrap_or(self.summary);
        self
    }
}

/// The elements that variables stand for, by the names of the variables.
pub(super) fn elements(protocol: &Protocol, vars: &[StateVar], values: &[Value]) -> Named<String> {
    let named = vars.iter().zip(values).map(|(var, value)| {
        let element = element_name(&protocol.signature, var.sort, *value);
        (var.name.to_string(), element.to_string())
    });
    Named(named.collect())
}

/// Every symbol with its tuples (relations) or its values (functions).
fn tables(protocol: &Protocol, state: &State, rigidity: Rigidity) -> Named<Vec<EntryReport>> {
    let symbols = protocol.signature.symbols().filter(|(_, symbol)| symbol.rigidity == rigidity);
    let tables = symbols.filter_map(|(id, symbol)| {
        let entries = state.tables.get(&id)?.entries().filter_map(|(args, entry)| {
            let at = arguments(protocol, symbol, &args);
            match shown(protocol, symbol, entry) {
                ShownValue::Truth(false) => None,
                ShownValue::Truth(true) => Some(EntryReport::Tuple(at)),
                ShownValue::Element(value) => Some(EntryReport::Value { at, value }),
            }
        });
        Some((symbol.name.to_string(), entries.collect()))
    });
    Named(tables.collect())
}
