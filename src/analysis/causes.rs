//! Which invocations can give a clause its value, and what they need for it: Algorithms 3 and 4.

use std::collections::BTreeMap;

use super::atom::{ActionAtom, ActionInvocation, Atom, Clause, Entry, Local, Output, Violator};
use super::footprint::{Footprint, Update};

/// What the names of an action are instantiated to; a name that is missing can be anything.
pub type Instantiation = BTreeMap<Local, Entry<Violator>>;

/// An invocation that can give a clause its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cause {
    /// The invocation.
    pub invocation: ActionInvocation,
    /// The update that does it, by position in the action's footprint.
    pub update: usize,
    /// What the action's names are, pattern variables included.
    pub instantiation: Instantiation,
}

/// ACTIONSTHATSET: every invocation whose body may give the clause its value.
///
/// `arities` are the numbers of parameters of the actions.
pub fn actions_that_set(
    footprints: &[Footprint],
    arities: &[usize],
    clause: &Clause,
) -> Vec<Cause> {
    let mut causes = Vec::new();
    for (action, (footprint, arity)) in footprints.iter().zip(arities).enumerate() {
        for (update, candidate) in footprint.updates.iter().enumerate() {
            if let Some(instantiation) = pattern_match(candidate, clause) {
                let entry = |index| instantiated(&instantiation, Local::Param(index));
                let invocation =
                    ActionInvocation { action, args: (0..*arity).map(entry).collect() };
                causes.push(Cause { invocation, update, instantiation });
            }
        }
    }
    causes
}

/// PATTERNMATCH, with the test of the outputs before it: how the action's names must be chosen for
/// the update to hit the clause, or `None` if it cannot.
///
/// The paper's loop lets a later argument overwrite an earlier one, so that `(a, b, a)` against
/// `(1, 2, *)` would forget that `a` is 1; here the more specific entry stays.
pub fn pattern_match(update: &Update, clause: &Clause) -> Option<Instantiation> {
    if update.atom.symbol != clause.symbol || !compatible(&update.atom.output, &clause.output) {
        return None;
    }
    let mut instantiation = Instantiation::new();
    for (own, wanted) in update.atom.args.iter().zip(&clause.args) {
        match own {
            Entry::Any => {}
            Entry::Named(name) => {
                let known = instantiation.entry(*name).or_insert(Entry::Any);
                *known = meet(*known, *wanted)?;
            }
            Entry::Constant(symbol) => {
                meet(Entry::Constant(*symbol), *wanted)?;
            }
            Entry::Integer(value) => {
                meet(Entry::Integer(*value), *wanted)?;
            }
        }
    }
    Some(instantiation)
}

/// GUARDSFOR: an atom of the action as a clause about the violators.
pub fn instantiate(atom: &ActionAtom, instantiation: &Instantiation) -> Clause {
    let entry = |entry: &Entry<Local>| match entry {
        Entry::Any => Entry::Any,
        Entry::Named(name) => instantiated(instantiation, *name),
        Entry::Constant(symbol) => Entry::Constant(*symbol),
        Entry::Integer(value) => Entry::Integer(*value),
    };
    let output = match &atom.output {
        Output::Any => Output::Any,
        Output::Truth(value) => Output::Truth(*value),
        Output::Is(value) => match entry(value) {
            Entry::Any => Output::Any,
            known @ (Entry::Named(_) | Entry::Constant(_) | Entry::Integer(_)) => Output::Is(known),
        },
    };
    Atom { symbol: atom.symbol, args: atom.args.iter().map(entry).collect(), output }
}

fn instantiated(instantiation: &Instantiation, name: Local) -> Entry<Violator> {
    instantiation.get(&name).copied().unwrap_or(Entry::Any)
}

/// What two entries have in common, the more specific first; `None` if they cannot be equal.
///
/// Different violators are different elements and different literals different integers; a rigid
/// constant may be equal to anything.
fn meet(one: Entry<Violator>, two: Entry<Violator>) -> Option<Entry<Violator>> {
    match (one, two) {
        (Entry::Any, other) | (other, Entry::Any) => Some(other),
        (Entry::Named(one), Entry::Named(two)) => (one == two).then_some(Entry::Named(one)),
        (Entry::Integer(one), Entry::Integer(two)) => (one == two).then_some(Entry::Integer(one)),
        (Entry::Constant(_), other @ (Entry::Named(_) | Entry::Integer(_))) => Some(other),
        (Entry::Named(_) | Entry::Integer(_) | Entry::Constant(_), _) => Some(one),
    }
}

/// Whether an update to `made` can give the value `wanted`.
fn compatible(made: &Output<Local>, wanted: &Output<Violator>) -> bool {
    match (made, wanted) {
        (Output::Truth(made), Output::Truth(wanted)) => made == wanted,
        (Output::Is(Entry::Integer(made)), Output::Is(Entry::Integer(wanted))) => made == wanted,
        (Output::Any | Output::Truth(_) | Output::Is(_), _) => true,
    }
}
