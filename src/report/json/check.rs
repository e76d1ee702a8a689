//! The report of `rmlcut check` as JSON, after `grammar/check.schema.json`.

use serde::Serialize;

use super::coverage::CoverageReport;
use super::explore::SearchReport;
use super::trace::ViolationReport;
use super::{DiagnosticReport, Remarks, Sizes, diagnostics, print};
use crate::certificate::{Case, ProofArgument, Provenance};
use crate::explain::{Explanation, cycle, explain};
use crate::finite::Coverage;
use crate::judge::{CaseJudgement, FiniteResult, Gap, Judged, Verdict};
use crate::protocol::{PropertyKind, Protocol, Size};
use crate::report::text::check::{
    Checked, EvidenceWritten, headline, place, property_names, why_open,
};
use crate::smt::{Discharge, UnknownReason};

#[derive(Serialize)]
struct CheckReport<'a> {
    protocol: &'a str,
    file: &'a str,
    certificate: &'a str,
    verdict: &'static str,
    summary: String,
    bounds: Sizes,
    #[serde(rename = "ties")]
    size_relations: Vec<SizeRelationReport<'a>>,
    gaps: Vec<GapReport<'a>>,
    rebased: Option<RebaseReport<'a>>,
    diagnostics: Vec<DiagnosticReport<'a>>,
    argument: &'static str,
    safety: Vec<&'a str>,
    lemmas: Vec<&'a str>,
    coverage: Option<CoverageReport<'a>>,
    evidence: Option<&'a EvidenceWritten>,
    obligations: Vec<ObligationReport>,
    cases: Vec<CaseReport<'a>>,
}

#[derive(Serialize)]
struct SizeRelationReport<'a> {
    function: &'a str,
    from: &'a str,
    into: &'a str,
}

#[derive(Serialize)]
struct GapReport<'a> {
    kind: &'static str,
    what: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<&'a str>,
}

#[derive(Serialize)]
struct RebaseReport<'a> {
    made_for: Option<ProvenanceReport<'a>>,
    read_for: ProvenanceReport<'a>,
    unmentioned: &'a [String],
}

#[derive(Serialize)]
struct ProvenanceReport<'a> {
    protocol: &'a str,
    sha256: &'a str,
}

#[derive(Serialize)]
struct ObligationReport {
    title: String,
    case: Option<String>,
    kind: &'static str,
    answer: &'static str,
    reason: Option<String>,
    place: Option<String>,
    counterexample: Option<Explanation>,
}

#[derive(Serialize)]
struct CaseReport<'a> {
    name: &'a str,
    property: &'a str,
    relaxed: bool,
    inductive: bool,
    cut: Vec<CutReport<'a>>,
    residual: Vec<&'a str>,
    finite: FiniteReport<'a>,
}

#[derive(Serialize)]
struct CutReport<'a> {
    sort: &'a str,
    elements: Vec<&'a str>,
}

