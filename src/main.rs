//! The `rmlcut` program: arguments in, exit code out.

use std::process::ExitCode;

fn main() -> ExitCode {
    rmlcut::cli::run(std::env::args_os())
}
