//! Many wires of a circuit with some inputs replaced by constants, again and again.

use crate::finite::ground::circuit::{Circuit, Gate, Wire};

/// A set of wires, and what the gates they depend on have become.
pub(super) struct PartialEvaluation {
    wires: Vec<Wire>,
    /// The image of every gate, by its number, and the round in which it was computed.
    images: Vec<(u32, Wire)>,
    round: u32,
}

impl PartialEvaluation {
    pub(super) fn new(wires: Vec<Wire>) -> Self {
        let gates = wires.iter().map(|wire| wire.gate() + 1).max().unwrap_or(0);
        PartialEvaluation { wires, images: vec![(0, Wire::FALSE); gates], round: 1 }
    }

    /// The wires with some inputs replaced by constants.
    pub(super) fn at(
        &mut self,
        circuit: &mut Circuit,
        fixed: impl Fn(u32) -> Option<bool>,
    ) -> Vec<Wire> {
        self.restart();
        (0..self.wires.len()).map(|position| self.image(circuit, position, &fixed)).collect()
    }

    /// Forgets the constants: the next ones are others.
    pub(super) fn restart(&mut self) {
        self.round += 1;
    }

    /// One of the wires with some inputs replaced by constants, always the same ones until the next
    /// restart. Gates are evaluated only where they matter: most guards are false in most states.
    pub(super) fn image(
        &mut self,
        circuit: &mut Circuit,
        position: usize,
        fixed: &impl Fn(u32) -> Option<bool>,
    ) -> Wire {
        let wire = self.wires[position];
        let mut pending = vec![wire.gate()];
        while let Some(gate) = pending.last().copied() {
            let image = match circuit.gate_at(gate) {
                _ if self.images[gate].0 == self.round => {
                    pending.pop();
                    continue;
                }
                Gate::False => Wire::FALSE,
                Gate::Input(input) => match fixed(input) {
                    Some(value) => Wire::constant(value),
                    None => circuit.input(input),
                },
                Gate::And(left, right) => match (self.known(left), self.known(right)) {
                    (Some(Wire::FALSE), _) | (_, Some(Wire::FALSE)) => Wire::FALSE,
                    (None, _) => {
                        pending.push(left.gate());
                        continue;
                    }
                    (Some(_), None) => {
                        pending.push(right.gate());
                        continue;
                    }
                    (Some(left), Some(right)) => circuit.and(left, right),
                },
            };
            self.images[gate] = (self.round, image);
            pending.pop();
        }
        self.known(wire).unwrap_or(Wire::FALSE)
    }

    /// The image of a wire, if it was computed in this round.
    fn known(&self, wire: Wire) -> Option<Wire> {
        let (round, image) = self.images[wire.gate()];
        (round == self.round).then_some(if wire.is_negated() { !image } else { image })
    }
}
