//! `rmlcut complete` and `rmlcut repair`: from a sketch, or an unsafe protocol, to a safe one.

use std::path::{Path, PathBuf};
use std::time::Duration;

use super::command_output::{CommandAnswer, CommandResult, ExitStatus, read};
use super::terminal::{interrupt, output};
use super::{Format, limits};
use crate::complete::{
    CompleteAnswer, CompleteEnding, CompleteError, CompleteRequest, Completion, Learning,
    RepairAnswer, RepairEnding,
};
use crate::judge::Verdict;
use crate::source::SourceFile;
use crate::{pipeline, report};

const COMPLETE_EXAMPLES: &str = "\
Examples:
  rmlcut complete sketch.rml
  rmlcut complete sketch.rml -o lock.rml
  rmlcut complete sketch.rml --all 3

A sketch has holes in its actions: `require ??`, `??name{free, ~held(n)}` with alternatives,
`??name[held(n), free]` for any truth table over these conditions. Equal names are one hole.

Exit code: 0 completed and safe, 1 no completion, 2 completed but unproved, safe only up to a bound,
or given up, 3 environment error, 64 invalid input.";

const REPAIR_EXAMPLES: &str = "\
Examples:
  rmlcut repair lock.rml
  rmlcut repair lock.rml --max-edits 1 --all 3 -o fixed.rml

An edit is one more `require`, one more update at the end of an action, a statement left out, another
argument, or a parameter in place of `*`. Edits that need only what the action looks at already come
first. Whatever the protocol could do at the sizes searched, it must still be able to do, with
different elements for different parameters; every assignment must still change something, and what
the premises of properties speak of must still happen. Only a statement that changes what no property
is about may be left out.

Exit code: 0 repaired and safe, or already safe, 1 no repair, 2 repaired but unproved, or no
violation is known, 3 environment error, 64 invalid input.";

/// How candidates are excluded.
#[derive(Clone, Copy, clap::ValueEnum)]
enum LearnerChoice {
    /// With all that fail for the same reason
    Clauses,
    /// One at a time, for comparison
    Enumerate,
}

/// What both commands may spend.
#[derive(clap::Args)]
struct Effort {
    /// Write the best result to this file
    #[arg(short, long)]
    output: Option<PathBuf>,
    /// How many results, each of another behaviour
    #[arg(long, value_name = "N", default_value_t = 1)]
    #[arg(value_parser = clap::value_parser!(u16).range(1..=1000))]
    all: u16,
    /// Give up after this many seconds
    #[arg(long, default_value_t = 60)]
    timeout: u64,
    /// The most seconds for the proof of one result
    #[arg(long, value_name = "SECONDS", default_value_t = 20)]
    proof_timeout: u64,
    /// A trace that must be a run of the result, as written by `explore --format itf`; may be
    /// repeated
    #[arg(long, value_name = "TRACE")]
    keep: Vec<PathBuf>,
    /// What is learnt from a candidate that fails
    #[arg(long, value_enum, default_value_t = LearnerChoice::Clauses)]
    learner: LearnerChoice,
    /// Begin with other ones of equally cheap candidates
    #[arg(long, value_name = "NUMBER", default_value_t = 0)]
    seed: u64,
    /// Number of threads of a proof [default: all cores]
    #[arg(long, value_name = "N", value_parser = limits::threads())]
    jobs: Option<u16>,
}

/// The arguments of `rmlcut complete`.
#[derive(clap::Args)]
#[command(after_help = COMPLETE_EXAMPLES)]
pub(super) struct CompleteArguments {
    /// Protocol with holes; `-` for standard input
    file: PathBuf,
    #[command(flatten)]
    effort: Effort,
}

/// The arguments of `rmlcut repair`.
#[derive(clap::Args)]
#[command(after_help = REPAIR_EXAMPLES)]
pub(super) struct RepairArguments {
    /// Protocol to repair; `-` for standard input
    file: PathBuf,
    /// The most edits of one repair
    #[arg(long, value_name = "N", default_value_t = 2)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=4))]
    max_edits: u32,
    #[command(flatten)]
    effort: Effort,
}

