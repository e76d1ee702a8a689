//! Which invocations can give a clause its value, and what they need for it: Algorithms 3 and 4.

use std::collections::BTreeMap;

use super::atom::{
    ActionAtom, ActionInvocation, ActionLocal, AtomEntry, AtomValue, NeededAtom, NeededClause,
    Violator,
};
use super::footprint::{Footprint, FootprintUpdate};

/// What the names of an action are instantiated to; a name that is missing can be anything.
pub type Instantiation = BTreeMap<ActionLocal, AtomEntry<Violator>>;

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
    clause: &NeededClause,
) -> Vec<Cause> {
    let mut causes = Vec::new();
    for (action, (footprint, arity)) in footprints.iter().zip(arities).enumerate() {
        for (update, candidate) in footprint.updates.iter().enumerate() {
            if let Some(instantiation) = pattern_match(candidate, clause) {
                let entry = |index| instantiated(&instantiation, ActionLocal::Param(index));
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
pub fn pattern_match(update: &FootprintUpdate, clause: &NeededClause) -> Option<Instantiation> {
    if update.atom.symbol != clause.symbol || !compatible(&update.atom.output, &clause.output) {
        return None;
    }
    let mut instantiation = Instantiation::new();
    for (own, wanted) in update.atom.args.iter().zip(&clause.args) {
        match own {
            AtomEntry::Any => {}
            AtomEntry::Named(name) => {
                let known = instantiation.entry(*name).or_insert(AtomEntry::Any);
                *known = meet(*known, *wanted)?;
            }
            AtomEntry::Constant(symbol) => {
                meet(AtomEntry::Constant(*symbol), *wanted)?;
            }
            AtomEntry::Integer(value) => {
                meet(AtomEntry::Integer(*value), *wanted)?;
            }
            AtomEntry::Element(sort, index) => {
                meet(AtomEntry::Element(*sort, *index), *wanted)?;
            }
        }
    }
    Some(instantiation)
}

/// GUARDSFOR: an atom of the action as a clause about the violators.
pub fn instantiate(atom: &ActionAtom, instantiation: &Instantiation) -> NeededClause {
    let entry = |entry: &AtomEntry<ActionLocal>| match entry {
        AtomEntry::Any => AtomEntry::Any,
        AtomEntry::Named(name) => instantiated(instantiation, *name),
        AtomEntry::Constant(symbol) => AtomEntry::Constant(*symbol),
        AtomEntry::Integer(value) => AtomEntry::Integer(*value),
        AtomEntry::Element(sort, index) => AtomEntry::Element(*sort, *index),
    };
    let output = match &atom.output {
        AtomValue::Any => AtomValue::Any,
        AtomValue::Truth(value) => AtomValue::Truth(*value),
        AtomValue::Is(value) => match entry(value) {
            AtomEntry::Any => AtomValue::Any,
            known => AtomValue::Is(known),
        },
    };
    NeededAtom { symbol: atom.symbol, args: atom.args.iter().map(entry).collect(), output }
}

fn instantiated(instantiation: &Instantiation, name: ActionLocal) -> AtomEntry<Violator> {
    instantiation.get(&name).copied().unwrap_or(AtomEntry::Any)
}

/// What two entries have in common, the more specific first; `None` if they cannot be equal.
///
/// Different violators are different elements and so are different literals; a rigid constant may be equal to anything.
fn meet(one: AtomEntry<Violator>, two: AtomEntry<Violator>) -> Option<AtomEntry<Violator>> {
    match (one, two) {
        (AtomEntry::Any, other) | (other, AtomEntry::Any) => Some(other),
        (AtomEntry::Named(one), AtomEntry::Named(two)) => {
            (one == two).then_some(AtomEntry::Named(one))
        }
        (AtomEntry::Integer(one), AtomEntry::Integer(two)) => {
            (one == two).then_some(AtomEntry::Integer(one))
        }
        (AtomEntry::Element(_, one_index), AtomEntry::Element(_, two_index)) => {
            (one_index == two_index).then_some(one)
        }
        (AtomEntry::Constant(_), AtomEntry::Constant(_)) => Some(one),
        (AtomEntry::Constant(_), other) => Some(other),
        _ => Some(one),
    }
}

/// Whether an update to `made` can give the value `wanted`.
fn compatible(made: &AtomValue<ActionLocal>, wanted: &AtomValue<Violator>) -> bool {
    match (made, wanted) {
        (AtomValue::Truth(made), AtomValue::Truth(wanted)) => made == wanted,
        (AtomValue::Is(AtomEntry::Integer(made)), AtomValue::Is(AtomEntry::Integer(wanted))) => {
            made == wanted
        }
        (
            AtomValue::Is(AtomEntry::Element(_, made)),
            AtomValue::Is(AtomEntry::Element(_, wanted)),
        ) => made == wanted,
        (AtomValue::Any | AtomValue::Truth(_) | AtomValue::Is(_), _) => true,
    }
}
