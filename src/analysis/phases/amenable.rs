//! Cutoff-amenability as printed, in both readings of "path", and with its holes closed.

use std::collections::{BTreeSet, VecDeque};

use super::sets::{Sets, Transition, TransitionKind};
use crate::logic::Name;
use crate::process::local::{LocalStates, StateIndex};
use crate::process::{Process, Requirement};

/// The most simple paths that are looked at, unfinished ones included.
const MOST_PATHS: usize = 200_000;

/// What the printed conditions say about one specification.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grant {
    /// The property.
    pub property: Name,
    /// As printed, where a path visits no state twice.
    pub simple: Option<usize>,
    /// As printed, where a path may visit states again.
    pub walks: Option<usize>,
    /// The same, and some path must be independent at all.
    pub closed: Option<usize>,
    /// The shortest way to what the specification speaks of that other processes have a part in.
    pub dependent: Vec<Transition>,
}

/// Whether one bound is amenable, in each reading.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Amenability {
    /// As printed, simple paths.
    pub simple: bool,
    /// As printed, walks.
    pub walks: bool,
    /// Walks, and an independent path exists.
    pub closed: bool,
}

/// What the printed conditions grant, specification by specification.
pub fn amenability(process: &Process, locals: &LocalStates, sets: &Sets) -> Vec<Grant> {
    let grant = |specification: &crate::process::Specification| {
        let value = |reading: fn(&Amenability) -> bool| {
            value(&specification.requirement, locals, sets, reading)
        };
        Grant {
            property: specification.property.clone(),
            simple: value(|found| found.simple),
            walks: value(|found| found.walks),
            closed: value(|found| found.closed),
            dependent: dependent(&specification.requirement, locals, sets),
        }
    };
    process.specifications.iter().map(grant).collect()
}

/// The shortest path from the start to a state that a requirement speaks of with a step that another
/// process starts; empty if there is none.
fn dependent(requirement: &Requirement, locals: &LocalStates, sets: &Sets) -> Vec<Transition> {
    let is_target = |state: StateIndex| requirement.speaks_of(&locals.states[state]);
    let mut open = VecDeque::from([(0, false, Vec::new())]);
    let mut known = BTreeSet::from([(0, false)]);
    while let Some((state, is_dependent, path)) = open.pop_front() {
        if is_dependent && is_target(state) {
            return path;
        }
        for own in sets.transitions.iter().filter(|own| own.source == state) {
            let depends = is_dependent || !is_independent(own.kind);
            if known.insert((own.target, depends)) {
                let longer = path.iter().copied().chain([*own]).collect();
                open.push_back((own.target, depends, longer));
            }
        }
    }
    Vec::new()
}

fn is_independent(kind: TransitionKind) -> bool {
    matches!(kind, TransitionKind::Internal | TransitionKind::Acting)
}

/// The cutoff of a requirement: of a conjunction the largest, of a disjunction the sum.
fn value(
    requirement: &Requirement,
    locals: &LocalStates,
    sets: &Sets,
    reading: fn(&Amenability) -> bool,
) -> Option<usize> {
    let of = |part: &Requirement| value(part, locals, sets, reading);
    match requirement {
        Requirement::AtMost(bound, patterns) | Requirement::FewValues(bound, patterns, _) => {
            let fits = |state: &StateIndex| {
                patterns.iter().any(|pattern| pattern.fits(&locals.states[*state]))
            };
            let targets = (0..locals.states.len()).filter(fits).collect();
            reading(&Graph::of(locals.states.len(), sets).amenable(&targets)).then_some(bound + 1)
        }
        Requirement::And(parts) => {
            let parts = parts.iter().map(of).collect::<Option<Vec<usize>>>()?;
            parts.into_iter().max()
        }
        Requirement::Or(parts) => parts.iter().map(of).sum(),
    }
}

