//! `rmlcut show`: the result of one stage, to be looked at.

use std::path::PathBuf;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

use super::Format;
use super::command_output::{CommandAnswer, CommandResult, ExitStatus, read, read_protocol};
use super::terminal::input;
use crate::diagnostic::{Diagnostic, Severity};
use crate::pipeline::{STAGES, Stage, StageError, StageOutput, StageRun};
use crate::report;
use crate::report::text::show::Detail;
use crate::source::SourceFile;

const EXAMPLES: &str = "\
Examples:
  rmlcut show surface protocol.rml
  rmlcut show analysis --verbose protocol.rml
  rmlcut show surface --format json protocol.rml
  rmlcut show literal one.rml another.rml
  rmlcut show obligations protocol.rml --certificate protocol.cut
  rmlcut show fragment protocol.rml protocol.cut
  generate | rmlcut show surface -";

/// The arguments of `rmlcut show`.
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

    /// The certificate's file.
    fn certificate(&self) -> PathBuf {
        let beside = || self.files[0].with_extension("cut");
        self.certificate.clone().unwrap_or_else(beside)
    }
}

/// Shows one stage of one protocol, or of several side by side.
pub(super) fn run(arguments: &ShowArguments, format: Format) -> CommandResult {
    let of_either = matches!(arguments.stage.run, StageRun::OfEither(_));
    let protocols = if of_either { 1 } else { arguments.files.len() };
    let files = arguments.files.iter().take(protocols);
    let sources = files.map(|file| read_protocol(format, file, &arguments.choice));
    let sources = sources.collect::<Result<Vec<SourceFile>, CommandAnswer>>()?;
    let mut certificate = None;
    let output = match (&arguments.stage.run, sources.as_slice()) {
        (StageRun::OfProtocols(run), all) => run(all),
        (StageRun::OfProtocol(run) | StageRun::OfProcess(run), [source]) => {
            run(source).map_err(|messages| StageError::Protocol(0, messages))
        }
        (StageRun::OfEither(run), [source]) if arguments.files.len() <= 2 => {
            let file = arguments.files.get(1).or(arguments.certificate.as_ref());
            certificate = file.map(|file| read(format, file)).transpose()?;
            run(source, certificate.as_ref())
        }
        (StageRun::OfCertificate(run), [source]) => {
            run(source, certificate.insert(read(format, &arguments.certificate())?))
        }
        (
            StageRun::OfProtocol(_)
            | StageRun::OfProcess(_)
            | StageRun::OfEither(_)
            | StageRun::OfCertificate(_),
            _,
        ) => {
            let name = arguments.stage.name;
            let message = format!("`rmlcut show {name}` takes one protocol");
            return Err(CommandAnswer::usage_error(&message));
        }
    };
    let output = output.map_err(|error| match error {
        StageError::Protocol(index, messages) => {
            CommandAnswer::refused(format, &sources[index], &messages)
        }
        StageError::Certificate(messages) => {
            let source = certificate.as_ref().unwrap_or(&sources[0]);
            CommandAnswer::refused(format, source, &messages)
        }
        StageError::Judge(error) => super::check::failed(format, &error),
    })?;
    Ok(answer(arguments, format, &sources[0], &output))
}

fn answer(
    arguments: &ShowArguments,
    format: Format,
    source: &SourceFile,
    output: &StageOutput,
) -> CommandAnswer {
    let detail = if arguments.verbose { Detail::Steps } else { Detail::Results };
    let text = report::text::show::text(source, output, detail);
    let warnings = &output.warnings;
    let output = match format {
        Format::Text => text,
        Format::Json | Format::Itf => {
            report::json::shown(source, arguments.stage.name, &text, output)
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
