//! rmlcut.

pub mod smt;

pub mod cli;
