//! The main job: look for a real violation, look for a certificate of either kind, have it judged.
//!
//! What is found is found by untrusted means; what is said of it is said by the judge, or by a
//! trace that the concrete semantics has replayed.

mod close;
mod compare;
mod hunt;
mod literal;
mod patience;
mod race;
mod referee;
mod start;
mod strategy;

pub use crate::synthesis::literal::LiteralError;
pub use compare::{Figures, ProofComparison, StrategyEffort, StrategyResult, Stuck};
pub use hunt::Hunted;
pub use literal::{LiteralComparison, LiteralTimes, compare_literal, prove_literally};

use crate::budget::{Meter, Stop};
use crate::certificate::{Case, Certificate};
use crate::finite::Progress;
use crate::judge::{JudgeError, Judgement, Verdict};
use crate::protocol::{PropertyKind, Protocol};
use crate::synthesis::PlanAttempt;
use strategy::{Lane, Learnt};

/// What the main job may cost.
pub struct ProveConfig<'a> {
    /// Ends the search; without a deadline it may take a day.
    pub stop: Stop,
    /// Which kind of proof is the answer if both are found.
    pub prefer: Prefer,
    /// How many times as patient as usual to be with the preferred kind once there is a proof of
    /// the other kind.
    pub patience: u32,
    /// Residual sorts are tried at every size up to this one.
    pub residual: u32,
    /// How many threads may work. With one, nothing happens beside anything else; with more, both
    /// kinds of proof are looked for at once.
    pub threads: usize,
    /// Called once when the first proof is complete: the verdict is `safe`, whichever proof will
    /// be the answer.
    pub proved: &'a (dyn Fn() + Sync),
    /// Receives news of explorations.
    pub progress: &'a dyn Progress,
}

/// A kind of proof: which one is the answer if both are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Prefer {
    /// A cutoff, with an invariant only for what it leaves unbounded.
    Cutoff,
    /// An inductive invariant of the protocol itself.
    Invariant,
}

impl Prefer {
    /// The other kind.
    pub fn other(self) -> Self {
        match self {
            Prefer::Cutoff => Prefer::Invariant,
            Prefer::Invariant => Prefer::Cutoff,
        }
    }
}

/// What came of the main job.
pub enum ProofOutcome {
    /// A small instance violates a safety property.
    Unsafe(Hunted),
    /// A small instance violates a lemma of the protocol, and none is known to violate a safety
    /// property: nothing is proved, because every lemma would have to be.
    FalseLemma(Hunted),
    /// A certificate was found, and this is what the judge says of it.
    Judged {
        /// The certificate.
        certificate: Box<Certificate>,
        /// The judgement.
        judgement: Box<Judgement>,
        /// What was tried.
        attempts: Vec<PlanAttempt>,
        /// Both kinds of proof, and what each cost, where both were looked for.
        comparison: Option<Box<ProofComparison>>,
    },
    /// No certificate was found.
    Nothing {
        /// The cases that were proved all the same.
        cases: Vec<Case>,
        /// What came nearest to a certificate.
        attempt: Option<Box<Certificate>>,
        /// What was tried.
        attempts: Vec<PlanAttempt>,
        /// Both kinds of proof, and what each cost.
        comparison: Box<ProofComparison>,
    },
}

impl ProofOutcome {
    /// Whether nothing is known, not even up to a bound.
    fn is_open(&self) -> bool {
        match self {
            ProofOutcome::Unsafe(_) | ProofOutcome::FalseLemma(_) => false,
            ProofOutcome::Judged { judgement, .. } => {
                matches!(judgement.verdict, Verdict::Unproved(_))
            }
            ProofOutcome::Nothing { .. } => true,
        }
    }
}

/// Looks for one kind of proof only, and for no violation beside it: what the main job is measured
/// against. `None` if a small instance violates something.
///
/// # Errors
/// When the solver cannot be asked, or two parts of the tool disagree.
pub fn prove_alone(
    protocol: &Protocol,
    kind: Prefer,
    config: &ProveConfig<'_>,
) -> Result<Option<StrategyEffort>, JudgeError> {
    for kind in [PropertyKind::Safety, PropertyKind::Lemma] {
        if hunt::hunt(protocol, kind, &hunt::FIRST, &config.stop, config.progress).is_some() {
            return Ok(None);
        }
    }
    let lane = Lane {
        protocol,
        config,
        stop: &config.stop,
        meter: &Meter::default(),
        learnt: &Learnt::default(),
    };
    Ok(Some(lane.go(kind)?.effort))
}

/// Runs the main job.
///
/// # Errors
/// When the solver cannot be asked, or two parts of the tool disagree.
pub fn prove(protocol: &Protocol, config: &ProveConfig<'_>) -> Result<ProofOutcome, JudgeError> {
    let hunt = |kind, effort| hunt::hunt(protocol, kind, effort, &config.stop, config.progress);
    if let Some(hunted) = hunt(PropertyKind::Safety, &hunt::FIRST) {
        return Ok(ProofOutcome::Unsafe(hunted));
    }
    if let Some(hunted) = start::violated(protocol, PropertyKind::Safety, &config.stop) {
        return Ok(ProofOutcome::Unsafe(hunted));
    }
    let lemma = hunt(PropertyKind::Lemma, &hunt::FIRST);
    let larger = || start::violated(protocol, PropertyKind::Lemma, &config.stop);
    if let Some(lemma) = lemma.or_else(larger) {
        // No certificate covers it; what is left to know is whether a property fails as well.
        let hunted = race::hunted(protocol, &config.stop, config);
        return Ok(hunted.map_or(ProofOutcome::FalseLemma(lemma), ProofOutcome::Unsafe));
    }
    let outcome = match config.threads {
        0 | 1 => race::turns(protocol, config)?,
        _ => race::race(protocol, config)?,
    };
    let lemma = outcome.is_open().then(|| hunt(PropertyKind::Lemma, &hunt::NEAR)).flatten();
    Ok(lemma.map_or(outcome, ProofOutcome::FalseLemma))
}