#[derive(Serialize)]
#[serde(tag = "result")]
enum FiniteReport<'a> {
    #[serde(rename = "not needed")]
    NotNeeded,
    #[serde(rename = "not checked")]
    NotChecked,
    #[serde(rename = "exhausted")]
    Exhausted { searches: Vec<SizeReport<'a>> },
    #[serde(rename = "exhausted up to")]
    ExhaustedUpTo { bounds: Sizes, searches: Vec<SizeReport<'a>> },
    #[serde(rename = "closed by an invariant")]
    ClosedByInvariant,
    #[serde(rename = "invariant not proved")]
    InvariantNotProved,
    #[serde(rename = "closed by a certificate")]
    ClosedByCertificate {
        #[serde(skip_serializing_if = "Option::is_none")]
        bounds: Option<Sizes>,
    },
    #[serde(rename = "certificate not proved")]
    CertificateNotProved,
    #[serde(rename = "violated")]
    Violated { property: &'a str, size: Sizes, violation: ViolationReport },
    #[serde(rename = "open")]
    Open { why: &'a str },
}

#[derive(Serialize)]
struct SizeReport<'a> {
    size: Sizes,
    coverage: SearchReport<'a>,
}

/// The whole report.
pub fn document(checked: &Checked<'_>, remarks: &Remarks<'_>) -> String {
    let Checked { protocol, certificate, judgement, .. } = checked;
    let (verdict, bounds) = match &judgement.verdict {
        Verdict::Safe => ("safe", Sizes::default()),
        Verdict::SafeUpTo(bounds) => ("safe up to", Sizes::new(protocol, bounds)),
        Verdict::Unsafe(_) => ("unsafe", Sizes::default()),
        Verdict::Unproved(_) => ("unproved", Sizes::default()),
    };
    print(&CheckReport {
        protocol: &protocol.name,
        file: checked.text.name(),
        certificate: checked.source.name(),
        verdict,
        summary: headline(protocol, judgement),
        bounds,
        size_relations: size_relations(checked),
        gaps: gaps(&judgement.verdict),
        rebased: rebased(checked),
        diagnostics: diagnostics(remarks.source, remarks.warnings),
        argument: match &certificate.argument {
            ProofArgument::Cutoff(_) => "cutoff",
            ProofArgument::Invariant(_) => "invariant",
        },
        safety: property_names(certificate, PropertyKind::Safety),
        lemmas: property_names(certificate, PropertyKind::Lemma),
        coverage: CoverageReport::new(protocol, checked.coverage),
        evidence: checked.evidence,
        obligations: judgement.obligations().map(|own| obligation(checked, own)).collect(),
        cases: cases(checked),
    })
}

fn size_relations<'a>(checked: &Checked<'a>) -> Vec<SizeRelationReport<'a>> {
    let name = |sort| &**checked.protocol.signature.sort_name(sort);
    let relations = checked.judgement.size_relations.iter();
    relations
        .map(|relation| SizeRelationReport {
            function: &relation.function,
            from: name(relation.from),
            into: name(relation.into),
        })
        .collect()
}

fn gaps(verdict: &Verdict) -> Vec<GapReport<'_>> {
    let Verdict::Unproved(gaps) = verdict else { return Vec::new() };
    let gaps = gaps.iter().map(|gap| {
        let (kind, what, why) = match gap {
            Gap::Malformed(why) => ("malformed", why.clone(), None),
            Gap::Obligation(title) => ("obligation", title.clone(), None),
            Gap::Finite { case, why } => ("finite", format!("{case}: finite"), Some(why.as_str())),
            Gap::NothingToProve => ("nothing to prove", "no safety property".to_owned(), None),
            Gap::Vacuous => ("vacuous", "no initial state".to_owned(), None),
            Gap::NoStartSeen => ("no start seen", "no initial state found".to_owned(), None),
            Gap::FalseLemma(violated) => ("false lemma", violated.claim.to_string(), None),
            Gap::NoCertificate => ("no certificate", "no certificate found".to_owned(), None),
        };
        GapReport { kind, what, why }
    });
    gaps.collect()
}

fn rebased<'a>(checked: &Checked<'a>) -> Option<RebaseReport<'a>> {
    let changes = checked.changes?;
    let provenance =
        |own: &'a Provenance| ProvenanceReport { protocol: &own.protocol, sha256: &own.digest };
    Some(RebaseReport {
        made_for: changes.made_for.as_ref().map(provenance),
        read_for: provenance(&changes.read_for),
        unmentioned: &changes.unmentioned,
    })
}

