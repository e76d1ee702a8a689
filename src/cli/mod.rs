//! The command line: arguments, dispatch, output and exit codes.
//!
//! One file per subcommand. A subcommand turns its arguments into an answer; only this file
//! writes it out.

mod bench;
mod check;
mod command_output;
mod complete;
mod completions;
mod explore;
mod export;
mod files;
mod fmt;
mod limits;
mod lsp;
mod play;
mod replay;
mod report;
mod show;
mod synth;
mod terminal;

use std::ffi::OsString;
use std::io::{self, ErrorKind, Write};
use std::process::ExitCode;
use std::time::Duration;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum};

use command_output::{CommandAnswer, CommandResult, ExitStatus};

use crate::report::ci::CiFormat;
use crate::smt::z3 as solver;

const FIRST_STEPS: &str = "\
A first session:
  rmlcut show protocol lock.rml              is it read the way I meant it?
  rmlcut explore lock.rml --size client=2    is a small instance safe?
  rmlcut replay lock.rml trace.itf.json      is this trace a run, and what does it violate?
  rmlcut synth lock.rml -o lock.cut          is every instance safe, and why?
  rmlcut check lock.rml lock.cut             is that certificate valid?

`rmlcut help COMMAND` has more examples; grammar/README.md describes the language.

Exit codes:
  0   safe, or done
  1   unsafe; for `fmt --check`, not in canonical form
  2   unproved, or safe only up to a bound; for `replay`, not a run
  3   environment error: a file cannot be read or written, or a solver is missing
  64  invalid usage or input; also a protocol without `safety` where a verdict is asked for
  70  internal error, or two solvers that contradict each other: please report it";

/// The paper's names, for the commands that use them.
const TERMS: &str = "\
Terms:
  L, C   the protocol at any size, and one small instance of it, the cutoff
  S, A   the parts of the state that a violation depends on, and the actions that can cause it
  gamma  the clauses that relate the states of L and C
  tau    the lockstep: what C does when L takes a step
  residual sorts are those that are not cut: C has as many of their elements as L";

/// Proves distributed protocols safe for any number of nodes by checking one small instance.
#[derive(Parser)]
#[command(name = "rmlcut", arg_required_else_help = true, after_help = FIRST_STEPS)]
struct ProgramArguments {
    #[command(subcommand)]
    command: CliCommand,
    /// Output format
    #[arg(long, global = true, value_enum, default_value_t = OutputFormat::Text)]
    format: OutputFormat,
}

/// A format as users name it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum OutputFormat {
    /// For people
    Text,
    /// For programs
    Json,
    /// Traces in the Informal Trace Format (`explore` only)
    Itf,
    /// SARIF 2.1.0, for code scanning (`check`, `synth`, `explore`)
    Sarif,
    /// JUnit XML, for test reports (`check`, `synth`, `explore`)
    Junit,
    /// Annotations of GitHub Actions (`check`, `synth`, `explore`)
    Github,
}

/// How a command writes its result; other formats are made from the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Format {
    /// For people.
    Text,
    /// For programs.
    Json,
    /// Traces.
    Itf,
}

impl OutputFormat {
    /// The format of continuous integration, if it is one.
    fn ci(self) -> Option<CiFormat> {
        match self {
            OutputFormat::Text | OutputFormat::Json | OutputFormat::Itf => None,
            OutputFormat::Sarif => Some(CiFormat::Sarif),
            OutputFormat::Junit => Some(CiFormat::Junit),
            OutputFormat::Github => Some(CiFormat::Github),
        }
    }

    /// What the command itself writes.
    fn internal(self) -> Format {
        match self {
            OutputFormat::Json => Format::Json,
            OutputFormat::Itf => Format::Itf,
            OutputFormat::Text
            | OutputFormat::Sarif
            | OutputFormat::Junit
            | OutputFormat::Github => Format::Text,
        }
    }
}

#[derive(Subcommand)]
enum CliCommand {
    /// Prove a protocol safe at every size and produce a certificate
    Synth(synth::SynthArguments),
    /// Show the result of one stage
    Show(show::ShowArguments),
    /// Check that a certificate proves a protocol safe at every size
    Check(check::CheckArguments),
    /// Search all instances of one size for a violation
    Explore(explore::ExploreArguments),
    /// Check whether a trace is a run of a protocol, and what it violates
    Replay(replay::ReplayArguments),
    /// Step through a protocol by hand, in the terminal or in a browser
    Play(play::PlayArguments),
    /// Write a page that shows a proof, or a violation, with pictures
    Report(report::ReportArguments),
    /// Fill the holes of a sketch so that the protocol is safe
    Complete(complete::CompleteArguments),
    /// Find the smallest edits that make an unsafe protocol safe
    Repair(complete::RepairArguments),
    /// Translate a protocol into the language of another tool
    Export(export::ExportArguments),
    /// Format a protocol
    Fmt(fmt::FmtArguments),
    /// Prove many protocols, or measure one stage
    Bench(bench::BenchArguments),
    /// Serve an editor: messages, names, completion, and lenses that prove
    Lsp(lsp::LspArguments),
    /// Print a completion script for your shell
    Completions(completions::CompletionsArguments),
}

impl CliCommand {
    /// Whether the command cannot do its work without the solver.
    fn asks_the_solver(&self) -> bool {
        match self {
            CliCommand::Check(_)
            | CliCommand::Synth(_)
            | CliCommand::Report(_)
            | CliCommand::Complete(_)
            | CliCommand::Repair(_)
            | CliCommand::Bench(_) => true,
            CliCommand::Show(arguments) => arguments.asks_the_solver(),
            // `explore` asks why there is nothing to look at, if so, and does without an answer.
            CliCommand::Explore(_)
            | CliCommand::Replay(_)
            | CliCommand::Play(_)
            | CliCommand::Export(_)
            | CliCommand::Fmt(_)
            | CliCommand::Lsp(_)
            | CliCommand::Completions(_) => false,
        }
    }
}

