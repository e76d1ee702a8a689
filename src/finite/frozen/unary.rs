//! Costs as circuits, counted in unary: at each position, whether the number is greater than that.

use super::FlagGroup;
use crate::finite::ground::circuit::{Circuit, Wire};

/// Where a choice has this code.
pub(super) fn code(circuit: &mut Circuit, group: &FlagGroup, code: usize) -> Wire {
    let mut all = Wire::TRUE;
    for bit in 0..group.bits {
        let input = u32::try_from(group.first + bit).unwrap_or(u32::MAX);
        let flag = circuit.input(input);
        let is_set = code >> bit & 1 == 1;
        all = circuit.and(all, if is_set { flag } else { !flag });
    }
    all
}

/// The cost of the code that is chosen.
pub(super) fn chosen(
    circuit: &mut Circuit,
    (codes, costs): (&[Wire], &[u32]),
    most: usize,
) -> Vec<Wire> {
    let greatest = costs.iter().max().map_or(0, |cost| *cost as usize).min(most);
    let above = |bound: usize| {
        let above = codes.iter().zip(costs).filter(|(_, cost)| **cost as usize > bound);
        above.map(|(code, _)| *code).collect::<Vec<_>>()
    };
    (0..greatest).map(|bound| circuit.any(above(bound))).collect()
}

/// The sum of two numbers, up to `most`. No binary numbers: the solver would have to refute their
/// bounds digit by digit.
pub(super) fn sum(
    circuit: &mut Circuit,
    (left, right): (&[Wire], &[Wire]),
    most: usize,
) -> Vec<Wire> {
    let reaches = |number: &[Wire], count: usize| match count.checked_sub(1) {
        None => Wire::TRUE,
        Some(bound) => number.get(bound).copied().unwrap_or(Wire::FALSE),
    };
    let mut sum = Vec::new();
    for total in 1..=(left.len() + right.len()).min(most) {
        let mut ways = Vec::new();
        for own in 0..=total.min(left.len()) {
            ways.push(circuit.and(reaches(left, own), reaches(right, total - own)));
        }
        sum.push(circuit.any(ways));
    }
    sum
}
