//! The main job: look for a real violation, look for a certificate of either kind, have it judged.
//!
//! The searches are not trusted; a verdict comes from the judge, or from a trace that the concrete
//! semantics has replayed.

mod close;
mod compare;
mod hunt;
mod job;
mod literal;
mod patience;
mod race;
mod referee;
mod start;
mod strategy;

pub use crate::synthesis::literal::LiteralError;
pub use compare::{Figures, ProofComparison, StrategyEffort, StrategyResult, Stuck};
pub use hunt::Hunted;
pub use job::{ProofOutcome, ProveConfig};
pub use literal::{LiteralComparison, LiteralTimes, compare_literal, prove_literally};
pub use patience::Prefer;

use crate::budget::Meter;
use crate::judge::JudgeError;
use crate::protocol::{PropertyKind, Protocol};
use strategy::{Lane, Learnt};

/// Looks for one kind of proof only and for no violation, as the baseline for the main job. `None` if
/// a small instance violates something.
///
/// # Errors
/// When the solver cannot be used, or two parts of the tool disagree.
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
/// When the solver cannot be used, or two parts of the tool disagree.
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
        // No certificate covers a false lemma; a safety property may still fail as well.
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
