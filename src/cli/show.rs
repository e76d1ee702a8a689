//! `rmlcut show`: the result of one stage, to be looked at.

use std::path::PathBuf;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

use super::Format;
use super::answer::{CommandAnswer, ExitStatus};
use super::terminal::input;
use crate::diagnostic::{Diagnostic, Severity};
use crate::pipeline::{Detail, Refusal, STAGES, Show, Shown, Stage, Unshown};
use crate::report;
use crate::source::SourceFile;

const EXAMPLES: &str = "\
Examples:
  rmlcut show surface protocol.rml
  rmlcut show analysis --verbose protocol.rml
  rmlcut show surface --format json protocol.rml
  rmlcut show literal one.rml another.rml
  rmlcut show obligations protocol.rml --certificate protocol.cut
  generate | rmlcut show surface -";

/// What `rmlcut show` is told.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct ShowArguments {
    /// Stage to show
    #[arg(value_parser = stage_names().map(|name| stage(&name)))]
    stage: &'static Stage,
    /// Protocol to show; `-` for standard input. The stage `literal` compares several
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Certificate, for stages that need one [default: the protocol's name with `.cut`]
    #[arg(long, value_name = "FILE")]
    certificate: Option<PathBuf>,
    #[command(flatten)]
    choice: input::PropertyChoice,
    /// Exit with 2 if there are warnings
    #[arg(long)]
    strict: bool,
    /// Also show how the stage arrived at its result
    #[arg(short, long)]
    verbose: bool,
}

impl ShowArguments {
    /// Whether the stage cannot be shown without the solver.
    pub(super) fn asks_the_solver(&self) -> bool {
        self.stage.asks_the_solver
    }
}

/// Shows one stage of one protocol, or of several side by side.
pub(super) fn run(arguments: &ShowArguments, format: Format) -> CommandAnswer {
    let mut sources = Vec::new();
    for file in &arguments.files {
        match input::read_protocol(file, &arguments.choice) {
            Ok(source) => sources.push(source),
            Err(error) => return CommandAnswer::unreadable(format, &error),
        }
    }
    let detail = if arguments.verbose { Detail::Steps } else { Detail::Results };
    match (&arguments.stage.show, sources.as_slice()) {
        (Show::OfProtocols(show), all) => match show(all, detail) {
            Ok(shown) => answer(arguments, format, &all[0], &shown),
            Err(Unshown::Protocol(index, messages)) => {
                CommandAnswer::refused(format, &all[index], &messages)
            }
            Err(Unshown::Judge(error)) => super::check::failed(format, &error),
        },
        (Show::OfProtocol(show), [source]) => match show(source, detail) {
            Ok(shown) => answer(arguments, format, source, &shown),
            Err(diagnostics) => CommandAnswer::refused(format, source, &diagnostics),
        },
        (Show::OfCertificate(show), [source]) => of_certificate(arguments, format, source, *show),
        (Show::OfProtocol(_) | Show::OfCertificate(_), _) => {
            let name = arguments.stage.name;
            let remarks = format!("error: `rmlcut show {name}` takes one protocol\n");
            CommandAnswer { output: String::new(), remarks, status: ExitStatus::WrongInput }
        }
    }
}

type OfCertificate = fn(&SourceFile, &SourceFile) -> Result<Shown, Refusal>;

fn of_certificate(
    arguments: &ShowArguments,
    format: Format,
    source: &SourceFile,
    show: OfCertificate,
) -> CommandAnswer {
    let beside = || arguments.files[0].with_extension("cut");
    let certificate = arguments.certificate.clone().unwrap_or_else(beside);
    let certificate = match input::read(&certificate) {
        Ok(certificate) => certificate,
        Err(error) => return CommandAnswer::unreadable(format, &error),
    };
    match show(source, &certificate) {
        Ok(shown) => answer(arguments, format, source, &shown),
        Err(Refusal::Protocol(messages)) => CommandAnswer::refused(format, source, &messages),
        Err(Refusal::Certificate(messages)) => {
            CommandAnswer::refused(format, &certificate, &messages)
        }
        Err(Refusal::Judge(error)) => super::check::failed(format, &error),
    }
}

fn answer(
    arguments: &ShowArguments,
    format: Format,
    source: &SourceFile,
    shown: &Shown,
) -> CommandAnswer {
    let Shown { text, data, warnings } = shown;
    let output = match format {
        Format::Text => text.clone(),
        Format::Json | Format::Itf => {
            report::json::shown(source, arguments.stage.name, text, data.as_ref(), warnings)
        }
    };
    let is_warning = |message: &Diagnostic| message.severity == Severity::Warning;
    let status = match arguments.strict && warnings.iter().any(is_warning) {
        true => ExitStatus::Unproved,
        false => ExitStatus::Success,
    };
    CommandAnswer { status, ..CommandAnswer::success(output) }.with_warnings(source, warnings)
}

fn stage_names() -> PossibleValuesParser {
    STAGES.iter().map(|stage| PossibleValue::new(stage.name).help(stage.summary)).into()
}

fn stage(name: &str) -> &'static Stage {
    STAGES.iter().find(|stage| stage.name == name).expect("only names in the table pass the parser")
}
