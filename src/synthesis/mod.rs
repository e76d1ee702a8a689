//! Finds certificates. Nothing here is trusted: the judge decides what a found certificate is
//! worth.

mod answers;
mod attempts;
mod backward;
mod definitions;
mod foreseen;
mod group;
mod guesses;
mod houdini;
pub mod invariant;
mod learnt;
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
mod remembered;
mod search;
mod shape;
mod state;
mod trial;
mod walks;
mod witnesses;
mod words;

pub use attempts::{Attempt, is_endless};
pub use remembered::{Memory, remember};
pub use search::{Found, SearchConfig, search};
