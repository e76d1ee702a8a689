//! The ground system as diagrams: its variables, its sets of states, and one relation for each
//! transition.
//!
//! The bit at level `n` has variable `2n` before a step and `2n + 1` after it. Everything else that
//! circuits read (what havocs pick, symbols that were left out) comes after all bits and is
//! quantified away.

use rustc_hash::FxHashMap;

use super::diagram::{Diagram, Diagrams};
use crate::finite::ground::circuit::{Circuit, Gate, Wire};
use crate::finite::ground::{GroundSystem, bit_layout};
use crate::finite::question::reason::FiniteReason;

/// Which variables stand for what.
pub(super) struct Variables {
    /// The bit of the state at each level.
    bits: Vec<u32>,
    levels: FxHashMap<u32, u32>,
}

/// What a transition does with the bit at one level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Access {
    /// It looks at the bit and leaves it as it is.
    Read,
    /// It may change the bit.
    Write,
}

/// A transition as a relation between states; bits at other levels stay as they are.
pub(super) struct Event {
    /// True of the values before and after, over the variables of the levels below.
    pub(super) relation: Diagram,
    /// The levels that matter, from the top.
    pub(super) levels: Vec<(u32, Access)>,
    /// The position of the transition in the system.
    pub(super) transition: usize,
}

impl Variables {
    /// The variables of the bits of a state, in this order.
    pub(super) fn new(bits: Vec<u32>) -> Self {
        let levels = (0..).zip(&bits).map(|(level, bit)| (*bit, level)).collect();
        Variables { bits, levels }
    }

    /// How many levels there are.
    pub(super) fn levels(&self) -> u32 {
        u32::try_from(self.bits.len()).expect("states are smaller than that")
    }

    /// The variable of an input of the circuit, before a step.
    fn of_input(&self, input: u32) -> u32 {
        match self.levels.get(&input) {
            Some(level) => 2 * level,
            None => 2 * self.levels() + input,
        }
    }

    /// The variables of a packed state, with their values.
    pub(super) fn values(&self, state: &[u64]) -> Vec<(u32, bool)> {
        let value = |(level, bit): (u32, &u32)| (2 * level, bit_layout::read(state, *bit, 1) == 1);
        (0..).zip(&self.bits).map(value).collect()
    }

    /// The packed state with these values; bits without one are false.
    pub(super) fn pack(&self, words: usize, values: &[(u32, bool)]) -> Vec<u64> {
        let mut state = vec![0; words];
        for (variable, value) in values {
            let bit = self.bits[(variable / 2) as usize];
            bit_layout::write(&mut state, bit, 1, u64::from(*value));
        }
        state
    }

    /// Where a cell of the state has this code.
    pub(super) fn cell(
        &self,
        diagrams: &mut Diagrams,
        (cell, width): (u32, u32),
        code: usize,
    ) -> Result<Diagram, FiniteReason> {
        let bits = (0..width).map(|bit| (2 * self.levels[&(cell + bit)], code >> bit & 1 == 1));
        diagrams.cube(bits.collect::<Vec<_>>())
    }

    /// Where all of some wires are true, for one value of the inputs that are not bits of the state.
    pub(super) fn states_where(
        &self,
        diagrams: &mut Diagrams,
        circuit: &Circuit,
        wires: &[Wire],
    ) -> Result<Diagram, FiniteReason> {
        let mut built = Vec::new();
        for part in wires.iter().flat_map(|wire| conjuncts(circuit, *wire)) {
            built.push(self.wire(diagrams, circuit, part)?);
        }
        eliminate(diagrams, built, 2 * self.levels())
    }

    /// Values of inputs that make a wire true that reads no bit of the state.
    pub(super) fn choices(
        &self,
        diagrams: &mut Diagrams,
        circuit: &Circuit,
        wire: Wire,
    ) -> Result<Option<Vec<(u32, bool)>>, FiniteReason> {
        let choices = self.wire(diagrams, circuit, wire)?;
        let first = 2 * self.levels();
        let of_input = |(variable, value): (u32, bool)| (variable - first, value);
        let solution = diagrams.solution(choices);
        Ok(solution.map(|values| values.into_iter().map(of_input).collect()))
    }

