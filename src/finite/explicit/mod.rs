//! Breadth-first search over packed states: level by level, so that traces are shortest.
//!
//! A level is expanded in chunks; successors are sorted into buckets by shard, then every shard
//! takes its buckets in the order of the chunks. Chunks and shards do not depend on the number of
//! threads, so neither does any result.

pub(crate) mod bytecode;
pub(crate) mod compiled;
mod shortest_run;
pub(crate) mod state_store;
pub(crate) mod successors;

use std::ops::ControlFlow;

use rayon::ThreadPool;
use rayon::prelude::*;

use super::engine::{Engine, EngineSearch, Experience, SearchEnding};
use super::error::EngineError;
use super::ground::GroundSystem;
use super::model::initial::{free_bits, initial_states};
use super::question::Deadlocks;
use super::question::coverage::{Progress, Seen, StateCounts};
use super::question::reason::{FiniteReason, interruption};
use super::question::size_estimate::refuse_too_many_initial_states;
use crate::budget::Budget;
use compiled::Unfinished;
use state_store::{StateId, Store};
use successors::{Expanded, Fault, Stored, SuccessorPlan};

/// How many states of a level are expanded together.
const CHUNK: usize = 512;

/// The most chunks that are expanded before their successors are stored.
const BATCH: usize = 32;

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
        _: &mut Experience,
        budget: &Budget,
        progress: &dyn Progress,
    ) -> Result<EngineSearch, EngineError> {
        let free = free_bits(system).len();
        refuse_too_many_initial_states(free, system.layout.words(), budget)?;
        let exploration = explore(system, deadlocks, budget, progress)?;
        Ok(exploration.search)
    }
}

/// A finished exploration with the states it found.
pub(super) struct Exploration {
    pub(super) search: EngineSearch,
    pub(super) store: Store,
}

/// Visits every reachable state until a claim fails.
pub(super) fn explore(
    system: &mut GroundSystem,
    deadlocks: Deadlocks,
    budget: &Budget,
    progress: &dyn Progress,
) -> Result<Exploration, EngineError> {
    explore_into(Store::new(system.layout.words()), system, deadlocks, budget, progress)
}

/// Like [`explore`], with what is found in a store that is still empty.
pub(super) fn explore_into(
    store: Store,
    system: &mut GroundSystem,
    deadlocks: Deadlocks,
    budget: &Budget,
    progress: &dyn Progress,
) -> Result<Exploration, EngineError> {
    let plan = match SuccessorPlan::new(system, deadlocks, budget) {
        Ok(plan) => plan,
        Err(Unfinished::TooMany) => return Err(EngineError::TooManyChoices(1 << 20)),
        Err(Unfinished::Stopped(reason)) => {
            return Ok(Exploration { search: EngineSearch::stopped(reason), store });
        }
    };
    let pool = (budget.threads > 1)
        .then(|| rayon::ThreadPoolBuilder::new().num_threads(budget.threads).build().ok())
        .flatten();
    let mut bfs = Bfs {
        plan,
        store,
        counts: StateCounts { packed: system.layout.words() as u64 * 8, ..StateCounts::default() },
        bound_hit: false,
        happened: vec![false; system.transitions.len()],
        pool,
        budget,
        progress,
    };
    let ending = bfs.run(system)?;
    let happened = system.transitions.iter().zip(bfs.happened).filter(|(_, happened)| *happened);
    let actions = happened.flat_map(|(transition, _)| transition.actions.iter().copied());
    let seen = Seen { actions: actions.collect(), premises: bfs.plan.premises_met() };
    let search = EngineSearch {
        ending,
        counts: Some(bfs.counts),
        bound_hit: bfs.bound_hit,
        seen: Some(seen),
        total: None,
    };
    Ok(Exploration { search, store: bfs.store })
}

struct Bfs<'a> {
    plan: SuccessorPlan,
    store: Store,
    counts: StateCounts,
    bound_hit: bool,
    /// For every transition of the system, whether it was possible anywhere.
    happened: Vec<bool>,
    pool: Option<ThreadPool>,
    budget: &'a Budget,
    progress: &'a dyn Progress,
}

