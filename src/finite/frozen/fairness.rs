//! Fair runs that never do what they should, and what they depend on.
//!
//! A run is fair if every event that is possible infinitely often happens infinitely often. Such a
//! run ends in a strongly connected set of states in which every event that is possible somewhere is
//! taken somewhere, or in a state without a possible event. States up to renaming will do: events and
//! goals do not tell processes apart.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::{FrozenCondition, FrozenSize, ReachedStates};
use crate::budget::Stop;
use crate::finite::ground::bit_layout::{read, write};
use crate::finite::ground::circuit::Wire;
use crate::protocol::SymbolId;

/// What every fair run must do.
#[derive(Clone, Debug)]
pub(crate) struct LivenessGoal {
    /// After a state in which one of these holds somewhere; `None` for the first state.
    pub(crate) after: Option<Vec<SymbolId>>,
    /// One of these must hold somewhere, sooner or later.
    pub(crate) eventually: Vec<SymbolId>,
    /// The actions that are no events: whatever they do, runs without them count.
    pub(crate) ignored: BTreeSet<usize>,
}

/// The answer of a search for a fair run that misses a goal.
pub(crate) enum FairSearch {
    /// There is none.
    Met,
    /// There is one under this condition.
    Missed(FrozenCondition),
    /// Not decided.
    Unknown,
}

/// A step between two of the reached states.
struct FairEdge {
    transition: usize,
    event: usize,
    /// The state before renaming.
    next: Vec<u64>,
    to: usize,
}

impl FrozenSize {
    /// Looks for a fair run that misses a goal, for these values of the frozen flags.
    pub(crate) fn fair_search(
        &mut self,
        reached: &ReachedStates,
        values: &[bool],
        goal: &LivenessGoal,
        stop: &Stop,
    ) -> FairSearch {
        for number in 0..self.instances.len() {
            let states: Vec<Vec<u64>> =
                reached.stores[number].iter().map(<[u64]>::to_vec).collect();
            let Some(graph) = self.graph(number, &states, (values, goal), stop) else {
                return FairSearch::Unknown;
            };
            if let Some((stem, trap)) = graph.trap() {
                let wire = self.trap_condition(number, &graph, (&stem, &trap), goal);
                return FairSearch::Missed(FrozenCondition { instance: number, wire });
            }
        }
        FairSearch::Met
    }

    fn graph(
        &mut self,
        number: usize,
        states: &[Vec<u64>],
        (values, goal): (&[bool], &LivenessGoal),
        stop: &Stop,
    ) -> Option<FairGraph> {
        let instance = &mut self.instances[number];
        let known: BTreeMap<&[u64], usize> =
            states.iter().enumerate().map(|(index, state)| (&state[..], index)).collect();
        let holds = |instance: &super::FrozenInstance, symbols: &[SymbolId], state: &[u64]| {
            let mut places = instance.places.iter();
            places.any(|(bit, (symbol, _))| symbols.contains(symbol) && read(state, *bit, 1) == 1)
        };
        let bits = instance.system.layout.bits();
        let mut graph = FairGraph { states: states.to_vec(), ..FairGraph::default() };
        let mut chosen = instance.chosen(values);
        for state in states {
            if stop.is_set() {
                return None;
            }
            let mut edges = Vec::new();
            for (transition, step) in instance.every_step_at(state, &mut chosen)? {
                let event = *step.actions.first()?;
                if goal.ignored.contains(&event) {
                    continue;
                }
                let mut next = state.clone();
                for (bit, wire) in &step.writes {
                    write(&mut next, *bit, 1, u64::from(*wire == Wire::TRUE));
                }
                let mut normal = next.clone();
                let mut room = instance.system.symmetries.room(normal.len());
                instance.system.symmetries.normalize(&mut normal, &mut room);
                let to = *known.get(&normal[..])?;
                edges.push(FairEdge { transition, event, next, to });
            }
            graph.edges.push(edges);
            graph.is_goal.push(holds(instance, &goal.eventually, state));
            let after = goal.after.as_ref();
            graph.is_start.push(after.is_some_and(|own| holds(instance, own, state)));
            let at = |input: u32| input < bits && read(state, input, 1) == 1;
            let is_initial = instance.system.circuit.evaluate(instance.initial, at);
            graph.is_initial.push(is_initial);
        }
        graph.from_the_start = goal.after.is_none();
        graph.is_initial.contains(&true).then_some(graph)
    }

