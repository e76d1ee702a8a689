//! What the program does with the terminal and the machine: progress, Ctrl-C, memory limits, files.

pub(crate) mod input;
pub(crate) mod interrupt;
pub(crate) mod memory;
pub(crate) mod output;
pub(crate) mod progress;
pub(crate) mod search_progress;
pub(crate) mod watch;
