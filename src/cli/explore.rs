//! `rmlcut explore`: is every instance of this size safe?

use std::path::PathBuf;
use std::time::Duration;

use super::command_output::{CommandAnswer, CommandResult, ExitStatus, read_protocol};
use super::terminal::search_progress::SearchProgress;
use super::terminal::{input, interrupt};
use super::{Format, OutputFormat, files, limits, report as page};
use crate::budget::{Budget, Stop};
use crate::coverage::CheckedRun;
use crate::diagnostic::Diagnostic;
use crate::finite::question::request::{Explored, FiniteRequest, PATIENCE, RequestError};
use crate::finite::question::sweep::Sweep;
use crate::finite::{
    Deadlocks, EngineError, FiniteOutcome, FiniteReason, Progress, Slicing, Symmetry,
};
use crate::pipeline::ExploreError;
use crate::protocol::{Protocol, SortId};
use crate::report::json::Remarks;
use crate::report::json::explore::Findings;
use crate::source::SourceFile;
use crate::{pipeline, report};

const EXAMPLES: &str = "\
Examples:
  rmlcut explore protocol.rml --size node=3,key=1
  rmlcut explore protocol.rml --up-to node=4,key=2     the smallest violation
  rmlcut explore protocol.rml --size node=2 --int 0..4
  rmlcut explore protocol.rml --size node=3 --summary  what is never true together
  rmlcut explore protocol.rml --size node=3 --format itf > trace.itf.json
  rmlcut replay protocol.rml trace.itf.json     is that a run, and what does it violate?

What `reach` lines ask for is searched for as well, at the same size and then at all sizes up to
three; and the traces of a mypyvy file, at the same size: the exit code is 2 if a `sat trace` is not
found there, and 1 if an `unsat trace` is found.

Exit code: 0 safe, 1 unsafe, 2 unknown, safe only up to a bound, or a lemma fails, 3 environment
error, 64 invalid input.";

/// The arguments of `rmlcut explore`.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct ExploreArguments {
    /// Protocol to explore; `-` for standard input
    file: PathBuf,
    #[command(flatten)]
    choice: input::PropertyChoice,
    /// Number of elements of each sort, as sort=count [default: 2, or 1 if 2 give too many states]
    #[arg(long, value_delimiter = ',', value_parser = limits::sized)]
    size: Vec<(String, u32)>,
    /// Try all sizes up to this one, in order of cost, and stop at the first violation; a sort that
    /// is not listed has up to 2 elements
    #[arg(long, value_name = "SIZE", value_delimiter = ',', value_parser = limits::sized)]
    up_to: Vec<(String, u32)>,
    /// Show a violation as it was found, including elements that do not matter to it
    #[arg(long)]
    no_shrink: bool,
    /// Exit with 2 if a `reach` line is not reached at this or any small size
    #[arg(long)]
    strict: bool,
    /// Range of integers, as low..high, inclusive
    #[arg(long, value_parser = limits::range, allow_hyphen_values = true)]
    int: Option<(i64, i64)>,
    /// Check only this property; may be repeated
    #[arg(long)]
    property: Vec<String>,
    /// Also look for states in which no action is possible
    #[arg(long)]
    deadlock: bool,
    /// Engine: explicit, sat or symbolic [default: explicit while states are few, then symbolic]
    #[arg(long)]
    engine: Option<String>,
    /// Identify states that differ only by a renaming of elements (the default)
    #[arg(long, overrides_with = "no_symmetry")]
    symmetry: bool,
    /// Visit every state, including those that differ only by a renaming of elements
    #[arg(long)]
    no_symmetry: bool,
    /// Also print which values occur together in the reachable states of the size
    #[arg(long)]
    summary: bool,
    /// Ignore symbols that no action and no property reads
    #[arg(long)]
    slice: bool,
    /// Number of threads [default: all cores]
    #[arg(long, value_name = "N", value_parser = limits::threads())]
    threads: Option<u16>,
    /// Stop after this many seconds
    #[arg(long, value_parser = super::seconds)]
    timeout: Option<Duration>,
    /// Stop when an instance has this many states
    #[arg(long)]
    max_states: Option<u64>,
    /// Stop when the states of an instance take this many MiB
    #[arg(long, default_value_t = 4096)]
    max_memory: u64,
    /// Also write a page with pictures to this file
    #[arg(long, value_name = "FILE.html")]
    report: Option<PathBuf>,
}

/// Explores, and answers in any format.
pub(super) fn run_as(arguments: &ExploreArguments, output: OutputFormat) -> CommandResult {
    let answer = run(arguments, output.internal());
    match output.ci() {
        None => answer,
        Some(ci) => {
            let answer = answer.unwrap_or_else(|ended| ended);
            Ok(files::alone("explore", &arguments.file, answer, ci))
        }
    }
}

