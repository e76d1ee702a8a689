//! The `rmlcut` program: arguments in, exit code out.

use std::process::ExitCode;

fn main() -> ExitCode {
    #[cfg(loads_z3)]
    rmlcut::smt::z3::provide(include_bytes!(concat!(env!("OUT_DIR"), "/libz3.packed")));
    rmlcut::cli::run(std::env::args_os())
}
