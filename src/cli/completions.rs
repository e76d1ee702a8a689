//! `rmlcut completions`: completion scripts for shells.

use super::answer::Answer;
use clap_complete::Shell;

/// What `rmlcut completions` is told.
#[derive(clap::Args)]
pub(super) struct Arguments {
    /// The shell that will read the script
    shell: Shell,
}

/// The script that teaches the shell our options.
pub(super) fn run(arguments: &Arguments) -> Answer {
    let mut command = super::command_line();
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut command, "rmlcut", &mut script);
    Answer::success(String::from_utf8_lossy(&script).into_owned())
}
