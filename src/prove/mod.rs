//! The main job: look for a real violation, look for a certificate, have it judged.
//!
//! What is found is found by untrusted means; what is said of it is said by the judge, or by a
//! trace that the concrete semantics has replayed.

mod hunt;

pub use hunt::Hunted;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use crate::certificate::{Case, Certificate};
use crate::finite::{ENGINES, Progress};
use crate::judge::{FiniteConfig, FiniteLimits, JudgeConfig, JudgeError, Judgement, judge};
use crate::protocol::Protocol;
use crate::smt::z3::{ModelSize, Z3};
use crate::smt::{Budget, Cancellation};
use crate::synthesis::{Attempt, SearchConfig, search};

/// What the main job may cost.
pub struct ProveConfig<'a> {
    /// Time for the search.
    pub timeout: Duration,
    /// Residual sorts are tried at every size up to this one.
    pub residual: u32,
    /// How many threads may work on one instance.
    pub threads: usize,
    /// Stops the search.
    pub cancellation: Cancellation,
    /// Receives news of explorations.
    pub progress: &'a dyn Progress,
}

/// What came of the main job.
pub enum Outcome {
    /// A small instance violates a safety property.
    Unsafe(Hunted),
    /// A certificate was found, and this is what the judge says of it.
    Judged {
        /// The certificate.
        certificate: Box<Certificate>,
        /// The judgement.
        judgement: Box<Judgement>,
        /// What was tried.
        attempts: Vec<Attempt>,
    },
    /// No certificate was found.
    Nothing {
        /// The cases that were proved all the same.
        cases: Vec<Case>,
        /// What was tried.
        attempts: Vec<Attempt>,
    },
}

/// Runs the main job.
///
/// # Errors
/// When the solver cannot be asked, or two parts of the tool disagree.
pub fn prove(protocol: &Protocol, config: &ProveConfig<'_>) -> Result<Outcome, JudgeError> {
    let deadline = Instant::now() + config.timeout;
    if let Some(hunted) = hunt::hunt(protocol, deadline, config) {
        return Ok(Outcome::Unsafe(hunted));
    }
    let found = search(
        protocol,
        &SearchConfig { deadline, cancellation: config.cancellation.clone(), mined: Vec::new() },
    );
    let Some(certificate) = found.certificate else {
        return Ok(Outcome::Nothing { cases: found.cases, attempts: found.attempts });
    };
    let judgement = judged(protocol, &certificate, config)?;
    Ok(Outcome::Judged {
        certificate: Box::new(certificate),
        judgement: Box::new(judgement),
        attempts: found.attempts,
    })
}

fn judged(
    protocol: &Protocol,
    certificate: &Certificate,
    config: &ProveConfig<'_>,
) -> Result<Judgement, JudgeError> {
    let limits = FiniteLimits {
        time: config.timeout,
        max_states: 20_000_000,
        max_memory: 4 << 30,
        threads: config.threads,
        cancelled: Arc::new(AtomicBool::new(false)),
    };
    let finite = FiniteConfig {
        engines: ENGINES,
        limits,
        residual: config.residual,
        progress: config.progress,
    };
    let budget = Budget {
        timeout: Duration::from_secs(20),
        resources: None,
        cancellation: config.cancellation.clone(),
    };
    let judge_config = JudgeConfig {
        prover: &Z3 { models: ModelSize::Small },
        budget,
        wanted: &|_| true,
        finite: Some(finite),
    };
    judge(protocol, certificate, &judge_config)
}
