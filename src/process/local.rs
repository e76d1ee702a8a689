//! The local states of a process, and how it moves between them.

use std::collections::BTreeMap;

use super::{Encoding, Environment, Leaf, LocalState, PointId, Process};
use crate::logic::Name;

/// A local state, by its position in [`LocalStates::states`].
pub type StateIndex = usize;

/// The local states that a process can reach if every event can happen.
#[derive(Clone, Debug)]
pub struct LocalStates {
    /// The states; the initial one is the first.
    pub states: Vec<LocalState>,
    /// Every move from one to another, or to itself.
    pub moves: Vec<Move>,
}

/// A path through a handler, in one local state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Move {
    /// The path, by its position in [`Process::leaves`].
    pub leaf: usize,
    /// The state before.
    pub source: StateIndex,
    /// The state after.
    pub target: StateIndex,
}

/// Why local states are not listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unlisted {
    /// There are more than so many.
    MoreThan(usize),
    /// Variables have values of an unbounded domain.
    UnboundedData,
    /// The environment is a process of its own, whose state is not local to any process.
    WrittenEnvironment,
}

/// Lists the local states of a process.
///
/// # Errors
/// When there are more than `most`, or local states do not tell everything.
pub fn local_states(process: &Process, most: usize) -> Result<LocalStates, Unlisted> {
    if process.environment == Environment::Written {
        return Err(Unlisted::WrittenEnvironment);
    }
    listed(process, most)
}

/// The same, also where the environment has a state of its own, and as if it did whatever some
/// process can take part in.
///
/// # Errors
/// When there are more than `most`, or local states do not tell everything.
pub fn listed(process: &Process, most: usize) -> Result<LocalStates, Unlisted> {
    if !process.data.is_empty() {
        return Err(Unlisted::UnboundedData);
    }
    let mut known = BTreeMap::from([(process.initial.clone(), 0)]);
    let mut found = LocalStates { states: vec![process.initial.clone()], moves: Vec::new() };
    let mut source = 0;
    while source < found.states.len() {
        let state = found.states[source].clone();
        for (leaf, path) in process.leaves.iter().enumerate() {
            if !path.applies(&state) {
                continue;
            }
            let after = path.after(&state);
            let target = *known.entry(after.clone()).or_insert_with(|| {
                found.states.push(after);
                found.states.len() - 1
            });
            if found.states.len() > most {
                return Err(Unlisted::MoreThan(most));
            }
            found.moves.push(Move { leaf, source, target });
        }
        source += 1;
    }
    Ok(found)
}

impl Process {
    /// The local state of a process for which these relations of the lowered protocol hold; none if
    /// it is nowhere, because it has crashed.
    pub fn local_state(&self, holds: impl Fn(&Name) -> bool) -> Option<LocalState> {
        let point = self.points.iter().position(|point| holds(&point.relation))?;
        let value = |variable: &super::Variable| match &variable.encoding {
            Encoding::Bit(relation) => i64::from(holds(relation)),
            Encoding::OneHot(relations) => {
                let mut values = relations.iter().zip(variable.values());
                let found = values.find(|(relation, _)| holds(relation));
                found.map_or(variable.lowest, |(_, value)| value)
            }
        };
        let values = self.variables.iter().map(value).collect();
        Some(LocalState { point: PointId(point), values })
    }
}

impl LocalStates {
    /// The moves along paths that satisfy a condition, with the paths.
    pub fn moves_by<'a>(
        &'a self,
        process: &'a Process,
        wanted: impl Fn(&Leaf) -> bool + 'a,
    ) -> impl Iterator<Item = (&'a Move, &'a Leaf)> {
        let moves = self.moves.iter().map(|step| (step, &process.leaves[step.leaf]));
        moves.filter(move |(_, leaf)| wanted(leaf))
    }
}
