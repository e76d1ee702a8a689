//! The least number of processes at which every combination of local states that the specification
//! speaks of, and that any number of processes can reach, has been reached.

use std::collections::BTreeSet;

use itertools::Itertools as _;

use super::{MOST_CONFIGURATIONS, backward, least_initial};
use crate::budget::Stop;
use crate::process::counters::{Configuration, CounterSystem};
use crate::process::local::StateIndex;

/// The most processes that are tried, and the most configurations of so many.
const MOST_PROCESSES: usize = 8;
const MOST_REACHABLE: usize = 20_000;

/// The most combinations that a specification may speak of.
const MOST_COMBINATIONS: usize = 5_000;

/// A number of processes that shows everything.
#[derive(Clone, Debug)]
pub struct Cutoff {
    /// How many processes.
    pub processes: usize,
    /// The minimal configurations that no number of processes reaches, as far as the proof needs
    /// them: those that violate something, the combinations that were not seen, and what leads to
    /// either.
    pub unreachable: Vec<Configuration>,
}

/// The least cutoff, if a small one can be shown to be one. Meant for specifications that hold.
pub fn cutoff(system: CounterSystem<'_>, bad: &[Configuration], stop: &Stop) -> Option<Cutoff> {
    let named: BTreeSet<StateIndex> = bad.iter().flatten().copied().collect();
    let most = bad.iter().map(Vec::len).max()?;
    let combinations: Vec<Configuration> = (1..=most)
        .flat_map(|count| named.iter().copied().combinations_with_replacement(count))
        .take(MOST_COMBINATIONS + 1)
        .collect();
    if combinations.len() > MOST_COMBINATIONS {
        return None;
    }
    for processes in 1..=MOST_PROCESSES {
        if stop.is_set() {
            return None;
        }
        let reached = system.reachable(processes, MOST_REACHABLE)?;
        let is_seen = |combination: &&Configuration| {
            reached.iter().any(|state| backward::is_below(combination, state))
        };
        let unseen = combinations.iter().filter(|combination| !is_seen(combination));
        let all: Vec<Configuration> = unseen.chain(bad).cloned().collect();
        let unreachable = backward::close(system, all, MOST_CONFIGURATIONS, stop).ok()?;
        if least_initial(&unreachable).is_none() {
            return Some(Cutoff { processes, unreachable });
        }
    }
    None
}
