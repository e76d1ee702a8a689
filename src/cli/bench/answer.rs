//! `rmlcut bench --stage answer`: how long the verdict takes, beside each kind of proof alone.

use std::path::PathBuf;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use super::synth::{BenchLimits, protocols};
use crate::certificate::ProofArgument;
use crate::cli::Format;
use crate::cli::command_output::{CommandAnswer, CommandResult, read};
use crate::cli::terminal::progress;
use crate::finite::Progress;
use crate::judge::{JudgeError, Verdict};
use crate::pipeline;
use crate::protocol::Protocol;
use crate::prove::{Prefer, ProofOutcome, ProveConfig, StrategyEffort, prove, prove_alone};
use crate::report::bench::answer::{Alone, AnswerBench, Row};
use crate::report::text::synth;

/// Measures every protocol among the paths.
pub(crate) fn run(
    paths: &[PathBuf],
    limits: &BenchLimits,
    repeat: u32,
    format: Format,
) -> CommandResult {
    let mut rows = Vec::new();
    for file in protocols(paths, format)? {
        if limits.stop.is_set() {
            break;
        }
        let source = read(format, &file)?;
        let (protocol, _) = pipeline::read_protocol(&source)
            .map_err(|messages| CommandAnswer::refused(format, &source, &messages))?;
        let measured = progress::during(&protocol.name, limits.timeout * 3, |progress| {
            Measured { protocol: &protocol, limits, repeat, progress }.row()
        });
        rows.push(measured.map_err(|error| crate::cli::check::failed(format, &error))?);
    }
    Ok(super::answer(format, &AnswerBench::new(rows)))
}

/// A protocol to measure, and how.
#[derive(Clone, Copy)]
struct Measured<'a> {
    protocol: &'a Protocol,
    limits: &'a BenchLimits,
    /// How often; the best counts.
    repeat: u32,
    progress: &'a dyn Progress,
}

impl Measured<'_> {
    fn row(self) -> Result<Row, JudgeError> {
        let (mut row, kind) = self.measure_answer()?;
        let Some(kind) = kind else { return Ok(row) };
        for _ in 1..self.repeat {
            let (again, _) = self.measure_answer()?;
            row.seconds_to_verdict = row.seconds_to_verdict.min(again.seconds_to_verdict);
            row.seconds = row.seconds.min(again.seconds);
        }
        let own = self.alone(kind, self.limits.timeout)?;
        // A kind that takes longer than the other one is not the faster one.
        let other = self.alone(kind.other(), Duration::from_secs_f64(own.seconds))?;
        (row.cutoff_alone, row.invariant_alone) = match kind {
            Prefer::Cutoff => (Some(own), Some(other)),
            Prefer::Invariant => (Some(other), Some(own)),
        };
        Ok(row.with_ratios())
    }

    /// As `rmlcut synth` does it, once; with the kind of the proof that every size is safe.
    fn measure_answer(self) -> Result<(Row, Option<Prefer>), JudgeError> {
        let (start, first) = (Instant::now(), OnceLock::new());
        let proved = || {
            first.get_or_init(|| start.elapsed());
        };
        let config = ProveConfig { proved: &proved, ..self.limits.config(self.progress) };
        let outcome = prove(self.protocol, &config)?;
        let time = start.elapsed();
        let kind = proof(&outcome);
        let row = Row {
            protocol: self.protocol.name.to_string(),
            verdict: synth::verdict(self.protocol, &outcome),
            answer: kind.map(Prefer::name),
            seconds_to_verdict: first.get().copied().unwrap_or(time).as_secs_f64(),
            seconds: time.as_secs_f64(),
            cutoff_alone: None,
            invariant_alone: None,
            ratio: None,
            ratio_of_certificate: None,
        };
        Ok((row, kind))
    }

    /// One kind of proof alone, for no longer than `most`.
    fn alone(self, kind: Prefer, most: Duration) -> Result<Alone, JudgeError> {
        let mut best = self.alone_once(kind, most)?;
        for _ in 1..self.repeat {
            let again = self.alone_once(kind, most)?;
            if again.proved().is_some_and(|time| best.proved().is_none_or(|best| time < best)) {
                best = again;
            }
        }
        Ok(best)
    }

    /// The search divides its time up, so it is given all of the time, and cancelled later.
    fn alone_once(self, kind: Prefer, most: Duration) -> Result<Alone, JudgeError> {
        let config = self.limits.config(self.progress);
        let stop = config.stop.child();
        let config = ProveConfig { stop: stop.clone(), ..config };
        let finished = AtomicBool::new(false);
        let start = Instant::now();
        let effort = thread::scope(|scope| {
            scope.spawn(|| {
                stop.within(most).wait_unless(|| finished.load(Ordering::Acquire));
                stop.cancel();
            });
            let effort = prove_alone(self.protocol, kind, &config);
            finished.store(true, Ordering::Release);
            stop.wake();
            effort
        })?;
        let proof = effort.filter(StrategyEffort::is_proof);
        let seconds = start.elapsed().as_secs_f64();
        Ok(Alone { seconds, effort: proof.map(|proof| proof.units) })
    }
}

/// The kind of a proof that every size is safe.
fn proof(outcome: &ProofOutcome) -> Option<Prefer> {
    let (certificate, _) = outcome.judged.as_deref()?;
    matches!(outcome.verdict, Verdict::Safe).then_some(match certificate.argument {
        ProofArgument::Cutoff(_) => Prefer::Cutoff,
        ProofArgument::Invariant(_) => Prefer::Invariant,
    })
}