/// Explores one size of one protocol, or all up to one.
fn run(arguments: &ExploreArguments, format: Format) -> CommandResult {
    let source = read_protocol(format, &arguments.file, &arguments.choice)?;
    page::ensure_writable(arguments.report.as_deref(), &[&arguments.file], format)?;
    let stop = interrupt::on_ctrl_c();
    let stop = arguments.timeout.map_or_else(|| stop.clone(), |timeout| stop.within(timeout));
    let progress = SearchProgress::new();
    let request = request(arguments, stop);
    let refused = |error: &ExploreError| refused(arguments, format, &source, error);
    let explored = explored(arguments, &source, &request, &progress);
    let sizes = explored.as_ref().map_or_else(|_| vec![request.sizes.clone()], sizes);
    let traces = pipeline::run_traces(&source, &request, &sizes, &progress);
    progress.clear();
    match explored {
        Ok((protocol, explored, sweep, mut warnings)) => {
            let (_, runs) = traces.map_err(|error| refused(&error))?;
            if is_hollow(&explored.outcome) {
                warnings.extend(pipeline::suspicions(&protocol, &request.budget.stop));
            }
            let explored = if arguments.no_shrink { explored } else { explored.shrunk(&protocol) };
            let values = arguments
                .summary
                .then(|| pipeline::summarize_values(&protocol, &explored, &request.budget));
            let values = values.transpose().map_err(|error| refused(&error))?;
            let (described, sweep) = (pipeline::read_described(&source), sweep.as_ref());
            let (described, values) = (described.as_ref(), values.as_ref());
            let findings = Findings { explored: &explored, described, sweep, runs: &runs, values };
            let answer = answer(arguments, format, (&source, &protocol), &findings, &warnings);
            Ok(page::written(answer, arguments.report.as_deref(), || {
                let stop = &request.budget.stop;
                let illustration = pipeline::illustrate_size(&protocol, &explored, stop);
                report::html::explored(&protocol, &source, &explored, &illustration)
            }))
        }
        Err(ExploreError::Request(RequestError::NothingToCheck)) => {
            let (protocol, runs) = traces.map_err(|error| refused(&error))?;
            if runs.is_empty() {
                return Err(refused(&ExploreError::Request(RequestError::NothingToCheck)));
            }
            Ok(only_traces(arguments, format, (&source, &protocol), &runs))
        }
        Err(error) => Err(refused(&error)),
    }
}

/// The sizes that were explored, smaller ones first.
fn sizes((protocol, explored, sweep, _): &Exploration) -> Vec<Vec<(String, u32)>> {
    let all = sweep.as_ref().map_or(std::slice::from_ref(explored), |sweep| &sweep.searched);
    let name = |sort: &SortId| protocol.signature.sort_name(*sort).to_string();
    let named = |own: &Explored| own.size.iter().map(|(sort, n)| (name(sort), *n)).collect();
    all.iter().map(named).collect()
}

/// The size that decides, and the sweep that it belongs to.
type Exploration = (Protocol, Explored, Option<Sweep>, Vec<Diagnostic>);

fn explored(
    arguments: &ExploreArguments,
    source: &SourceFile,
    request: &FiniteRequest,
    progress: &dyn Progress,
) -> Result<Exploration, ExploreError> {
    if arguments.up_to.is_empty() {
        let (protocol, explored, warnings) = pipeline::explore(source, request, progress)?;
        return Ok((protocol, explored, None, warnings));
    }
    let (protocol, sweep, warnings) = pipeline::sweep(source, &arguments.up_to, request, progress)?;
    let nothing = ExploreError::Request(RequestError::NothingToCheck);
    let explored = sweep.deciding().cloned().ok_or(nothing)?;
    Ok((protocol, explored, Some(sweep), warnings))
}

/// The answer in the requested format.
fn answer(
    arguments: &ExploreArguments,
    format: Format,
    (source, protocol): (&SourceFile, &Protocol),
    findings: &Findings<'_>,
    warnings: &[Diagnostic],
) -> CommandAnswer {
    let Findings { explored, described, sweep, runs, values } = *findings;
    let verdict = || report::text::explore::verdict(protocol, explored);
    let (output, remark) = match (format, &explored.outcome) {
        (Format::Text, _) => (
            report::text::explore::text((protocol, described), explored, sweep)
                + &report::text::trace::expected_runs::text(protocol, source, runs)
                + &values.map_or_else(String::new, |values| {
                    report::text::value_summary::text(protocol, explored, values)
                }),
            None,
        ),
        (Format::Json, _) => {
            let remarks = Remarks { source, warnings };
            (report::json::explore::document(protocol, findings, &remarks), None)
        }
        (Format::Itf, FiniteOutcome::Unsafe(violation, _)) => {
            let verdict = verdict();
            (
                report::json::itf::document(protocol, &violation.trace, "violation", &verdict),
                Some(verdict),
            )
        }
        (Format::Itf, FiniteOutcome::Safe(_) | FiniteOutcome::Unknown(..)) => {
            (String::new(), Some(verdict()))
        }
    };
    let own = match sweep {
        Some(sweep) if matches!(explored.outcome, FiniteOutcome::Safe(_)) && !sweep.is_safe() => {
            ExitStatus::Unproved
        }
        _ => status(protocol, explored),
    };
    let status = own.worse(trace_status(arguments, runs));
    let mut answer =
        CommandAnswer { status, ..CommandAnswer::success(output) }.with_warnings(source, warnings);
    answer.findings.extend(report::ci::findings::of_explored((protocol, source), explored));
    if let Some(remark) = remark {
        answer.remarks.push_str(&format!("{remark}\n"));
    }
    answer
}

