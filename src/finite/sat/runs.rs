//! Reads runs from the solutions of a solver: only violations depend on it, and these are replayed.

use rustc_hash::{FxHashMap, FxHashSet};

use super::transition_clauses::StepClauses;
use crate::finite::engine::PackedStep;
use crate::finite::ground::circuit::{Circuit, Gate, Wire};
use crate::finite::ground::{GroundSystem, bit_layout};
use crate::finite::sat::solver::{SatLiteral, SatSolver};

/// A run: its first state and its steps.
pub(crate) type Run = (Vec<u64>, Vec<PackedStep>);

/// The first claim that a state violates.
pub(crate) fn first_violated(system: &GroundSystem, state: &[u64]) -> Option<usize> {
    system.claims.iter().position(|claim| {
        let holds = |wire| system.circuit.evaluate(wire, input_value(system, state, &[]));
        !holds(claim.holds) && !holds(claim.undefined)
    })
}

impl StepClauses {
    /// The transition that happens in the solution found last.
    pub(crate) fn chosen(&self, solver: &SatSolver) -> Option<usize> {
        self.selectors.iter().position(|selector| solver.value(*selector))
    }

    /// What the transition's havocs pick in the solution found last, as input values.
    pub(crate) fn picked(
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
    pub(crate) fn state_before(&self, solver: &SatSolver, system: &GroundSystem) -> Vec<u64> {
        packed(solver, system, &self.before)
    }
}

/// A state in the solution found last.
pub(crate) fn packed(
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

/// The values of a circuit's inputs: state bits and picked choices, all others false.
pub(crate) fn input_value<'a>(
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
pub(crate) fn successor(
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
pub(crate) fn justify(
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