impl Bfs<'_> {
    fn run(&mut self, system: &GroundSystem) -> Result<SearchEnding, EngineError> {
        if let Some(ending) = self.start(system)? {
            return Ok(ending);
        }
        loop {
            let level = self.take_level();
            if level.is_empty() {
                return Ok(SearchEnding::Safe(()));
            }
            let mut rest = &level[..];
            while !rest.is_empty() {
                let (batch, later) = rest.split_at(self.batch(rest));
                if let Some(ending) = self.advance(batch)? {
                    return Ok(ending);
                }
                rest = later;
            }
            if self.store.shards.iter().any(|shard| shard.fresh < shard.len()) {
                self.counts.depth += 1;
            }
        }
    }

    /// Stores the initial states.
    fn start(&mut self, system: &GroundSystem) -> Result<Option<SearchEnding>, EngineError> {
        let mut bucketed = self.plan.scratch(system.layout.words());
        let mut stopped = None;
        let mut fault: Option<(Fault, StateId)> = None;
        let walked = initial_states(system, self.budget, &mut |state| {
            let stored = self.plan.store_initial(&mut self.store, &mut bucketed, state);
            self.bound_hit |= stored.bound_hit;
            fault = [fault, stored.fault].into_iter().flatten().min();
            self.counts.states = self.store.len();
            self.counts.memory = self.store.memory();
            stopped = self.exhausted_budget(stored.full);
            if stopped.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        if let Err(reason) = walked {
            return Ok(Some(SearchEnding::Unknown(reason, ())));
        }
        if let Some((fault, id)) = fault {
            return self.violated(fault, id).map(Some);
        }
        Ok(stopped.map(|reason| SearchEnding::Unknown(reason, ())))
    }

    /// How many chunks are expanded before the budget is asked: some, or a part of what was
    /// done before.
    fn batch(&self, chunks: &[(usize, usize, usize)]) -> usize {
        let most = usize::try_from(self.counts.states / 4).unwrap_or(usize::MAX).max(4 * CHUNK);
        let mut states = 0;
        let fit = chunks.iter().take(BATCH).take_while(|(_, start, end)| {
            states += end - start;
            states <= most
        });
        fit.count().max(1)
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

    fn advance(
        &mut self,
        batch: &[(usize, usize, usize)],
    ) -> Result<Option<SearchEnding>, EngineError> {
        let (plan, store) = (&self.plan, &self.store);
        // A pool only pays when every thread gets a chunk.
        let pool = self.pool.as_ref().filter(|_| batch.len() > 1);
        let stop = &self.budget.stop;
        let expand = |chunk| (!stop.is_set()).then(|| plan.expand(store, chunk));
        let expanded: Option<Vec<Expanded>> = match pool {
            Some(pool) => pool.install(|| batch.par_iter().map(|chunk| expand(*chunk)).collect()),
            None => batch.iter().map(|chunk| expand(*chunk)).collect(),
        };
        // Some states were not expanded.
        let Some(expanded) = expanded else {
            let interrupted = interruption(stop).unwrap_or(FiniteReason::Interrupted);
            return Ok(Some(SearchEnding::Unknown(interrupted, ())));
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
    ) -> Result<Option<SearchEnding>, EngineError> {
        self.counts.transitions += expanded.iter().map(|chunk| chunk.transitions).sum::<u64>();
        let generated = expanded.iter().map(|chunk| chunk.generated).sum::<u64>();
        self.counts.generated += generated;
        self.budget.stop.charge(generated.saturating_mul(self.plan.effort_per_successor()));
        self.counts.states = self.store.len();
        self.counts.memory = self.store.memory();
        let waiting = self.store.shards.iter().map(|shard| (shard.len() - shard.fresh) as u64);
        self.counts.frontier = waiting.sum();
        self.bound_hit |= expanded.iter().any(|chunk| chunk.bound_hit)
            || stored.iter().any(|shard| shard.bound_hit);
        for chunk in expanded {
            for (seen, now) in self.happened.iter_mut().zip(&chunk.happened) {
                *seen |= *now;
            }
        }
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
        Ok(self.exhausted_budget(full).map(|reason| SearchEnding::Unknown(reason, ())))
    }

    fn exhausted_budget(&self, full: bool) -> Option<FiniteReason> {
        if full || self.counts.states >= self.budget.max_states {
            return Some(FiniteReason::MaxStates(self.budget.max_states.min(self.counts.states)));
        }
        if self.counts.memory > self.budget.max_memory {
            return Some(FiniteReason::MaxMemory(self.budget.max_memory));
        }
        interruption(&self.budget.stop)
    }
}
