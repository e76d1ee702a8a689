//! The transitions of a ground system as compiled moves: every choice of every havoc is one move.

use super::bytecode::{Mask, Test, WordUpdate};
use crate::budget::Budget;
use crate::finite::ground::circuit::{Circuit, Wire};
use crate::finite::ground::{GroundSystem, GroundTransition};
use crate::finite::question::reason::{FiniteReason, interruption};

/// The most moves that are compiled for one instance.
const MAX_MOVES: usize = 1 << 20;

/// Everything that can happen in an instance.
#[derive(Clone, Debug)]
pub(crate) struct Moves {
    /// For each move, a part of its guard that is one mask: most moves are refused here.
    heads: Vec<Mask>,
    moves: Vec<CompiledMove>,
    /// Where a move leaves the integer window.
    pub(crate) bounds: Vec<Test>,
}

/// One invocation with its choices.
#[derive(Clone, Debug)]
pub(crate) struct CompiledMove {
    guard: Test,
    update: WordUpdate,
    /// How many invocations and choices are this move.
    pub(crate) multiplicity: u64,
    /// The position of the transition it comes from.
    pub(crate) transition: usize,
    /// The codes that were picked: first input, width and code.
    pub(crate) picked: Vec<(u32, u32, u64)>,
}

/// Why the moves of an instance are not known.
pub(crate) enum Unfinished {
    /// There are too many choices.
    TooMany,
    /// The budget is spent.
    Stopped(FiniteReason),
}

impl Moves {
    /// Compiles the transitions of a system.
    pub(crate) fn compile(system: &mut GroundSystem, budget: &Budget) -> Result<Self, Unfinished> {
        let mut moves = Moves { heads: Vec::new(), moves: Vec::new(), bounds: Vec::new() };
        let first = system.first_choice();
        for (index, transition) in system.transitions.iter().enumerate() {
            let expansion = Expansion::new(&system.circuit, transition, first);
            expansion.expand(&mut system.circuit, transition, index, &mut moves, budget)?;
        }
        moves.bounds.dedup();
        Ok(moves)
    }

    /// Calls `visit` with every move that is possible in a state.
    #[inline]
    pub(crate) fn possible<'a>(&'a self, state: &[u64], mut visit: impl FnMut(&'a CompiledMove)) {
        for (head, candidate) in self.heads.iter().zip(&self.moves) {
            if head.holds(state) && candidate.guard.holds(state) {
                visit(candidate);
            }
        }
    }
}

impl CompiledMove {
    /// Writes the successor of `state` into `next`.
    #[inline]
    pub(crate) fn apply(&self, state: &[u64], next: &mut [u64]) {
        next.copy_from_slice(state);
        self.update.apply(state, next);
    }
}

/// The choices that make a difference to one transition.
struct Expansion {
    /// First input, width and number of values of each.
    cells: Vec<(u32, u32, u64)>,
    multiplicity: u64,
}

impl Expansion {
    fn new(circuit: &Circuit, transition: &GroundTransition, first: u32) -> Self {
        let support = circuit.support(wires(transition));
        let mut expansion =
            Expansion { cells: Vec::new(), multiplicity: u64::from(transition.multiplicity) };
        for block in transition.choices.values() {
            let values = block.values().len() as u64;
            for cell in block.cells() {
                let start = first + cell;
                let is_read = |input: &u32| (start..start + block.width).contains(input);
                if support.iter().any(is_read) {
                    expansion.cells.push((start, block.width, values));
                } else {
                    // Integers without a window have no values; together they count once.
                    expansion.multiplicity = expansion.multiplicity.saturating_mul(values.max(1));
                }
            }
        }
        expansion
    }

    /// Picks codes cell by cell; what can no longer happen is not continued.
    fn expand(
        &self,
        circuit: &mut Circuit,
        transition: &GroundTransition,
        index: usize,
        moves: &mut Moves,
        budget: &Budget,
    ) -> Result<(), Unfinished> {
        let mut pending = vec![(wires(transition), Vec::new())];
        while let Some((wires, picked)) = pending.pop() {
            if let Some(reason) = interruption(&budget.stop) {
                return Err(Unfinished::Stopped(reason));
            }
            if wires[0] == Wire::FALSE && wires[1] == Wire::FALSE {
                continue;
            }
            let Some((start, width, values)) = self.cells.get(picked.len()).copied() else {
                self.record(circuit, &wires, transition, (index, picked), moves)?;
                continue;
            };
            for code in (0..values).rev() {
                let fixed = |input: u32| {
                    let is_here = (start..start + width).contains(&input);
                    is_here.then(|| code >> (input - start) & 1 == 1)
                };
                let mut picked = picked.clone();
                picked.push((start, width, code));
                pending.push((circuit.restrict(&wires, fixed), picked));
            }
            if pending.len() > MAX_MOVES {
                return Err(Unfinished::TooMany);
            }
        }
        Ok(())
    }

    fn record(
        &self,
        circuit: &Circuit,
        wires: &[Wire],
        transition: &GroundTransition,
        (index, picked): (usize, Vec<(u32, u32, u64)>),
        moves: &mut Moves,
    ) -> Result<(), Unfinished> {
        if wires[1] != Wire::FALSE {
            moves.bounds.push(Test::compile(circuit, wires[1]));
        }
        if wires[0] == Wire::FALSE {
            return Ok(());
        }
        let bits = transition.writes.iter().map(|(bit, _)| *bit);
        let writes: Vec<(u32, Wire)> = bits.zip(wires[2..].iter().copied()).collect();
        let (head, guard) = behead(Test::compile(circuit, wires[0]));
        moves.heads.push(head);
        moves.moves.push(CompiledMove {
            guard,
            update: WordUpdate::compile(circuit, &writes),
            multiplicity: self.multiplicity,
            transition: index,
            picked,
        });
        if moves.moves.len() <= MAX_MOVES { Ok(()) } else { Err(Unfinished::TooMany) }
    }
}

/// The wires of a transition: guard, bound, then the writes.
fn wires(transition: &GroundTransition) -> Vec<Wire> {
    let writes = transition.writes.iter().map(|(_, wire)| *wire);
    [transition.guard, transition.bound].into_iter().chain(writes).collect()
}

/// Splits a mask off a condition.
fn behead(guard: Test) -> (Mask, Test) {
    let anything = Mask { word: 0, mask: 0, value: 0 };
    match guard {
        Test::Mask(mask) => (mask, Test::Constant(true)),
        Test::All(mut tests) => match tests.first() {
            Some(Test::Mask(mask)) => {
                let mask = *mask;
                tests.remove(0);
                (mask, if tests.len() == 1 { tests.remove(0) } else { Test::All(tests) })
            }
            _ => (anything, Test::All(tests)),
        },
        guard => (anything, guard),
    }
}
