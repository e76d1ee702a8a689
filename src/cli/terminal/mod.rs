//! What the program does with the terminal and the machine: progress, Ctrl-C, memory limits, files.

pub(in crate::cli) mod input;
pub(in crate::cli) mod interrupt;
pub(in crate::cli) mod memory;
pub(in crate::cli) mod output;
pub(in crate::cli) mod progress;
pub(in crate::cli) mod watch;
