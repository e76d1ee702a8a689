//! `rmlcut completions`: completion scripts for shells.

use super::command_output::CommandAnswer;
use clap_complete::Shell;

const EXAMPLES: &str = "\
Examples:
  rmlcut completions bash > ~/.local/share/bash-completion/completions/rmlcut
  rmlcut completions zsh > ~/.zfunc/_rmlcut
  rmlcut completions fish > ~/.config/fish/completions/rmlcut.fish";

/// The arguments of `rmlcut completions`.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct CompletionsArguments {
    /// Your shell
    shell: Shell,
}

/// The script that teaches the shell our options.
pub(super) fn run(arguments: &CompletionsArguments) -> CommandAnswer {
    let mut command = super::command_line();
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut command, "rmlcut", &mut script);
    CommandAnswer::success(String::from_utf8_lossy(&script).into_owned())
}
