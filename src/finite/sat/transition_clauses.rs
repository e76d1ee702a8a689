//! The transition relation of a ground system as clauses: exactly one transition happens.

use crate::budget::Budget;
use crate::finite::ground::GroundSystem;
use crate::finite::sat::solver::{Copy, SatLiteral, SatSolver};
use rustc_hash::FxHashMap;

/// One step in a solver: state before, transition, state after.
pub(crate) struct StepClauses {
    /// The circuit over the state before and the choices.
    pub(crate) copy: Copy,
    /// Which transition happens.
    pub(crate) selectors: Vec<SatLiteral>,
    /// Assumed when something must happen.
    pub(crate) happens: SatLiteral,
    /// The bits of the state before, by number.
    pub(crate) before: FxHashMap<u32, SatLiteral>,
    /// The bits of the state after, by number.
    pub(crate) after: FxHashMap<u32, SatLiteral>,
}

impl StepClauses {
    /// Adds a step from the state `before` to a new state.
    pub(crate) fn new(
        solver: &mut SatSolver,
        system: &GroundSystem,
        before: FxHashMap<u32, SatLiteral>,
    ) -> Self {
        let mut copy = Copy::with_inputs(before.iter().map(|(bit, literal)| (*bit, *literal)));
        let after: FxHashMap<u32, SatLiteral> = fresh_state(solver, system);
        let selectors: Vec<SatLiteral> =
            system.transitions.iter().map(|_| solver.fresh()).collect();
        let mut writers: FxHashMap<u32, Vec<SatLiteral>> = FxHashMap::default();
        for (transition, selector) in system.transitions.iter().zip(&selectors) {
            let guard = copy.wire(solver, &system.circuit, transition.guard);
            solver.clause([!*selector, guard]);
            let valid = copy.wire(solver, &system.circuit, transition.valid_choices);
            solver.clause([!*selector, valid]);
            for (bit, wire) in &transition.writes {
                let value = copy.wire(solver, &system.circuit, *wire);
                solver.clause([!*selector, !after[bit], value]);
                solver.clause([!*selector, after[bit], !value]);
                writers.entry(*bit).or_default().push(*selector);
            }
        }
        for bit in system.layout.used_bits() {
            let written = writers.remove(&bit).unwrap_or_default();
            let (old, new) = (before[&bit], after[&bit]);
            solver.clause([!old, new].into_iter().chain(written.iter().copied()));
            solver.clause([old, !new].into_iter().chain(written));
        }
        let happens = solver.fresh();
        solver.clause([!happens].into_iter().chain(selectors.iter().copied()));
        at_most_one(solver, &selectors);
        StepClauses { copy, selectors, happens, before, after }
    }
}

/// Literals for the bits of a state.
pub(crate) fn fresh_state(
    solver: &mut SatSolver,
    system: &GroundSystem,
) -> FxHashMap<u32, SatLiteral> {
    system.layout.used_bits().into_iter().map(|bit| (bit, solver.fresh())).collect()
}

/// At most one of many, with one new variable for each: whether one was true so far.
fn at_most_one(solver: &mut SatSolver, literals: &[SatLiteral]) {
    let Some((first, rest)) = literals.split_first() else { return };
    let mut before = *first;
    for literal in rest {
        solver.clause([!before, !*literal]);
        let so_far = solver.fresh();
        solver.clause([!before, so_far]);
        solver.clause([!*literal, so_far]);
        before = so_far;
    }
}

/// A solver for one step, with the codes of the state before valid.
pub(crate) fn one_step(system: &GroundSystem, budget: &Budget) -> (SatSolver, StepClauses) {
    let mut solver = SatSolver::new(budget);
    let before = fresh_state(&mut solver, system);
    let mut step = StepClauses::new(&mut solver, system, before);
    let valid = step.copy.wire(&mut solver, &system.circuit, system.valid);
    solver.clause([valid]);
    (solver, step)
}
