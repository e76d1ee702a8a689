//! From a protocol to a proof, a counterexample or neither.

use crate::budget::Stop;
use crate::coverage::{Exercise, exercise};
use crate::judge::JudgeError;
use crate::protocol::Protocol;
use crate::prove::{LiteralError, ProofOutcome, ProveConfig, prove, prove_literally};

/// How to search for a certificate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strategy {
    /// By all methods.
    Search,
    /// By the paper's algorithm exactly as published.
    Literal,
}

/// Why a search has no outcome.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SynthError {
    /// There is no judgement.
    #[error(transparent)]
    Judge(#[from] JudgeError),
    /// The paper's algorithm does not cover this protocol.
    #[error("the paper's algorithm does not apply: {0}")]
    Literal(LiteralError),
}

/// Searches for a proof and for a violation.
///
/// # Errors
/// When a solver is missing, two parts of the tool disagree, or the strategy does not apply.
pub fn prove_with(
    protocol: &Protocol,
    strategy: Strategy,
    config: &ProveConfig<'_>,
) -> Result<ProofOutcome, SynthError> {
    match strategy {
        Strategy::Search => Ok(prove(protocol, config)?),
        Strategy::Literal => prove_literally(protocol, config)?.map_err(SynthError::Literal),
    }
}

/// Searches for a proof and for a violation; where there is no violation, also reports what the
/// protocol does in small instances, as far as there is time.
///
/// # Errors
/// As for [`prove_with`].
pub fn synth(
    protocol: &Protocol,
    strategy: Strategy,
    config: &ProveConfig<'_>,
) -> Result<(ProofOutcome, Option<Exercise>), SynthError> {
    let outcome = prove_with(protocol, strategy, config)?;
    let coverage = coverage(protocol, &outcome, &config.stop);
    Ok((outcome, coverage))
}

fn coverage(protocol: &Protocol, outcome: &ProofOutcome, stop: &Stop) -> Option<Exercise> {
    let certificate = match outcome {
        ProofOutcome::Unsafe(_) | ProofOutcome::FalseLemma(_) => return None,
        ProofOutcome::Judged { certificate, .. } => Some(&**certificate),
        ProofOutcome::Nothing { .. } => None,
    };
    exercise(protocol, certificate, stop)
}
