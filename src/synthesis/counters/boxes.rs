//! Few sets instead of many combinations: a box says that no distinct processes are in the states of
//! its sides, one in each.

use std::collections::BTreeSet;

use itertools::Itertools as _;

use super::backward::is_below;
use crate::process::counters::Configuration;
use crate::process::local::StateIndex;

/// The sides of a box.
pub(super) type StateBox = Vec<BTreeSet<StateIndex>>;

/// Boxes that together have exactly the configurations above the minimal ones.
pub(super) fn boxes(states: usize, minimal: &[Configuration]) -> Vec<StateBox> {
    let mut boxes: Vec<StateBox> = Vec::new();
    for configuration in minimal {
        if !boxes.iter().any(|known| contains(known, configuration)) {
            boxes.push(largest(states, minimal, configuration));
        }
    }
    boxes
}

/// The larger of the boxes that grow from a configuration in one order of its sides or the other.
fn largest(states: usize, minimal: &[Configuration], from: &Configuration) -> StateBox {
    let reversed: Configuration = from.iter().rev().copied().collect();
    let size = |grown: &StateBox| grown.iter().map(BTreeSet::len).product::<usize>();
    let (one, other) = (grow(states, minimal, from), grow(states, minimal, &reversed));
    if size(&other) > size(&one) { other } else { one }
}

fn grow(states: usize, minimal: &[Configuration], from: &[StateIndex]) -> StateBox {
    let mut sides: StateBox = from.iter().map(|state| BTreeSet::from([*state])).collect();
    for side in 0..sides.len() {
        for state in 0..states {
            let mut wider = sides.clone();
            wider[side] = BTreeSet::from([state]);
            let corners = wider.iter().map(|side| side.iter().copied()).multi_cartesian_product();
            let mut corners = corners.map(|corner| corner.into_iter().sorted().collect_vec());
            if corners.all(|corner| minimal.iter().any(|bad| is_below(bad, &corner))) {
                sides[side].insert(state);
            }
        }
    }
    sides
}

/// Whether a configuration of as many processes lies in a box.
fn contains(sides: &StateBox, configuration: &Configuration) -> bool {
    sides.len() == configuration.len()
        && configuration
            .iter()
            .permutations(sides.len())
            .any(|order| order.iter().zip(sides).all(|(state, side)| side.contains(state)))
}
