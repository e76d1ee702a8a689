//! Random runs of instances that are too large to be exhausted.
//!
//! The same question always gets the same runs. What they show is reachable; what they do not show
//! may be reachable too.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use super::reachable::{Reachable, ReachableInstance};
use crate::budget::Budget;
use crate::finite::error::EngineError;
use crate::finite::explicit::bytecode::Test;
use crate::finite::explicit::compiled::{Moves, Unfinished};
use crate::finite::explicit::state_store::{Store, hash, shard_of};
use crate::finite::ground::{GroundSystem, bit_layout, ground};
use crate::finite::model::initial::{free_bits, initial_states};
use crate::finite::model::instances::instances;
use crate::finite::question::Question;
use crate::finite::question::coverage::{Seen, Unseen};
use crate::finite::{Prepared, Random, prepare};

/// How many runs of one instance, and how long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Walks {
    /// The most runs.
    pub runs: usize,
    /// The most steps of a run.
    pub steps: usize,
}

/// The most initial states that runs begin in, and the most instances of a size.
const FIRST_STATES: usize = 256;
const INSTANCES: usize = 16;

/// The states on random runs of instances of the question's size, until the budget ends.
///
/// # Errors
/// When the question is wrong or too large.
pub fn walk(
    question: &Question<'_>,
    walks: Walks,
    budget: &Budget,
) -> Result<Reachable, EngineError> {
    let Prepared { slice, extents, .. } = prepare(question)?;
    let mut reachable = Reachable::new(question);
    let Ok(found) = instances(question, &slice, &extents, budget)? else { return Ok(reachable) };
    let stride = found.rigid.len().div_ceil(INSTANCES).max(1);
    for rigid in found.rigid.into_iter().step_by(stride) {
        let Ok(mut system) = ground(question, (&slice, &extents), rigid, &budget.stop)? else {
            break;
        };
        system.claims.clear();
        let store = random_walks(&mut system, walks, budget)?;
        reachable.instances.push(ReachableInstance { system, store });
    }
    Ok(reachable)
}

/// What no state on random runs of instances of the question's size shows.
///
/// # Errors
/// When the question is wrong or too large.
pub fn unseen_on_walks(
    question: &Question<'_>,
    walks: Walks,
    budget: &Budget,
) -> Result<Unseen, EngineError> {
    let mut seen = Seen::default();
    for mut instance in walk(question, walks, budget)?.instances {
        seen = seen.or(&observe_states(&mut instance, budget)?);
    }
    Ok(seen.missing(question))
}

/// What the states that were found in an instance show.
fn observe_states(instance: &mut ReachableInstance, budget: &Budget) -> Result<Seen, EngineError> {
    let ReachableInstance { system, store } = instance;
    let moves = match Moves::compile(system, budget) {
        Ok(moves) => moves,
        Err(Unfinished::TooMany) => return Err(EngineError::TooManyChoices(1 << 20)),
        Err(Unfinished::Stopped(_)) => return Ok(Seen::default()),
    };
    let mut seen = Seen::default();
    for state in store.iter() {
        moves.possible(state, |candidate| {
            seen.actions.extend(&system.transitions[candidate.transition].actions);
        });
    }
    for (position, premise) in system.premises.iter().enumerate() {
        let premise = Test::compile(&system.circuit, *premise);
        if store.iter().any(|state| premise.holds(state)) {
            seen.premises.insert(position);
        }
    }
    Ok(seen)
}

fn random_walks(
    system: &mut GroundSystem,
    walks: Walks,
    budget: &Budget,
) -> Result<Store, EngineError> {
    let mut store = Store::new(system.layout.words());
    let starts = starts(system, budget);
    if starts.is_empty() {
        return Ok(store);
    }
    let free = free_bits(system);
    let transitions = system.transitions.iter();
    let actions: Vec<usize> = transitions.map(|transition| transition.invocation.action).collect();
    let moves = match Moves::compile(system, budget) {
        Ok(moves) => moves,
        Err(Unfinished::TooMany) => return Err(EngineError::TooManyChoices(1 << 20)),
        Err(Unfinished::Stopped(_)) => return Ok(store),
    };
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    for _ in 0..walks.runs {
        let mut state = starts[random.below(starts.len())].clone();
        for bit in &free {
            bit_layout::write(&mut state, *bit, 1, u64::from(random.below(2) == 1));
        }
        for _ in 0..walks.steps {
            offer(&mut store, &state);
            if store.len() >= budget.max_states || budget.stop.is_set() {
                return Ok(store);
            }
            let Some(next) = step(&moves, &actions, &state, &mut random) else { break };
            state = next;
        }
    }
    Ok(store)
}

fn offer(store: &mut Store, state: &[u64]) {
    let hash = hash(state);
    let own = shard_of(hash);
    store.shards[own].offer(state, hash, own, None);
}

/// One of the possible steps that change something: first an action, then a step of it.
fn step(moves: &Moves, actions: &[usize], state: &[u64], random: &mut Random) -> Option<Vec<u64>> {
    let mut chosen: BTreeMap<usize, (usize, Vec<u64>)> = BTreeMap::new();
    let mut next = state.to_vec();
    moves.possible(state, |candidate| {
        candidate.apply(state, &mut next);
        if next != state {
            let (seen, kept) = chosen.entry(actions[candidate.transition]).or_default();
            *seen += 1;
            if random.below(*seen) == 0 {
                kept.clone_from(&next);
            }
        }
    });
    if chosen.is_empty() {
        return None;
    }
    let position = random.below(chosen.len());
    chosen.into_values().nth(position).map(|(_, state)| state)
}

/// Some initial states.
fn starts(system: &GroundSystem, budget: &Budget) -> Vec<Vec<u64>> {
    let free = free_bits(system);
    let mut found: Vec<Vec<u64>> = Vec::new();
    // Unconstrained values are drawn anew for every run: other states differ in the rest.
    let mut bare = |state: &[u64]| {
        let mut state = state.to_vec();
        free.iter().for_each(|bit| bit_layout::write(&mut state, *bit, 1, 0));
        if !found.contains(&state) {
            found.push(state);
        }
        if found.len() < FIRST_STATES { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    };
    let mut visited = 0;
    // The budget may end the listing: what was listed is still initial.
    let _ = initial_states(system, budget, &mut |state| {
        visited += 1;
        if visited > 16 * FIRST_STATES { ControlFlow::Break(()) } else { bare(state) }
    });
    found
}
