//! Breadth-first search over packed states: level by level, so that traces are shortest.
//!
//! A level is expanded in chunks; successors are sorted into buckets by shard, then every shard
//! takes its buckets in the order of the chunks. Chunks and shards do not depend on the number of
//! threads, so neither does any result.

use std::ops::ControlFlow;

use rayon::ThreadPool;
use rayon::prelude::*;

use super::engine::{Ending, Engine, PackedPath, PackedStep, Search};
use super::error::EngineError;
use super::ground::GroundSystem;
use super::initial::{free_bits, initial_states};
use super::moves::{Moves, Unfinished};
use super::program::Test;
use super::question::{Budget, Counts, Deadlocks, Progress, Reason};
use super::store::{Offered, SHARDS, Shard, StateId, Store, hash, shard_of};
use super::symmetry::{Room, Symmetries};

/// How many states of a level are expanded together.
const CHUNK: usize = 512;

/// How many chunks are expanded before their successors are stored.
const BATCH: usize = 32;

/// The most bytes of bookkeeping per state beside the packed state.
const BYTES_PER_STATE: u128 = 24;

/// The engine that visits every state.
pub(super) struct Explicit;

impl Engine for Explicit {
    fn name(&self) -> &'static str {
        "explicit"
    }

    fn search(
        &self,
        system: &mut GroundSystem,
        deadlocks: Deadlocks,
        budget: &Budget,
        progress: &dyn Progress,
    ) -> Result<Search, EngineError> {
        refuse_too_many_initial_states(system, budget)?;
        let exploration = explore(system, deadlocks, budget, progress)?;
        Ok(exploration.search)
    }
}

/// A finished exploration with the states it found.
pub(super) struct Exploration {
    pub(super) search: Search,
    pub(super) store: Store,
}

impl Exploration {
    /// The budget was spent before the first state was visited.
    fn not_begun(system: &GroundSystem, reason: Reason) -> Self {
        let ending = Ending::Stopped(reason);
        let search = Search { ending, counts: None, bound_hit: false };
        Exploration { search, store: Store::new(system.layout.words()) }
    }
}

/// Visits every reachable state until a claim fails.
pub(super) fn explore(
    system: &mut GroundSystem,
    deadlocks: Deadlocks,
    budget: &Budget,
    progress: &dyn Progress,
) -> Result<Exploration, EngineError> {
    let moves = match Moves::compile(system, budget) {
        Ok(moves) => moves,
        Err(Unfinished::TooMany) => return Err(EngineError::TooManyChoices(1 << 20)),
        Err(Unfinished::Stopped(reason)) => return Ok(Exploration::not_begun(system, reason)),
    };
    let claims = compile_claims(system);
    let pool = (budget.threads > 1)
        .then(|| rayon::ThreadPoolBuilder::new().num_threads(budget.threads).build().ok())
        .flatten();
    let plan = Plan { moves, claims, deadlocks, symmetries: system.symmetries.clone() };
    let mut bfs = Bfs {
        plan,
        store: Store::new(system.layout.words()),
        counts: Counts { packed: system.layout.words() as u64 * 8, ..Counts::default() },
        bound_hit: false,
        pool,
        budget,
        progress,
    };
    let ending = bfs.run(system)?;
    let search = Search { ending, counts: Some(bfs.counts), bound_hit: bfs.bound_hit };
    Ok(Exploration { search, store: bfs.store })
}

fn compile_claims(system: &mut GroundSystem) -> Vec<CompiledClaim> {
    let circuit = &mut system.circuit;
    let claims = system.claims.iter().map(|claim| {
        let violated = circuit.and(!claim.holds, !claim.undefined);
        CompiledClaim {
            violated: Test::compile(circuit, violated),
            undefined: Test::compile(circuit, claim.undefined),
        }
    });
    claims.collect()
}

/// Bits that nothing constrains double the initial states each.
fn refuse_too_many_initial_states(
    system: &GroundSystem,
    budget: &Budget,
) -> Result<(), EngineError> {
    let free = u32::try_from(free_bits(system).len()).unwrap_or(u32::MAX);
    let per_state = system.layout.words() as u128 * 8 + BYTES_PER_STATE;
    let needed = 1_u128.checked_shl(free).filter(|_| free < 100);
    let needed = needed.unwrap_or(u128::MAX >> 32).saturating_mul(per_state);
    if needed > u128::from(budget.max_memory) {
        let allowed = u128::from(budget.max_memory) >> 20;
        return Err(EngineError::TooManyInitialStates { free, needed: needed >> 20, allowed });
    }
    Ok(())
}