/// Runs the program on its command line, the program's own name first.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    if let Some(ended) = terminal::memory::supervised(&arguments) {
        return ended;
    }
    let answer = catching_panics(|| match parse(arguments) {
        Ok(ProgramArguments { command, format }) => {
            answer(command, format).unwrap_or_else(|ended| ended)
        }
        Err(error) => usage(&error),
    });
    let (answer, ended) = terminal::memory::with_shortage(answer);
    let code = write_out(&answer);
    ended.unwrap_or(code)
}

/// Turns a panic, which prints its own place, into the documented exit status.
fn catching_panics(work: impl FnOnce() -> CommandAnswer) -> CommandAnswer {
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(work)).unwrap_or_else(|_| CommandAnswer {
        remarks: "internal error: please report this with the input file\n".to_owned(),
        status: ExitStatus::InternalError,
        ..CommandAnswer::success(String::new())
    })
}

fn parse(arguments: impl IntoIterator<Item = OsString>) -> Result<ProgramArguments, clap::Error> {
    ProgramArguments::from_arg_matches(&command_line().try_get_matches_from(arguments)?)
}

/// The command line as clap sees it.
fn command_line() -> clap::Command {
    ProgramArguments::command().version(env!("CARGO_PKG_VERSION"))
}

fn answer(command: CliCommand, output: OutputFormat) -> CommandResult {
    let format = output.internal();
    // A missing solver is reported before any work, and only where it is needed.
    if command.asks_the_solver() {
        solver::load().map_err(|error| {
            CommandAnswer::failure(format, ExitStatus::EnvironmentError, &error)
        })?;
    }
    let has_findings = matches!(
        command,
        CliCommand::Check(_)
            | CliCommand::Synth(_)
            | CliCommand::Explore(_)
            | CliCommand::Report(_)
    );
    if output.ci().is_some() && !has_findings {
        return Err(CommandAnswer::usage_error(
            "sarif, junit and github are formats of `check`, `synth` and `explore`",
        ));
    }
    if format == Format::Itf && !matches!(command, CliCommand::Explore(_)) {
        return Err(CommandAnswer::usage_error(
            "only `rmlcut explore` writes traces: --format itf",
        ));
    }
    match command {
        CliCommand::Check(arguments) => check::run(&arguments, output),
        CliCommand::Synth(arguments) => files::run(&arguments, output),
        CliCommand::Explore(arguments) => explore::run_as(&arguments, output),
        CliCommand::Play(arguments) => play::run(&arguments, format),
        CliCommand::Replay(arguments) => replay::run(&arguments, format),
        CliCommand::Report(arguments) => match parse(arguments.command_line()) {
            Ok(ProgramArguments { command, .. }) => answer(command, output),
            Err(error) => Err(usage(&error)),
        },
        CliCommand::Show(arguments) => show::run(&arguments, format),
        CliCommand::Complete(arguments) => complete::run(&arguments, format),
        CliCommand::Repair(arguments) => complete::run_repair(&arguments, format),
        CliCommand::Export(arguments) => export::run(&arguments, format),
        CliCommand::Fmt(arguments) => fmt::run(&arguments, format),
        CliCommand::Bench(arguments) => bench::run(&arguments, format),
        CliCommand::Lsp(arguments) => lsp::run(&arguments, format),
        CliCommand::Completions(arguments) => Ok(completions::run(&arguments)),
    }
}

/// Help and version were asked for; anything else clap reports is a mistake of the caller.
fn usage(error: &clap::Error) -> CommandAnswer {
    let text = error.render().to_string();
    if error.kind() == clap::error::ErrorKind::DisplayVersion {
        version(text.trim_end())
    } else if error.use_stderr() {
        let status = ExitStatus::WrongInput;
        CommandAnswer { remarks: text, status, ..CommandAnswer::success(String::new()) }
    } else {
        CommandAnswer::success(text)
    }
}

/// Our version, with that of the solver.
fn version(ours: &str) -> CommandAnswer {
    match solver::version() {
        Ok(solver) => CommandAnswer::success(format!("{ours} (Z3 {solver})\n")),
        Err(error) => {
            let failure =
                CommandAnswer::failure(Format::Text, ExitStatus::EnvironmentError, &error);
            CommandAnswer { output: format!("{ours}\n"), ..failure }
        }
    }
}

fn write_out(answer: &CommandAnswer) -> ExitCode {
    // Standard error is the last place to complain to: when it fails there is nothing left to do.
    let _ = io::stderr().lock().write_all(answer.remarks.as_bytes());
    let mut stdout = io::stdout().lock();
    let written = stdout.write_all(answer.output.as_bytes()).and_then(|()| stdout.flush());
    match written {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            let _ = writeln!(io::stderr(), "error: cannot write the result: {error}");
            ExitCode::from(ExitStatus::EnvironmentError as u8)
        }
        // A reader that has seen enough, as in `rmlcut … | head -1`, is no failure.
        _ => ExitCode::from(answer.status as u8),
    }
}

/// A number of seconds, as users write it.
fn seconds(text: &str) -> Result<Duration, String> {
    let number: f64 = text.parse().map_err(|_| format!("`{text}` is not a number of seconds"))?;
    Duration::try_from_secs_f64(number).map_err(|error| error.to_string())
}
