//! What `rmlcut synth` found, as text: the verdict first, then the argument, then the certificate.

use super::layout::{count, line};
use super::{explore, trace};
use crate::certificate::{Argument, Certificate};
use crate::finite::Claim;
use crate::judge::{Closed, FiniteResult, Gap, Judgement, Verdict};
use crate::protocol::{PropertyKind, Protocol};
use crate::prove::{Hunted, Outcome};
use crate::synthesis::Attempt;

/// How much is told of what was tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Telling {
    /// The result only.
    Result,
    /// Also every attempt, and why it failed.
    Attempts,
}

/// The whole report; `certificate` is the text of the certificate that was found.
pub fn text(
    protocol: &Protocol,
    outcome: &Outcome,
    certificate: Option<&str>,
    telling: Telling,
) -> String {
    let mut out = format!("{}\n", verdict(protocol, outcome));
    let attempts = match outcome {
        Outcome::Unsafe(hunted) => {
            out.push('\n');
            out.push_str(&violated(protocol, hunted));
            return out;
        }
        Outcome::Judged { certificate, judgement, attempts } => {
            argument(&mut out, protocol, certificate, judgement);
            attempts
        }
        Outcome::Nothing { cases, attempts } => {
            let tried = count(attempts.len(), "attempt");
            line(&mut out, 0, format_args!("no certificate was found in {tried}"));
            for case in cases {
                line(&mut out, 0, format_args!("the violations of {} were simulated", case.name));
            }
            advice(&mut out);
            attempts
        }
    };
    if telling == Telling::Attempts {
        tried(&mut out, attempts);
    }
    if let Some(certificate) = certificate {
        out.push('\n');
        out.push_str(certificate);
    }
    out
}

/// The first line.
pub fn verdict(protocol: &Protocol, outcome: &Outcome) -> String {
    match outcome {
        Outcome::Unsafe(hunted) => {
            let steps = count(hunted.violation.trace.steps.len(), "step");
            let size = explore::size(protocol, &hunted.size);
            format!("unsafe: [{}] fails after {steps} at {size}", hunted.property)
        }
        Outcome::Judged { judgement, .. } => judged(protocol, &judgement.verdict),
        Outcome::Nothing { .. } => "unproved".to_owned(),
    }
}

fn judged(protocol: &Protocol, verdict: &Verdict) -> String {
    match verdict {
        Verdict::Safe => "safe".to_owned(),
        Verdict::SafeUpTo(bounds) => format!("safe up to {}", explore::size(protocol, bounds)),
        Verdict::Unsafe(violated) => {
            let size = explore::size(protocol, &violated.size);
            format!("unsafe: [{}] fails at {size}", violated.claim)
        }
        Verdict::Unproved(gaps) => format!("unproved: {}", count(gaps.len(), "gap")),
    }
}

fn violated(protocol: &Protocol, hunted: &Hunted) -> String {
    let safety = protocol.properties.iter();
    let safety = safety.filter(|property| property.kind == PropertyKind::Safety);
    let claims: Vec<Claim> = safety.map(Claim::from).collect();
    trace::trace(protocol, &claims, &hunted.violation)
}

fn argument(
    out: &mut String,
    protocol: &Protocol,
    certificate: &Certificate,
    judgement: &Judgement,
) {
    match &certificate.argument {
        Argument::Invariant(invariant) => {
            let clauses = count(invariant.clauses.len(), "clause");
            line(out, 0, format_args!("inductive: an invariant of {clauses}, no cutoff used"));
        }
        Argument::Cutoff(cases) => {
            for (case, judged) in cases.iter().zip(&judgement.cases) {
                let sizes =
                    case.cut.iter().map(|cut| (cut.sort, u32::try_from(cut.elements.len())));
                let sizes = sizes.filter_map(|(sort, size)| Some((sort, size.ok()?))).collect();
                let how = if judged.inductive {
                    "inductive, no cutoff instance needed".to_owned()
                } else {
                    format!(
                        "cutoff {}, {}",
                        explore::size(protocol, &sizes),
                        closing(&judged.finite)
                    )
                };
                let gamma = count(case.gamma.len(), "clause");
                let acting = case.lockstep.iter().filter(|alternatives| {
                    alternatives.iter().any(|alternative| !alternative.moves.is_empty())
                });
                let acting = acting.count();
                let actions = case.lockstep.len();
                line(
                    out,
                    0,
                    format_args!(
                        "{}: {how}; gamma has {gamma}, {acting} of {actions} actions are answered",
                        case.name
                    ),
                );
            }
        }
    }
    let all = judgement.obligations().count();
    let valid = judgement.obligations().filter(|judged| judged.is_valid()).count();
    line(out, 0, format_args!("{valid} of {all} obligations are valid"));
    if let Verdict::Unproved(gaps) = &judgement.verdict {
        for gap in gaps {
            line(out, 0, format_args!("missing: {}", missing(gap)));
        }
    }
}

fn closing(finite: &FiniteResult) -> &'static str {
    match finite {
        FiniteResult::NotNeeded => "not needed",
        FiniteResult::NotAsked => "not looked at",
        FiniteResult::Closed(Closed::Exhausted(_)) => "exhausted by search",
        FiniteResult::Closed(Closed::UpTo(..)) => "searched up to the bounds",
        FiniteResult::Closed(Closed::Invariant(_)) => "closed by an invariant",
        FiniteResult::Invariant(_) => "its invariant is not proved",
        FiniteResult::Violated(_) => "violated",
        FiniteResult::Open(_) => "open",
    }
}

fn missing(gap: &Gap) -> String {
    match gap {
        Gap::Malformed(problem) => problem.clone(),
        Gap::Obligation(title) => title.clone(),
        Gap::Finite { case, why } => format!("{case}: {why}"),
        other => format!("{other:?}"),
    }
}

fn advice(out: &mut String) {
    line(out, 0, format_args!("what to try: more time (--timeout), a lemma in the protocol, or a"));
    line(
        out,
        0,
        format_args!("certificate by hand (`rmlcut check`); --explain shows every attempt"),
    );
}

fn tried(out: &mut String, attempts: &[Attempt]) {
    out.push('\n');
    for attempt in attempts {
        let result = attempt.failure.as_deref().unwrap_or("proved");
        line(out, 0, format_args!("[{}] {}: {result}", attempt.property, attempt.plan));
    }
}
