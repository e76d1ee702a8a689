//! The report of `rmlcut synth` as JSON.

use serde::Serialize;

use super::compare::{SkippedReport, StrategyReport, arguments, not_waited_for};
use super::coverage::CoverageReport;
use super::trace::ViolationReport;
use super::{DiagnosticReport, Remarks, Sizes, diagnostics, print};
use crate::certificate::{Case, Certificate, ProofArgument};
use crate::judge::{CaseJudgement, Judgement};
use crate::protocol::{PropertyKind, Protocol};
use crate::report::text::analysis::literal;
use crate::report::text::synth::{Cost, Synthesized, equal_processes};
use crate::report::text::{check, synth};

#[derive(Serialize)]
struct SynthReport<'a> {
    protocol: &'a str,
    verdict: String,
    coverage: Option<CoverageReport<'a>>,
    argument: Option<ArgumentReport<'a>>,
    violation: Option<ViolationReport>,
    certificate: Option<&'a str>,
    attempts: Vec<AttemptReport<'a>>,
    arguments: Option<[StrategyReport<'a>; 2]>,
    not_waited_for: Option<SkippedReport>,
    #[serde(skip_serializing_if = "Option::is_none")]
    counters: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    views: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    proved_cutoff: Option<usize>,
    #[serde(flatten)]
    cost: Cost,
    diagnostics: Vec<DiagnosticReport<'a>>,
}

#[derive(Serialize)]
struct AttemptReport<'a> {
    property: &'a str,
    plan: &'a str,
    failure: Option<&'a str>,
}

#[derive(Serialize)]
struct ArgumentReport<'a> {
    invariant_clauses: Option<usize>,
    cases: Vec<CaseReport<'a>>,
    lemmas: Vec<&'a str>,
    obligations: usize,
    valid: usize,
    not_checked: usize,
}

#[derive(Serialize)]
struct CaseReport<'a> {
    case: &'a str,
    cutoff: Sizes,
    residual: Vec<String>,
    finite: String,
    inductive: bool,
    gamma: usize,
    tau: usize,
    actions: usize,
}

/// The outcome as one JSON document.
pub fn document(synthesized: &Synthesized<'_>, remarks: &Remarks<'_>) -> String {
    let Synthesized { protocol, described, outcome, equals, certificate, coverage, cost, .. } =
        synthesized;
    let judged = outcome.judged.as_deref();
    let argument =
        judged.map(|(certificate, judgement)| self::argument(protocol, certificate, judgement));
    let comparison = outcome.comparison.as_deref();
    let is_proved = argument.is_some();
    let attempts = outcome.attempts.iter().map(|attempt| AttemptReport {
        property: &attempt.property,
        plan: &attempt.plan,
        failure: attempt.failure.as_deref(),
    });
    print(&SynthReport {
        protocol: &protocol.name,
        verdict: synth::verdict(protocol, outcome),
        coverage: CoverageReport::new(protocol, *coverage),
        argument,
        violation: outcome.violation().map(|own| {
            let report = ViolationReport::new(protocol, &own.claims, &own.violation);
            report.in_words(*described, protocol, &own.violation)
        }),
        certificate: *certificate,
        attempts: attempts.collect(),
        arguments: comparison.map(|both| arguments(protocol, both)),
        not_waited_for: comparison.filter(|_| is_proved).and_then(not_waited_for),
        counters: equals.counters.map(equal_processes::counters),
        views: equals.views.map(equal_processes::views),
        proved_cutoff: equals.proved_cutoff(),
        cost: *cost,
        diagnostics: diagnostics(remarks.source, remarks.warnings),
    })
}

fn argument<'a>(
    protocol: &Protocol,
    certificate: &'a Certificate,
    judgement: &Judgement,
) -> ArgumentReport<'a> {
    let (invariant_clauses, cases) = match &certificate.argument {
        ProofArgument::Invariant(invariant) => (Some(invariant.clauses.len()), Vec::new()),
        ProofArgument::Cutoff(cases) => {
            let cases = cases.iter().zip(&judgement.cases);
            (None, cases.map(|(case, judged)| case_report(protocol, case, judged)).collect())
        }
    };
    ArgumentReport {
        invariant_clauses,
        cases,
        lemmas: check::property_names(certificate, PropertyKind::Lemma),
        obligations: judgement.obligations().count(),
        valid: judgement.obligations().filter(|judged| judged.is_valid()).count(),
        not_checked: judgement.obligations().filter(|judged| judged.is_unchecked()).count(),
    }
}

fn case_report<'a>(protocol: &Protocol, case: &'a Case, judged: &CaseJudgement) -> CaseReport<'a> {
    CaseReport {
        case: &case.name,
        cutoff: Sizes::new(protocol, &literal::cutoff(case)),
        residual: synth::residual(protocol, case),
        finite: check::closing(protocol, &judged.finite),
        inductive: judged.finite.is_by_gamma(),
        gamma: case.gamma.len(),
        tau: literal::answered(case),
        actions: case.lockstep.len(),
    }
}
