//! What violates the specifications: the minimal configurations above which one of them fails.

use std::collections::BTreeSet;

use itertools::Itertools as _;

use super::backward::{Uncovered, minimal};
use crate::process::Requirement;
use crate::process::counters::{Configuration, CounterSystem};
use crate::process::local::StateIndex;

/// The minimal configurations that violate some specification.
///
/// # Errors
/// When there are more than `most`.
pub(super) fn configurations(
    system: CounterSystem<'_>,
    most: usize,
) -> Result<Vec<Configuration>, Uncovered> {
    let mut all = Vec::new();
    for specification in &system.process.specifications {
        all.extend(violations(system, &specification.requirement, most)?);
    }
    Ok(minimal(all))
}

fn violations(
    system: CounterSystem<'_>,
    requirement: &Requirement,
    most: usize,
) -> Result<Vec<Configuration>, Uncovered> {
    let found = match requirement {
        // More processes may have too many values.
        Requirement::AtMost(bound, patterns) | Requirement::FewValues(bound, patterns, _) => {
            let states = &system.locals.states;
            let fitting: Vec<StateIndex> = (0..states.len())
                .filter(|state| patterns.iter().any(|pattern| pattern.fits(&states[*state])))
                .collect();
            fitting.into_iter().combinations_with_replacement(bound + 1).take(most + 1).collect()
        }
        Requirement::And(parts) => {
            let parts: Vec<Vec<Configuration>> =
                parts.iter().map(|part| violations(system, part, most)).try_collect()?;
            minimal(parts.concat())
        }
        // All parts fail at once; one process may count in several of them.
        Requirement::Or(parts) => {
            let mut joined = vec![Configuration::new()];
            for part in parts {
                let part = violations(system, part, most)?;
                let pairs = joined.iter().cartesian_product(&part);
                let both: BTreeSet<Configuration> =
                    pairs.take(most + 1).map(|(one, other)| join(one, other)).collect();
                joined = minimal(both.into_iter().collect());
            }
            joined
        }
    };
    if found.len() > most { Err(Uncovered::Configurations(most)) } else { Ok(found) }
}

/// The least configuration above two others.
fn join(one: &Configuration, other: &Configuration) -> Configuration {
    let count = |list: &Configuration, state| list.iter().filter(|own| **own == state).count();
    let states: BTreeSet<StateIndex> = one.iter().chain(other).copied().collect();
    let times = |state: StateIndex| count(one, state).max(count(other, state));
    states.into_iter().flat_map(|state| vec![state; times(state)]).collect()
}
