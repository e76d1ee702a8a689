//! What `rmlcut check` found, as JSON after `grammar/check.schema.json`: the same facts as the text.

use serde_json::{Map, Value, json};

use super::explore::named_sizes as size;
use super::{Remarks, diagnostics, explore};
use crate::certificate::{Case, ObligationKind, ProofArgument};
use crate::explain::{Explanation, MoveOutcome, explain};
use crate::finite::Coverage;
use crate::judge::{CaseJudgement, Closed, FiniteResult, Gap, Judged, Verdict};
use crate::protocol::{PropertyKind, Protocol, Size};
use crate::report::text::check::{Checked, headline, place};
use crate::report::text::coverage;
use crate::smt::{Discharge, Standing, UnknownReason};

/// The whole report.
pub fn document(checked: &Checked<'_>, remarks: &Remarks<'_>) -> String {
    let judgement = checked.judgement;
    let of_kind = |kind: PropertyKind| {
        let own = checked.certificate.large.properties.iter();
        own.filter(|own| own.kind == kind).map(|own| json!(&*own.name)).collect::<Value>()
    };
    let bounds = match &judgement.verdict {
        Verdict::SafeUpTo(bounds) => size(checked.protocol, bounds),
        Verdict::Safe | Verdict::Unsafe(_) | Verdict::Unproved(_) => json!({}),
    };
    let argument = match &checked.certificate.argument {
        ProofArgument::Cutoff(_) => "cutoff",
        ProofArgument::Invariant(_) => "invariant",
    };
    let document = json!({
        "protocol": &*checked.protocol.name,
        "file": checked.text.name(),
        "certificate": checked.source.name(),
        "verdict": word(&judgement.verdict),
        "summary": headline(checked.protocol, judgement),
        "bounds": bounds,
        "ties": ties(checked),
        "gaps": gaps(&judgement.verdict),
        "rebased": rebased(checked),
        "diagnostics": diagnostics(remarks.source, remarks.warnings),
        "argument": argument,
        "safety": of_kind(PropertyKind::Safety),
        "lemmas": of_kind(PropertyKind::Lemma),
        "coverage": coverage::json(checked.protocol, checked.coverage),
        "evidence": evidence(checked),
        "obligations": judgement.obligations().map(|own| obligation(checked, own)).collect::<Value>(),
        "cases": cases(checked),
    });
    format!("{document:#}\n")
}

fn word(verdict: &Verdict) -> &'static str {
    match verdict {
        Verdict::Safe => "safe",
        Verdict::SafeUpTo(_) => "safe up to",
        Verdict::Unsafe(_) => "unsafe",
        Verdict::Unproved(_) => "unproved",
    }
}

fn ties(checked: &Checked<'_>) -> Value {
    let name = |sort| &**checked.protocol.signature.sort_name(sort);
    let ties = checked.judgement.ties.iter().map(
        |tie| json!({ "function": &*tie.function, "from": name(tie.from), "into": name(tie.into) }),
    );
    ties.collect()
}

fn gaps(verdict: &Verdict) -> Value {
    let Verdict::Unproved(gaps) = verdict else { return json!([]) };
    let gaps = gaps.iter().map(|gap| match gap {
        Gap::Malformed(why) => json!({ "kind": "malformed", "what": why }),
        Gap::Obligation(title) => json!({ "kind": "obligation", "what": title }),
        Gap::Finite { case, why } => {
            json!({ "kind": "finite", "what": format!("{case}: finite"), "why": why })
        }
        Gap::NothingToProve => json!({ "kind": "nothing to prove", "what": "no safety property" }),
        Gap::Vacuous => json!({ "kind": "vacuous", "what": "no initial state" }),
        Gap::NoStartSeen => json!({ "kind": "no start seen", "what": "no initial state found" }),
    });
    gaps.collect()
}

fn rebased(checked: &Checked<'_>) -> Value {
    let Some(changes) = checked.changes else { return Value::Null };
    let made_for = changes.made_for.as_ref();
    json!({
        "made_for": made_for.map(|old| json!({ "protocol": &*old.protocol, "sha256": &*old.digest })),
        "read_for": {
            "protocol": &*changes.read_for.protocol,
            "sha256": &*changes.read_for.digest,
        },
        "unmentioned": changes.unmentioned,
    })
}

fn evidence(checked: &Checked<'_>) -> Value {
    let Some(written) = checked.evidence else { return Value::Null };
    json!({ "folder": written.folder, "scripts": written.scripts, "proofs": written.proofs })
}

fn obligation(checked: &Checked<'_>, judged: &Judged) -> Value {
    let obligation = &judged.obligation;
    let (answer, reason) = match &judged.discharge {
        Discharge::Valid => ("valid", None),
        Discharge::Refuted(_) => ("refuted", None),
        Discharge::Unknown(UnknownReason::NotAsked) => ("not checked", None),
        Discharge::Unknown(reason) => ("unknown", Some(reason.to_string())),
    };
    let explanation = judged
        .discharge
        .counter_model()
        .map(|model| counterexample(&explain(checked.certificate, obligation, model)));
    json!({
        "title": obligation.title(),
        "case": (!obligation.case.is_empty()).then_some(&*obligation.case),
        "kind": kind(&obligation.kind),
        "answer": answer,
        "reason": reason,
        "place": place(checked, obligation),
        "counterexample": explanation,
    })
}