fn obligation(checked: &Checked<'_>, judged: &Judged) -> ObligationReport {
    let obligation = &judged.obligation;
    let (answer, reason) = match &judged.discharge {
        Discharge::Valid => ("valid", None),
        Discharge::Refuted(_) => ("refuted", None),
        Discharge::Unknown(UnknownReason::NotAsked) => ("not checked", None),
        Discharge::Unknown(reason) => {
            let words = cycle(obligation).map(|cycle| format!("; {}", cycle.words()));
            ("unknown", Some(format!("{reason}{}", words.unwrap_or_default())))
        }
    };
    let counterexample = judged
        .discharge
        .counter_model()
        .map(|model| explain(checked.certificate, obligation, model));
    ObligationReport {
        title: obligation.title(),
        case: obligation.case.as_ref().map(ToString::to_string),
        kind: obligation.kind.name(),
        answer,
        reason,
        place: place(checked, obligation),
        counterexample,
    }
}

fn cases<'a>(checked: &Checked<'a>) -> Vec<CaseReport<'a>> {
    let ProofArgument::Cutoff(cases) = &checked.certificate.argument else { return Vec::new() };
    let both = cases.iter().zip(&checked.judgement.cases);
    both.map(|(case, judgement)| case_report(checked, case, judgement)).collect()
}

fn case_report<'a>(
    checked: &Checked<'a>,
    case: &'a Case,
    judgement: &'a CaseJudgement,
) -> CaseReport<'a> {
    let name = |sort| &**checked.protocol.signature.sort_name(sort);
    let cut = case.cut.iter().map(|cut| CutReport {
        sort: name(cut.sort),
        elements: cut.elements.iter().map(|element| &**element).collect(),
    });
    CaseReport {
        name: &case.name,
        property: &checked.certificate.large.properties[case.property].name,
        relaxed: case.relaxed,
        inductive: judgement.finite.is_by_gamma(),
        cut: cut.collect(),
        residual: case.residual().into_iter().map(name).collect(),
        finite: finite_report(checked.protocol, case, &judgement.finite),
    }
}

fn finite_report<'a>(
    protocol: &Protocol,
    case: &'a Case,
    result: &'a FiniteResult,
) -> FiniteReport<'a> {
    match result {
        FiniteResult::NotNeeded => FiniteReport::NotNeeded,
        FiniteResult::NotAsked => FiniteReport::NotChecked,
        FiniteResult::Searched(searches, verdict) => {
            let searches = || size_reports(&case.small, searches);
            match verdict {
                Verdict::Safe => FiniteReport::Exhausted { searches: searches() },
                Verdict::SafeUpTo(bounds) => FiniteReport::ExhaustedUpTo {
                    bounds: Sizes::new(protocol, bounds),
                    searches: searches(),
                },
                Verdict::Unsafe(violated) => FiniteReport::Violated {
                    property: &violated.claim,
                    size: Sizes::new(protocol, &violated.size),
                    violation: ViolationReport::new(
                        &case.small,
                        &violated.claims,
                        &violated.violation,
                    ),
                },
                Verdict::Unproved(gaps) => FiniteReport::Open { why: why_open(gaps) },
            }
        }
        FiniteResult::Invariant(_) if result.is_closed() => FiniteReport::ClosedByInvariant,
        FiniteResult::Invariant(_) => FiniteReport::InvariantNotProved,
        FiniteResult::Certificate(own) => match &own.verdict {
            Verdict::Safe => FiniteReport::ClosedByCertificate { bounds: None },
            Verdict::SafeUpTo(bounds) => {
                FiniteReport::ClosedByCertificate { bounds: Some(Sizes::new(protocol, bounds)) }
            }
            Verdict::Unsafe(_) | Verdict::Unproved(_) => FiniteReport::CertificateNotProved,
        },
    }
}

fn size_reports<'a>(
    protocol: &'a Protocol,
    coverage: &'a [(Size, Coverage)],
) -> Vec<SizeReport<'a>> {
    let searches = coverage.iter().map(|(at, coverage)| SizeReport {
        size: Sizes::new(protocol, at),
        coverage: SearchReport::new(protocol, coverage, coverage.unseen.as_ref()),
    });
    searches.collect()
}
