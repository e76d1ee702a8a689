//! The order of the variables: bits that transitions use together should be near each other.
//!
//! FORCE (Aloul, Markov, Sakallah 2003): every transition pulls its bits towards their common
//! centre, and the bits are sorted again, until the total span of the transitions stops shrinking.

use crate::budget::Stop;
use crate::finite::question::reason::{FiniteReason, interruption};

/// Rounds without an improvement before the order is accepted.
const PATIENCE: usize = 12;

/// Rounds at most.
const ROUNDS: usize = 200;

/// The best order that is found from several first ones, each a list of all members.
pub(super) fn shortest_span_order(
    starts: &[Vec<usize>],
    groups: &[Vec<usize>],
    stop: &Stop,
) -> Result<Vec<usize>, FiniteReason> {
    let found = starts.iter().map(|start| force(start, groups, stop));
    let found = found.collect::<Result<Vec<_>, FiniteReason>>()?;
    let best = found.into_iter().min_by_key(|(span, _)| *span);
    Ok(best.map(|(_, order)| order).unwrap_or_default())
}

/// An order in which the members of each group are near each other, with its total span.
fn force(
    start: &[usize],
    groups: &[Vec<usize>],
    stop: &Stop,
) -> Result<(usize, Vec<usize>), FiniteReason> {
    let mut positions = vec![0; start.len()];
    for (position, member) in start.iter().enumerate() {
        positions[*member] = position;
    }
    let mut best = (span(&positions, groups), positions.clone());
    let mut without_gain = 0;
    for _ in 0..ROUNDS {
        interruption(stop).map_or(Ok(()), Err)?;
        positions = pulled(&positions, groups);
        let span = span(&positions, groups);
        if span < best.0 {
            best = (span, positions.clone());
            without_gain = 0;
        } else {
            without_gain += 1;
            if without_gain == PATIENCE {
                break;
            }
        }
    }
    let mut order: Vec<usize> = (0..start.len()).collect();
    order.sort_by_key(|member| best.1[*member]);
    Ok((best.0, order))
}

/// The positions after every member moved to the mean of the centres of its groups.
fn pulled(positions: &[usize], groups: &[Vec<usize>]) -> Vec<usize> {
    let mut sums = vec![(0.0_f64, 0_u32); positions.len()];
    for group in groups.iter().filter(|group| !group.is_empty()) {
        let sum: usize = group.iter().map(|member| positions[*member]).sum();
        let centre = sum as f64 / group.len() as f64;
        for member in group {
            sums[*member].0 += centre;
            sums[*member].1 += 1;
        }
    }
    let target = |member: usize| match sums[member] {
        (_, 0) => positions[member] as f64,
        (sum, pulls) => sum / f64::from(pulls),
    };
    let mut members: Vec<usize> = (0..positions.len()).collect();
    members.sort_by(|one, other| {
        let by_target = target(*one).total_cmp(&target(*other));
        by_target.then(positions[*one].cmp(&positions[*other]))
    });
    let mut moved = vec![0; positions.len()];
    for (position, member) in members.into_iter().enumerate() {
        moved[member] = position;
    }
    moved
}

/// How far apart the members of the groups are, in total.
fn span(positions: &[usize], groups: &[Vec<usize>]) -> usize {
    let span = |group: &Vec<usize>| {
        let places = group.iter().map(|member| positions[*member]);
        places.clone().max().unwrap_or(0) - places.min().unwrap_or(0)
    };
    groups.iter().map(span).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_of_a_group_come_together_unless_the_work_has_to_stop() {
        let (starts, groups) =
            ([(0..6).collect::<Vec<usize>>()], [vec![0, 3], vec![1, 4], vec![2, 5]]);
        let stop = Stop::never();
        let order = shortest_span_order(&starts, &groups, &stop).expect("it is not stopped");
        let at = |member| order.iter().position(|own| *own == member).expect("all are there");
        assert!(groups.iter().all(|group| at(group[0]).abs_diff(at(group[1])) == 1), "{order:?}");
        stop.cancel();
        let stopped = shortest_span_order(&starts, &groups, &stop);
        assert_eq!(stopped, Err(FiniteReason::Interrupted));
    }
}
