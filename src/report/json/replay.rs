//! What `rmlcut replay` found, as JSON: the same facts as the text.

use serde::Serialize;

use super::trace::{RunReport, elements};
use super::{DiagnosticReport, Named, Remarks, Sizes, diagnostics, print};
use crate::finite::replay::{Failed, Flaw, Refused, ReplayAnswer, Replayed};
use crate::logic::Extent;
use crate::process::Described;
use crate::protocol::{ExternalTrace, Protocol, Sort};
use crate::report::text::trace;
use crate::report::text::trace::blocked_action::BlockedReport;
use crate::report::text::trace::replay::{details, failure, missing, size, verdict};
use crate::source::SourceFile;

#[derive(Serialize)]
struct ReplayReport<'a> {
    protocol: &'a str,
    verdict: &'static str,
    summary: String,
    size: Sizes,
    guessed: Vec<&'a str>,
    int: Option<(i64, i64)>,
    renamed: Vec<RenamedReport<'a>>,
    properties: Vec<&'a str>,
    run: RunReport,
    diagnostics: Vec<DiagnosticReport<'a>>,
    #[serde(flatten)]
    answer: AnswerReport<'a>,
}

#[derive(Serialize)]
struct RenamedReport<'a> {
    element: String,
    called: &'a str,
}

#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
enum AnswerReport<'a> {
    Failures(Vec<FailedReport<'a>>),
    Flaw(FlawReport<'a>),
    Reason(String),
}

#[derive(Serialize)]
struct FailedReport<'a> {
    after: usize,
    property: &'a str,
    elements: Named<String>,
    summary: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    missing: Vec<String>,
}

#[derive(Serialize)]
struct FlawReport<'a> {
    kind: &'static str,
    step: Option<usize>,
    invocation: Option<String>,
    refused: Vec<BlockedReport<'a>>,
    details: String,
}

/// The outcome of a replay as JSON; `source` is the protocol's, the remarks are about the trace.
pub fn document(
    (protocol, described): (&Protocol, Option<&Described>),
    source: &SourceFile,
    external: &ExternalTrace,
    replayed: &Replayed,
    remarks: &Remarks<'_>,
) -> String {
    let initial = &replayed.run.initial;
    let protocol = &protocol.with_names_of(initial);
    let name = |sort| &**protocol.signature.sort_name(sort);
    let renamed = external.renamed.iter().map(|(sort, number, called)| RenamedReport {
        element: format!("{}{number}", name(*sort)),
        called,
    });
    let (word, answer) = match &replayed.answer {
        ReplayAnswer::Run(failures) => {
            let word = if failures.is_empty() { "run" } else { "violation" };
            let failures = failures.iter().map(|failed| failed_report(protocol, replayed, failed));
            (word, AnswerReport::Failures(failures.collect()))
        }
        ReplayAnswer::NotARun(flaw) => {
            ("not a run", AnswerReport::Flaw(flaw_report(protocol, source, external, flaw)))
        }
        ReplayAnswer::Unknown(obscurity) => {
            ("unknown", AnswerReport::Reason(obscurity.reason.to_string()))
        }
    };
    print(&ReplayReport {
        protocol: &protocol.name,
        verdict: word,
        summary: verdict(protocol, replayed),
        size: Sizes::new(protocol, &size(&protocol.signature, initial)),
        guessed: external.guessed.iter().map(|sort| name(*sort)).collect(),
        int: match initial.extent(Sort::Int) {
            Some(Extent::Window { low, high }) if low <= high => Some((low, high)),
            _ => None,
        },
        renamed: renamed.collect(),
        properties: replayed.claims.iter().map(|claim| &*claim.name).collect(),
        run: RunReport::new(protocol, &replayed.run).in_words(described, protocol, &replayed.run),
        diagnostics: diagnostics(remarks.source, remarks.warnings),
        answer,
    })
}

fn failed_report<'a>(
    protocol: &Protocol,
    replayed: &'a Replayed,
    failed: &Failed,
) -> FailedReport<'a> {
    let claim = &replayed.claims[failed.claim];
    FailedReport {
        after: failed.after,
        property: &claim.name,
        elements: elements(protocol, &claim.vars, &failed.values),
        summary: failure(protocol, replayed, failed),
        missing: missing(protocol, replayed, failed),
    }
}

fn flaw_report<'a>(
    protocol: &Protocol,
    source: &'a SourceFile,
    external: &ExternalTrace,
    flaw: &Flaw,
) -> FlawReport<'a> {
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
    let refused = impossible.iter();
    FlawReport {
        kind,
        step,
        invocation: invocation.map(|invocation| trace::invocation(protocol, invocation)),
        refused: refused.map(|own| BlockedReport::new(protocol, source, own)).collect(),
        details: details(protocol, source, external, flaw),
    }
}