/// Whether there was no instance or no initial state. Only then are the lints run, because they
/// take longer than most searches; `rmlcut show lint` always runs them.
fn is_hollow(outcome: &FiniteOutcome) -> bool {
    matches!(
        outcome,
        FiniteOutcome::Unknown(FiniteReason::NoInstance | FiniteReason::NoInitialState, _)
    )
}

/// A text without properties may still ask for runs.
fn only_traces(
    arguments: &ExploreArguments,
    format: Format,
    (source, protocol): (&SourceFile, &Protocol),
    runs: &[CheckedRun],
) -> CommandAnswer {
    let output = match format {
        Format::Text | Format::Itf => {
            let text = report::text::trace::expected_runs::text(protocol, source, runs);
            text.trim_start().to_owned()
        }
        Format::Json => report::json::explore::runs_document(protocol, source, runs),
    };
    CommandAnswer { status: trace_status(arguments, runs), ..CommandAnswer::success(output) }
}

fn refused(
    arguments: &ExploreArguments,
    format: Format,
    source: &SourceFile,
    error: &ExploreError,
) -> CommandAnswer {
    match error {
        ExploreError::Text(diagnostics) => CommandAnswer::refused(format, source, diagnostics),
        ExploreError::Request(error) => {
            CommandAnswer::failure(format, failure_status(error), &with_options(arguments, error))
        }
    }
}

/// The exit status for the runs that the text expects; `reach` lines count with `--strict`.
fn trace_status(arguments: &ExploreArguments, runs: &[CheckedRun]) -> ExitStatus {
    let counts = |run: &&CheckedRun| arguments.strict || !run.is_unreached_goal();
    let verdicts = || runs.iter().filter(counts).map(CheckedRun::is_as_expected);
    if verdicts().any(|verdict| verdict == Some(false)) {
        ExitStatus::No
    } else if verdicts().any(|verdict| verdict.is_none()) {
        ExitStatus::Unproved
    } else {
        ExitStatus::Success
    }
}

fn status(protocol: &Protocol, explored: &Explored) -> ExitStatus {
    match &explored.outcome {
        FiniteOutcome::Safe(_) => ExitStatus::Success,
        FiniteOutcome::Unsafe(..) if explored.is_false_lemma(protocol) => ExitStatus::Unproved,
        FiniteOutcome::Unsafe(..) => ExitStatus::No,
        FiniteOutcome::Unknown(..) => ExitStatus::Unproved,
    }
}

/// The message for a wrong request, with the options that it is about.
fn with_options(arguments: &ExploreArguments, error: &RequestError) -> String {
    let option = match error {
        RequestError::UnknownSort { .. }
        | RequestError::SizeTwice(_)
        | RequestError::Empty(_)
        | RequestError::Enumeration(_)
        | RequestError::SizeOfIntegers
        | RequestError::Fixed { .. } => {
            match (arguments.size.is_empty(), arguments.up_to.is_empty()) {
                (_, true) => "--size",
                (true, false) => "--up-to",
                (false, false) => "--size, --up-to",
            }
        }
        RequestError::TooManySizes(..) => "--up-to",
        RequestError::EmptyWindow(..) => "--int",
        RequestError::UnknownProperty { .. } => "--property",
        RequestError::UnknownEngine { .. } => "--engine",
        RequestError::NothingToCheck => {
            return format!("{error}; --deadlock and --property NAME ask for something else");
        }
        RequestError::Engine(EngineError::NoWindow) => {
            return format!("{error}, for example --int 0..4");
        }
        _ => return error.to_string(),
    };
    let advice = match error {
        RequestError::SizeOfIntegers => "; `--int low..high` bounds them",
        _ => "",
    };
    format!("{option}: {error}{advice}")
}

fn failure_status(error: &RequestError) -> ExitStatus {
    match error {
        RequestError::Engine(error) if error.is_bug() => ExitStatus::InternalError,
        _ => ExitStatus::WrongInput,
    }
}

fn request(arguments: &ExploreArguments, stop: Stop) -> FiniteRequest {
    FiniteRequest {
        sizes: arguments.size.clone(),
        window: arguments.int,
        properties: arguments.property.clone(),
        engine: arguments.engine.clone(),
        deadlocks: if arguments.deadlock { Deadlocks::Reported } else { Deadlocks::Ignored },
        symmetry: match arguments.no_symmetry && !arguments.symmetry {
            true => Symmetry::Distinguished,
            false => Symmetry::Reduced,
        },
        slicing: if arguments.slice { Slicing::Sliced } else { Slicing::Whole },
        budget: Budget {
            max_states: arguments.max_states.unwrap_or(u64::MAX),
            max_memory: arguments.max_memory.saturating_mul(1 << 20),
            threads: limits::threads_or_cores(arguments.threads),
            ..Budget::until(stop)
        },
        patience: PATIENCE,
    }
}
