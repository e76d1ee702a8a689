//! Why there is no judgement.

use crate::finite::EngineError;
use crate::smt::ProverError;

/// Why a certificate could not be judged.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum JudgeError {
    /// A solver could not be run.
    #[error(transparent)]
    Prover(#[from] ProverError),
    /// Two parts of the tool disagree about a finite instance.
    #[error(transparent)]
    Engine(#[from] EngineError),
}

impl JudgeError {
    /// Whether this is an internal error rather than a problem of the environment.
    pub fn is_bug(&self) -> bool {
        match self {
            JudgeError::Prover(ProverError::IllSorted(_)) => true,
            JudgeError::Prover(_) => false,
            JudgeError::Engine(error) => error.is_bug(),
        }
    }
}
