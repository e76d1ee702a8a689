//! Finds certificates. Nothing here is trusted: the judge decides what a found certificate is
//! worth.

mod answers;
mod attempts;
mod backward;
mod definitions;
mod group;
mod guesses;
mod houdini;
pub mod invariant;
mod lemmas;
pub mod literal;
mod maps;
pub mod mine;
mod nearest;
mod plan;
mod plans;
mod polish;
mod pool;
mod property;
mod pursuit;
mod questions;
mod search;
mod shape;
mod state;
mod trial;
mod walks;
mod words;

pub use attempts::Attempt;
pub use search::{Found, SearchConfig, search};
