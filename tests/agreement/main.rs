//! Random protocols, and what two readings of one of them must agree on: printing against reading,
//! and the concrete meaning of actions against the symbolic one.

mod dice;
mod expressions;
mod meaning;
mod pinned;
mod protocols;
mod round_trip;
mod semantics;
