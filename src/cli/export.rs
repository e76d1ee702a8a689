//! `rmlcut export`: a protocol in the language of another tool.

use std::path::PathBuf;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

use super::command_output::{CommandAnswer, CommandResult, ExitStatus, read, read_protocol};
use super::terminal::{input, output};
use super::{Format, limits};
use crate::export::{ExportLanguage, LANGUAGES};
use crate::pipeline::{ExportFailure, ExportRequest};
use crate::{pipeline, report};

const EXAMPLES: &str = "\
Examples:
  rmlcut export --to ivy protocol.rml > protocol.ivy && ivy_check protocol.ivy
  rmlcut export --to pyv --certificate protocol.cut protocol.rml -o protocol.pyv
  rmlcut export --to tla --size node=3 protocol.ivy -o Protocol.tla && tlc Protocol.tla

With --certificate, the lemmas or the invariant of the certificate are written as invariants, and TLC
gets the size of its cutoff. With -o, the configuration for TLC is written next to the module;
without -o, it follows the module.";

/// The arguments of `rmlcut export`.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct ExportArguments {
    /// Protocol to translate; `-` for standard input
    file: PathBuf,
    /// Target language
    #[arg(long, value_parser = words().map(|word| language(&word)))]
    to: &'static ExportLanguage,
    #[command(flatten)]
    choice: input::PropertyChoice,
    /// Include the invariants of this certificate
    #[arg(long, value_name = "FILE")]
    certificate: Option<PathBuf>,
    /// Write to this file instead of standard output
    #[arg(short, long)]
    output: Option<PathBuf>,
    /// Number of elements of each sort for TLC, as sort=count [default: 2]
    #[arg(long, value_delimiter = ',', value_parser = limits::sized)]
    size: Vec<(String, u32)>,
    /// Range of integers for TLC, as low..high, inclusive
    #[arg(long, value_parser = limits::range, allow_hyphen_values = true)]
    int: Option<(i64, i64)>,
}

/// A size for a sort that the protocol does not have.
#[derive(Debug, thiserror::Error)]
#[error("no sort is called `{0}`")]
struct UnknownSort(String);

/// Writes one protocol in another language.
pub(super) fn run(arguments: &ExportArguments, format: Format) -> CommandResult {
    let source = read_protocol(format, &arguments.file, &arguments.choice)?;
    let certificate =
        arguments.certificate.as_deref().map(|path| read(format, path)).transpose()?;
    // A module of TLA+ is called like its file.
    let name = arguments.output.as_ref().and_then(|path| Some(path.file_stem()?.to_str()?.into()));
    let request = ExportRequest { name, sizes: arguments.size.clone(), integers: arguments.int };
    let exported = pipeline::export(&source, certificate.as_ref(), arguments.to, &request);
    let (exported, warnings) = exported.map_err(|failure| match failure {
        ExportFailure::Protocol(messages) => CommandAnswer::refused(format, &source, &messages),
        ExportFailure::Certificate(messages) => {
            let certificate = certificate.as_ref().unwrap_or(&source);
            CommandAnswer::refused(format, certificate, &messages)
        }
        ExportFailure::UnknownSort(name) => {
            CommandAnswer::failure(format, ExitStatus::WrongInput, &UnknownSort(name))
        }
        ExportFailure::Unsayable(error) => {
            CommandAnswer::failure(format, ExitStatus::WrongInput, &error)
        }
    })?;
    if let Some(path) = &arguments.output {
        let files = [(path.clone(), Some(&exported.text))];
        let configuration = (path.with_extension("cfg"), exported.configuration.as_ref());
        for (path, text) in files.into_iter().chain([configuration]) {
            if let Some(text) = text {
                output::replace(&path, text).map_err(|error| {
                    CommandAnswer::failure(format, ExitStatus::EnvironmentError, &error)
                })?;
            }
        }
        return Ok(CommandAnswer::success(String::new()).with_warnings(&source, &warnings));
    }
    let result = match format {
        Format::Json | Format::Itf => report::json::exported(
            &source,
            arguments.to.word,
            &exported.text,
            exported.configuration.as_deref(),
        ),
        Format::Text => exported.text + exported.configuration.as_deref().unwrap_or_default(),
    };
    Ok(CommandAnswer::success(result).with_warnings(&source, &warnings))
}

fn words() -> PossibleValuesParser {
    LANGUAGES
        .iter()
        .map(|language| PossibleValue::new(language.word).help(language.summary))
        .collect::<Vec<_>>()
        .into()
}

fn language(word: &str) -> &'static ExportLanguage {
    LANGUAGES.iter().find(|language| language.word == word).expect("only words in the table pass")
}
