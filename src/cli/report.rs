//! `rmlcut report`, and the option `--report` of other commands: results as a page.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use super::Format;
use super::command_output::{CommandAnswer, ExitStatus};
use super::terminal::{input, output};
use crate::report::ci::shown;

const EXAMPLES: &str = "\
Examples:
  rmlcut report protocol.rml                              prove it, or find a violation
  rmlcut report protocol.rml protocol.cut -o proof.html   check this certificate
  rmlcut explore protocol.rml --size node=3 --report run.html

With a certificate, or with one beside the protocol, this is `rmlcut check --report`; otherwise it is
`rmlcut synth --report`. The page needs nothing but itself: no network, no other file.

Exit code: as for `check` and `synth`.";

/// The arguments of `rmlcut report`.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct ReportArguments {
    /// Protocol
    protocol: PathBuf,
    #[command(flatten)]
    choice: input::PropertyChoice,
    /// Certificate [default: the protocol's name with `.cut`, if there is such a file]
    certificate: Option<PathBuf>,
    /// Write the page to this file
    #[arg(short, long, default_value = "report.html", value_name = "FILE.html")]
    output: PathBuf,
    /// Give up the search after this many seconds; with a certificate, the limit for each obligation
    #[arg(long, value_name = "SECONDS", default_value_t = 60)]
    timeout: u64,
}

impl ReportArguments {
    /// The same as a command line of `check` or `synth`.
    pub(super) fn command_line(&self) -> Vec<OsString> {
        let beside = self.protocol.with_extension("cut");
        let is_named = self.protocol != beside && !input::is_standard_input(&self.protocol);
        let beside = Some(beside).filter(|path| is_named && path.is_file());
        let certificate = self.certificate.clone().or(beside);
        let command = if certificate.is_some() { "check" } else { "synth" };
        let mut line: Vec<OsString> = vec!["rmlcut".into(), command.into()];
        line.extend(self.choice.command_line());
        line.extend(["--timeout".into(), self.timeout.to_string().into()]);
        line.extend(["--report".into(), self.output.clone().into()]);
        line.push("--".into());
        line.push(self.protocol.clone().into());
        line.extend(certificate.map(OsString::from));
        line
    }
}

/// A page that would replace an input.
#[derive(Debug, thiserror::Error)]
#[error("--report {0} would replace an input")]
struct OverInput(String);

/// Refuses a place for the page before any work is done for it.
pub(super) fn ensure_writable(
    page: Option<&Path>,
    inputs: &[&Path],
    format: Format,
) -> Result<(), CommandAnswer> {
    let Some(page) = page else { return Ok(()) };
    let same = |one: &Path| fs::canonicalize(one).ok();
    if same(page).is_some() && inputs.iter().any(|input| same(input) == same(page)) {
        let error = OverInput(page.display().to_string());
        return Err(CommandAnswer::failure(format, ExitStatus::WrongInput, &error));
    }
    output::ensure_writable(page)
        .map_err(|error| CommandAnswer::failure(format, ExitStatus::EnvironmentError, &error))
}

/// Writes the page, and says so below the remarks.
pub(super) fn written(
    answer: CommandAnswer,
    page: Option<&Path>,
    text: impl FnOnce() -> String,
) -> CommandAnswer {
    let Some(page) = page else { return answer };
    match output::replace(page, &text()) {
        Ok(()) => {
            let remarks = format!("{}the report is in {}\n", answer.remarks, shown(page));
            CommandAnswer { remarks, ..answer }
        }
        Err(error) => {
            let remarks = format!("{}error: {error}\n", answer.remarks);
            CommandAnswer { remarks, status: ExitStatus::EnvironmentError, ..answer }
        }
    }
}