    /// What a stem and the set of states that it leads to depend on.
    fn trap_condition(
        &mut self,
        number: usize,
        graph: &FairGraph,
        (stem, trap): (&[(usize, usize)], &BTreeSet<usize>),
        goal: &LivenessGoal,
    ) -> Wire {
        let mut whole = Wire::TRUE;
        let mut taken = BTreeSet::new();
        let mut needed: BTreeSet<(usize, usize)> = stem.iter().copied().collect();
        for edge in graph.connecting(trap) {
            taken.insert(graph.edges[edge.0][edge.1].event);
            needed.insert(edge);
        }
        for (state, edge) in needed {
            let own = &graph.edges[state][edge];
            let instance = &mut self.instances[number];
            let open = instance.open_step(own.transition, &graph.states[state]);
            whole = instance.system.circuit.and(whole, open.guard);
            for (bit, wire) in &open.writes {
                let as_taken = if read(&own.next, *bit, 1) == 1 { *wire } else { !*wire };
                whole = instance.system.circuit.and(whole, as_taken);
            }
        }
        for state in trap {
            let instance = &mut self.instances[number];
            for transition in 0..instance.system.transitions.len() {
                let events = &instance.system.transitions[transition].actions;
                let is_other = events.iter().all(|own| !taken.contains(own));
                if is_other && events.iter().all(|own| !goal.ignored.contains(own)) {
                    let open = instance.open_step(transition, &graph.states[*state]);
                    whole = instance.system.circuit.and(whole, !open.guard);
                }
            }
        }
        whole
    }
}

/// The reached states with the steps between them.
#[derive(Default)]
struct FairGraph {
    states: Vec<Vec<u64>>,
    edges: Vec<Vec<FairEdge>>,
    is_goal: Vec<bool>,
    is_start: Vec<bool>,
    is_initial: Vec<bool>,
    from_the_start: bool,
}

/// Steps of a run: the state before each, and the position of its edge.
type Way = Vec<(usize, usize)>;

impl FairGraph {
    /// A way to a set of states in which a fair run may stay without the goal, and the set.
    fn trap(&self) -> Option<(Way, BTreeSet<usize>)> {
        let count = self.states.len();
        let all: Vec<usize> = (0..count).collect();
        let initial: Vec<usize> = all.iter().copied().filter(|own| self.is_initial[*own]).collect();
        let (starts, ways) = match self.from_the_start {
            true => (initial.clone(), None),
            false => {
                let ways = self.ways(&initial, &|_| true);
                let is_start = |own: &usize| self.is_start[*own] && ways.contains_key(own);
                (all.iter().copied().filter(is_start).collect(), Some(ways))
            }
        };
        let starts: Vec<usize> = starts.into_iter().filter(|own| !self.is_goal[*own]).collect();
        let inside = self.ways(&starts, &|own| !self.is_goal[own]);
        let open: BTreeSet<usize> = inside.keys().copied().collect();
        let trap = self.fair_set(&open)?;
        let first = *trap.iter().min_by_key(|own| self.way(&inside, **own).len())?;
        let mut stem = self.way(&inside, first);
        if let Some(ways) = ways {
            let begin = stem.first().map_or(first, |(state, _)| *state);
            stem.splice(0..0, self.way(&ways, begin));
        }
        Some((stem, trap))
    }

    /// For every state that can be reached, the step by which it is reached first.
    fn ways(
        &self,
        from: &[usize],
        may: &dyn Fn(usize) -> bool,
    ) -> BTreeMap<usize, Option<(usize, usize)>> {
        let mut found: BTreeMap<usize, Option<(usize, usize)>> =
            from.iter().map(|own| (*own, None)).collect();
        let mut open: VecDeque<usize> = from.iter().copied().collect();
        while let Some(state) = open.pop_front() {
            for (position, edge) in self.edges[state].iter().enumerate() {
                if may(edge.to) && !found.contains_key(&edge.to) {
                    found.insert(edge.to, Some((state, position)));
                    open.push_back(edge.to);
                }
            }
        }
        found
    }