    /// A wire over the variables before a step.
    fn wire(
        &self,
        diagrams: &mut Diagrams,
        circuit: &Circuit,
        wire: Wire,
    ) -> Result<Diagram, FiniteReason> {
        let mut gates: FxHashMap<usize, Diagram> = FxHashMap::default();
        for gate in circuit.cone([wire]) {
            let built = match circuit.gate_at(gate) {
                Gate::False => Diagram::FALSE,
                Gate::Input(input) => diagrams.literal(self.of_input(input))?,
                Gate::And(left, right) => {
                    let left = signed(diagrams, &gates, left)?;
                    let right = signed(diagrams, &gates, right)?;
                    diagrams.and(left, right)?
                }
            };
            gates.insert(gate, built);
        }
        signed(diagrams, &gates, wire)
    }

    /// The relation of a transition; `None` if it never happens.
    pub(super) fn event(
        &self,
        diagrams: &mut Diagrams,
        system: &GroundSystem,
        index: usize,
    ) -> Result<Option<Event>, FiniteReason> {
        let (circuit, transition) = (&system.circuit, &system.transitions[index]);
        let mut parts = Vec::new();
        for wire in [transition.guard, transition.valid_choices] {
            for part in conjuncts(circuit, wire) {
                parts.push(self.wire(diagrams, circuit, part)?);
            }
        }
        for (bit, wire) in &transition.writes {
            let after = diagrams.literal(2 * self.levels[bit] + 1)?;
            let value = self.wire(diagrams, circuit, *wire)?;
            parts.push(diagrams.iff(after, value)?);
        }
        let relation = eliminate(diagrams, parts, 2 * self.levels())?;
        if relation == Diagram::FALSE {
            return Ok(None);
        }
        let written = transition.writes.iter().map(|(bit, _)| (self.levels[bit], Access::Write));
        let mut levels: std::collections::BTreeMap<u32, Access> = written.collect();
        for variable in diagrams.support(relation)? {
            levels.entry(variable / 2).or_insert(Access::Read);
        }
        Ok(Some(Event { relation, levels: levels.into_iter().collect(), transition: index }))
    }
}

fn signed(
    diagrams: &mut Diagrams,
    gates: &FxHashMap<usize, Diagram>,
    wire: Wire,
) -> Result<Diagram, FiniteReason> {
    let diagram = gates[&wire.gate()];
    if wire.is_negated() { diagrams.not(diagram) } else { Ok(diagram) }
}

/// Wires whose conjunction is the given one.
pub(super) fn conjuncts(circuit: &Circuit, wire: Wire) -> Vec<Wire> {
    let (mut parts, mut pending) = (Vec::new(), vec![wire]);
    let mut seen = rustc_hash::FxHashSet::default();
    while let Some(next) = pending.pop() {
        if !seen.insert(next) {
            continue;
        }
        match circuit.gate(next) {
            Gate::And(left, right) if !next.is_negated() => pending.extend([left, right]),
            _ => parts.push(next),
        }
    }
    parts
}

/// The conjunction of functions, with every variable from `first` on quantified away.
///
/// Variable by variable: only the functions that mention it are multiplied. All at once, a havoc of
/// a whole relation would be exponential, because its choices come after all bits.
fn eliminate(
    diagrams: &mut Diagrams,
    mut parts: Vec<Diagram>,
    first: u32,
) -> Result<Diagram, FiniteReason> {
    let supports = parts.iter().map(|part| diagrams.support(*part));
    let mut supports = supports.collect::<Result<Vec<Vec<u32>>, FiniteReason>>()?;
    while let Some(variable) =
        supports.iter().flatten().copied().filter(|variable| *variable >= first).min()
    {
        let mut product = Diagram::TRUE;
        let mut kept = Vec::new();
        for (part, support) in parts.into_iter().zip(supports) {
            if support.binary_search(&variable).is_ok() {
                product = diagrams.and(product, part)?;
            } else {
                kept.push((part, support));
            }
        }
        let product = diagrams.exists(product, variable)?;
        let support = diagrams.support(product)?;
        kept.push((product, support));
        (parts, supports) = kept.into_iter().unzip();
    }
    parts.into_iter().try_fold(Diagram::TRUE, |all, part| diagrams.and(all, part))
}
