//! What the main job may use, and what it results in.

use crate::budget::Stop;
use crate::certificate::{Case, Certificate};
use crate::finite::Progress;
use crate::judge::{FiniteViolation, Gap, Judgement, Verdict};
use crate::synthesis::PlanAttempt;

use super::proof_preference::Prefer;
use super::strategy_comparison::ProofComparison;

/// What the main job may cost.
pub struct ProveConfig<'a> {
    /// Ends the search; without a deadline it may take a day.
    pub stop: Stop,
    /// Which kind of proof is the answer if both are found.
    pub prefer: Prefer,
    /// How many times the usual effort the preferred kind may cost once there is a proof of the
    /// other kind.
    pub patience: u32,
    /// Residual sorts are searched at every size up to this one.
    pub residual: u32,
    /// How many threads may work. With one, the searches run one after another; with more, both
    /// kinds of proof are looked for at once.
    pub threads: usize,
    /// Called once when the first proof is complete: the verdict is `safe`, whichever proof will
    /// be the answer.
    pub proved: &'a (dyn Fn() + Sync),
    /// Receives the progress of explorations.
    pub progress: &'a dyn Progress,
}

/// The result of the main job.
pub struct ProofOutcome {
    /// That of the judge, if a certificate was judged; otherwise a violation, or what is missing.
    pub verdict: Verdict,
    /// The certificate that was found, and its judgement.
    pub judged: Option<Box<(Certificate, Judgement)>>,
    /// Without a certificate, the cases that were proved nevertheless.
    pub cases: Vec<Case>,
    /// Without a certificate, the near miss: proved cases, and the best attempts at the others.
    pub attempt: Option<Box<Certificate>>,
    /// Every attempt of the search for a cutoff.
    pub attempts: Vec<PlanAttempt>,
    /// Both kinds of proof, and what each cost, where both were looked for.
    pub comparison: Option<Box<ProofComparison>>,
}

impl ProofOutcome {
    /// A small instance violates a safety property.
    pub(super) fn of_violation(violation: FiniteViolation) -> Self {
        ProofOutcome::without_certificate(Verdict::Unsafe(violation))
    }

    /// A small instance violates a lemma of the protocol, and none is known to violate a safety
    /// property: nothing is proved, because every lemma would have to be.
    pub(super) fn of_false_lemma(violation: FiniteViolation) -> Self {
        let gaps = vec![Gap::FalseLemma(Box::new(violation))];
        ProofOutcome::without_certificate(Verdict::Unproved(gaps))
    }

    /// Neither a violation nor a certificate was found.
    pub(super) fn of_nothing() -> Self {
        ProofOutcome::without_certificate(Verdict::Unproved(vec![Gap::NoCertificate]))
    }

    /// A certificate was found and judged.
    pub(crate) fn of_judgement(certificate: Certificate, judgement: Judgement) -> Self {
        let verdict = judgement.verdict.clone();
        let judged = Some(Box::new((certificate, judgement)));
        ProofOutcome { judged, ..ProofOutcome::without_certificate(verdict) }
    }

    fn without_certificate(verdict: Verdict) -> Self {
        let (cases, attempts) = (Vec::new(), Vec::new());
        ProofOutcome { verdict, judged: None, cases, attempt: None, attempts, comparison: None }
    }

    /// The run that violates a property, if one was found.
    pub fn violation(&self) -> Option<&FiniteViolation> {
        match &self.verdict {
            Verdict::Unsafe(violated) => Some(violated),
            Verdict::Unproved(_) => self.false_lemma(),
            Verdict::Safe | Verdict::SafeUpTo(_) => None,
        }
    }

    /// The run that violates a lemma, if that is why nothing is proved.
    pub fn false_lemma(&self) -> Option<&FiniteViolation> {
        let Verdict::Unproved(gaps) = &self.verdict else { return None };
        gaps.iter().find_map(|gap| match gap {
            Gap::FalseLemma(violated) => Some(&**violated),
            _ => None,
        })
    }

    /// Whether nothing is known, not even up to a bound.
    pub(super) fn is_open(&self) -> bool {
        matches!(self.verdict, Verdict::Unproved(_)) && self.violation().is_none()
    }
}
