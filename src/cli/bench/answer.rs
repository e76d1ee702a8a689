//! `rmlcut bench --stage answer`: how long the verdict takes, beside each kind of proof alone.

use std::path::PathBuf;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use super::synth::{BenchLimits, protocols};
use crate::certificate::ProofArgument;
use crate::cli::Format;
use crate::cli::command_output::CommandAnswer;
use crate::cli::terminal::{input, progress};
use crate::finite::Progress;
use crate::judge::{JudgeError, Verdict};
use crate::pipeline;
use crate::protocol::Protocol;
use crate::prove::{Prefer, ProofOutcome, ProveConfig, prove, prove_alone};
use crate::report::bench::answer;
use crate::report::bench::answer::{Alone, Row};
use crate::report::text::synth;

/// Measures every protocol among the paths.
pub(in crate::cli) fn run(
    paths: &[PathBuf],
    limits: &BenchLimits,
    repeat: u32,
    format: Format,
) -> CommandAnswer {
    let files = match protocols(paths, format) {
        Ok(files) => files,
        Err(answer) => return answer,
    };
    let mut rows = Vec::new();
    for file in files {
        if limits.stop.is_set() {
            break;
        }
        let source = match input::read(&file) {
            Ok(source) => source,
            Err(error) => return CommandAnswer::unreadable(format, &error),
        };
        let protocol = match pipeline::read_protocol(&source) {
            Ok((protocol, _)) => protocol,
            Err(messages) => return CommandAnswer::refused(format, &source, &messages),
        };
        let measured = progress::during(&protocol.name, limits.timeout * 3, |progress| {
            Measured { protocol: &protocol, limits, repeat, progress }.row()
        });
        match measured {
            Ok(row) => rows.push(row),
            Err(error) => return crate::cli::check::failed(format, &error),
        }
    }
    CommandAnswer::success(match format {
        Format::Text => answer::text(&rows),
        Format::Json | Format::Itf => answer::json(&rows),
    })
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
        let mut row = self.answered()?;
        let Some(kind) = row.answer else { return Ok(row) };
        for _ in 1..self.repeat {
            let again = self.answered()?;
            row.verdict_time = row.verdict_time.min(again.verdict_time);
            row.time = row.time.min(again.time);
        }
        let own = self.alone(kind, self.limits.timeout)?;
        // A kind that takes longer than the other one is not the faster one.
        let other = self.alone(kind.other(), own.time())?;
        (row.cutoff, row.invariant) = match kind {
            Prefer::Cutoff => (Some(own), Some(other)),
            Prefer::Invariant => (Some(other), Some(own)),
        };
        Ok(row)
    }

    /// As `rmlcut synth` does it, once.
    fn answered(self) -> Result<Row, JudgeError> {
        let (start, first) = (Instant::now(), OnceLock::new());
        let proved = || {
            first.get_or_init(|| start.elapsed());
        };
        let config = ProveConfig { proved: &proved, ..self.limits.config(self.progress) };
        let outcome = prove(self.protocol, &config)?;
        let time = start.elapsed();
        Ok(Row {
            name: self.protocol.name.to_string(),
            verdict: synth::verdict(self.protocol, &outcome),
            answer: proof(&outcome),
            verdict_time: first.get().copied().unwrap_or(time),
            time,
            cutoff: None,
            invariant: None,
        })
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
        let time = start.elapsed();
        Ok(match effort {
            Some(effort) if effort.is_proof() => Alone::Proved(time, effort.units),
            Some(_) | None => Alone::Not(time),
        })
    }
}

/// The kind of a proof that every size is safe.
fn proof(outcome: &ProofOutcome) -> Option<Prefer> {
    let ProofOutcome::Judged { certificate, judgement, .. } = outcome else { return None };
    matches!(judgement.verdict, Verdict::Safe).then_some(match certificate.argument {
        ProofArgument::Cutoff(_) => Prefer::Cutoff,
        ProofArgument::Invariant(_) => Prefer::Invariant,
    })
}
