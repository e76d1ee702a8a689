//! Mercury texts as trees.

pub(crate) mod grammar;
pub(crate) mod read;
mod read_steps;
pub(crate) mod tree;
