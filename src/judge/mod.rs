//! Judges a certificate: discharges every obligation, closes every cutoff instance, and only then
//! says `safe`. Knows nothing of how certificates are found.

mod conclude;
mod cutoff_violation;
mod error;
mod every_obligation;
mod expected_obligations;
mod finite;
mod inductive;
mod obligations;
mod size_relations;
mod vacuity;

pub mod request;

pub use conclude::{Bounds, Gap, Verdict};
pub use cutoff_violation::FiniteViolation;
pub use error::JudgeError;
pub use every_obligation::every_obligation;
pub use finite::{FiniteConfig, FiniteResult, finite_case};
pub use inductive::is_inductive;
pub use obligations::{Judged, judge_obligations, query};
pub use size_relations::SizeRelation;

use crate::budget::Budget;
use crate::certificate::{
    Assume, Case, Certificate, InvariantSystem, Obligation, ProofArgument, TwoSystems,
    case_obligations, cover_obligations, invariant_obligations, validate,
};
use crate::logic::Name;
use crate::protocol::Protocol;
use crate::smt::Prover;

/// How a certificate is judged.
pub struct JudgeConfig<'a> {
    /// Discharges the obligations.
    pub prover: &'a dyn Prover<TwoSystems>,
    /// What each obligation may cost.
    pub budget: Budget,
    /// Which obligations are looked at, by their titles; what is not stays a gap.
    pub wanted: &'a (dyn Fn(&str) -> bool + Sync),
    /// How cutoff instances are searched; `None` leaves them open.
    pub finite: Option<FiniteConfig<'a>>,
}

/// What was found out about a certificate.
#[derive(Clone, Debug)]
pub struct Judgement {
    /// Why the certificate is none, if it is not.
    pub problems: Vec<String>,
    /// The obligations of the whole certificate: *cover*, or those of an invariant.
    pub whole: Vec<Judged>,
    /// What was found out about each case.
    pub cases: Vec<CaseJudgement>,
    /// Where a bound on a residual sort bounds a cut sort as well.
    pub size_relations: Vec<SizeRelation>,
    /// What follows.
    pub verdict: Verdict,
}

/// What was found out about one case.
#[derive(Clone, Debug)]
pub struct CaseJudgement {
    /// The case.
    pub case: Name,
    /// *rigid*, *start*, *step* and *safety*.
    pub obligations: Vec<Judged>,
    /// How the cutoff instance was closed.
    pub finite: FiniteResult,
}

/// Every obligation of a certificate but *finite*: those of the whole, then those of each case.
pub fn obligations(certificate: &Certificate) -> (Vec<Obligation>, Vec<Vec<Obligation>>) {
    let large = &certificate.large;
    match &certificate.argument {
        ProofArgument::Cutoff(cases) => {
            let of_cases =
                cases.iter().map(|case| case_obligations(large, case, Assume::CutoffSafe));
            (cover_obligations(large, cases), of_cases.collect())
        }
        ProofArgument::Invariant(invariant) => {
            let actions: Vec<usize> = (0..large.actions.len()).collect();
            let system = InvariantSystem::of_protocol(large, &actions);
            (invariant_obligations(system, invariant), Vec::new())
        }
    }
}

/// Judges a certificate for `user`'s protocol.
///
/// # Errors
/// When the prover cannot be run, or two parts of the tool disagree.
pub fn judge(
    user: &Protocol,
    certificate: &Certificate,
    config: &JudgeConfig<'_>,
) -> Result<Judgement, JudgeError> {
    let problems = validate(user, certificate);
    if !problems.is_empty() {
        return Ok(malformed(problems));
    }
    let (whole, of_cases) = obligations(certificate);
    let lengths: Vec<usize> = of_cases.iter().map(Vec::len).collect();
    let whole_length = whole.len();
    let all: Vec<Obligation> = whole.into_iter().chain(of_cases.into_iter().flatten()).collect();
    let mut judged = judge_obligations(all, config)?.into_iter();
    let whole: Vec<Judged> = judged.by_ref().take(whole_length).collect();
    let mut cases = Vec::new();
    if let ProofArgument::Cutoff(of_certificate) = &certificate.argument {
        for (case, length) in of_certificate.iter().zip(lengths) {
            let obligations: Vec<Judged> = judged.by_ref().take(length).collect();
            cases.push(judge_case(user, certificate, case, obligations, config)?);
        }
    }
    let start = vacuity::start(user, config)?;
    let verdict = conclude::conclude(user, certificate, &whole, &cases, start);
    let size_relations = match &verdict {
        Verdict::SafeUpTo(bounds) => {
            size_relations::size_relations(user, certificate, bounds, config)?
        }
        Verdict::Safe | Verdict::Unsafe { .. } | Verdict::Unproved(_) => Vec::new(),
    };
    Ok(Judgement { problems, whole, cases, size_relations, verdict })
}

fn malformed(problems: Vec<String>) -> Judgement {
    let verdict = Verdict::Unproved(problems.iter().cloned().map(Gap::Malformed).collect());
    Judgement {
        problems,
        whole: Vec::new(),
        cases: Vec::new(),
        size_relations: Vec::new(),
        verdict,
    }
}

fn judge_case(
    user: &Protocol,
    certificate: &Certificate,
    case: &Case,
    obligations: Vec<Judged>,
    config: &JudgeConfig<'_>,
) -> Result<CaseJudgement, JudgeError> {
    let valid = obligations.iter().all(Judged::is_valid);
    let finite = if valid && is_inductive(&certificate.large, case, config)? {
        FiniteResult::NotNeeded
    } else {
        finite_case(user, case, config)?
    };
    Ok(CaseJudgement { case: case.name.clone(), obligations, finite })
}
