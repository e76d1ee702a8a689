//! `rmlcut fmt`: the canonical text of a protocol.

use std::path::PathBuf;

use super::Format;
use super::command_output::{CommandAnswer, CommandResult, ExitStatus, read_protocol};
use super::terminal::{input, output};
use crate::pipeline::{Formatted, Spelling};
use crate::{pipeline, report};

const EXAMPLES: &str = "\
Comments are kept, symbols such as ∀ become words, and the meaning stays the same. A protocol in
another language is translated, without its comments.

Examples:
  rmlcut fmt protocol.rml            print the canonical text
  rmlcut fmt --write protocol.rml    format the file in place
  rmlcut fmt --check protocol.rml    only check whether the file is canonical
  rmlcut fmt --to rml protocol.ivy   translate it into RML
  rmlcut fmt --modern protocol.rml   write `order le on id` for the axioms of an order

Exit code: 0 done, or already canonical; 1 not canonical (--check); 3 environment error; 64 not a
protocol.";

/// The arguments of `rmlcut fmt`.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct FmtArguments {
    /// Protocol to format; `-` for standard input
    file: PathBuf,
    #[command(flatten)]
    choice: input::PropertyChoice,
    /// Plain RML: other languages are translated, machines and messages written out
    #[arg(long, value_parser = ["rml"])]
    to: Option<String>,
    /// Declare orders, rings, trees and quorums where the axioms say just that
    #[arg(long)]
    modern: bool,
    /// Print nothing; exit with 1 if the file is not canonical
    #[arg(long, conflicts_with = "write")]
    check: bool,
    /// Format the file in place
    #[arg(long)]
    write: bool,
}

/// Another language has no canonical form that we know.
#[derive(Debug, thiserror::Error)]
#[error("this file is written in {0}; without `--check` and `--write` it is translated")]
struct ForeignError(&'static str);

/// Formats one protocol.
pub(super) fn run(arguments: &FmtArguments, format: Format) -> CommandResult {
    let source = read_protocol(format, &arguments.file, &arguments.choice)?;
    let spelling = match (arguments.modern, &arguments.to) {
        (true, _) => Spelling::Modern,
        (false, Some(_)) => Spelling::Plain,
        (false, None) => Spelling::AsWritten,
    };
    let (text, notes) = match pipeline::format_as(&source, spelling) {
        Ok(Formatted::Canonical(text)) => (text, Vec::new()),
        Ok(Formatted::Translated { from, .. }) if arguments.check || arguments.write => {
            return Err(CommandAnswer::failure(
                format,
                ExitStatus::WrongInput,
                &ForeignError(from),
            ));
        }
        Ok(Formatted::Translated { text, notes, .. }) => (text, notes),
        Err(diagnostics) => return Err(CommandAnswer::refused(format, &source, &diagnostics)),
    };
    let canonical = text == source.text();
    let rewrite = arguments.write && !canonical && !input::is_standard_input(&arguments.file);
    if rewrite {
        output::replace(&arguments.file, &text).map_err(|error| {
            CommandAnswer::failure(format, ExitStatus::EnvironmentError, &error)
        })?;
    }
    let result = match format {
        Format::Json | Format::Itf => report::json::formatted(&source, &text),
        Format::Text if arguments.check && !canonical => {
            format!("{} is not in canonical form\n", source.name())
        }
        Format::Text if arguments.check || arguments.write => String::new(),
        Format::Text => text,
    };
    let status = if arguments.check && !canonical { ExitStatus::No } else { ExitStatus::Success };
    let answer = CommandAnswer { status, ..CommandAnswer::success(result) };
    Ok(answer.with_warnings(&source, &notes))
}
