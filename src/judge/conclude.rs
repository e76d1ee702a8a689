//! The verdict: the only place that says `safe`.

use std::collections::BTreeMap;

use crate::certificate::{Argument, Certificate};
use crate::finite::Violation;
use crate::logic::Name;
use crate::protocol::{PropertyKind, Protocol, SortId};

use super::{CaseJudgement, Closed, FiniteResult, Judged};

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
    Unsafe {
        /// The run, replayed.
        violation: Box<Violation>,
        /// The property.
        property: Name,
    },
    /// Anything else, and what is missing.
    Unproved(Vec<Gap>),
}

/// Something that keeps a certificate from being a proof.
#[derive(Clone, Debug)]
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
    /// Nothing is to be proved.
    Nothing,
}

/// Combines all answers.
pub(super) fn conclude(
    user: &Protocol,
    certificate: &Certificate,
    whole: &[Judged],
    cases: &[CaseJudgement],
) -> Verdict {
    if let Some(verdict) = real_violation(user, certificate, cases) {
        return verdict;
    }
    let mut gaps = Vec::new();
    let safety = |property: &crate::protocol::Property| property.kind == PropertyKind::Safety;
    if !user.properties.iter().any(safety) || whole.is_empty() {
        gaps.push(Gap::Nothing);
    }
    let all = whole.iter().chain(cases.iter().flat_map(|case| &case.obligations));
    gaps.extend(unproved(all));
    let mut bounds: Option<Bounds> = None;
    for case in cases {
        match &case.finite {
            FiniteResult::NotNeeded if case.inductive => {}
            FiniteResult::NotNeeded => gaps.push(finite_gap(case, "it was not looked at")),
            FiniteResult::Closed(Closed::Exhausted(_) | Closed::Invariant(_)) => {}
            FiniteResult::Closed(Closed::UpTo(own, _)) => {
                bounds = Some(smallest(bounds.take(), own));
            }
            FiniteResult::Invariant(judged) => gaps.extend(unproved(judged.iter())),
            FiniteResult::Violated { claim, .. } => {
                gaps.push(finite_gap(case, &format!("a run of C violates {claim}")));
            }
            FiniteResult::Open(why) => gaps.push(finite_gap(case, why)),
        }
    }
    match (gaps.is_empty(), bounds) {
        (false, _) => Verdict::Unproved(gaps),
        (true, Some(bounds)) => Verdict::SafeUpTo(bounds),
        (true, None) => Verdict::Safe,
    }
}

/// A run of the user's own protocol, found in an unrelaxed cutoff instance and replayed here,
/// that violates a safety property.
fn real_violation(
    user: &Protocol,
    certificate: &Certificate,
    cases: &[CaseJudgement],
) -> Option<Verdict> {
    let Argument::Cutoff(of_certificate) = &certificate.argument else { return None };
    for (case, judgement) in of_certificate.iter().zip(cases) {
        let FiniteResult::Violated { violation, claim } = &judgement.finite else { continue };
        let (_, property) = user.property(claim)?;
        let replayed = violation.trace.replay(user).is_ok()
            && matches!(violation.trace.violation(property), Ok(Some(_)));
        if !case.relaxed && property.kind == PropertyKind::Safety && replayed {
            let property = claim.clone();
            return Some(Verdict::Unsafe { violation: violation.clone(), property });
        }
    }
    None
}

fn unproved<'a>(judged: impl Iterator<Item = &'a Judged>) -> Vec<Gap> {
    let open = judged.filter(|judged| !judged.is_valid());
    open.map(|judged| Gap::Obligation(judged.obligation.title())).collect()
}

fn finite_gap(case: &CaseJudgement, why: &str) -> Gap {
    Gap::Finite { case: case.case.clone(), why: why.to_owned() }
}

/// The least bound of each sort over all cases; a sort that one case closes has the other's bound.
fn smallest(bounds: Option<Bounds>, own: &Bounds) -> Bounds {
    let mut all = bounds.unwrap_or_default();
    for (sort, bound) in own {
        let entry = all.entry(*sort).or_insert(*bound);
        *entry = (*entry).min(*bound);
    }
    all
}
