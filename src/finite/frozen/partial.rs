//! Many wires of a circuit with some inputs replaced by constants, again and again.

use crate::finite::ground::circuit::{Circuit, Gate, Wire};

/// A set of wires and the gates they depend on, in the order in which they are evaluated.
pub(super) struct PartialEvaluation {
    wires: Vec<Wire>,
    order: Vec<usize>,
    /// The image of every gate, by its number; only those of `order` are ever read.
    images: Vec<Wire>,
}

impl PartialEvaluation {
    /// The gates behind some wires.
    pub(super) fn new(circuit: &Circuit, wires: Vec<Wire>) -> Self {
        let order = circuit.cone(wires.iter().copied());
        let images = vec![Wire::FALSE; order.last().map_or(1, |last| last + 1)];
        PartialEvaluation { wires, order, images }
    }

    /// The wires with some inputs replaced by constants.
    pub(super) fn at(
        &mut self,
        circuit: &mut Circuit,
        fixed: impl Fn(u32) -> Option<bool>,
    ) -> Vec<Wire> {
        let images = &mut self.images;
        let image = |images: &[Wire], wire: Wire| {
            let image = images[wire.gate()];
            if wire.is_negated() { !image } else { image }
        };
        for gate in &self.order {
            images[*gate] = match circuit.gate_at(*gate) {
                Gate::False => Wire::FALSE,
                Gate::Input(input) => match fixed(input) {
                    Some(value) => Wire::constant(value),
                    None => circuit.input(input),
                },
                Gate::And(left, right) => {
                    let (left, right) = (image(images, left), image(images, right));
                    circuit.and(left, right)
                }
            };
        }
        self.wires.iter().map(|wire| image(images, *wire)).collect()
    }
}