struct CompiledClaim {
    violated: Test,
    undefined: Test,
}

/// What does not change during a search.
struct Plan {
    moves: Moves,
    claims: Vec<CompiledClaim>,
    deadlocks: Deadlocks,
    symmetries: Symmetries,
}

/// What is wrong with a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Fault {
    Claim(usize),
    Deadlock,
}

struct Bfs<'a> {
    plan: Plan,
    store: Store,
    counts: Counts,
    bound_hit: bool,
    pool: Option<ThreadPool>,
    budget: &'a Budget,
    progress: &'a dyn Progress,
}

/// The successors of a chunk of states: for every shard, packed states each followed by the number
/// of its parent.
struct Expanded {
    buckets: Vec<Vec<u64>>,
    transitions: u64,
    generated: u64,
    bound_hit: bool,
    deadlock: Option<StateId>,
}

/// What a shard made of what it was offered.
#[derive(Default)]
struct Stored {
    fault: Option<(Fault, StateId)>,
    bound_hit: bool,
    full: bool,
}

impl Bfs<'_> {
    fn run(&mut self, system: &GroundSystem) -> Result<Ending, EngineError> {
        if let Some(ending) = self.start(system)? {
            return Ok(ending);
        }
        loop {
            let level = self.take_level();
            if level.is_empty() {
                return Ok(Ending::Exhausted);
            }
            for batch in level.chunks(BATCH) {
                if let Some(ending) = self.advance(batch)? {
                    return Ok(ending);
                }
            }
            if self.store.shards.iter().any(|shard| shard.fresh < shard.len()) {
                self.counts.depth += 1;
            }
        }
    }

    /// Stores the initial states.
    fn start(&mut self, system: &GroundSystem) -> Result<Option<Ending>, EngineError> {
        let mut bucketed = self.plan.scratch(system.layout.words());
        let mut stopped = None;
        let mut fault: Option<(Fault, StateId)> = None;
        let walked = initial_states(system, self.budget, &mut |state| {
            let stored = self.plan.store_initial(&mut self.store, &mut bucketed, state);
            self.bound_hit |= stored.bound_hit;
            fault = [fault, stored.fault].into_iter().flatten().min();
            self.counts.states = self.store.len();
            stopped = self.exhausted_budget(stored.full);
            if stopped.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        if let Err(reason) = walked {
            return Ok(Some(Ending::Stopped(reason)));
        }
        if let Some((fault, id)) = fault {
            return self.violated(fault, id).map(Some);
        }
        Ok(stopped.map(Ending::Stopped))
    }

    /// The chunks of the states found last, which then count as visited.
    fn take_level(&mut self) -> Vec<(usize, usize, usize)> {
        let mut chunks = Vec::new();
        for (number, shard) in self.store.shards.iter_mut().enumerate() {
            let end = shard.len();
            let starts = (shard.fresh..end).step_by(CHUNK);
            chunks.extend(starts.map(|start| (number, start, end.min(start + CHUNK))));
            shard.fresh = end;
        }
        chunks
    }

    fn advance(&mut self, batch: &[(usize, usize, usize)]) -> Result<Option<Ending>, EngineError> {
        let (plan, store) = (&self.plan, &self.store);
        // A pool only pays when every thread gets a chunk.
        let pool = self.pool.as_ref().filter(|_| batch.len() > 1);
        let expanded: Vec<Expanded> = match pool {
            Some(pool) => {
                pool.install(|| batch.par_iter().map(|chunk| plan.expand(store, *chunk)).collect())
            }
            None => batch.iter().map(|chunk| plan.expand(store, *chunk)).collect(),
        };
        let shards = &mut self.store.shards;
        let stored: Vec<Stored> = match pool {
            Some(pool) => pool.install(|| {
                let shards = shards.par_iter_mut().enumerate();
                shards.map(|(own, shard)| plan.store(own, shard, &expanded)).collect()
            }),
            None => {
                let shards = shards.iter_mut().enumerate();
                shards.map(|(own, shard)| plan.store(own, shard, &expanded)).collect()
            }
        };
        self.conclude(&expanded, &stored)
    }

    fn conclude(
        &mut self,
        expanded: &[Expanded],
        stored: &[Stored],
    ) -> Result<Option<Ending>, EngineError> {
        self.counts.transitions += expanded.iter().map(|chunk| chunk.transitions).sum::<u64>();
        self.counts.generated += expanded.iter().map(|chunk| chunk.generated).sum::<u64>();
        self.counts.states = self.store.len();
        self.counts.memory = self.store.memory();
        let waiting = self.store.shards.iter().map(|shard| (shard.len() - shard.fresh) as u64);
        self.counts.frontier = waiting.sum();
        self.bound_hit |= expanded.iter().any(|chunk| chunk.bound_hit)
            || stored.iter().any(|shard| shard.bound_hit);
        self.progress.report(&self.counts);
        let deadlock = expanded.iter().filter_map(|chunk| chunk.deadlock).min();
        if let Some(id) = deadlock {
            return self.violated(Fault::Deadlock, id).map(Some);
        }
        if let Some((fault, id)) = stored.iter().filter_map(|shard| shard.fault).min() {
            self.counts.depth += 1;
            return self.violated(fault, id).map(Some);
        }
        let full = stored.iter().any(|shard| shard.full);
        Ok(self.exhausted_budget(full).map(Ending::Stopped))
    }

    fn exhausted_budget(&self, full: bool) -> Option<Reason> {
        if full || self.counts.states >= self.budget.max_states {
            return Some(Reason::MaxStates(self.budget.max_states.min(self.counts.states)));
        }
        if self.counts.memory > self.budget.max_memory {
            return Some(Reason::MaxMemory(self.budget.max_memory));
        }
        self.budget.interruption()
    }

    /// The way from an initial state to a faulty one.
    fn violated(&self, fault: Fault, id: StateId) -> Result<Ending, EngineError> {
        let mut way = vec![id];
        let mut current = id;
        while self.store.parent(current) != current {
            current = self.store.parent(current);
            way.push(current);
        }
        way.reverse();
        let initial = self.store.state(way[0]).to_vec();
        let mut scratch = self.plan.scratch(initial.len());
        let mut steps: Vec<PackedStep> = Vec::new();
        for wanted in &way[1..] {
            let from = steps.last().map_or(&initial, |step| &step.state).clone();
            let step = self.plan.step(&from, self.store.state(*wanted), &mut scratch);
            steps.push(step.ok_or_else(|| {
                EngineError::Bug("the explicit search lost the way to a state".to_owned())
            })?);
        }
        let claim = match fault {
            Fault::Claim(claim) => Some(claim),
            Fault::Deadlock => None,
        };
        Ok(Ending::Violated(PackedPath { initial, steps, claim }))
    }
}

/// Room for a state and its representative.
struct Scratch {
    next: Vec<u64>,
    room: Room,
}

impl Plan {
    fn scratch(&self, words: usize) -> Scratch {
        Scratch { next: vec![0; words], room: self.symmetries.room(words) }
    }

    fn expand(&self, store: &Store, (shard, start, end): (usize, usize, usize)) -> Expanded {
        let words = store.state(StateId::new(shard, start)).len();
        let mut scratch = self.scratch(words);
        let mut expanded = Expanded {
            buckets: vec![Vec::new(); SHARDS],
            transitions: 0,
            generated: 0,
            bound_hit: false,
            deadlock: None,
        };
        for position in start..end {
            let state = store.shards[shard].state(position);
            let parent = StateId::new(shard, position);
            let before = expanded.transitions;
            self.moves.possible(state, |candidate| {
                expanded.transitions += candidate.multiplicity;
                expanded.generated += 1;
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

    fn store(&self, own: usize, shard: &mut Shard, expanded: &[Expanded]) -> Stored {
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

    fn store_initial(&self, store: &mut Store, scratch: &mut Scratch, state: &[u64]) -> Stored {
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
            if claim.violated.holds(state) {
                let fault = (Fault::Claim(index), StateId::new(own, position));
                stored.fault = [stored.fault, Some(fault)].into_iter().flatten().min();
            }
        }
    }

    /// A step from a state to some state that `wanted` represents.
    fn step(&self, from: &[u64], wanted: &[u64], scratch: &mut Scratch) -> Option<PackedStep> {
        let mut found = None;
        self.moves.possible(from, |candidate| {
            if found.is_some() {
                return;
            }
            candidate.apply(from, &mut scratch.next);
            let state = scratch.next.clone();
            self.symmetries.normalize(&mut scratch.next, &mut scratch.room);
            if scratch.next == wanted {
                let (transition, picked) = (candidate.transition, candidate.picked.clone());
                found = Some(PackedStep { transition, picked, state });
            }
        });
        found
    }
}
