//! `rmlcut synth`: the main job, from a protocol to a verdict and a certificate.

use std::path::PathBuf;
use std::time::Duration;

use super::answer::{Answer, Status};
use super::{Format, input, output};
use crate::certificate::print_certificate;
use crate::finite::Silent;
use crate::judge::Verdict;
use crate::pipeline;
use crate::prove::{Outcome, Prefer, ProveConfig, prove};
use crate::report;
use crate::report::synth::Telling;
use crate::smt::Cancellation;

const EXAMPLES: &str = "\
Examples:
  rmlcut synth protocol.rml
  rmlcut synth -o protocol.cut protocol.rml
  rmlcut synth --explain --timeout 120 protocol.rml";

/// What `rmlcut synth` is told.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Arguments {
    /// The protocol; `-` reads the standard input
    file: PathBuf,
    #[command(flatten)]
    choice: input::Choice,
    /// Write the certificate to this file
    #[arg(short, long)]
    output: Option<PathBuf>,
    /// Give up the search after so many seconds
    #[arg(long, default_value_t = 60)]
    timeout: u64,
    /// Try residual sorts at every size up to this one
    #[arg(long, default_value_t = 3)]
    residual: u32,
    /// How many threads may explore one instance; all cores if not given
    #[arg(long)]
    jobs: Option<usize>,
    /// Which kind of proof to look for first
    #[arg(long, value_enum, default_value_t = Preference::Cutoff)]
    prefer: Preference,
    /// Tell every attempt, and why it failed
    #[arg(long)]
    explain: bool,
}

/// Which kind of proof is looked for first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Preference {
    /// A cutoff, with an invariant only for what it leaves unbounded
    Cutoff,
    /// An inductive invariant of the protocol itself
    Invariant,
}

/// Proves one protocol.
pub(super) fn run(arguments: &Arguments, format: Format) -> Answer {
    let source = match input::read_protocol(&arguments.file, &arguments.choice) {
        Ok(source) => source,
        Err(error) => return Answer::unreadable(format, &error),
    };
    let (protocol, warnings) = match pipeline::read_protocol(&source) {
        Ok(read) => read,
        Err(diagnostics) => return Answer::refused(format, &source, &diagnostics),
    };
    let cores = || std::thread::available_parallelism().map_or(1, usize::from);
    let cancellation = Cancellation::default();
    let signal = cancellation.clone();
    // Without a handler the signal ends the program at once, which is a fair second best.
    let _ = ctrlc::set_handler(move || signal.cancel());
    let config = ProveConfig {
        timeout: Duration::from_secs(arguments.timeout),
        prefer: match arguments.prefer {
            Preference::Cutoff => Prefer::Cutoff,
            Preference::Invariant => Prefer::Invariant,
        },
        residual: arguments.residual,
        threads: arguments.jobs.unwrap_or_else(cores),
        cancellation,
        progress: &Silent,
    };
    let outcome = match prove(&protocol, &config) {
        Ok(outcome) => outcome,
        Err(error) if error.is_bug() => return Answer::failure(format, Status::OurMistake, &error),
        Err(error) => return Answer::failure(format, Status::WorldFailed, &error),
    };
    let certificate = match &outcome {
        Outcome::Judged { certificate, .. } => Some(print_certificate(&protocol, certificate, "")),
        Outcome::Unsafe(_) | Outcome::Nothing { .. } => None,
    };
    if let (Some(path), Some(text)) = (&arguments.output, &certificate)
        && let Err(error) = output::replace(path, text)
    {
        return Answer::failure(format, Status::WorldFailed, &error);
    }
    let telling = if arguments.explain { Telling::Attempts } else { Telling::Result };
    let text = report::synth::text(&protocol, &outcome, certificate.as_deref(), telling);
    let output = match format {
        Format::Text | Format::Itf => text,
        Format::Json => report::json_synth::document(&protocol, &outcome, certificate.as_deref()),
    };
    let answer = Answer { status: status(&outcome), ..Answer::success(output) };
    answer.with_warnings(&source, &warnings)
}

fn status(outcome: &Outcome) -> Status {
    match outcome {
        Outcome::Unsafe(_) => Status::No,
        Outcome::Judged { judgement, .. } => match judgement.verdict {
            Verdict::Safe => Status::Success,
            Verdict::Unsafe(_) => Status::No,
            Verdict::SafeUpTo(_) | Verdict::Unproved(_) => Status::Unproved,
        },
        Outcome::Nothing { .. } => Status::Unproved,
    }
}
