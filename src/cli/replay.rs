//! `rmlcut replay`: is this trace a run of this protocol, and what does it violate?

use std::path::PathBuf;

use super::Format;
use super::command_output::{CommandAnswer, ExitStatus};
use super::terminal::input;
use crate::diagnostic::Diagnostic;
use crate::finite::replay;
use crate::finite::replay::{EFFORT, Replayed};
use crate::protocol::{ExternalTrace, Protocol};
use crate::report::json::Remarks;
use crate::source::SourceFile;
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
pub(super) fn run(arguments: &ReplayArguments, format: Format) -> CommandAnswer {
    let text = match input::read_protocol(&arguments.protocol, &arguments.choice) {
        Ok(text) => text,
        Err(error) => return CommandAnswer::unreadable(format, &error),
    };
    let (protocol, _) = match pipeline::read_protocol(&text) {
        Ok(read) => read,
        Err(messages) => return CommandAnswer::refused(format, &text, &messages),
    };
    let source = match input::read(&arguments.trace) {
        Ok(source) => source,
        Err(error) => return CommandAnswer::unreadable(format, &error),
    };
    let (trace, warnings) = match pipeline::read_trace(&protocol, &source) {
        Ok(read) => read,
        Err(messages) => return CommandAnswer::refused(format, &source, &messages),
    };
    match replay::replay(&protocol, &trace, EFFORT) {
        Ok(replayed) => answer(format, (&text, &protocol), (&source, &trace), &replayed, &warnings),
        Err(error) => CommandAnswer::failure(format, ExitStatus::InternalError, &error),
    }
}

fn answer(
    format: Format,
    (text, protocol): (&SourceFile, &Protocol),
    (source, trace): (&SourceFile, &ExternalTrace),
    replayed: &Replayed,
    warnings: &[Diagnostic],
) -> CommandAnswer {
    let output = match format {
        Format::Text | Format::Itf => {
            report::text::trace::replay::text(protocol, text, trace, replayed)
        }
        Format::Json => {
            let remarks = Remarks { source, warnings };
            report::json::replay::document(protocol, text, trace, replayed, &remarks)
        }
    };
    CommandAnswer { status: status(replayed), ..CommandAnswer::success(output) }
        .with_warnings(source, warnings)
}

fn status(replayed: &Replayed) -> ExitStatus {
    match &replayed.answer {
        replay::ReplayAnswer::Run(failures) if failures.is_empty() => ExitStatus::Success,
        replay::ReplayAnswer::Run(_) => ExitStatus::No,
        replay::ReplayAnswer::NotARun(_) | replay::ReplayAnswer::Unknown(_) => ExitStatus::Unproved,
    }
}
