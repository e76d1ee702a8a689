//! Runs of a protocol in small instances, on which candidates are tried before the solver sees them.
//!
//! They are chosen at random from a fixed seed. Steps that pick something arbitrary are left out.

use crate::budget::{Budget, Stop};
use crate::finite::{Question, Random, SmallSizes, sample};
use crate::logic::{Extent, evaluate_formula};
use crate::protocol::{ChoiceValues, Invocation, Protocol, State, execute_with};

/// A tree of runs from one initial state.
#[derive(Clone, Debug)]
pub(crate) struct LargeWalk {
    /// Where it starts.
    pub(crate) start: State,
    /// What happens.
    pub(crate) steps: Vec<WalkStep>,
}

/// One step of a walk.
#[derive(Clone, Debug)]
pub(crate) struct WalkStep {
    /// How many steps of the walk lead to the state before: the last of them, counted from 1.
    pub(crate) from: usize,
    /// What happens.
    pub(crate) invocation: Invocation,
    /// The state after.
    pub(crate) state: State,
}

/// How many walks there are at most, and how many steps they have together.
const MAX_WALKS: usize = 6;
const MAX_STEPS: usize = 120;

/// How many arguments of an action are tried for one step.
const TRIES: usize = 60;

/// How many initial states are listed, and the part of the time that this may take.
const LISTED: u64 = 64;
const LISTING: u32 = 10;

/// The range that stands in for ℤ.
const WINDOW: (i64, i64) = (-1, 5);

/// Walks through small instances of a protocol.
pub(crate) fn walks(protocol: &Protocol, stop: &Stop) -> Vec<LargeWalk> {
    let starts = starts(protocol, stop.share(1, LISTING));
    let steps = MAX_STEPS / starts.len().max(1);
    let mut random = Random(0x2545_f491_4f6c_dd1d);
    starts.into_iter().map(|start| walk(protocol, start, (steps, stop), &mut random)).collect()
}

/// Initial states of instances with three elements of the busiest sort and two of the others.
fn starts(protocol: &Protocol, stop: Stop) -> Vec<State> {
    let sizes = SmallSizes::new(protocol);
    let size = match sizes.busiest() {
        Some(sort) => sizes.with_one(sort, 3, 2),
        None => sizes.alike(2),
    };
    let mut question = Question::new(protocol, size);
    question.claims = Vec::new();
    question.window = protocol.signature.uses_int().then_some(WINDOW);
    let budget = Budget { max_states: LISTED, max_memory: 1 << 28, ..Budget::until(stop) };
    let Ok(found) = sample(&question, &budget) else { return Vec::new() };
    let initial = protocol.initial();
    let is_initial = |state: &State| {
        matches!(evaluate_formula(state, &std::collections::BTreeMap::new(), &initial), Ok(true))
    };
    let instances = spread(&found.reachable.instances, MAX_WALKS / 2);
    let each = MAX_WALKS / instances.len().max(1);
    let mut starts = Vec::new();
    for instance in instances {
        let listed = instance.states().take(usize::try_from(LISTED).unwrap_or(usize::MAX));
        let own: Vec<State> = listed.filter(is_initial).collect();
        starts.extend(spread(&own, each).into_iter().cloned());
    }
    starts
}

/// At most so many of the items, evenly chosen.
fn spread<T>(items: &[T], most: usize) -> Vec<&T> {
    let stride = items.len().div_ceil(most.max(1)).max(1);
    items.iter().step_by(stride).collect()
}

fn walk(
    protocol: &Protocol,
    start: State,
    (most, stop): (usize, &Stop),
    random: &mut Random,
) -> LargeWalk {
    let mut walk = LargeWalk { start, steps: Vec::new() };
    for _ in 0..most {
        let last = walk.steps.len();
        let from = if random.below(4) == 0 { random.below(last + 1) } else { last };
        if let Some(step) = next(protocol, &walk, from, (random, stop)) {
            walk.steps.push(step);
        }
    }
    walk
}

impl LargeWalk {
    /// The state after so many steps on the way to a step.
    pub(crate) fn state(&self, position: usize) -> &State {
        match position.checked_sub(1) {
            None => &self.start,
            Some(step) => &self.steps[step].state,
        }
    }
}

/// Some action that is possible and changes something.
fn next(
    protocol: &Protocol,
    walk: &LargeWalk,
    from: usize,
    (random, stop): (&mut Random, &Stop),
) -> Option<WalkStep> {
    let state = walk.state(from);
    let actions = protocol.actions.len();
    let first = random.below(actions.max(1));
    for action in (0..actions).map(|offset| (first + offset) % actions) {
        if stop.is_set() {
            return None;
        }
        let params = &protocol.actions[action].params;
        let extents: Vec<Extent> = params.iter().map(|param| state.extents[&param.sort]).collect();
        let tries = if extents.is_empty() { 1 } else { TRIES };
        for _ in 0..tries {
            let args =
                extents.iter().map(|extent| extent.value(random.below(extent.len()))).collect();
            let invocation = Invocation { action, args };
            // Without choices, a step that would pick something has no successor.
            let next = execute_with(protocol, state, &invocation, &ChoiceValues::new());
            if let Some(next) = next.ok().flatten().filter(|next| next != state) {
                return Some(WalkStep { from, invocation, state: next });
            }
        }
    }
    None
}
