//! Guesses clauses from the reachable states of small instances.
//!
//! What is mined holds in all states that were looked at and is proved nowhere here.

mod atoms;
mod cube;
mod diagram;
mod exact;
mod guard_atoms;
mod hitting;
mod language;
mod lasting;
mod miner;
mod samples;
mod sampling;
mod shapes;
mod widen;
mod witness;

pub use diagram::{Diagram, DiagramPart};
pub use miner::Miner;
pub use sampling::{Mining, SampleSize};
