//! And-inverter circuits over numbered inputs: what ground formulas become.
//!
//! Built once per instance, shared by all engines; the search itself never walks a circuit.

use rustc_hash::FxHashMap;

/// A gate or its negation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Wire(u32);

impl Wire {
    /// False.
    pub(crate) const FALSE: Wire = Wire(0);
    /// True.
    pub(crate) const TRUE: Wire = Wire(1);

    /// The wire that is always `value`.
    pub(crate) fn constant(value: bool) -> Self {
        if value { Wire::TRUE } else { Wire::FALSE }
    }

    /// The value of a wire that never changes.
    pub(crate) fn as_constant(self) -> Option<bool> {
        (self.0 < 2).then_some(self == Wire::TRUE)
    }

    /// The number of the gate.
    pub(crate) fn gate(self) -> usize {
        (self.0 >> 1) as usize
    }

    /// Whether the gate is negated.
    pub(crate) fn is_negated(self) -> bool {
        self.0 & 1 == 1
    }
}

impl std::ops::Not for Wire {
    type Output = Wire;

    fn not(self) -> Wire {
        Wire(self.0 ^ 1)
    }
}

/// What a gate computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Gate {
    /// False.
    False,
    /// The input of that number.
    Input(u32),
    /// The conjunction of two wires.
    And(Wire, Wire),
}

/// A circuit; equal gates are built once.
#[derive(Clone, Debug)]
pub(crate) struct Circuit {
    gates: Vec<Gate>,
    inputs: FxHashMap<u32, u32>,
    conjunctions: FxHashMap<(Wire, Wire), u32>,
}

impl Default for Circuit {
    fn default() -> Self {
        let (inputs, conjunctions) = (FxHashMap::default(), FxHashMap::default());
        Circuit { gates: vec![Gate::False], inputs, conjunctions }
    }
}

impl Circuit {
    /// The number of gates.
    pub(in crate::finite) fn gate_count(&self) -> u64 {
        self.gates.len() as u64
    }

    /// What the gate of a wire computes.
    pub(crate) fn gate(&self, wire: Wire) -> Gate {
        self.gates[wire.gate()]
    }

    /// What the gate of that number computes.
    pub(crate) fn gate_at(&self, gate: usize) -> Gate {
        self.gates[gate]
    }

    /// The wire of an input.
    pub(crate) fn input(&mut self, input: u32) -> Wire {
        let next = self.next();
        let gate = *self.inputs.entry(input).or_insert(next);
        if gate == next {
            self.gates.push(Gate::Input(input));
        }
        Wire(gate << 1)
    }

    fn next(&self) -> u32 {
        u32::try_from(self.gates.len()).expect("memory ends before 2^32 gates")
    }

    /// The conjunction of two wires.
    pub(crate) fn and(&mut self, left: Wire, right: Wire) -> Wire {
        let (left, right) = (left.min(right), left.max(right));
        if left == Wire::FALSE || left == !right {
            return Wire::FALSE;
        }
        if left == Wire::TRUE || left == right {
            return right;
        }
        let next = self.next();
        let gate = *self.conjunctions.entry((left, right)).or_insert(next);
        if gate == next {
            self.gates.push(Gate::And(left, right));
        }
        Wire(gate << 1)
    }

    /// The disjunction of two wires.
    pub(crate) fn or(&mut self, left: Wire, right: Wire) -> Wire {
        !self.and(!left, !right)
    }

    /// Whether two wires are equal.
    pub(crate) fn iff(&mut self, left: Wire, right: Wire) -> Wire {
        let both = self.and(left, right);
        let neither = self.and(!left, !right);
        self.or(both, neither)
    }

    /// `then` if `condition`, else `otherwise`.
    pub(crate) fn choose(&mut self, condition: Wire, then: Wire, otherwise: Wire) -> Wire {
        if then == otherwise {
            return then;
        }
        let yes = self.and(condition, then);
        let no = self.and(!condition, otherwise);
        self.or(yes, no)
    }

    /// The conjunction of many wires.
    pub(crate) fn all(&mut self, wires: impl IntoIterator<Item = Wire>) -> Wire {
        wires.into_iter().fold(Wire::TRUE, |all, wire| self.and(all, wire))
    }

    /// The disjunction of many wires.
    pub(crate) fn any(&mut self, wires: impl IntoIterator<Item = Wire>) -> Wire {
        wires.into_iter().fold(Wire::FALSE, |any, wire| self.or(any, wire))
    }

    /// Every gate that a set of wires depends on, inputs before what reads them.
    pub(crate) fn cone(&self, wires: impl IntoIterator<Item = Wire>) -> Vec<usize> {
        let mut pending: Vec<usize> = wires.into_iter().map(Wire::gate).collect();
        let mut found = rustc_hash::FxHashSet::default();
        while let Some(gate) = pending.pop() {
            if found.insert(gate)
                && let Gate::And(left, right) = self.gates[gate]
            {
                pending.extend([left.gate(), right.gate()]);
            }
        }
        let mut cone: Vec<usize> = found.into_iter().collect();
        // A gate is built after the gates it reads.
        cone.sort_unstable();
        cone
    }

    /// The inputs that a set of wires depends on, sorted.
    pub(crate) fn support(&self, wires: impl IntoIterator<Item = Wire>) -> Vec<u32> {
        let inputs = self.cone(wires).into_iter().filter_map(|gate| match self.gates[gate] {
            Gate::Input(input) => Some(input),
            Gate::False | Gate::And(..) => None,
        });
        let mut inputs: Vec<u32> = inputs.collect();
        inputs.sort_unstable();
        inputs
    }

    /// The wires with some inputs replaced by constants.
    pub(crate) fn restrict(
        &mut self,
        wires: &[Wire],
        fixed: impl Fn(u32) -> Option<bool>,
    ) -> Vec<Wire> {
        let mut images: FxHashMap<usize, Wire> = FxHashMap::default();
        let image = |images: &FxHashMap<usize, Wire>, wire: Wire| {
            let image = images[&wire.gate()];
            if wire.is_negated() { !image } else { image }
        };
        for gate in self.cone(wires.iter().copied()) {
            let restricted = match self.gates[gate] {
                Gate::False => Wire::FALSE,
                Gate::Input(input) => match fixed(input) {
                    Some(value) => Wire::constant(value),
                    None => self.input(input),
                },
                Gate::And(left, right) => {
                    let (left, right) = (image(&images, left), image(&images, right));
                    self.and(left, right)
                }
            };
            images.insert(gate, restricted);
        }
        wires.iter().map(|wire| image(&images, *wire)).collect()
    }

    /// The value of a wire when the inputs have these values.
    pub(crate) fn evaluate(&self, wire: Wire, input: impl Fn(u32) -> bool) -> bool {
        let mut values: FxHashMap<usize, bool> = FxHashMap::default();
        let value =
            |values: &FxHashMap<usize, bool>, wire: Wire| values[&wire.gate()] != wire.is_negated();
        for gate in self.cone([wire]) {
            let computed = match self.gates[gate] {
                Gate::False => false,
                Gate::Input(number) => input(number),
                Gate::And(left, right) => value(&values, left) && value(&values, right),
            };
            values.insert(gate, computed);
        }
        value(&values, wire)
    }
}
