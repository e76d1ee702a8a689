//! The main job: look for a real violation, look for a certificate, have it judged.
//!
//! What is found is found by untrusted means; what is said of it is said by the judge, or by a
//! trace that the concrete semantics has replayed.

mod close;
mod hunt;

pub use hunt::Hunted;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use crate::certificate::{Case, Certificate};
use crate::finite::{ENGINES, Progress};
use crate::judge::{
    FiniteConfig, FiniteLimits, JudgeConfig, JudgeError, Judgement, Verdict, judge,
};
use crate::protocol::Protocol;
use crate::smt::z3::{ModelSize, Z3};
use crate::smt::{Budget, Cancellation};
use crate::synthesis::{Attempt, SearchConfig, search};

/// What the main job may cost.
pub struct ProveConfig<'a> {
    /// Time for the search.
    pub timeout: Duration,
    /// Which kind of proof is looked for first.
    pub prefer: Prefer,
    /// Residual sorts are tried at every size up to this one.
    pub residual: u32,
    /// How many threads may work on one instance.
    pub threads: usize,
    /// Stops the search.
    pub cancellation: Cancellation,
    /// Receives news of explorations.
    pub progress: &'a dyn Progress,
}

/// Which kind of proof is looked for first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Prefer {
    /// A cutoff, with an invariant only for what it leaves unbounded.
    Cutoff,
    /// An inductive invariant of the protocol itself.
    Invariant,
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
    match config.prefer {
        Prefer::Cutoff => by_cutoff_first(protocol, deadline, config),
        Prefer::Invariant => match by_invariant(protocol, deadline, config)? {
            Some(outcome) => Ok(outcome),
            None => by_cutoff_first(protocol, deadline, config),
        },
    }
}

/// A cutoff; where that leaves a gap or a bound, an invariant of the protocol itself.
fn by_cutoff_first(
    protocol: &Protocol,
    deadline: Instant,
    config: &ProveConfig<'_>,
) -> Result<Outcome, JudgeError> {
    let found = search(
        protocol,
        &SearchConfig {
            deadline: part_of(deadline, SEARCH_SHARE),
            cancellation: config.cancellation.clone(),
            mined: Vec::new(),
        },
    );
    let by_cutoff = match found.certificate {
        None => Outcome::Nothing { cases: found.cases, attempts: found.attempts },
        Some(certificate) => {
            let certificate = close::close(certificate, part_of(deadline, CLOSING_SHARE), config);
            let judgement = judged(protocol, &certificate, config)?;
            Outcome::Judged {
                certificate: Box::new(certificate),
                judgement: Box::new(judgement),
                attempts: found.attempts,
            }
        }
    };
    if by_cutoff.is_final() || config.prefer == Prefer::Invariant {
        return Ok(by_cutoff);
    }
    Ok(by_invariant(protocol, deadline, config)?.unwrap_or(by_cutoff))
}

/// An invariant of the protocol itself, if one is found and proved.
fn by_invariant(
    protocol: &Protocol,
    deadline: Instant,
    config: &ProveConfig<'_>,
) -> Result<Option<Outcome>, JudgeError> {
    let Some(certificate) = close::direct(protocol, deadline, config) else { return Ok(None) };
    let judgement = judged(protocol, &certificate, config)?;
    let outcome = Outcome::Judged {
        certificate: Box::new(certificate),
        judgement: Box::new(judgement),
        attempts: Vec::new(),
    };
    Ok(outcome.is_final().then_some(outcome))
}

impl Outcome {
    /// Whether nothing better can be hoped for.
    fn is_final(&self) -> bool {
        match self {
            Outcome::Unsafe(_) => true,
            Outcome::Judged { judgement, .. } => {
                matches!(judgement.verdict, Verdict::Safe | Verdict::Unsafe(_))
            }
            Outcome::Nothing { .. } => false,
        }
    }
}

/// The parts of the remaining time, in tenths, that a search and a closing may take.
const SEARCH_SHARE: u32 = 5;
const CLOSING_SHARE: u32 = 5;

fn part_of(deadline: Instant, tenths: u32) -> Instant {
    let now = Instant::now();
    now + deadline.saturating_duration_since(now) / 10 * tenths
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