    /// The steps to a state.
    fn way(&self, ways: &BTreeMap<usize, Option<(usize, usize)>>, to: usize) -> Way {
        let mut steps = Vec::new();
        let mut at = to;
        while let Some(Some((state, edge))) = ways.get(&at) {
            steps.push((*state, *edge));
            at = *state;
        }
        steps.reverse();
        steps
    }

    /// A set of states in which a fair run may stay: every event that is possible in it is taken.
    fn fair_set(&self, open: &BTreeSet<usize>) -> Option<BTreeSet<usize>> {
        if let Some(stuck) = open.iter().find(|own| self.edges[**own].is_empty()) {
            return Some(BTreeSet::from([*stuck]));
        }
        let mut work = vec![open.clone()];
        while let Some(part) = work.pop() {
            for component in self.components(&part) {
                let within = |state: &usize| {
                    self.edges[*state].iter().filter(|edge| component.contains(&edge.to))
                };
                let taken: BTreeSet<usize> =
                    component.iter().flat_map(within).map(|edge| edge.event).collect();
                if taken.is_empty() {
                    continue;
                }
                let is_calm = |state: &usize| {
                    self.edges[*state].iter().all(|edge| taken.contains(&edge.event))
                };
                if component.iter().all(is_calm) {
                    return Some(component);
                }
                let rest: BTreeSet<usize> = component.iter().copied().filter(is_calm).collect();
                if !rest.is_empty() {
                    work.push(rest);
                }
            }
        }
        None
    }

    /// The strongly connected parts of a set of states.
    fn components(&self, part: &BTreeSet<usize>) -> Vec<BTreeSet<usize>> {
        let mut left = part.clone();
        let mut found = Vec::new();
        while let Some(first) = left.first().copied() {
            let forward: BTreeSet<usize> =
                self.ways(&[first], &|own| left.contains(&own)).into_keys().collect();
            let back = self.reaching(first, &forward);
            left = left.difference(&back).copied().collect();
            found.push(back);
        }
        found
    }

    /// The states of a set from which a state can be reached within the set.
    fn reaching(&self, to: usize, within: &BTreeSet<usize>) -> BTreeSet<usize> {
        let mut found = BTreeSet::from([to]);
        loop {
            let more: Vec<usize> = within
                .iter()
                .copied()
                .filter(|own| !found.contains(own))
                .filter(|own| self.edges[*own].iter().any(|edge| found.contains(&edge.to)))
                .collect();
            if more.is_empty() {
                return found;
            }
            found.extend(more);
        }
    }

    /// Steps that connect all states of a set and take every event that is possible there.
    fn connecting(&self, set: &BTreeSet<usize>) -> BTreeSet<(usize, usize)> {
        let Some(root) = set.first().copied() else { return BTreeSet::new() };
        let ways = self.ways(&[root], &|own| set.contains(&own));
        let mut steps: BTreeSet<(usize, usize)> = ways.values().flatten().copied().collect();
        // And back to the root.
        let mut home = BTreeSet::from([root]);
        while home.len() < set.len() {
            let step = set.iter().filter(|own| !home.contains(own)).find_map(|own| {
                let edge = self.edges[*own].iter().position(|edge| home.contains(&edge.to))?;
                Some((*own, edge))
            });
            let Some((state, edge)) = step else { break };
            steps.insert((state, edge));
            home.insert(state);
        }
        let mut taken: BTreeSet<usize> =
            steps.iter().map(|(state, edge)| self.edges[*state][*edge].event).collect();
        for state in set {
            for (position, edge) in self.edges[*state].iter().enumerate() {
                if set.contains(&edge.to) && taken.insert(edge.event) {
                    steps.insert((*state, position));
                }
            }
        }
        steps
    }
}
