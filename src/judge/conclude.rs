//! The verdict: the only place that says `safe`.

use std::collections::BTreeMap;

use crate::certificate::{Argument, Certificate};
use crate::logic::Name;
use crate::protocol::{PropertyKind, Protocol, SortId};

use super::protocol::Start;
use super::{CaseJudgement, Closed, FiniteResult, FiniteViolation, Judged};

/// The bound up to which each residual sort was exhausted.
pub type Bounds = BTreeMap<SortId, u32>;

/// What follows from a judgement.
#[derive(Clone, Debug)]
pub enum Verdict {
    /// Safe at every size.
    Safe,
    /// Safe where the residual sorts are no larger than this.
    SafeUpTo(Bounds),
    /// A run of the protocol itself violates a safety property.
    Unsafe(FiniteViolation),
    /// Anything else, and what is missing.
    Unproved(Vec<Gap>),
}

/// Something that keeps a certificate from being a proof.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Gap {
    /// The certificate breaks a rule.
    Malformed(String),
    /// An obligation is refuted or undecided.
    Obligation(String),
    /// A cutoff instance is not closed.
    Finite {
        /// The case.
        case: Name,
        /// Why.
        why: String,
    },
    /// The protocol has no safety property.
    NothingToProve,
    /// No instance of the protocol has an initial state.
    Vacuous,
    /// No instance with an initial state was seen: the protocol may have no runs.
    NoStartSeen,
}

/// Combines all answers.
pub(super) fn conclude(
    user: &Protocol,
    certificate: &Certificate,
    whole: &[Judged],
    cases: &[CaseJudgement],
    start: Start,
) -> Verdict {
    if let Some(violation) = real_violation(user, certificate, cases) {
        return Verdict::Unsafe(violation);
    }
    let mut gaps = Vec::new();
    if !user.properties.iter().any(|property| property.kind == PropertyKind::Safety) {
        gaps.push(Gap::NothingToProve);
    }
    match start {
        Start::Seen => {}
        Start::Impossible => gaps.push(Gap::Vacuous),
        Start::Unknown => gaps.push(Gap::NoStartSeen),
    }
    gaps.extend(unproved(whole));
    let mut bounds = Bounds::new();
    for case in cases {
        gaps.extend(unproved(&case.obligations));
        match finite_gap(case) {
            Ok(own) => tighten(&mut bounds, own),
            Err(more) => gaps.extend(more),
        }
    }
    if !gaps.is_empty() {
        Verdict::Unproved(gaps)
    } else if !bounds.is_empty() {
        Verdict::SafeUpTo(bounds)
    } else {
        Verdict::Safe
    }
}

/// The bounds under which a case is closed, none if at every size; or what keeps it open.
fn finite_gap(case: &CaseJudgement) -> Result<Bounds, Vec<Gap>> {
    let open = |why: &str| Err(vec![Gap::Finite { case: case.case.clone(), why: why.to_owned() }]);
    match &case.finite {
        FiniteResult::NotNeeded if case.inductive => Ok(Bounds::new()),
        FiniteResult::NotNeeded | FiniteResult::NotAsked => open("not asked"),
        FiniteResult::Closed(Closed::Exhausted(_)) => Ok(Bounds::new()),
        FiniteResult::Closed(Closed::UpTo(bounds, _)) => Ok(bounds.clone()),
        FiniteResult::Closed(Closed::Invariant(judged)) | FiniteResult::Invariant(judged) => {
            let gaps = unproved(judged);
            if gaps.is_empty() { Ok(Bounds::new()) } else { Err(gaps) }
        }
        FiniteResult::Violated(violated) => {
            open(&format!("a run of C violates {}", violated.claim))
        }
        FiniteResult::Open(why) => open(why),
    }
}

/// A run of the user's own protocol, found in an unrelaxed cutoff instance and replayed here once
/// more, that violates a safety property.
fn real_violation(
    user: &Protocol,
    certificate: &Certificate,
    cases: &[CaseJudgement],
) -> Option<FiniteViolation> {
    let Argument::Cutoff(of_certificate) = &certificate.argument else { return None };
    let found = of_certificate.iter().zip(cases).filter(|(case, _)| !case.relaxed);
    let found = found.filter_map(|(_, judgement)| match &judgement.finite {
        FiniteResult::Violated(violated) => Some(violated),
        _ => None,
    });
    found.into_iter().find(|violated| is_real(user, violated)).cloned()
}

fn is_real(user: &Protocol, violated: &FiniteViolation) -> bool {
    let Some((_, property)) = user.property(&violated.claim) else { return false };
    let trace = &violated.violation.trace;
    property.kind == PropertyKind::Safety
        && trace.replay(user).is_ok()
        && matches!(trace.violation(property), Ok(Some(_)))
}

fn unproved(judged: &[Judged]) -> Vec<Gap> {
    let open = judged.iter().filter(|judged| !judged.is_valid());
    open.map(|judged| Gap::Obligation(judged.obligation.title())).collect()
}

/// The least bound of each sort over all cases; a sort that one case closes has the other's bound.
fn tighten(bounds: &mut Bounds, own: Bounds) {
    for (sort, bound) in own {
        let least = bounds.entry(sort).or_insert(bound);
        *least = bound.min(*least);
    }
}
