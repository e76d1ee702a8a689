//! All obligations of a certificate, and all answers of a judgement, in one list: for reports.

use crate::certificate::{Case, Certificate, Obligation, ProofArgument};

use super::finite::closing_obligations;
use super::{FiniteResult, Judged, Judgement, Verdict, obligations};

impl Judgement {
    /// Every obligation with its answer: those of the whole, then case by case, with those of the
    /// invariants that close cases.
    pub fn obligations(&self) -> impl Iterator<Item = &Judged> {
        let of_cases = self
            .cases
            .iter()
            .flat_map(|case| case.obligations.iter().chain(case.finite.obligations()));
        self.whole.iter().chain(of_cases)
    }

    /// The same, and those of the certificates about cutoff instances.
    pub fn obligations_with_nested(&self) -> Vec<&Judged> {
        let mut all: Vec<&Judged> = self.obligations().collect();
        for case in &self.cases {
            if let FiniteResult::Certificate(own) = &case.finite {
                all.extend(own.obligations_with_nested());
            }
        }
        all
    }
}

impl FiniteResult {
    /// Whether it closes the case, if only up to bounds.
    pub fn is_closed(&self) -> bool {
        match self {
            FiniteResult::NotNeeded => true,
            FiniteResult::NotAsked => false,
            FiniteResult::Searched(_, verdict) => {
                matches!(verdict, Verdict::Safe | Verdict::SafeUpTo(_))
            }
            FiniteResult::Invariant(judged) => judged.iter().all(Judged::is_valid),
            FiniteResult::Certificate(own) => {
                matches!(own.verdict, Verdict::Safe | Verdict::SafeUpTo(_))
            }
        }
    }

    /// Whether γ alone closes the case.
    pub fn is_by_gamma(&self) -> bool {
        matches!(self, FiniteResult::NotNeeded)
    }

    /// The obligations of the invariant that closes the case, or was meant to.
    pub fn obligations(&self) -> &[Judged] {
        match self {
            FiniteResult::Invariant(judged) => judged,
            FiniteResult::NotNeeded
            | FiniteResult::NotAsked
            | FiniteResult::Searched(..)
            | FiniteResult::Certificate(_) => &[],
        }
    }
}

/// Every obligation of a certificate but *finite*, with those of the invariants that close cases.
pub fn every_obligation(certificate: &Certificate) -> Vec<Obligation> {
    let (mut all, of_cases) = obligations(certificate);
    let cases: &[Case] = match &certificate.argument {
        ProofArgument::Cutoff(cases) => cases,
        ProofArgument::Invariant(_) => &[],
    };
    for (case, own) in cases.iter().zip(of_cases) {
        all.extend(own);
        all.extend(closing_obligations(case));
    }
    all
}
