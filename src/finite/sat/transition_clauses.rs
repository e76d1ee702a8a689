//! The transition relation of a ground system as clauses: exactly one transition happens.

use crate::budget::Budget;
use crate::finite::ground::circuit::{Circuit, Gate, Wire};
use crate::finite::ground::{GroundSystem, bit_layout};
use crate::finite::model::solver::{Copy, SatLiteral, SatSolver};
use rustc_hash::{FxHashMap, FxHashSet};

/// One step in a solver: state before, transition, state after.
pub(in crate::finite) struct StepClauses {
    /// The circuit over the state before and the choices.
    pub(in crate::finite) copy: Copy,
    /// Which transition happens.
    selectors: Vec<SatLiteral>,
    /// Assumed when something must happen.
    pub(in crate::finite) happens: SatLiteral,
    /// The bits of the state before, by number.
    pub(in crate::finite) before: FxHashMap<u32, SatLiteral>,
    /// The bits of the state after, by number.
    pub(in crate::finite) after: FxHashMap<u32, SatLiteral>,
}

impl StepClauses {
    /// Adds a step from the state `before` to a new state.
    pub(in crate::finite) fn new(
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

    /// The transition that happens in the solution found last.
    pub(in crate::finite) fn chosen(&self, solver: &SatSolver) -> Option<usize> {
        self.selectors.iter().position(|selector| solver.value(*selector))
    }

    /// What the transition's havocs pick in the solution found last, as input values.
    pub(in crate::finite) fn picked(
        &mut self,
        solver: &mut SatSolver,
        system: &GroundSystem,
        transition: usize,
    ) -> Vec<(u32, u32, u64)> {
        let first = system.first_choice();
        let mut picked = Vec::new();
        for block in system.transitions[transition].choices.values() {
            for cell in block.cells() {
                let bits = (0..block.width).map(|bit| self.copy.known_input(first + cell + bit));
                let code = bits.enumerate().fold(0, |code, (bit, literal)| {
                    code | u64::from(literal.is_some_and(|literal| solver.value(literal))) << bit
                });
                picked.push((first + cell, block.width, code));
            }
        }
        picked
    }

    /// The state before, in the solution found last.
    pub(in crate::finite) fn state_before(
        &self,
        solver: &SatSolver,
        system: &GroundSystem,
    ) -> Vec<u64> {
        packed(solver, system, &self.before)
    }
}

/// Literals for the bits of a state.
pub(in crate::finite) fn fresh_state(
    solver: &mut SatSolver,
    system: &GroundSystem,
) -> FxHashMap<u32, SatLiteral> {
    system.layout.used_bits().into_iter().map(|bit| (bit, solver.fresh())).collect()
}

/// A state in the solution found last.
pub(in crate::finite) fn packed(
    solver: &SatSolver,
    system: &GroundSystem,
    bits: &FxHashMap<u32, SatLiteral>,
) -> Vec<u64> {
    let mut words = vec![0; system.layout.words()];
    for (bit, literal) in bits {
        bit_layout::write(&mut words, *bit, 1, u64::from(solver.value(*literal)));
    }
    words
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

/// The values of a circuit's inputs: state bits and picked choices, all others false.
pub(in crate::finite) fn input_value<'a>(
    system: &'a GroundSystem,
    state: &'a [u64],
    picked: &'a [(u32, u32, u64)],
) -> impl Fn(u32) -> bool + 'a {
    move |input| {
        if input < system.first_choice() {
            return bit_layout::read(state, input, 1) == 1;
        }
        let inside =
            |(start, width, _): &&(u32, u32, u64)| (*start..start + width).contains(&input);
        let cell = picked.iter().find(inside);
        cell.is_some_and(|(start, _, code)| code >> (input - start) & 1 == 1)
    }
}

/// The successor of a state by a transition with picked choices.
pub(in crate::finite) fn successor(
    system: &GroundSystem,
    transition: usize,
    state: &[u64],
    picked: &[(u32, u32, u64)],
) -> Vec<u64> {
    let mut next = state.to_vec();
    for (bit, wire) in &system.transitions[transition].writes {
        let value = system.circuit.evaluate(*wire, input_value(system, state, picked));
        bit_layout::write(&mut next, *bit, 1, u64::from(value));
    }
    next
}

/// Inputs that alone give wires the values they have: any state that agrees on them agrees on the
/// wires.
pub(in crate::finite) fn justify(
    circuit: &Circuit,
    wires: &[Wire],
    input: impl Fn(u32) -> bool,
) -> FxHashSet<u32> {
    let mut values: FxHashMap<usize, bool> = FxHashMap::default();
    for gate in circuit.cone(wires.iter().copied()) {
        let value = match circuit.gate_at(gate) {
            Gate::False => false,
            Gate::Input(number) => input(number),
            Gate::And(left, right) => wire_value(&values, left) && wire_value(&values, right),
        };
        values.insert(gate, value);
    }
    let mut reasons = FxHashSet::default();
    let mut seen = FxHashSet::default();
    let mut pending: Vec<usize> = wires.iter().map(|wire| wire.gate()).collect();
    while let Some(gate) = pending.pop() {
        if !seen.insert(gate) {
            continue;
        }
        match circuit.gate_at(gate) {
            Gate::False => {}
            Gate::Input(number) => {
                reasons.insert(number);
            }
            Gate::And(left, right) if values[&gate] => pending.extend([left.gate(), right.gate()]),
            Gate::And(left, right) => {
                let is_known = |wire: &Wire| !wire_value(&values, *wire);
                let candidates = [left, right].into_iter().filter(is_known);
                let best = candidates.min_by_key(|wire| !seen.contains(&wire.gate()));
                pending.extend(best.map(Wire::gate));
            }
        }
    }
    reasons
}

fn wire_value(values: &FxHashMap<usize, bool>, wire: Wire) -> bool {
    values[&wire.gate()] != wire.is_negated()
}

/// A solver for one step, with the codes of the state before valid.
pub(in crate::finite) fn one_step(
    system: &GroundSystem,
    budget: &Budget,
) -> (SatSolver, StepClauses) {
    let mut solver = SatSolver::new(budget);
    let before = fresh_state(&mut solver, system);
    let mut step = StepClauses::new(&mut solver, system, before);
    let valid = step.copy.wire(&mut solver, &system.circuit, system.valid);
    solver.clause([valid]);
    (solver, step)
}
