//! Where the certificate of `rmlcut synth` goes.

use std::fs;
use std::path::Path;

use super::SynthArguments;
use crate::cli::Format;
use crate::cli::command_output::{CommandAnswer, ExitStatus};
use crate::cli::terminal::output;
use crate::cli::terminal::output::OutputError;

/// Where the certificate goes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Destination<'a> {
    /// Into the report.
    Report,
    /// Into a file.
    File(&'a Path),
    /// To the standard output, with the report on standard error.
    Alone,
}

impl<'a> Destination<'a> {
    pub(super) fn new(
        arguments: &'a SynthArguments,
        format: Format,
    ) -> Result<Self, CommandAnswer> {
        let Some(path) = arguments.output.as_deref() else { return Ok(Destination::Report) };
        if path != Path::new("-") {
            ensure_writable(path, &arguments.file, format)?;
            return Ok(Destination::File(path));
        }
        match format {
            Format::Text | Format::Itf => Ok(Destination::Alone),
            Format::Json => Err(CommandAnswer::usage_error(
                "`-o -` would mix the certificate with the JSON document, whose field \
                 `certificate` has it: leave `-o -` out",
            )),
        }
    }
}

/// Refuses a place for the certificate before any work is done for it.
fn ensure_writable(path: &Path, protocol: &Path, format: Format) -> Result<(), CommandAnswer> {
    let same = |one: &Path| fs::canonicalize(one).ok();
    if same(path).is_some() && same(path) == same(protocol) {
        let error = OverProtocol(path.display().to_string());
        return Err(CommandAnswer::failure(format, ExitStatus::WrongInput, &error));
    }
    let writable = output::ensure_writable(path);
    writable.map_err(|error| CommandAnswer::failure(format, ExitStatus::EnvironmentError, &error))
}

/// An output that is the input.
#[derive(Debug, thiserror::Error)]
#[error("--output {0} would replace the protocol")]
struct OverProtocol(String);

/// The certificate could not be written: it is printed instead, with another exit status.
pub(super) fn not_written(mut answer: CommandAnswer, error: &OutputError) -> CommandAnswer {
    answer.remarks.push_str(&format!("error: {error}; the certificate is in the output instead\n"));
    CommandAnswer { status: ExitStatus::EnvironmentError, ..answer }
}
