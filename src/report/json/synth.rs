//! What `rmlcut synth` found, for programs.

use serde_json::{Value, json};

use super::coverage::CoverageReport;
use super::{Remarks, Sizes, compare, diagnostics, explore};
use crate::certificate::{Case, Certificate, ProofArgument};
use crate::judge::{CaseJudgement, Judgement};
use crate::protocol::{PropertyKind, Protocol};
use crate::prove::ProofOutcome;
use crate::report::text::synth::Synthesized;
use crate::report::text::{check, literal, synth};
use crate::synthesis::PlanAttempt;

/// The outcome as one JSON document.
pub fn document(synthesized: &Synthesized<'_>, remarks: &Remarks<'_>) -> String {
    let Synthesized { protocol, outcome, certificate, coverage, cost, .. } = synthesized;
    let (attempts, argument): (&[PlanAttempt], Value) = match outcome {
        ProofOutcome::Unsafe(_) | ProofOutcome::FalseLemma(_) => (&[], Value::Null),
        ProofOutcome::Judged { attempts, certificate, judgement, .. } => {
            (attempts, argument(protocol, certificate, judgement))
        }
        ProofOutcome::Nothing { attempts, .. } => (attempts, Value::Null),
    };
    let attempts: Value = attempts.iter().map(attempt).collect();
    let arguments = match outcome {
        ProofOutcome::Unsafe(_) | ProofOutcome::FalseLemma(_) => Value::Null,
        ProofOutcome::Judged { comparison, .. } => {
            comparison.as_ref().map(|both| compare::arguments(protocol, both)).into()
        }
        ProofOutcome::Nothing { comparison, .. } => compare::arguments(protocol, comparison),
    };
    let comparison = match outcome {
        ProofOutcome::Judged { comparison, .. } => comparison.as_deref(),
        ProofOutcome::Unsafe(_) | ProofOutcome::FalseLemma(_) | ProofOutcome::Nothing { .. } => {
            None
        }
    };
    let document = json!({
        "protocol": &*protocol.name,
        "verdict": synth::verdict(protocol, outcome),
        "coverage": CoverageReport::new(protocol, *coverage),
        "argument": argument,
        "violation": violation(protocol, outcome),
        "certificate": certificate,
        "attempts": attempts,
        "arguments": arguments,
        "not_waited_for": comparison.map(compare::not_waited_for),
        "seconds": cost.total.as_secs_f64(),
        "seconds_in_solver": cost.effort.solver.as_secs_f64(),
        "seconds_in_instances": cost.effort.instances.as_secs_f64(),
        "diagnostics": diagnostics(remarks.source, remarks.warnings),
    });
    super::print(&document)
}

/// The run that violates a property, if one was found.
fn violation(protocol: &Protocol, outcome: &ProofOutcome) -> Option<Value> {
    let (claims, violation) = synth::violation(protocol, outcome)?;
    Some(explore::violated(protocol, &claims, violation))
}

fn attempt(attempt: &PlanAttempt) -> Value {
    json!({
        "property": &*attempt.property,
        "plan": attempt.plan,
        "failure": attempt.failure,
    })
}

fn argument(protocol: &Protocol, certificate: &Certificate, judgement: &Judgement) -> Value {
    let all = judgement.obligations().count();
    let valid = judgement.obligations().filter(|judged| judged.is_valid()).count();
    let unchecked = judgement.obligations().filter(|judged| judged.is_not_asked()).count();
    let lemmas = certificate.large.properties.iter();
    let lemmas = lemmas.filter(|own| own.kind == PropertyKind::Lemma).map(|own| &*own.name);
    let (clauses, cases) = match &certificate.argument {
        ProofArgument::Invariant(invariant) => (Some(invariant.clauses.len()), Vec::new()),
        ProofArgument::Cutoff(cases) => {
            let cases = cases.iter().zip(&judgement.cases);
            (None, cases.map(|(case, judged)| case_json(protocol, case, judged)).collect())
        }
    };
    json!({
        "invariant_clauses": clauses,
        "cases": cases,
        "lemmas": lemmas.collect::<Vec<&str>>(),
        "obligations": all,
        "valid": valid,
        "not_checked": unchecked,
    })
}

fn case_json(protocol: &Protocol, case: &Case, judged: &CaseJudgement) -> Value {
    json!({
        "case": &*case.name,
        "cutoff": Sizes::new(protocol, &literal::cutoff(case)),
        "residual": synth::residual(protocol, case),
        "finite": check::closing(protocol, &judged.finite),
        "inductive": judged.inductive,
        "gamma": case.gamma.len(),
        "tau": literal::answered(case),
        "actions": case.lockstep.len(),
    })
}
