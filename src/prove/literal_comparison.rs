//! The paper's own synthesis, judged by its printed conditions and by ours.
//!
//! Only ours lead to a verdict.

use std::time::{Duration, Instant};

use crate::budget::{Budget, Meter};
use crate::certificate::{Case, Certificate, ProofArgument};
use crate::judge::{JudgeConfig, JudgeError, Judged, every_obligation, judge_obligations};
use crate::protocol::Protocol;
use crate::smt::z3::{ModelSize, Z3};
use crate::synthesis::literal::{LiteralError, as_printed, literal};

use super::job::{ProofOutcome, ProveConfig};
use super::strategy::{Learnt, StrategyRun};

/// What the paper's algorithm makes of a protocol, under both readings.
#[derive(Clone, Debug)]
pub struct LiteralComparison {
    /// The certificate: a case for each property.
    pub certificate: Certificate,
    /// The answers to the conditions that the paper prints.
    pub printed: Vec<Judged>,
    /// The answers to the obligations of a proof, all but *finite*.
    pub sound: Vec<Judged>,
    /// What it took.
    pub times: LiteralTimes,
}

/// How long the paper's algorithm and its verification took.
#[derive(Clone, Copy, Debug)]
pub struct LiteralTimes {
    /// Analysis and synthesis.
    pub synthesis: Duration,
    /// The printed conditions.
    pub printed: Duration,
    /// The sound obligations.
    pub sound: Duration,
}

impl LiteralComparison {
    /// The cases of the certificate.
    pub fn cases(&self) -> &[Case] {
        cases_of(&self.certificate)
    }
}

fn cases_of(certificate: &Certificate) -> &[Case] {
    match &certificate.argument {
        ProofArgument::Cutoff(cases) => cases,
        ProofArgument::Invariant(_) => &[],
    }
}

/// Runs the paper's algorithm and checks its result under the paper's conditions and under ours.
///
/// # Errors
/// When the solver cannot be used.
pub fn compare_literal(
    protocol: &Protocol,
    budget: &Budget,
) -> Result<Result<LiteralComparison, LiteralError>, JudgeError> {
    let start = Instant::now();
    let certificate = match literal(protocol) {
        Ok(certificate) => certificate,
        Err(error) => return Ok(Err(error)),
    };
    let synthesis = start.elapsed();
    let config = JudgeConfig {
        prover: &Z3 { models: ModelSize::Any },
        budget: budget.clone(),
        wanted: &|_| true,
        finite: None,
    };
    let cases = cases_of(&certificate);
    let start = Instant::now();
    let conditions = cases.iter().flat_map(|case| as_printed(protocol, case));
    let printed_answers = judge_obligations(conditions.collect(), &config)?;
    let printed = start.elapsed();
    let start = Instant::now();
    let sound_answers = judge_obligations(every_obligation(&certificate), &config)?;
    let times = LiteralTimes { synthesis, printed, sound: start.elapsed() };
    Ok(Ok(LiteralComparison { certificate, printed: printed_answers, sound: sound_answers, times }))
}

/// The paper's algorithm instead of the search: its certificate, and the judgement.
///
/// # Errors
/// When the solver cannot be used, or two parts of the tool disagree.
pub fn prove_literally(
    protocol: &Protocol,
    config: &ProveConfig<'_>,
) -> Result<Result<ProofOutcome, LiteralError>, JudgeError> {
    let certificate = match literal(protocol) {
        Ok(certificate) => certificate,
        Err(error) => return Ok(Err(error)),
    };
    let run = StrategyRun {
        protocol,
        config,
        stop: &config.stop,
        meter: &Meter::default(),
        learnt: &Learnt::default(),
    };
    let judgement = run.judge(&certificate)?;
    Ok(Ok(ProofOutcome::of_judgement(certificate, judgement)))
}
