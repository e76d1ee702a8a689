//! All initial states of an instance, found by solving; bits that nothing constrains are counted
//! through.

use std::ops::ControlFlow;

use crate::budget::Budget;
use crate::finite::ground::{GroundSystem, bit_layout};
use crate::finite::question::reason::FiniteReason;
use crate::finite::sat::solver::{Copy, SatAnswer, SatSolver, solutions};

/// The bits of a state that the initial condition does not mention.
pub(crate) fn free_bits(system: &GroundSystem) -> Vec<u32> {
    let support = system.circuit.support([system.initial]);
    let is_free = |bit: &u32| support.binary_search(bit).is_err();
    system.layout.used_bits().into_iter().filter(is_free).collect()
}

/// Whether there is an initial state.
///
/// # Errors
/// When the budget ends first.
pub(crate) fn has_initial_state(
    system: &GroundSystem,
    budget: &Budget,
) -> Result<bool, FiniteReason> {
    let mut solver = SatSolver::new(budget);
    let literal = Copy::default().wire(&mut solver, &system.circuit, system.initial);
    solver.clause([literal]);
    Ok(solver.solve(&[])? == SatAnswer::Satisfiable)
}

/// Calls `visit` with every initial state, packed, until it breaks.
///
/// # Errors
/// When the budget ends first.
pub(crate) fn initial_states(
    system: &GroundSystem,
    budget: &Budget,
    visit: &mut dyn FnMut(&[u64]) -> ControlFlow<()>,
) -> Result<(), FiniteReason> {
    let free = free_bits(system);
    let constrained: Vec<u32> =
        system.layout.used_bits().into_iter().filter(|bit| !free.contains(bit)).collect();
    let mut solver = SatSolver::new(budget);
    let mut copy = Copy::default();
    let literal = copy.wire(&mut solver, &system.circuit, system.initial);
    solver.clause([literal]);
    let literals: Vec<_> = constrained.iter().map(|bit| copy.input(&mut solver, *bit)).collect();
    solutions(&mut solver, &literals, &mut |values| {
        let mut words = system.layout.pack_bits(&constrained, values);
        count_through(&mut words, &free, visit)
    })
}

/// Visits a state with every combination of values of some bits.
fn count_through(
    words: &mut [u64],
    free: &[u32],
    visit: &mut dyn FnMut(&[u64]) -> ControlFlow<()>,
) -> ControlFlow<()> {
    loop {
        visit(words)?;
        // Binary increment: the first zero becomes one, the ones before it zero.
        let zero = free.iter().position(|bit| bit_layout::read(words, *bit, 1) == 0);
        for bit in &free[..zero.unwrap_or(free.len())] {
            bit_layout::write(words, *bit, 1, 0);
        }
        match zero {
            Some(position) => bit_layout::write(words, free[position], 1, 1),
            None => return ControlFlow::Continue(()),
        }
    }
}
