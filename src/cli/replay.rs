//! `rmlcut replay`: is this trace a run of this protocol, and what does it violate?

use std::path::PathBuf;

use super::Format;
use super::command_output::{CommandAnswer, CommandResult, ExitStatus, read, read_protocol};
use super::terminal::input;
use crate::finite::replay;
use crate::finite::replay::{EFFORT, Replayed};
use crate::report::json::Remarks;
use crate::{pipeline, report};

const EXAMPLES: &str = "\
Examples:
  rmlcut explore protocol.rml --size node=3 --format itf > trace.itf.json
  rmlcut replay protocol.rml trace.itf.json
  rmlcut explore protocol.rml --format itf | rmlcut replay protocol.rml -

The trace is in the Informal Trace Format of Apalache and Quint: `states` is a list of objects that
give every symbol a value: a relation as { \"#set\": [ ... ] }, a function as { \"#map\": [ ... ] },
elements as strings. `mbt::actionTaken` and `mbt::nondetPicks` say what each step did; where they
are missing, all possibilities are tried. \"size\": { \"node\": 3 } in `#meta` gives the number of
elements; without it, the elements are those that the states mention.
grammar/README.md describes the format.

The axioms, the first state and every step are checked by executing the actions, without a solver.
Where a step is not possible, the condition that fails is shown with its values.

Exit code: 0 a run without a violation, 1 a run that violates a property, 2 not a run, or undecided,
3 environment error, 64 invalid input.";

/// The arguments of `rmlcut replay`.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct ReplayArguments {
    /// Protocol
    protocol: PathBuf,
    #[command(flatten)]
    choice: input::PropertyChoice,
    /// Trace; `-` for standard input
    trace: PathBuf,
}

/// Replays one trace.
pub(super) fn run(arguments: &ReplayArguments, format: Format) -> CommandResult {
    let text = read_protocol(format, &arguments.protocol, &arguments.choice)?;
    let (protocol, _) = pipeline::read_protocol(&text)
        .map_err(|messages| CommandAnswer::refused(format, &text, &messages))?;
    let source = read(format, &arguments.trace)?;
    let (trace, warnings) = pipeline::read_trace(&protocol, &source)
        .map_err(|messages| CommandAnswer::refused(format, &source, &messages))?;
    let replayed = replay::replay(&protocol, &trace, EFFORT)
        .map_err(|error| CommandAnswer::failure(format, ExitStatus::InternalError, &error))?;
    let described = pipeline::read_described(&text);
    let described = (&protocol, described.as_ref());
    let output = match format {
        Format::Text | Format::Itf => {
            report::text::trace::replay::text(described, &text, &trace, &replayed)
        }
        Format::Json => {
            let remarks = Remarks { source: &source, warnings: &warnings };
            report::json::replay::document(described, &text, &trace, &replayed, &remarks)
        }
    };
    let answer = CommandAnswer { status: status(&replayed), ..CommandAnswer::success(output) };
    Ok(answer.with_warnings(&source, &warnings))
}

fn status(replayed: &Replayed) -> ExitStatus {
    match &replayed.answer {
        replay::ReplayAnswer::Run(failures) if failures.is_empty() => ExitStatus::Success,
        replay::ReplayAnswer::Run(_) => ExitStatus::No,
        replay::ReplayAnswer::NotARun(_) | replay::ReplayAnswer::Unknown(_) => ExitStatus::Unproved,
    }
}
