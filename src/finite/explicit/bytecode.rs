//! Wires compiled to tests and updates of packed words: what the explicit search runs.
//!
//! Most guards are conjunctions of literals, so the first thing tested is a mask.

use crate::finite::ground::circuit::{Circuit, Gate, Wire};

/// A conjunction of literals on one word: `state[word] & mask == value`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Mask {
    pub(crate) word: u32,
    pub(crate) mask: u64,
    pub(crate) value: u64,
}

impl Mask {
    #[inline]
    pub(crate) fn holds(&self, state: &[u64]) -> bool {
        state[self.word as usize] & self.mask == self.value
    }
}

/// A condition on a packed state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Test {
    /// Always or never.
    Constant(bool),
    /// Some literals on one word.
    Mask(Mask),
    /// All of these.
    All(Vec<Test>),
    /// At least one of these.
    Any(Vec<Test>),
    /// Gates in order; for conditions that share too much to be written as a tree.
    Gates(Gates),
}

/// A list of gates, each a conjunction of two earlier ones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Gates {
    steps: Vec<BytecodeStep>,
    result: WordOperand,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum BytecodeStep {
    Bit(u32),
    And(WordOperand, WordOperand),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct WordOperand {
    step: u32,
    negated: bool,
}

/// A condition with more tree nodes than this becomes a list of gates.
const LARGEST_TREE: usize = 4096;

impl Test {
    /// Compiles a wire that reads state bits only.
    pub(crate) fn compile(circuit: &Circuit, wire: Wire) -> Self {
        let mut room = LARGEST_TREE;
        match tree(circuit, wire, &mut room) {
            Some(test) => test,
            None => Test::Gates(gates(circuit, wire)),
        }
    }

    /// Whether a state satisfies the condition.
    #[inline]
    pub(crate) fn holds(&self, state: &[u64]) -> bool {
        match self {
            Test::Constant(value) => *value,
            Test::Mask(mask) => mask.holds(state),
            Test::All(tests) => tests.iter().all(|test| test.holds(state)),
            Test::Any(tests) => tests.iter().any(|test| test.holds(state)),
            Test::Gates(gates) => gates.holds(state),
        }
    }
}

impl Gates {
    fn holds(&self, state: &[u64]) -> bool {
        let mut values: Vec<bool> = Vec::with_capacity(self.steps.len());
        let read = |values: &[bool], operand: WordOperand| {
            values[operand.step as usize] != operand.negated
        };
        for step in &self.steps {
            values.push(match *step {
                BytecodeStep::Bit(bit) => state[bit as usize / 64] >> (bit % 64) & 1 == 1,
                BytecodeStep::And(left, right) => read(&values, left) && read(&values, right),
            });
        }
        read(&values, self.result)
    }
}

fn gates(circuit: &Circuit, wire: Wire) -> Gates {
    let mut numbers = rustc_hash::FxHashMap::default();
    let mut steps = Vec::new();
    for gate in circuit.cone([wire]) {
        let number = u32::try_from(steps.len()).expect("fewer gates than a circuit has");
        let operand = |numbers: &rustc_hash::FxHashMap<usize, u32>, wire: Wire| WordOperand {
            step: numbers[&wire.gate()],
            negated: wire.is_negated(),
        };
        match circuit.gate_at(gate) {
            // Constants are folded when a circuit is built.
            Gate::False => continue,
            Gate::Input(bit) => steps.push(BytecodeStep::Bit(bit)),
            Gate::And(left, right) => {
                steps.push(BytecodeStep::And(operand(&numbers, left), operand(&numbers, right)));
            }
        }
        numbers.insert(gate, number);
    }
    let result = WordOperand { step: numbers[&wire.gate()], negated: wire.is_negated() };
    Gates { steps, result }
}

/// The wire as a tree of masks, unless it takes more room than there is.
fn tree(circuit: &Circuit, wire: Wire, room: &mut usize) -> Option<Test> {
    *room = room.checked_sub(1)?;
    match (circuit.gate(wire), wire.is_negated()) {
        (Gate::False, negated) => Some(Test::Constant(negated)),
        (Gate::Input(bit), negated) => Some(Test::Mask(literal(bit, !negated))),
        (Gate::And(..), false) => {
            let mut masks: Vec<Mask> = Vec::new();
            let mut tests = Vec::new();
            for part in conjuncts(circuit, wire, room)? {
                match tree(circuit, part, room)? {
                    Test::Mask(mask) => join(&mut masks, mask),
                    test => tests.push(test),
                }
            }
            Some(combine(masks, tests, Test::All))
        }
        (Gate::And(..), true) => {
            let parts = conjuncts(circuit, !wire, room)?;
            let parts = parts.into_iter().map(|part| tree(circuit, !part, room));
            let parts = parts.collect::<Option<Vec<Test>>>()?;
            Some(any(parts))
        }
    }
}

/// Masks first: they are the cheapest to refuse.
fn combine(masks: Vec<Mask>, tests: Vec<Test>, wrap: fn(Vec<Test>) -> Test) -> Test {
    let mut all: Vec<Test> = masks.into_iter().map(Test::Mask).collect();
    all.extend(tests);
    if all.len() == 1 { all.remove(0) } else { wrap(all) }
}

/// A disjunction; positive literals on one word are one comparison.
fn any(parts: Vec<Test>) -> Test {
    let mut flat = Vec::new();
    for part in parts {
        match part {
            Test::Any(inner) => flat.extend(inner),
            part => flat.push(part),
        }
    }
    if flat.len() == 1 { flat.remove(0) } else { Test::Any(flat) }
}

fn join(masks: &mut Vec<Mask>, mask: Mask) {
    match masks.iter_mut().find(|known| known.word == mask.word) {
        // Contradictions were folded when the circuit was built, except across sub-circuits.
        Some(known) if known.value & mask.mask == mask.value & known.mask => {
            known.mask |= mask.mask;
            known.value |= mask.value;
        }
        _ => masks.push(mask),
    }
}

fn literal(bit: u32, positive: bool) -> Mask {
    let mask = 1 << (bit % 64);
    Mask { word: bit / 64, mask, value: if positive { mask } else { 0 } }
}

/// The wires whose conjunction a gate is, through nested conjunctions.
fn conjuncts(circuit: &Circuit, wire: Wire, room: &mut usize) -> Option<Vec<Wire>> {
    let mut found = Vec::new();
    let mut pending = vec![wire];
    while let Some(wire) = pending.pop() {
        *room = room.checked_sub(1)?;
        match (circuit.gate(wire), wire.is_negated()) {
            (Gate::And(left, right), false) => pending.extend([right, left]),
            _ => found.push(wire),
        }
    }
    Some(found)
}

/// How a successor is computed: constants by masks, the rest by tests of the old state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct WordUpdate {
    /// `word = word & keep | set`.
    constants: Vec<(u32, u64, u64)>,
    computed: Vec<(u32, Test)>,
}

