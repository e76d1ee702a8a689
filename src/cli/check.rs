//! `rmlcut check`: does this certificate prove this protocol?

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use super::answer::{Answer, Status};
use super::{Format, input};
use crate::finite::Silent;
use crate::judge::request::{Cutoffs, Request, Solver};
use crate::judge::{FiniteLimits, JudgeError, Verdict};
use crate::pipeline::{self, Memory, Origin};
use crate::report;
use crate::report::check::Checked;
use crate::smt::{Budget, Cancellation};

const EXAMPLES: &str = "\
Examples:
  rmlcut check protocol.rml protocol.cut
  rmlcut check protocol.rml --only 'step reshard*keeps'
  rmlcut check protocol.rml protocol.cut --watch
  rmlcut check protocol.rml protocol.cut --solver both --smt2 evidence

Exit code: 0 safe, 1 unsafe, 2 unproved or only bounded, 3 a file or a solver is missing,
64 wrong input, 70 a mistake of ours.";

/// What `rmlcut check` is told.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Arguments {
    /// The protocol
    protocol: PathBuf,
    #[command(flatten)]
    choice: input::Choice,
    /// The certificate; if it is not given, the protocol's name with `.cut`
    certificate: Option<PathBuf>,
    /// Look only at obligations whose name contains this; `*` stands for anything
    #[arg(long, value_name = "PATTERN")]
    only: Option<String>,
    /// Seconds for each obligation, and for each size of a cutoff instance
    #[arg(long, value_name = "SECONDS", default_value = "30", value_parser = super::seconds)]
    timeout: Duration,
    /// The solver's own unit of effort for each obligation: the same on every machine
    #[arg(long, value_name = "N")]
    rlimit: Option<u32>,
    /// Search residual sorts at every size up to this one
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..))]
    residual: u32,
    /// Who discharges the obligations
    #[arg(long, value_enum, default_value_t = SolverName::Z3)]
    solver: SolverName,
    /// The program `cvc5`, or a Python that has the module `cvc5`
    #[arg(long, value_name = "PATH")]
    cvc5: Option<OsString>,
    /// Check a certificate that was made for another version of the protocol
    #[arg(long)]
    rebase: bool,
    /// Leave the cutoff instances open
    #[arg(long)]
    no_finite: bool,
}

/// A solver as users name it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum SolverName {
    /// Z3
    Z3,
    /// cvc5
    Cvc5,
    /// Both, and they must agree
    Both,
}

/// Checks one certificate.
pub(super) fn run(arguments: &Arguments, format: Format) -> Answer {
    let stop = Stop::default();
    stop.on_interrupt();
    once(arguments, format, &stop, None)
}

/// How to call everything off.
#[derive(Clone, Default)]
pub(super) struct Stop {
    cancellation: Cancellation,
    cancelled: Arc<AtomicBool>,
}

impl Stop {
    fn on_interrupt(&self) {
        let stop = self.clone();
        // Without a handler the signal ends the program at once, which is a fair second best.
        let _ = ctrlc::set_handler(move || {
            stop.cancellation.cancel();
            stop.cancelled.store(true, Ordering::Relaxed);
        });
    }
}

fn once(arguments: &Arguments, format: Format, stop: &Stop, memory: Option<&Memory>) -> Answer {
    let text = match input::read_protocol(&arguments.protocol, &arguments.choice) {
        Ok(text) => text,
        Err(error) => return Answer::unreadable(format, &error),
    };
    let (protocol, warnings) = match pipeline::read_protocol(&text) {
        Ok(read) => read,
        Err(messages) => return Answer::refused(format, &text, &messages),
    };
    let path = arguments.certificate.clone();
    let path = path.unwrap_or_else(|| arguments.protocol.with_extension("cut"));
    let source = match input::read(&path) {
        Ok(source) => source,
        Err(error) => return Answer::unreadable(format, &error),
    };
    let origin = if arguments.rebase { Origin::AnyText } else { Origin::ThisText };
    let read = match pipeline::read_certificate(&protocol, &source, origin) {
        Ok(read) => read,
        Err(messages) => return Answer::refused(format, &source, &messages),
    };
    let request = request(arguments, stop);
    let judged = pipeline::check(&protocol, &read.certificate, &request, memory, &Silent);
    let judgement = match judged {
        Ok(judgement) => judgement,
        Err(error) => return failed(format, &error),
    };
    let checked = Checked {
        protocol: &protocol,
        text: &text,
        certificate: &read.certificate,
        source: &source,
        changes: read.changes.as_ref(),
        judgement: &judgement,
    };
    let output = match format {
        Format::Text | Format::Itf => report::check::text(&checked),
        Format::Json => report::json_check::document(&checked),
    };
    let answer = Answer { status: status(&judgement.verdict), ..Answer::success(output) };
    let mut answer = answer.with_warnings(&text, &warnings);
    answer.remarks +=
        &report::diagnostics::render(&source, &read.warnings, super::answer::colour());
    answer
}

/// There is no judgement.
pub(super) fn failed(format: Format, error: &JudgeError) -> Answer {
    let status = if error.is_bug() { Status::OurMistake } else { Status::WorldFailed };
    Answer::failure(format, status, error)
}

fn status(verdict: &Verdict) -> Status {
    match verdict {
        Verdict::Safe => Status::Success,
        Verdict::Unsafe(_) => Status::No,
        Verdict::SafeUpTo(_) | Verdict::Unproved(_) => Status::Unproved,
    }
}

fn request(arguments: &Arguments, stop: &Stop) -> Request {
    Request {
        only: arguments.only.clone(),
        solver: match arguments.solver {
            SolverName::Z3 => Solver::Z3,
            SolverName::Cvc5 => Solver::Cvc5,
            SolverName::Both => Solver::Both,
        },
        cvc5: arguments.cvc5.clone(),
        budget: Budget {
            timeout: arguments.timeout,
            resources: arguments.rlimit,
            cancellation: stop.cancellation.clone(),
        },
        cutoffs: if arguments.no_finite { Cutoffs::Skipped } else { Cutoffs::Searched },
        limits: FiniteLimits {
            time: arguments.timeout,
            max_states: u64::MAX,
            max_memory: 4096 << 20,
            threads: std::thread::available_parallelism().map_or(1, usize::from),
            cancelled: stop.cancelled.clone(),
        },
        residual: arguments.residual,
    }
}
