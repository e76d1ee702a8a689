//! Judges a certificate: discharges every obligation, closes every cutoff instance, and only then
//! says `safe`. Knows nothing of how certificates are found.

mod conclude;
mod finite;
mod inductive;
mod obligations;

pub use conclude::{Bounds, Gap, Verdict};
pub use finite::{Closed, FiniteConfig, FiniteResult, finite_case, tau_actions};
pub use obligations::{Judged, judge_obligations};

use crate::certificate::{
    Argument, Assume, Case, Certificate, InvariantSystem, Obligation, case_obligations,
    cover_obligations, invariant_obligations, validate,
};
use crate::certificate::TwoSystems;
use crate::logic::Name;
use crate::protocol::Protocol;
use crate::smt::{Budget, Prover, ProverError};

/// How a certificate is judged.
pub struct JudgeConfig<'a> {
    /// Who discharges obligations.
    pub prover: &'a dyn Prover<TwoSystems>,
    /// What each obligation may cost.
    pub budget: Budget,
    /// How cutoff instances are searched.
    pub finite: FiniteConfig<'a>,
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
    /// Whether γ alone already refutes the violation: no cutoff instance is needed.
    pub inductive: bool,
    /// How the cutoff instance was closed.
    pub finite: FiniteResult,
}

/// Every obligation of a certificate but *finite*: those of the whole, then those of each case.
pub fn obligations(certificate: &Certificate) -> (Vec<Obligation>, Vec<Vec<Obligation>>) {
    let large = &certificate.large;
    match &certificate.argument {
        Argument::Cutoff(cases) => {
            let of_cases =
                cases.iter().map(|case| case_obligations(large, case, Assume::CutoffSafe));
            (cover_obligations(large, cases), of_cases.collect())
        }
        Argument::Invariant(invariant) => {
            let actions: Vec<usize> = (0..large.actions.len()).collect();
            let system = InvariantSystem {
                protocol: large,
                cut: &[],
                actions: &actions,
                further: &[],
                case: &"".into(),
            };
            (invariant_obligations(system, invariant), Vec::new())
        }
    }
}

/// Judges a certificate for `user`'s protocol.
///
/// # Errors
/// When the prover cannot be asked at all.
pub fn judge(
    user: &Protocol,
    certificate: &Certificate,
    config: &JudgeConfig<'_>,
) -> Result<Judgement, ProverError> {
    let problems = validate(user, certificate);
    if !problems.is_empty() {
        let verdict = Verdict::Unproved(problems.iter().cloned().map(Gap::Malformed).collect());
        return Ok(Judgement { problems, whole: Vec::new(), cases: Vec::new(), verdict });
    }
    let (whole, of_cases) = obligations(certificate);
    let lengths: Vec<usize> = of_cases.iter().map(Vec::len).collect();
    let whole_length = whole.len();
    let all: Vec<Obligation> = whole.into_iter().chain(of_cases.into_iter().flatten()).collect();
    let mut judged = judge_obligations(all, config)?.into_iter();
    let whole: Vec<Judged> = judged.by_ref().take(whole_length).collect();
    let mut cases = Vec::new();
    if let Argument::Cutoff(of_certificate) = &certificate.argument {
        for (case, length) in of_certificate.iter().zip(lengths) {
            let obligations: Vec<Judged> = judged.by_ref().take(length).collect();
            cases.push(judge_case(certificate, case, obligations, config)?);
        }
    }
    let verdict = conclude::conclude(user, certificate, &whole, &cases);
    Ok(Judgement { problems, whole, cases, verdict })
}

fn judge_case(
    certificate: &Certificate,
    case: &Case,
    obligations: Vec<Judged>,
    config: &JudgeConfig<'_>,
) -> Result<CaseJudgement, ProverError> {
    let valid = obligations.iter().all(Judged::is_valid);
    let inductive = valid && inductive::is_inductive(&certificate.large, case, config)?;
    let finite = if inductive {
        FiniteResult::NotNeeded
    } else {
        finite_case(case, config)?
    };
    Ok(CaseJudgement { case: case.name.clone(), obligations, inductive, finite })
}
