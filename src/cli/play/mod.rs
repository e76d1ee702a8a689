//! `rmlcut play`: stepping through a protocol by hand, in the terminal or in a browser.

mod line_editor;
mod serve;
mod table;

use std::path::PathBuf;

use super::command_output::{CommandAnswer, CommandResult, ExitStatus, read_protocol};
use super::terminal::{input, interrupt};
use super::{Format, limits};
use crate::finite::EngineError;
use crate::pipeline;
use crate::play::{PlayCommand, Session, initial_states};
use line_editor::Lines;
use table::Table;

const EXAMPLES: &str = "\
Examples:
  rmlcut play protocol.rml --size node=3
  rmlcut play protocol.rml --load trace.itf.json
  rmlcut play protocol.rml --size node=3 --serve
  printf 'random 20\\nsave run.itf.json\\n' | rmlcut play protocol.rml

`help` lists the commands. In a terminal, lines can be edited, the arrow keys recall earlier ones, and
Tab completes. Nothing is proved here: actions are executed, one after another.

With --serve, an address on this machine is printed; its token keeps other users and other pages out.

Exit code: 0 done, 2 there is no initial state, 3 environment error, 64 invalid input.";

/// The arguments of `rmlcut play`.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct PlayArguments {
    /// Protocol
    file: PathBuf,
    #[command(flatten)]
    choice: input::PropertyChoice,
    /// Number of elements of each sort, as sort=count [default: 2]
    #[arg(long, value_delimiter = ',', value_parser = limits::sized)]
    size: Vec<(String, u32)>,
    /// Range of integers, as low..high, inclusive
    #[arg(long, value_parser = limits::range, allow_hyphen_values = true)]
    int: Option<(i64, i64)>,
    /// Begin with this trace
    #[arg(long, value_name = "FILE", conflicts_with = "size")]
    load: Option<PathBuf>,
    /// Seed of random steps
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Play in a browser on this machine
    #[arg(long)]
    serve: bool,
    /// Port for --serve [default: a free one]
    #[arg(long, requires = "serve", default_value_t = 0)]
    port: u16,
}

/// The standard input has the commands.
#[derive(Debug, thiserror::Error)]
#[error("play reads commands from the standard input, so the protocol must be a file")]
struct NeedsFile;

/// There is nowhere to begin.
#[derive(Debug, thiserror::Error)]
#[error("there is no initial state of this size; `rmlcut show lint` looks for the reason")]
struct NoStart;

/// Plays one protocol.
pub(super) fn run(arguments: &PlayArguments, format: Format) -> CommandResult {
    if input::is_standard_input(&arguments.file) {
        return Err(CommandAnswer::failure(format, ExitStatus::WrongInput, &NeedsFile));
    }
    let source = read_protocol(format, &arguments.file, &arguments.choice)?;
    let (protocol, warnings) = pipeline::read_protocol(&source)
        .map_err(|messages| CommandAnswer::refused(format, &source, &messages))?;
    let stop = interrupt::on_ctrl_c();
    let wrong = |error: &dyn std::fmt::Display| {
        CommandAnswer::failure(format, ExitStatus::WrongInput, error)
    };
    let size = crate::finite::question::request::size(&protocol, &arguments.size)
        .map_err(|error| wrong(&format!("--size: {error}")))?;
    let starts =
        match &arguments.load {
            Some(_) => Vec::new(),
            None => initial_states(&protocol, &size.0, arguments.int, &stop).map_err(|error| {
                match error {
                    EngineError::NoWindow => wrong(&format!("{error}, for example --int 0..4")),
                    error => wrong(&error),
                }
            })?,
        };
    let mut table = Table { protocol, source, stop, format };
    let mut session = match &arguments.load {
        Some(path) => table.load(path, arguments.seed)?,
        None => Session::new(starts, arguments.seed)
            .ok_or_else(|| CommandAnswer::failure(format, ExitStatus::Unproved, &NoStart))?,
    };
    table.protocol = table.protocol.with_names_of(session.state());
    if arguments.serve {
        return serve::run(&table, &mut session, arguments.port);
    }
    let shown = CommandAnswer::success(table.shown(&session, None));
    super::write_out(&shown.with_warnings(&table.source, &warnings));
    let mut lines = Lines::new(&table.protocol, session.state(), &table.stop);
    while let Some(line) = lines.next() {
        let answer = match table.command(&session, &line) {
            Ok(PlayCommand::Quit) => break,
            Ok(command) => table.play(&mut session, command),
            Err(error) => table.complained(&session, &error),
        };
        super::write_out(&answer);
    }
    Ok(CommandAnswer::success(String::new()))
}
