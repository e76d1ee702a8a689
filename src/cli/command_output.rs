//! The answer of a subcommand: text for each output stream, and the exit status.

use std::io::IsTerminal;
use std::path::Path;

use super::Format;
use super::files::Voice;
use super::terminal::input;
use super::terminal::input::{InputError, PropertyChoice};
use crate::coverage::Exercise;
use crate::diagnostic::Diagnostic;
use crate::report;
use crate::report::ci::findings::{INPUT, Level, of_diagnostics};
use crate::report::ci::{Finding, ResultOrigin};
use crate::report::text::diagnostics::Colour;
use crate::source::SourceFile;

/// The exit status of the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ExitStatus {
    /// Safe, or simply done.
    Success = 0,
    /// A check says no: unsafe, or not in canonical form.
    No = 1,
    /// Not decided, or only within a bound.
    Unproved = 2,
    /// A file cannot be read or written, or the solver is missing.
    EnvironmentError = 3,
    /// Wrong usage or wrong input.
    WrongInput = 64,
    /// A defect of the tool, or two solvers that contradict each other.
    InternalError = 70,
}

impl ExitStatus {
    /// The worse of two: a defect, wrong input, a failing system, a violation, an open question.
    pub(super) fn worse(self, other: Self) -> Self {
        let rank = |status: Self| match status {
            ExitStatus::Success => 0,
            ExitStatus::Unproved => 1,
            ExitStatus::No => 2,
            ExitStatus::EnvironmentError => 3,
            ExitStatus::WrongInput => 4,
            ExitStatus::InternalError => 5,
        };
        if rank(other) > rank(self) { other } else { self }
    }

    /// Whether there is no verdict because something is wrong.
    pub(super) fn is_failure(self) -> bool {
        matches!(
            self,
            ExitStatus::EnvironmentError | ExitStatus::WrongInput | ExitStatus::InternalError
        )
    }

    /// The same, but success only if every action was possible and every premise held somewhere.
    pub(super) fn strictly(self, coverage: Option<&Exercise>) -> Self {
        match self {
            ExitStatus::Success if !coverage.is_some_and(Exercise::is_full) => ExitStatus::Unproved,
            status => status,
        }
    }
}

/// What a subcommand returns; an error is the answer of a command that ends early.
pub(super) type CommandResult = Result<CommandAnswer, CommandAnswer>;

/// The answer of a subcommand, to be written out.
pub(super) struct CommandAnswer {
    /// The result, for standard output.
    pub(super) output: String,
    /// Remarks and errors, for standard error.
    pub(super) remarks: String,
    /// How the program ends.
    pub(super) status: ExitStatus,
    /// What to look at, for the formats of continuous integration.
    pub(super) findings: Vec<Finding>,
    /// Where the result comes from.
    pub(super) origin: ResultOrigin,
}

impl CommandAnswer {
    /// Done, and here is the result.
    pub(super) fn success(output: String) -> Self {
        CommandAnswer {
            output,
            remarks: String::new(),
            status: ExitStatus::Success,
            findings: Vec::new(),
            origin: ResultOrigin::Computed,
        }
    }

    /// Not done, for a reason that is nowhere in a text.
    pub(super) fn failure(
        format: Format,
        status: ExitStatus,
        error: &dyn std::fmt::Display,
    ) -> Self {
        let output = match format {
            Format::Text => String::new(),
            Format::Json | Format::Itf => report::json::failed(&error.to_string()),
        };
        let findings = vec![Finding::new(Level::Error, INPUT, error.to_string())];
        let remarks = format!("error: {error}\n");
        CommandAnswer { remarks, status, findings, ..CommandAnswer::success(output) }
    }

    /// Not done: the command line is wrong in a way that the parser cannot see.
    pub(super) fn usage_error(message: &str) -> Self {
        let remarks = format!("error: {message}\n");
        let findings = vec![Finding::new(Level::Error, INPUT, message)];
        let status = ExitStatus::WrongInput;
        CommandAnswer { remarks, status, findings, ..CommandAnswer::success(String::new()) }
    }

    /// Not done: the text is wrong.
    pub(super) fn refused(format: Format, source: &SourceFile, diagnostics: &[Diagnostic]) -> Self {
        let output = match format {
            Format::Text => String::new(),
            Format::Json | Format::Itf => report::json::refused(source, diagnostics),
        };
        let remarks = report::text::diagnostics::render(source, diagnostics, colour());
        let findings = of_diagnostics(source, diagnostics);
        let status = ExitStatus::WrongInput;
        CommandAnswer { remarks, status, findings, ..CommandAnswer::success(output) }
    }

    /// The same, with messages that do not stand in the way.
    pub(super) fn with_warnings(self, source: &SourceFile, warnings: &[Diagnostic]) -> Self {
        CommandAnswer {
            remarks: report::text::diagnostics::render(source, warnings, colour()),
            ..self
        }
        .with_findings(of_diagnostics(source, warnings))
    }

    /// The same, with more to look at.
    pub(super) fn with_findings(mut self, findings: Vec<Finding>) -> Self {
        self.findings.extend(findings);
        self
    }
}

/// Reads a text; `-` is the standard input.
pub(super) fn read(format: Format, path: &Path) -> Result<SourceFile, CommandAnswer> {
    input::read(path).map_err(|error| unreadable(format, &error))
}

/// Reads a protocol text, to be read as chosen.
pub(super) fn read_protocol(
    format: Format,
    path: &Path,
    choice: &PropertyChoice,
) -> Result<SourceFile, CommandAnswer> {
    input::read_protocol(path, choice).map_err(|error| unreadable(format, &error))
}

fn unreadable(format: Format, error: &InputError) -> CommandAnswer {
    let status = match error {
        InputError::Unreadable { .. } => ExitStatus::EnvironmentError,
        InputError::NotText { .. } | InputError::TooLarge { .. } => ExitStatus::WrongInput,
    };
    CommandAnswer::failure(format, status, error)
}

/// Whether messages on standard error are coloured.
pub(super) fn colour() -> Colour {
    colour_of(&std::io::stderr())
}

impl CommandAnswer {
    /// A report for standard output, its marks coloured on a terminal.
    pub(super) fn coloured(self, format: Format, voice: Voice) -> Self {
        let is_plain = format != Format::Text || voice == Voice::Quiet;
        if is_plain || colour_of(&std::io::stdout()) == Colour::Never {
            return self;
        }
        let output = report::text::check::obligation_table::coloured(&self.output);
        CommandAnswer { output, ..self }
    }
}

/// Colours are for terminals whose users have not asked for none.
fn colour_of(stream: &impl IsTerminal) -> Colour {
    let refused = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    if stream.is_terminal() && !refused { Colour::Always } else { Colour::Never }
}
