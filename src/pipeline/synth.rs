//! From a protocol to a proof, a counterexample or neither.

use crate::budget::Stop;
use crate::coverage::{Exercise, exercise};
use crate::judge::JudgeError;
use crate::process::Process;
use crate::protocol::Protocol;
use crate::prove::{
    EqualsReport, LiteralError, ProofOutcome, ProveConfig, prove, prove_equals, prove_literally,
};

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

/// What a search found, and what the protocol does in small instances.
pub struct Synthesis {
    /// The outcome.
    pub outcome: ProofOutcome,
    /// What the methods for equal processes said.
    pub equals: EqualsReport,
    /// What the protocol does, where there is no violation.
    pub coverage: Option<Exercise>,
}

/// Searches for a proof and for a violation; where there is no violation, also reports what the
/// protocol does in small instances, as far as there is time. Where the protocol describes equal
/// processes, the process helps.
///
/// # Errors
/// As for [`prove_with`].
pub fn synth(
    (protocol, process): (&Protocol, Option<&Process>),
    strategy: Strategy,
    config: &ProveConfig<'_>,
) -> Result<Synthesis, SynthError> {
    let (outcome, equals) = match strategy {
        Strategy::Search => prove_equals(protocol, process, config)?,
        Strategy::Literal => (prove_with(protocol, strategy, config)?, EqualsReport::default()),
    };
    let coverage = coverage(protocol, &outcome, &config.stop);
    Ok(Synthesis { outcome, equals, coverage })
}

fn coverage(protocol: &Protocol, outcome: &ProofOutcome, stop: &Stop) -> Option<Exercise> {
    let certificate = outcome.judged.as_deref().map(|(certificate, _)| certificate);
    if certificate.is_none() && outcome.violation().is_some() {
        return None;
    }
    exercise(protocol, certificate, stop)
}