fn kind(kind: &ObligationKind) -> &'static str {
    match kind {
        ObligationKind::Cover { .. } => "cover",
        ObligationKind::Rigid { .. } => "rigid",
        ObligationKind::StartInit { .. } => "start init",
        ObligationKind::StartGamma { .. } => "start gamma",
        ObligationKind::Enabled { .. } => "enabled",
        ObligationKind::Keeps { .. } => "keeps",
        ObligationKind::Safety { .. } => "safety",
        ObligationKind::Initiation { .. } => "initiation",
        ObligationKind::Consecution { .. } => "consecution",
        ObligationKind::Implication { .. } => "implication",
    }
}

fn counterexample(explanation: &Explanation) -> Value {
    let object = |pairs: &[(String, String)]| {
        let pairs = pairs.iter();
        pairs.map(|(name, value)| json!({ "name": name, "value": value })).collect::<Value>()
    };
    let sizes: Map<String, Value> =
        explanation.sizes.iter().map(|(sort, count)| (sort.clone(), json!(count))).collect();
    let step = explanation.step.as_ref().map(|step| {
        let moves = step.moves.iter().map(|(action, outcome)| {
            let outcome = match outcome {
                MoveOutcome::Done => "done",
                MoveOutcome::Skipped => "skipped",
                MoveOutcome::Impossible => "impossible",
            };
            json!({ "action": action, "outcome": outcome })
        });
        json!({
            "action": step.action,
            "changes": step.changes,
            "moves": moves.collect::<Value>(),
            "cutoff_changes": step.cutoff_changes,
        })
    });
    let failing = &explanation.failing;
    let facts = failing.facts.iter();
    let facts: Value =
        facts.map(|fact| json!({ "atom": fact.text, "holds": fact.holds })).collect();
    json!({
        "sizes": sizes,
        "elements": object(&explanation.elements),
        "large": explanation.large,
        "cutoff": explanation.cutoff,
        "step": step,
        "fails": {
            "what": failing.what,
            "formula": failing.formula,
            "at": object(&failing.at),
            "facts": facts,
        },
        "suggestions": explanation.suggestions,
        "evaluated": explanation.standing == Standing::Evaluated,
    })
}

fn cases(checked: &Checked<'_>) -> Value {
    let ProofArgument::Cutoff(cases) = &checked.certificate.argument else { return json!([]) };
    let both = cases.iter().zip(&checked.judgement.cases);
    both.map(|(case, judgement)| of_case(checked, case, judgement)).collect()
}

fn of_case(checked: &Checked<'_>, case: &Case, judgement: &CaseJudgement) -> Value {
    let signature = &checked.protocol.signature;
    let cut = case.cut.iter().map(|cut| {
        let elements: Vec<&str> = cut.elements.iter().map(|element| &**element).collect();
        json!({ "sort": &**signature.sort_name(cut.sort), "elements": elements })
    });
    let residual = case.residual().into_iter();
    let residual: Vec<&str> = residual.map(|sort| &**signature.sort_name(sort)).collect();
    json!({
        "name": &*case.name,
        "property": &*checked.certificate.large.properties[case.property].name,
        "relaxed": case.relaxed,
        "inductive": judgement.inductive,
        "cut": cut.collect::<Value>(),
        "residual": residual,
        "finite": finite(checked.protocol, case, &judgement.finite),
    })
}

fn finite(protocol: &Protocol, case: &Case, result: &FiniteResult) -> Value {
    let found = |how: &str| json!({ "result": how });
    match result {
        FiniteResult::NotNeeded => found("not needed"),
        FiniteResult::NotAsked => found("not checked"),
        FiniteResult::Closed(Closed::Exhausted(coverage)) => json!({
            "result": "exhausted",
            "searches": searches(&case.small, coverage),
        }),
        FiniteResult::Closed(Closed::UpTo(bounds, coverage)) => json!({
            "result": "exhausted up to",
            "bounds": size(protocol, bounds),
            "searches": searches(&case.small, coverage),
        }),
        FiniteResult::Closed(Closed::Invariant(_)) => found("closed by an invariant"),
        FiniteResult::Invariant(_) => found("invariant not proved"),
        FiniteResult::Violated(violated) => json!({
            "result": "violated",
            "property": &*violated.claim,
            "size": size(protocol, &violated.size),
            "violation": explore::violated(&case.small, &violated.claims, &violated.violation),
        }),
        FiniteResult::Open(why) => json!({ "result": "open", "why": why }),
    }
}

fn searches(protocol: &Protocol, coverage: &[(Size, Coverage)]) -> Value {
    let searches = coverage.iter().map(|(at, coverage)| {
        json!({
            "size": size(protocol, at),
            "coverage": explore::covered(protocol, coverage, coverage.unseen.as_ref()),
        })
    });
    searches.collect()
}
