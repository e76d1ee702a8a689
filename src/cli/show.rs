//! `rmlcut show`: the result of one stage, to be looked at.

use std::path::PathBuf;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

use super::answer::Answer;
use super::{Format, input};
use crate::pipeline::{Detail, STAGES, Shown, Stage};
use crate::report;

const EXAMPLES: &str = "\
Examples:
  rmlcut show surface protocol.rml
  rmlcut show analysis --verbose protocol.rml
  rmlcut show surface --format json protocol.rml
  generate | rmlcut show surface -";

/// What `rmlcut show` is told.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Arguments {
    /// The stage to show
    #[arg(value_parser = stage_names().map(|name| stage(&name)))]
    stage: &'static Stage,
    /// The protocol; `-` reads the standard input
    file: PathBuf,
    /// Also show how the stage got to its result
    #[arg(short, long)]
    verbose: bool,
}

/// Shows one stage of one protocol.
pub(super) fn run(arguments: &Arguments, format: Format) -> Answer {
    let source = match input::read(&arguments.file) {
        Ok(source) => source,
        Err(error) => return Answer::unreadable(format, &error),
    };
    let stage = arguments.stage;
    let detail = if arguments.verbose { Detail::Steps } else { Detail::Results };
    match (stage.show)(&source, detail) {
        Ok(Shown { text, data, warnings }) => {
            let output = match format {
                Format::Text => text,
                Format::Json | Format::Itf => {
                    report::json::shown(&source, stage.name, &text, data.as_ref(), &warnings)
                }
            };
            Answer::success(output).with_warnings(&source, &warnings)
        }
        Err(diagnostics) => Answer::refused(format, &source, &diagnostics),
    }
}

fn stage_names() -> PossibleValuesParser {
    STAGES.iter().map(|stage| PossibleValue::new(stage.name).help(stage.summary)).into()
}

fn stage(name: &str) -> &'static Stage {
    STAGES.iter().find(|stage| stage.name == name).expect("only names in the table pass the parser")
}
