//! The main job: look for a real violation, look for a certificate of either kind, have it judged.
//!
//! The searches are not trusted; a verdict comes from the judge, or from a trace that the concrete
//! semantics has replayed.

mod data_cutoff;
mod equal_processes;
mod initial_violation;
mod job;
mod literal_comparison;
mod parallel_strategies;
mod proof_preference;
mod residual_invariants;
mod strategy;
mod strategy_choice;
mod strategy_comparison;
mod violation_search;

pub use crate::synthesis::literal::LiteralError;
pub use equal_processes::{CountersSaid, EqualsReport, ProvedCutoff, ViewsSaid, prove_equals};
pub use job::{ProofOutcome, ProveConfig};
pub use literal_comparison::{LiteralComparison, LiteralTimes, compare_literal, prove_literally};
pub use proof_preference::Prefer;
pub use strategy_comparison::{Figures, ProofComparison, StrategyEffort, StrategyResult, Stuck};

use crate::budget::Meter;
use crate::judge::JudgeError;
use crate::protocol::{PropertyKind, Protocol};
use strategy::{Learnt, StrategyRun};

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
    let (first, stop) = (&violation_search::FIRST, &config.stop);
    let search =
        |kind| violation_search::search_violation(protocol, kind, first, stop, config.progress);
    if [PropertyKind::Safety, PropertyKind::Lemma].into_iter().any(|kind| search(kind).is_some()) {
        return Ok(None);
    }
    let (meter, learnt) = (&Meter::default(), &Learnt::default());
    Ok(Some(StrategyRun { protocol, config, stop, meter, learnt }.execute(kind)?.effort))
}

/// Runs the main job.
///
/// # Errors
/// When the solver cannot be used, or two parts of the tool disagree.
pub fn prove(protocol: &Protocol, config: &ProveConfig<'_>) -> Result<ProofOutcome, JudgeError> {
    let search = |kind, effort| {
        violation_search::search_violation(protocol, kind, effort, &config.stop, config.progress)
    };
    if let Some(violation) = search(PropertyKind::Safety, &violation_search::FIRST) {
        return Ok(ProofOutcome::of_violation(violation));
    }
    if let Some(violation) =
        initial_violation::violated(protocol, PropertyKind::Safety, &config.stop)
    {
        return Ok(ProofOutcome::of_violation(violation));
    }
    let lemma = search(PropertyKind::Lemma, &violation_search::FIRST);
    let larger = || initial_violation::violated(protocol, PropertyKind::Lemma, &config.stop);
    if let Some(lemma) = lemma.or_else(larger) {
        // No certificate covers a false lemma; a safety property may still fail as well.
        let violation = parallel_strategies::safety_violation(protocol, &config.stop, config);
        return Ok(match violation {
            Some(violation) => ProofOutcome::of_violation(violation),
            None => ProofOutcome::of_false_lemma(lemma),
        });
    }
    let outcome = match config.threads {
        0 | 1 => parallel_strategies::in_turns(protocol, config)?,
        _ => parallel_strategies::in_parallel(protocol, config)?,
    };
    let lemma =
        outcome.is_open().then(|| search(PropertyKind::Lemma, &violation_search::NEAR)).flatten();
    match lemma {
        Some(lemma) => Ok(ProofOutcome::of_false_lemma(lemma)),
        None => data_cutoff::with_data_cut(protocol, config, outcome),
    }
}
