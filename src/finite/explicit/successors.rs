//! What is done with single states of a breadth-first search: their successors, where they are
//! stored, what is wrong with them. Nothing here depends on the number of threads.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};

use super::bytecode::Test;
use super::compiled::{Moves, Unfinished};
use super::state_store::{Offered, SHARDS, Shard, StateId, Store, hash, shard_of};
use crate::budget::Budget;
use crate::finite::ground::GroundSystem;
use crate::finite::question::Deadlocks;
use crate::finite::symmetry::{Room, Symmetries};

/// A successor takes 0.2 microseconds, and a step of the symbolic engine 0.04.
const EFFORT_WITHOUT_RENAMING: u64 = 5;

struct CompiledClaim {
    violated: Test,
    undefined: Test,
    premise: Test,
    /// Whether the premise has held in some state. Only ever set, so threads need no order.
    met: AtomicBool,
}

/// What does not change during a search.
pub(crate) struct SuccessorPlan {
    pub(super) moves: Moves,
    claims: Vec<CompiledClaim>,
    deadlocks: Deadlocks,
    pub(super) symmetries: Symmetries,
    /// How many transitions the system has.
    transitions: usize,
}

/// What is wrong with a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Fault {
    Claim(usize),
    Deadlock,
}

/// The successors of a chunk of states: for every shard, packed states each followed by the number
/// of its parent.
pub(crate) struct Expanded {
    buckets: Vec<Vec<u64>>,
    pub(crate) transitions: u64,
    pub(crate) generated: u64,
    pub(crate) bound_hit: bool,
    pub(crate) deadlock: Option<StateId>,
    /// For every transition of the system, whether it was possible.
    pub(crate) happened: Vec<bool>,
}

/// What a shard made of what it was offered.
#[derive(Default)]
pub(crate) struct Stored {
    pub(crate) fault: Option<(Fault, StateId)>,
    pub(crate) bound_hit: bool,
    pub(crate) full: bool,
}

/// Room for a state and its representative.
pub(crate) struct Scratch {
    pub(super) next: Vec<u64>,
    pub(super) room: Room,
}

impl SuccessorPlan {
    /// Compiles a system.
    pub(crate) fn new(
        system: &mut GroundSystem,
        deadlocks: Deadlocks,
        budget: &Budget,
    ) -> Result<Self, Unfinished> {
        let moves = Moves::compile(system, budget)?;
        let claims = compile_claims(system);
        let symmetries = system.symmetries.clone();
        Ok(SuccessorPlan {
            moves,
            claims,
            deadlocks,
            symmetries,
            transitions: system.transitions.len(),
        })
    }

    /// About how long a successor takes, in steps of the symbolic engine.
    pub(super) fn effort_per_successor(&self) -> u64 {
        EFFORT_WITHOUT_RENAMING + self.symmetries.effort()
    }

    pub(crate) fn scratch(&self, words: usize) -> Scratch {
        Scratch { next: vec![0; words], room: self.symmetries.room(words) }
    }

    pub(crate) fn expand(
        &self,
        store: &Store,
        (shard, start, end): (usize, usize, usize),
    ) -> Expanded {
        let words = store.state(StateId::new(shard, start)).len();
        let mut scratch = self.scratch(words);
        let mut expanded = Expanded {
            buckets: vec![Vec::new(); SHARDS],
            transitions: 0,
            generated: 0,
            bound_hit: false,
            deadlock: None,
            happened: vec![false; self.transitions],
        };
        for position in start..end {
            let state = store.shards[shard].state(position);
            let parent = StateId::new(shard, position);
            let before = expanded.transitions;
            self.moves.possible(state, |candidate| {
                expanded.transitions += candidate.multiplicity;
                expanded.generated += 1;
                expanded.happened[candidate.transition] = true;
                candidate.apply(state, &mut scratch.next);
                self.symmetries.normalize(&mut scratch.next, &mut scratch.room);
                if scratch.next != *state {
                    let bucket = &mut expanded.buckets[shard_of(hash(&scratch.next))];
                    bucket.extend_from_slice(&scratch.next);
                    bucket.push(parent.to_word());
                }
            });
            let hit = !expanded.bound_hit || self.deadlocks == Deadlocks::Reported;
            let hit = hit && self.moves.bounds.iter().any(|bound| bound.holds(state));
            expanded.bound_hit |= hit;
            if self.deadlocks == Deadlocks::Reported && before == expanded.transitions && !hit {
                expanded.deadlock.get_or_insert(parent);
            }
        }
        expanded
    }

    pub(crate) fn store(&self, own: usize, shard: &mut Shard, expanded: &[Expanded]) -> Stored {
        let mut stored = Stored::default();
        for chunk in expanded {
            let bucket = &chunk.buckets[own];
            let words = shard.words();
            for entry in bucket.chunks_exact(words + 1) {
                let (state, parent) = entry.split_at(words);
                let parent = Some(StateId::from_word(parent[0]));
                match shard.offer(state, hash(state), own, parent) {
                    Offered::New(position) => self.inspect(own, position, state, &mut stored),
                    Offered::Known => {}
                    Offered::Full => stored.full = true,
                }
            }
        }
        stored
    }

    pub(crate) fn store_initial(
        &self,
        store: &mut Store,
        scratch: &mut Scratch,
        state: &[u64],
    ) -> Stored {
        scratch.next.copy_from_slice(state);
        self.symmetries.normalize(&mut scratch.next, &mut scratch.room);
        let hash = hash(&scratch.next);
        let own = shard_of(hash);
        let mut stored = Stored::default();
        match store.shards[own].offer(&scratch.next, hash, own, None) {
            Offered::New(position) => self.inspect(own, position, &scratch.next, &mut stored),
            Offered::Known => {}
            Offered::Full => stored.full = true,
        }
        stored
    }

    /// Checks the claims in a new state.
    fn inspect(&self, own: usize, position: usize, state: &[u64], stored: &mut Stored) {
        for (index, claim) in self.claims.iter().enumerate() {
            stored.bound_hit |= claim.undefined.holds(state);
            if !claim.met.load(Ordering::Relaxed) && claim.premise.holds(state) {
                claim.met.store(true, Ordering::Relaxed);
            }
            if claim.violated.holds(state) {
                let fault = (Fault::Claim(index), StateId::new(own, position));
                stored.fault = [stored.fault, Some(fault)].into_iter().flatten().min();
            }
        }
    }

    /// The claims whose premise has held in some state so far.
    pub(crate) fn premises_met(&self) -> BTreeSet<usize> {
        let met = self.claims.iter().map(|claim| claim.met.load(Ordering::Relaxed));
        met.enumerate().filter(|(_, met)| *met).map(|(position, _)| position).collect()
    }
}

fn compile_claims(system: &mut GroundSystem) -> Vec<CompiledClaim> {
    let circuit = &mut system.circuit;
    let claims = system.claims.iter().zip(&system.premises).map(|(claim, premise)| {
        let violated = circuit.and(!claim.holds, !claim.undefined);
        CompiledClaim {
            violated: Test::compile(circuit, violated),
            undefined: Test::compile(circuit, claim.undefined),
            premise: Test::compile(circuit, *premise),
            met: AtomicBool::new(false),
        }
    });
    claims.collect()
}
