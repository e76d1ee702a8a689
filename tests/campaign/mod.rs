//! A campaign that tries to make the tool lie: changed protocols, random protocols, tampered
//! certificates, and the laws that every answer about them must keep.
//!
//! The short run is part of the tests; `tests/campaign.md` describes how to repeat the long one.

// A helper that cannot do its part fails the test.
#![allow(clippy::panic)]

mod certificates;
mod edits;
mod engines;
mod fuzz;
mod generate;
mod mercury;
mod mutants;
mod mutate;
mod pace;
mod phrases;
mod play;
mod pressure;
mod printed;
mod random;
mod semantics;
mod solvers;
mod tally;
mod tamper;
mod truth;
mod verdicts;

use rmlcut::logic::{Node, bound_sorts};
use rmlcut::protocol::{Property, Protocol};

/// Whether a property has a quantifier beyond the ones of its violators.
fn is_quantified(protocol: &Protocol) -> bool {
    let inner = |own: &Property| !bound_sorts(Node::Formula(&own.matrix)).is_empty();
    protocol.properties.iter().any(inner)
}

/// A number from the environment, for long runs.
fn setting(name: &str, usual: usize) -> usize {
    let found = std::env::var(name).ok();
    found.map_or(usual, |text| text.parse().unwrap_or_else(|_| panic!("{name}={text}")))
}
