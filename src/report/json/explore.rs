//! What `rmlcut explore` found, as JSON: the same facts as the text.

use serde_json::{Map, Value, json};

use super::coverage::names;
use super::{Remarks, Sizes, diagnostics, print};
use crate::finite::question::expected_run::CheckedRun;
use crate::finite::question::request::Explored;
use crate::finite::{
    Claim, ClaimFailure, ClaimViolation, Counted, Coverage, Deadlocks, FiniteOutcome, Unseen,
};
use crate::protocol::{Protocol, Rigidity, State, Trace, element_name};
use crate::report::text::explore::{reason_text, verdict};
use crate::report::text::trace::{
    ShownTrace, arguments, changes, expected_runs, failure, invocation, shown,
};

/// The outcome of an exploration as JSON.
pub fn document(
    protocol: &Protocol,
    explored: &Explored,
    runs: &[CheckedRun],
    remarks: &Remarks<'_>,
) -> String {
    let never = match &explored.outcome {
        FiniteOutcome::Safe(coverage) => coverage.unseen.as_ref(),
        FiniteOutcome::Unsafe(..) | FiniteOutcome::Unknown(..) => None,
    };
    let (word, reason, coverage) = match &explored.outcome {
        FiniteOutcome::Safe(coverage) => ("safe", None, coverage),
        FiniteOutcome::Unsafe(_, coverage) => {
            let word = if explored.is_false_lemma(protocol) { "unproved" } else { "unsafe" };
            (word, None, coverage)
        }
        FiniteOutcome::Unknown(reason, coverage) => {
            ("unknown", Some(reason_text(reason)), coverage)
        }
    };
    let defaulted = explored.defaulted.iter();
    let defaulted = defaulted.map(|sort| &**protocol.signature.sort_name(*sort));
    let checked: Vec<&str> = explored.claims.iter().map(|claim| &*claim.name).collect();
    let mut document = json!({
        "protocol": &*protocol.name,
        "verdict": word,
        "summary": verdict(protocol, explored),
        "reason": reason,
        "size": Sizes::new(protocol, &explored.size),
        "defaulted": defaulted.collect::<Vec<_>>(),
        "int": explored.window.map(|(low, high)| json!([low, high])),
        "engine": explored.engine,
        "properties": checked,
        "deadlocks": explored.deadlocks == Deadlocks::Reported,
        "coverage": covered(protocol, coverage, never),
        "diagnostics": diagnostics(remarks.source, remarks.warnings),
    });
    if let FiniteOutcome::Unsafe(violation, _) = &explored.outcome {
        document["violation"] = violated(protocol, &explored.claims, violation);
    }
    if !runs.is_empty() {
        document["traces"] = expected_runs::json(protocol, runs);
    }
    print(&document)
}

/// What was looked at, and what no state shows, where all were visited.
pub(in crate::report) fn covered(
    protocol: &Protocol,
    coverage: &Coverage,
    never: Option<&Unseen>,
) -> Value {
    let left_out = coverage.left_out.iter().map(|id| &*protocol.signature.symbol(*id).name);
    let counts = coverage.visited.map(|counts| {
        json!({
            "states": counts.states,
            "transitions": counts.transitions,
            "generated": counts.generated,
            "depth": counts.depth,
            "bytes": counts.memory,
        })
    });
    json!({
        "instances": coverage.instances,
        "up_to_symmetry": coverage.counted == Counted::UpToSymmetry,
        "counts": counts,
        "total_states": coverage.total.as_ref().map(ToString::to_string),
        "left_out": left_out.collect::<Vec<_>>(),
        "never_possible": never.map_or_else(Vec::new, |never| names(&never.actions)),
        "premise_never_holds": never.map_or_else(Vec::new, |never| names(&never.premises)),
    })
}

/// A run and what fails at its end.
pub(in crate::report) fn violated(
    protocol: &Protocol,
    claims: &[Claim],
    violation: &ClaimViolation,
) -> Value {
    let protocol = &protocol.with_names_of(&violation.trace.initial);
    let property = match &violation.failure {
        ClaimFailure::Claim(claim, values) => {
            let claim = &claims[*claim];
            let elements: Map<String, Value> = claim
                .vars
                .iter()
                .zip(values)
                .map(|(var, value)| {
                    let element = element_name(&protocol.signature, var.sort, *value);
                    (var.name.to_string(), json!(&*element))
                })
                .collect();
            json!({ "property": &*claim.name, "elements": elements })
        }
        ClaimFailure::Deadlock => json!({ "deadlock": true }),
    };
    let mut document = run(protocol, &violation.trace);
    document["what"] = property;
    document["summary"] = json!(failure(protocol, claims, &violation.failure));
    document
}

/// A run: the instance, the first state, and every step with what it changed.
pub(in crate::report) fn run(protocol: &Protocol, run: &Trace) -> Value {
    let protocol = &protocol.with_names_of(&run.initial);
    json!({
        "instance": tables(protocol, &run.initial, Rigidity::Rigid),
        "initial": tables(protocol, &run.initial, Rigidity::Mutable),
        "steps": steps(protocol, run),
    })
}

fn steps(protocol: &Protocol, run: &Trace) -> Value {
    let mut before = &run.initial;
    let mut steps = Vec::new();
    for step in &run.steps {
        let action = &protocol.actions[step.invocation.action];
        let named: Map<String, Value> = action
            .params
            .iter()
            .zip(&step.invocation.args)
            .map(|(param, value)| {
                let element = element_name(&protocol.signature, param.sort, *value);
                (param.name.to_string(), json!(&*element))
            })
            .collect();
        let changed: Vec<Value> = changes(protocol, before, &step.state)
            .into_iter()
            .map(|change| {
                json!({
                    "location": change.name,
                    "from": value(&change.from),
                    "to": value(&change.to),
                })
            })
            .collect();
        steps.push(json!({
            "action": &*action.name,
            "arguments": named,
            "summary": invocation(protocol, &step.invocation),
            "changes": changed,
        }));
        before = &step.state;
    }
    Value::Array(steps)
}

/// Every symbol with its tuples (relations) or its values (functions).
fn tables(protocol: &Protocol, state: &State, rigidity: Rigidity) -> Value {
    let mut tables = Map::new();
    for (id, symbol) in protocol.signature.symbols() {
        let Some(table) = state.tables.get(&id).filter(|_| symbol.rigidity == rigidity) else {
            continue;
        };
        let entries = table.entries().filter_map(|(args, entry)| {
            let args = arguments(protocol, symbol, &args);
            match shown(protocol, symbol, entry) {
                ShownTrace::Truth(false) => None,
                ShownTrace::Truth(true) => Some(json!(args)),
                ShownTrace::Element(element) => Some(json!({ "at": args, "value": element })),
            }
        });
        tables.insert(symbol.name.to_string(), entries.collect());
    }
    Value::Object(tables)
}

fn value(shown: &ShownTrace) -> Value {
    match shown {
        ShownTrace::Truth(truth) => json!(truth),
        ShownTrace::Element(element) => json!(element),
    }
}
