//! The reachable states of a small instance and the steps between them.

use std::collections::BTreeMap;

use crate::budget::{Budget, Stop};
use crate::finite::{Question, ReachableInstance, Slicing, Symmetry, reachable};
use crate::logic::{VariableAssignment, evaluate_formula};
use crate::protocol::{Invocation, Protocol, Size, State, successors};

/// The states of one instance, and every step between them.
#[derive(Clone, Debug)]
pub struct StateGraph {
    /// The size of the instance.
    pub size: Size,
    /// The states: initial ones first, then by their distance.
    pub states: Vec<GraphState>,
    /// The steps, by the positions of their states.
    pub steps: Vec<GraphStep>,
    /// How many instances of this size there are; the states are those of one.
    pub instances: usize,
}

/// One state.
#[derive(Clone, Debug)]
pub struct GraphState {
    /// The state.
    pub state: State,
    /// How many steps lead to it, at least.
    pub depth: usize,
}

/// One step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GraphStep {
    /// The state before.
    pub from: usize,
    /// The state after.
    pub to: usize,
    /// What was done.
    pub invocation: Invocation,
}

/// No graph has more states.
pub const MAX_STATES: u64 = 300;

/// The graph of an instance of a size: the first one, or the one that has a given state. `None` if
/// it has too many states, or integers.
pub fn state_graph(
    protocol: &Protocol,
    size: &Size,
    having: Option<&State>,
    stop: &Stop,
) -> Option<StateGraph> {
    let question = Question {
        symmetry: Symmetry::Distinguished,
        slicing: Slicing::Whole,
        ..Question::new(protocol, size.clone())
    };
    let budget = Budget { max_states: MAX_STATES + 1, ..Budget::until(stop.clone()) };
    let found = reachable(&question, &budget).ok()?.ok()?;
    let instances = found.instances.len();
    let is_wanted = |own: &&ReachableInstance| {
        having.is_none_or(|wanted| own.states().any(|state| state == *wanted))
    };
    let chosen = found.instances.iter().find(is_wanted).or(found.instances.first())?;
    if chosen.len() > MAX_STATES {
        return None;
    }
    let states: Vec<State> = chosen.states().collect();
    let (states, steps) = joined(protocol, states, stop)?;
    Some(StateGraph { size: size.clone(), states, steps, instances })
}

/// The same states by their distance from the initial ones, with the steps between them.
fn joined(
    protocol: &Protocol,
    states: Vec<State>,
    stop: &Stop,
) -> Option<(Vec<GraphState>, Vec<GraphStep>)> {
    let known: BTreeMap<&State, usize> = states.iter().zip(0..).collect();
    let mut next: Vec<Vec<(usize, Invocation)>> = Vec::new();
    for state in &states {
        let mut own = Vec::new();
        for action in 0..protocol.actions.len() {
            if stop.is_set() {
                return None;
            }
            for (invocation, successor) in successors(protocol, state, action).ok()? {
                own.push((*known.get(&successor.state)?, invocation));
            }
        }
        own.dedup();
        next.push(own);
    }
    let initial = protocol.initial();
    let is_initial =
        |state: &State| evaluate_formula(state, &VariableAssignment::new(), &initial) == Ok(true);
    let mut depths: Vec<Option<usize>> = vec![None; states.len()];
    let mut order: Vec<usize> =
        (0..states.len()).filter(|index| is_initial(&states[*index])).collect();
    order.iter().for_each(|index| depths[*index] = Some(0));
    let mut read = 0;
    while let Some(state) = order.get(read).copied() {
        for (to, _) in &next[state] {
            if depths[*to].is_none() {
                depths[*to] = depths[state].map(|depth| depth + 1);
                order.push(*to);
            }
        }
        read += 1;
    }
    let place: BTreeMap<usize, usize> = order.iter().copied().zip(0..).collect();
    let steps = order.iter().flat_map(|state| {
        let own = next[*state].iter();
        own.filter_map(|(to, invocation)| {
            let (from, to) = (*place.get(state)?, *place.get(to)?);
            Some(GraphStep { from, to, invocation: invocation.clone() })
        })
    });
    let steps = steps.collect();
    let states = order.into_iter().map(|index| GraphState {
        state: states[index].clone(),
        depth: depths[index].unwrap_or_default(),
    });
    Some((states.collect(), steps))
}
