//! Orders of the bits of a state that are worth trying: none is best everywhere.
//!
//! Measured in seconds for FORCE, by element and long tuples first: sharded_kv with three nodes 0.5,
//! 19, 9; german with eight clients 0.9, 0.2, 1.3; ricart_agrawala with eight nodes 20, 2, 0.01.

use rustc_hash::FxHashMap;

use super::variable_order::shortest_span_order;
use crate::budget::Stop;
use crate::finite::ground::circuit::Circuit;
use crate::finite::ground::{GroundSystem, GroundTransition};
use crate::finite::question::reason::FiniteReason;
use crate::logic::tuples;

/// Different orders of the bits of a state, the one that is most often good first; each with the
/// number of the way in which it was made.
pub(super) fn orders(
    system: &GroundSystem,
    stop: &Stop,
) -> Result<Vec<(usize, Vec<u32>)>, FiniteReason> {
    let used = system.layout.used_bits();
    let positions: FxHashMap<u32, usize> =
        used.iter().enumerate().map(|(position, bit)| (*bit, position)).collect();
    let groups: Vec<Vec<usize>> = system
        .transitions
        .iter()
        .map(|transition| {
            let bits = touched(&system.circuit, transition);
            bits.iter().filter_map(|bit| positions.get(bit).copied()).collect()
        })
        .collect();
    let by_symbol: Vec<usize> = (0..used.len()).collect();
    // What a process knows of itself belongs together: most protocols are copies of one process.
    let by_element = sorted(system, &positions, |_| 0);
    // Facts about pairs are often independent of one another once those about elements are known.
    let long_first = sorted(system, &positions, |arguments| usize::MAX - arguments);
    let pulled = shortest_span_order(&[by_element.clone(), by_symbol], &groups, stop)?;
    let mut orders: Vec<(usize, Vec<u32>)> = Vec::new();
    for (number, order) in [pulled, by_element, long_first].into_iter().enumerate() {
        let order: Vec<u32> = order.into_iter().map(|position| used[position]).collect();
        if orders.iter().all(|(_, other)| *other != order) {
            orders.push((number, order));
        }
    }
    Ok(orders)
}

/// The positions of the bits, sorted by a rank of the number of arguments, then by the elements
/// among the arguments, the last one first.
fn sorted(
    system: &GroundSystem,
    positions: &FxHashMap<u32, usize>,
    rank: impl Fn(usize) -> usize,
) -> Vec<usize> {
    let mut keyed = Vec::new();
    for (symbol, block) in system.layout.blocks() {
        for (args, cell) in tuples(&block.arguments).zip(block.cells()) {
            let places = block.arguments.iter().zip(&args).filter_map(|(extent, arg)| {
                // Sorts of different sizes are laid over each other.
                Some(extent.index(*arg)? * 1000 / extent.len())
            });
            let mut places: Vec<usize> = places.collect();
            places.sort_unstable_by(|one, other| other.cmp(one));
            for bit in *cell..cell + block.width {
                keyed.push((rank(args.len()), places.clone(), symbol, positions[&bit]));
            }
        }
    }
    keyed.sort();
    keyed.into_iter().map(|(.., position)| position).collect()
}

/// The bits of the state that a transition reads or writes.
fn touched(circuit: &Circuit, transition: &GroundTransition) -> Vec<u32> {
    let writes = transition.writes.iter().map(|(_, wire)| *wire);
    let mut bits = circuit.support([transition.guard].into_iter().chain(writes));
    bits.extend(transition.writes.iter().map(|(bit, _)| *bit));
    bits.sort_unstable();
    bits.dedup();
    bits
}
