//! Checks a proof that no bad state is reachable: clauses that hold initially, are kept by every
//! step and exclude the bad states.

use rustc_hash::FxHashMap;

use super::transition_clauses::one_step;
use crate::budget::Budget;
use crate::finite::ground::GroundSystem;
use crate::finite::ground::circuit::Wire;
use crate::finite::question::reason::FiniteReason;
use crate::finite::sat::solver::{SatAnswer, SatLiteral};

/// A conjunction of bits with their values, sorted by bit.
pub(crate) type StateCube = Vec<(u32, bool)>;

/// Whether the negations of the cubes are an inductive invariant that excludes every bad state.
///
/// # Errors
/// When the budget ends first.
pub(crate) fn is_proof(
    system: &GroundSystem,
    bad: Wire,
    cubes: &[StateCube],
    budget: &Budget,
) -> Result<bool, FiniteReason> {
    let (mut solver, mut step) = one_step(system, budget);
    let initial = step.copy.wire(&mut solver, &system.circuit, system.initial);
    let bad = step.copy.wire(&mut solver, &system.circuit, bad);
    let inside = |cube: &StateCube, state: &FxHashMap<u32, SatLiteral>| -> Vec<SatLiteral> {
        let literal = |(bit, value): &(u32, bool)| if *value { state[bit] } else { !state[bit] };
        cube.iter().map(literal).collect()
    };
    let invariant = solver.fresh();
    for cube in cubes {
        let outside = inside(cube, &step.before).into_iter().map(|literal| !literal);
        solver.clause([!invariant].into_iter().chain(outside));
    }
    // Each of these must be impossible.
    let mut failures = vec![vec![invariant, bad]];
    for cube in cubes {
        failures.push([vec![initial], inside(cube, &step.before)].concat());
        failures.push([vec![invariant, step.happens], inside(cube, &step.after)].concat());
    }
    for failure in failures {
        if solver.solve(&failure)? == SatAnswer::Satisfiable {
            return Ok(false);
        }
    }
    Ok(true)
}
