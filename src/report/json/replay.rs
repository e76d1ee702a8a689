//! What `rmlcut replay` found, as JSON: the same facts as the text.

use serde_json::{Map, Value, json};

use super::{Remarks, diagnostics, explore};
use crate::finite::replay::{Failed, Flaw, Refused, ReplayAnswer, Replayed};
use crate::logic::Extent;
use crate::protocol::{ExternalTrace, Protocol, Sort, element_name};
use crate::report::text::trace;
use crate::report::text::trace::blocked_action;
use crate::report::text::trace::replay::{details, failure, size, verdict};
use crate::source::SourceFile;

/// The outcome of a replay as JSON; `source` is the protocol's, the remarks are about the trace.
pub fn document(
    protocol: &Protocol,
    source: &SourceFile,
    external: &ExternalTrace,
    replayed: &Replayed,
    remarks: &Remarks<'_>,
) -> String {
    let protocol = &protocol.with_names_of(&replayed.run.initial);
    let signature = &protocol.signature;
    let name = |sort| signature.sort_name(sort).to_string();
    let initial = &replayed.run.initial;
    let size: Map<String, Value> =
        size(initial).into_iter().map(|(sort, count)| (name(sort), json!(count))).collect();
    let window = match initial.extent(Sort::Int) {
        Some(Extent::Window { low, high }) if low <= high => json!([low, high]),
        _ => Value::Null,
    };
    let renamed = external.renamed.iter().map(|(sort, number, called)| {
        json!({ "element": format!("{}{number}", name(*sort)), "called": &**called })
    });
    let mut document = json!({
        "protocol": &*protocol.name,
        "verdict": word(&replayed.answer),
        "summary": verdict(protocol, replayed),
        "size": size,
        "guessed": external.guessed.iter().map(|sort| name(*sort)).collect::<Vec<_>>(),
        "int": window,
        "renamed": renamed.collect::<Vec<_>>(),
        "properties": replayed.claims.iter().map(|claim| &*claim.name).collect::<Vec<_>>(),
        "run": explore::run(protocol, &replayed.run),
        "diagnostics": diagnostics(remarks.source, remarks.warnings),
    });
    match &replayed.answer {
        ReplayAnswer::Run(failures) => {
            let failures = failures.iter().map(|failed| failed_value(protocol, replayed, failed));
            document["failures"] = failures.collect();
        }
        ReplayAnswer::NotARun(flaw) => {
            document["flaw"] = flaw_value(protocol, source, external, flaw)
        }
        ReplayAnswer::Unknown(obscurity) => {
            document["reason"] = json!(obscurity.reason.to_string())
        }
    }
    format!("{document:#}\n")
}

fn word(answer: &ReplayAnswer) -> &'static str {
    match answer {
        ReplayAnswer::Run(failures) if failures.is_empty() => "run",
        ReplayAnswer::Run(_) => "violation",
        ReplayAnswer::NotARun(_) => "not a run",
        ReplayAnswer::Unknown(_) => "unknown",
    }
}

fn failed_value(protocol: &Protocol, replayed: &Replayed, failed: &Failed) -> Value {
    let claim = &replayed.claims[failed.claim];
    let elements = claim.vars.iter().zip(&failed.values).map(|(var, value)| {
        let element = element_name(&protocol.signature, var.sort, *value);
        (var.name.to_string(), json!(&*element))
    });
    json!({
        "after": failed.after,
        "property": &*claim.name,
        "elements": elements.collect::<Map<String, Value>>(),
        "summary": failure(protocol, replayed, failed),
    })
}

fn flaw_value(
    protocol: &Protocol,
    source: &SourceFile,
    external: &ExternalTrace,
    flaw: &Flaw,
) -> Value {
    let mut impossible: &[Refused] = &[];
    let (kind, step, invocation) = match flaw {
        Flaw::Axiom(_) => ("axiom", None, None),
        Flaw::Initial(_) => ("initial", None, None),
        Flaw::Changed(step, _) => ("changed", Some(*step), None),
        Flaw::Impossible(step, refused) => {
            impossible = refused;
            let only = refused.first().filter(|first| refused.len() == 1 && first.invocations == 1);
            ("impossible", Some(*step), only.map(|only| &only.invocation))
        }
        Flaw::Elsewhere(step, invocation, _) => ("elsewhere", Some(*step), Some(invocation)),
    };
    let refused =
        impossible.iter().map(|refused| blocked_action::document(protocol, source, refused));
    json!({
        "kind": kind,
        "step": step,
        "invocation": invocation.map(|invocation| trace::invocation(protocol, invocation)),
        "refused": refused.collect::<Vec<_>>(),
        "details": details(protocol, source, external, flaw),
    })
}