/// The local transitions as edges; the first state is the initial one.
struct Graph {
    /// For every state: the states after it, and whether each edge is independent.
    edges: Vec<BTreeSet<(StateIndex, bool)>>,
}

impl Graph {
    fn of(states: usize, sets: &Sets) -> Self {
        let mut edges = vec![BTreeSet::new(); states];
        for own in &sets.transitions {
            edges[own.source].insert((own.target, is_independent(own.kind)));
        }
        Graph { edges }
    }

    fn amenable(&self, targets: &BTreeSet<StateIndex>) -> Amenability {
        let (independent, is_dependent) = (Vec::new(), false);
        let mut search = PathSearch { graph: self, targets, independent, is_dependent, work: 0 };
        if search.extend(&mut vec![0], true).is_none() {
            return Amenability { simple: false, walks: false, closed: false };
        }
        let second = search.independent.iter().all(|path| self.is_followed(path));
        let walks = self.paths_are_independent(targets) || second;
        let simple = !search.is_dependent || second;
        Amenability { simple, walks, closed: walks && !search.independent.is_empty() }
    }

    /// Whether every edge on a path from the start, which may repeat states, to a target is independent.
    fn paths_are_independent(&self, targets: &BTreeSet<StateIndex>) -> bool {
        let leading: Vec<bool> = (0..self.edges.len())
            .map(|state| !self.reached(state, None).is_disjoint(targets))
            .collect();
        self.reached(0, None).iter().all(|state| {
            self.edges[*state].iter().all(|(next, independent)| *independent || !leading[*next])
        })
    }

    /// Condition (2) of the lemma for one path: whoever leaves it comes back by itself.
    fn is_followed(&self, path: &[StateIndex]) -> bool {
        path.iter().all(|state| {
            let leaving = self.edges[*state].iter().filter(|(next, _)| next != state);
            leaving.into_iter().all(|(next, independent)| {
                if path.contains(next) { *independent } else { self.comes_back(*next, *state) }
            })
        })
    }

    /// Whether all paths out of a state lead to another one by independent transitions.
    fn comes_back(&self, from: StateIndex, to: StateIndex) -> bool {
        let away = self.reached(from, Some(to));
        away.iter().filter(|state| **state != to).all(|state| {
            self.edges[*state].iter().all(|(_, independent)| *independent)
                && self.reached(*state, None).contains(&to)
        })
    }

    /// The states that can be reached, without passing another one.
    fn reached(&self, from: StateIndex, past: Option<StateIndex>) -> BTreeSet<StateIndex> {
        let mut found = BTreeSet::from([from]);
        let mut open = vec![from];
        while let Some(state) = open.pop() {
            if Some(state) == past {
                continue;
            }
            for (next, _) in &self.edges[state] {
                if found.insert(*next) {
                    open.push(*next);
                }
            }
        }
        found
    }
}

/// Lists the independent simple paths to a target, and whether there are others.
struct PathSearch<'a> {
    graph: &'a Graph,
    targets: &'a BTreeSet<StateIndex>,
    independent: Vec<Vec<StateIndex>>,
    is_dependent: bool,
    work: usize,
}

impl PathSearch<'_> {
    /// Extends a path in every way; `None` if there are too many.
    fn extend(&mut self, path: &mut Vec<StateIndex>, is_independent: bool) -> Option<()> {
        self.work += 1;
        let last = *path.last()?;
        if self.work > MOST_PATHS {
            return None;
        }
        if self.targets.contains(&last) {
            match is_independent {
                true => self.independent.push(path.clone()),
                false => self.is_dependent = true,
            }
            return Some(());
        }
        for (next, independent) in &self.graph.edges[last] {
            let stays_independent = is_independent && *independent;
            // One dependent path is enough to know of.
            if path.contains(next) || !stays_independent && self.is_dependent {
                continue;
            }
            path.push(*next);
            self.extend(path, stays_independent)?;
            path.pop();
        }
        Some(())
    }
}