impl WordUpdate {
    /// Compiles writes that read state bits only.
    pub(crate) fn compile(circuit: &Circuit, writes: &[(u32, Wire)]) -> Self {
        let mut update = WordUpdate { constants: Vec::new(), computed: Vec::new() };
        for (bit, wire) in writes {
            match wire.as_constant() {
                Some(value) => update.constant(*bit, value),
                None => update.computed.push((*bit, Test::compile(circuit, *wire))),
            }
        }
        update
    }

    fn constant(&mut self, bit: u32, value: bool) {
        let (word, mask) = (bit / 64, 1 << (bit % 64));
        let known = self.constants.iter_mut().find(|known| known.0 == word);
        let set = if value { mask } else { 0 };
        match known {
            Some(known) => {
                known.1 &= !mask;
                known.2 |= set;
            }
            None => self.constants.push((word, !mask, set)),
        }
    }

    /// Writes the successor of `state` into `next`, which holds a copy of it.
    #[inline]
    pub(crate) fn apply(&self, state: &[u64], next: &mut [u64]) {
        for (word, keep, set) in &self.constants {
            let word = &mut next[*word as usize];
            *word = *word & keep | set;
        }
        for (bit, test) in &self.computed {
            let mask = 1 << (bit % 64);
            let word = &mut next[*bit as usize / 64];
            if test.holds(state) {
                *word |= mask;
            } else {
                *word &= !mask;
            }
        }
    }
}