/// Completes one sketch.
pub(super) fn run(arguments: &CompleteArguments, format: Format) -> CommandResult {
    let source = read(format, &arguments.file)?;
    let request = request(format, &arguments.effort, 0)?;
    let answer = pipeline::complete(&source, &request);
    let answer = answer.map_err(|error| failed(format, &source, &error))?;
    let output = match format {
        Format::Text | Format::Itf => report::text::complete::complete(&answer),
        Format::Json => report::json::complete::complete(&answer),
    };
    let result =
        CommandAnswer { status: complete_status(&answer), ..CommandAnswer::success(output) };
    Ok(written(&arguments.effort, answer.completions.first(), result))
}

/// Repairs one protocol.
pub(super) fn run_repair(arguments: &RepairArguments, format: Format) -> CommandResult {
    let source = read(format, &arguments.file)?;
    let request = request(format, &arguments.effort, arguments.max_edits)?;
    let answer = pipeline::repair(&source, &request);
    let answer = answer.map_err(|error| failed(format, &source, &error))?;
    let output = match format {
        Format::Text | Format::Itf => report::text::complete::repair(&answer, arguments.max_edits),
        Format::Json => report::json::complete::repair(&answer, arguments.max_edits),
    };
    let result = CommandAnswer { status: repair_status(&answer), ..CommandAnswer::success(output) };
    let first = answer.repairs.first().map(|own| &own.completion);
    Ok(written(&arguments.effort, first, result))
}

fn request(
    format: Format,
    effort: &Effort,
    most_edits: u32,
) -> Result<CompleteRequest, CommandAnswer> {
    let threads = limits::threads_or_cores(effort.jobs);
    let keep = effort.keep.iter().map(|path| read(format, path));
    Ok(CompleteRequest {
        keep: keep.collect::<Result<_, _>>()?,
        stop: interrupt::on_ctrl_c().within(Duration::from_secs(effort.timeout)),
        proof_time: Duration::from_secs(effort.proof_timeout),
        answers: usize::from(effort.all),
        threads,
        most_edits,
        seed: effort.seed,
        learning: match effort.learner {
            LearnerChoice::Clauses => Learning::Clauses,
            LearnerChoice::Enumerate => Learning::Nothing,
        },
    })
}

/// Writes the best result, if a file was named.
fn written(effort: &Effort, best: Option<&Completion>, answer: CommandAnswer) -> CommandAnswer {
    let (Some(path), Some(best)) = (&effort.output, best) else { return answer };
    match output::replace(Path::new(path), &best.text) {
        Ok(()) => answer,
        Err(error) => CommandAnswer {
            status: ExitStatus::EnvironmentError,
            remarks: format!("{}error: {error}\n", answer.remarks),
            ..answer
        },
    }
}

fn failed(format: Format, source: &SourceFile, error: &CompleteError) -> CommandAnswer {
    match error {
        CompleteError::Text(messages) => CommandAnswer::refused(format, source, messages),
        CompleteError::Trace(trace, messages) => CommandAnswer::refused(format, trace, messages),
        CompleteError::Judge(error) => super::check::failed(format, error),
    }
}

fn complete_status(answer: &CompleteAnswer) -> ExitStatus {
    match (answer.completions.first(), &answer.ending) {
        (Some(first), _) => standing(first),
        (None, CompleteEnding::NoMore(_)) => ExitStatus::No,
        (None, CompleteEnding::GaveUp(_) | CompleteEnding::Enough) => ExitStatus::Unproved,
    }
}

fn repair_status(answer: &RepairAnswer) -> ExitStatus {
    match (answer.repairs.first(), &answer.ending) {
        (Some(first), _) => standing(&first.completion),
        (None, RepairEnding::AlreadySafe) => ExitStatus::Success,
        (None, RepairEnding::Searched(CompleteEnding::NoMore(_))) => ExitStatus::No,
        (None, RepairEnding::NotKnownUnsafe | RepairEnding::Searched(_)) => ExitStatus::Unproved,
    }
}

fn standing(completion: &Completion) -> ExitStatus {
    match completion.outcome.verdict {
        Verdict::Safe => ExitStatus::Success,
        _ => ExitStatus::Unproved,
    }
}
