//! Whether γ alone already refutes the violation, so that no cutoff instance is needed.

use crate::certificate::{Assume, Case, ObligationKind, case_obligations};
use crate::protocol::Protocol;
use crate::smt::ProverError;

use super::{JudgeConfig, Judged, judge_obligations};

/// Whether *rigid*, *start*, *enabled* and *keeps* hold with nothing assumed of `C` but γ, and the
/// hypotheses of *safety* contradict each other.
pub(super) fn is_inductive(
    large: &Protocol,
    case: &Case,
    config: &JudgeConfig<'_>,
) -> Result<bool, ProverError> {
    let mut obligations = case_obligations(large, case, Assume::Nothing);
    // The one that usually fails comes first.
    obligations.sort_by_key(|obligation| match obligation.kind {
        ObligationKind::Safety { .. } => 0,
        _ => 1,
    });
    let rest = obligations.split_off(1);
    let first = judge_obligations(obligations, config)?;
    if !first.iter().all(Judged::is_valid) {
        return Ok(false);
    }
    Ok(judge_obligations(rest, config)?.iter().all(Judged::is_valid))
}
