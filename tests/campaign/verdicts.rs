//! The laws about verdicts: `safe` is never reported where some size is unsafe, and `unsafe` only with
//! a run that replays.

use std::time::Duration;

use rmlcut::budget::{Budget, Stop};
use rmlcut::certificate::Certificate;
use rmlcut::finite::Silent;
use rmlcut::judge::{FiniteConfig, JudgeConfig, JudgeError, Judgement, Verdict, judge};
use rmlcut::protocol::{PropertyKind, Protocol, Size, Trace};
use rmlcut::prove::{Prefer, ProofOutcome, ProveConfig, prove};
use rmlcut::smt::z3::{ModelSize, Z3};

use crate::campaign::pace::stretched;
use crate::campaign::semantics::steps_agree;
use crate::campaign::truth::{Seen, Truth};

/// What the tool said, in the words of the summary.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Said {
    Safe,
    SafeUpTo,
    Unsafe,
    Unproved,
}

/// Runs the whole job with little time and holds what it says against what was seen.
///
/// Returns what was said, and the certificate with its judgement if there is one.
pub(crate) fn synthesized(
    truth: &Truth<'_>,
    time: Duration,
    prefer: Prefer,
) -> Result<(Said, Option<(Certificate, Judgement)>), String> {
    let config = ProveConfig {
        stop: Stop::never().within(stretched(time)),
        prefer,
        patience: 1,
        residual: 2,
        threads: 1,
        proved: &|| {},
        progress: &Silent,
    };
    let protocol = truth.protocol;
    let outcome = prove(protocol, &config);
    let ProofOutcome { verdict, judged, .. } =
        outcome.map_err(|error| format!("synth: {error}"))?;
    match (judged, verdict) {
        (Some(judged), verdict) => Ok((holds(&verdict, truth)?, Some(*judged))),
        (None, Verdict::Unsafe(violated)) => {
            is_a_violation(protocol, &violated.claim, &violated.violation.trace)?;
            Ok((Said::Unsafe, None))
        }
        (None, verdict) => {
            assert!(matches!(verdict, Verdict::Unproved(_)), "safe without a certificate");
            Ok((Said::Unproved, None))
        }
    }
}

/// Judges a certificate with little time and holds the verdict against what was seen.
pub(crate) fn checked(
    truth: &Truth<'_>,
    certificate: &Certificate,
    time: Duration,
) -> Result<Said, String> {
    let judgement = judgement(truth.protocol, certificate, time);
    let judgement = judgement.map_err(|error| format!("check: {error}"))?;
    holds(&judgement.verdict, truth)
}

/// What the judge says of a certificate within so much time for each obligation and instance.
pub(crate) fn judgement(
    protocol: &Protocol,
    certificate: &Certificate,
    time: Duration,
) -> Result<Judgement, JudgeError> {
    let time = stretched(time);
    let limits = Budget {
        time,
        max_states: 200_000,
        max_memory: 1 << 28,
        threads: 1,
        ..Budget::until(Stop::never())
    };
    let finite = FiniteConfig { budget: limits, residual: 2, progress: &Silent };
    let config = JudgeConfig {
        prover: &Z3 { models: ModelSize::Any },
        budget: Budget::of_time(time),
        wanted: &|_| true,
        finite: Some(finite),
    };
    judge(protocol, certificate, &config)
}

/// The verdict does not contradict what was seen.
fn holds(verdict: &Verdict, truth: &Truth<'_>) -> Result<Said, String> {
    match verdict {
        Verdict::Safe => {
            let seen = truth.seen()?;
            refuse_violation("safe", seen.iter())?;
            if seen.iter().all(|(_, seen)| *seen == Seen::Nothing) {
                return Err("verdict `safe` for a protocol without runs".to_owned());
            }
            Ok(Said::Safe)
        }
        Verdict::SafeUpTo(bounds) => {
            let within = |(size, _): &&(Size, Seen)| {
                bounds.iter().all(|(sort, bound)| size.get(sort).is_none_or(|count| count <= bound))
            };
            refuse_violation("safe up to a bound", truth.seen()?.iter().filter(within))?;
            Ok(Said::SafeUpTo)
        }
        Verdict::Unsafe(violation) => {
            is_a_violation(truth.protocol, &violation.claim, &violation.violation.trace)?;
            Ok(Said::Unsafe)
        }
        Verdict::Unproved(_) => Ok(Said::Unproved),
    }
}

fn refuse_violation<'a>(
    said: &str,
    mut seen: impl Iterator<Item = &'a (Size, Seen)>,
) -> Result<(), String> {
    match seen.find(|(_, seen)| matches!(seen, Seen::Unsafe(_))) {
        Some((size, _)) => Err(format!("verdict `{said}`, but size {size:?} is unsafe")),
        None => Ok(()),
    }
}

/// The run is one of the protocol, by the concrete and by the symbolic meaning of its actions, and
/// its last state violates the safety property.
fn is_a_violation(protocol: &Protocol, property: &str, trace: &Trace) -> Result<(), String> {
    trace.replay(protocol).map_err(|error| format!("`unsafe` without a run: {error}"))?;
    steps_agree(protocol, trace)?;
    let Some((_, property)) = protocol.property(property) else {
        return Err(format!("verdict `unsafe` names `{property}`, which does not exist"));
    };
    if property.kind != PropertyKind::Safety {
        return Err(format!("verdict `unsafe` names the lemma `{}`", property.name));
    }
    match trace.violation(property) {
        Ok(Some(_)) => Ok(()),
        other => Err(format!("`unsafe`, but `{}` is {other:?}", property.name)),
    }
}
