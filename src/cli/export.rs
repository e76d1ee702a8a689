//! `rmlcut export`: a protocol in the language of another tool.

use std::path::PathBuf;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

use super::command_output::{CommandAnswer, ExitStatus};
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
pub(super) fn run(arguments: &ExportArguments, format: Format) -> CommandAnswer {
    let source = match input::read_protocol(&arguments.file, &arguments.choice) {
        Ok(source) => source,
        Err(error) => return CommandAnswer::unreadable(format, &error),
    };
    let certificate = match arguments.certificate.as_deref().map(input::read).transpose() {
        Ok(certificate) => certificate,
        Err(error) => return CommandAnswer::unreadable(format, &error),
    };
    // A module of TLA+ is called like its file.
    let name = arguments.output.as_ref().and_then(|path| Some(path.file_stem()?.to_str()?.into()));
    let request = ExportRequest { name, sizes: arguments.size.clone(), integers: arguments.int };
    let exported = pipeline::export(&source, certificate.as_ref(), arguments.to, &request);
    let (exported, warnings) = match exported {
        Ok(exported) => exported,
        Err(ExportFailure::Protocol(messages)) => {
            return CommandAnswer::refused(format, &source, &messages);
        }
        Err(ExportFailure::Certificate(messages)) => {
            let certificate = certificate.unwrap_or(source);
            return CommandAnswer::refused(format, &certificate, &messages);
        }
        Err(ExportFailure::UnknownSort(name)) => {
            return CommandAnswer::failure(format, ExitStatus::WrongInput, &UnknownSort(name));
        }
        Err(ExportFailure::Unsayable(error)) => {
            return CommandAnswer::failure(format, ExitStatus::WrongInput, &error);
        }
    };
    if let Some(path) = &arguments.output {
        let files = [(path.clone(), Some(&exported.text))];
        let configuration = (path.with_extension("cfg"), exported.configuration.as_ref());
        for (path, text) in files.into_iter().chain([configuration]) {
            if let Some(text) = text
                && let Err(error) = output::replace(&path, text)
            {
                return CommandAnswer::failure(format, ExitStatus::EnvironmentError, &error);
            }
        }
        return CommandAnswer::success(String::new()).with_warnings(&source, &warnings);
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
    CommandAnswer::success(result).with_warnings(&source, &warnings)
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
