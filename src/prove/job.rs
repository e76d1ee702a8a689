//! What the main job may use, and what it results in.

use crate::budget::Stop;
use crate::certificate::{Case, Certificate};
use crate::finite::Progress;
use crate::judge::{FiniteViolation, Judgement, Verdict};
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
pub enum ProofOutcome {
    /// A small instance violates a safety property.
    Unsafe(FiniteViolation),
    /// A small instance violates a lemma of the protocol, and none is known to violate a safety
    /// property: nothing is proved, because every lemma would have to be.
    FalseLemma(FiniteViolation),
    /// A certificate was found and judged.
    Judged {
        /// The certificate.
        certificate: Box<Certificate>,
        /// The judgement.
        judgement: Box<Judgement>,
        /// Every attempt of the search for a cutoff.
        attempts: Vec<PlanAttempt>,
        /// Both kinds of proof, and what each cost, where both were looked for.
        comparison: Option<Box<ProofComparison>>,
    },
    /// No certificate was found.
    Nothing {
        /// The cases that were proved nevertheless.
        cases: Vec<Case>,
        /// The near miss: proved cases, and the best attempts at the others.
        attempt: Option<Box<Certificate>>,
        /// Every attempt of the search for a cutoff.
        attempts: Vec<PlanAttempt>,
        /// Both kinds of proof, and what each cost.
        comparison: Box<ProofComparison>,
    },
}

impl ProofOutcome {
    /// The run that violates a property, if one was found.
    pub fn violation(&self) -> Option<&FiniteViolation> {
        match self {
            ProofOutcome::Unsafe(violated) | ProofOutcome::FalseLemma(violated) => Some(violated),
            ProofOutcome::Judged { judgement, .. } => match &judgement.verdict {
                Verdict::Unsafe(violated) => Some(violated),
                Verdict::Safe | Verdict::SafeUpTo(_) | Verdict::Unproved(_) => None,
            },
            ProofOutcome::Nothing { .. } => None,
        }
    }

    /// Whether nothing is known, not even up to a bound.
    pub(super) fn is_open(&self) -> bool {
        match self {
            ProofOutcome::Unsafe(_) | ProofOutcome::FalseLemma(_) => false,
            ProofOutcome::Judged { judgement, .. } => {
                matches!(judgement.verdict, Verdict::Unproved(_))
            }
            ProofOutcome::Nothing { .. } => true,
        }
    }
}
