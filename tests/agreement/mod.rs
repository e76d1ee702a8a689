//! Random protocols, and what two readings of one of them must agree on: printing against reading,
//! the concrete meaning of actions against the symbolic one, and obligations against execution.

// A helper that cannot do its part fails the test.
#![allow(clippy::panic)]

mod answers;
mod cases;
mod definitions;
pub(crate) mod dice;
mod expressions;
mod invariants;
mod meaning;
mod pairs;
mod pinned;
mod protocols;
mod round_trip;
mod searches;
mod semantics;
