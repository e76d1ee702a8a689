//! Whether γ alone already refutes the violation, so that no cutoff instance is needed.

use crate::certificate::{Assume, Case, ObligationKind, case_obligations};
use crate::protocol::Protocol;
use crate::smt::ProverError;

use super::{JudgeConfig, Judged, judge_obligations};

/// Whether *rigid*, *start*, *enabled* and *keeps* hold with nothing assumed of `C` but γ, and the
/// hypotheses of *safety* contradict each other.
///
/// # Errors
/// When the prover cannot be run.
pub fn is_inductive(
    large: &Protocol,
    case: &Case,
    config: &JudgeConfig<'_>,
) -> Result<bool, ProverError> {
    let obligations = case_obligations(large, case, Assume::Nothing);
    // The one that usually fails comes first.
    let is_safety = |kind: &ObligationKind| matches!(kind, ObligationKind::Safety { .. });
    let (first, rest): (Vec<_>, Vec<_>) =
        obligations.into_iter().partition(|obligation| is_safety(&obligation.kind));
    let all_valid = |judged: Vec<Judged>| judged.iter().all(Judged::is_valid);
    Ok(!first.is_empty()
        && all_valid(judge_obligations(first, config)?)
        && all_valid(judge_obligations(rest, config)?))
}
