//! How actions get in each other's way, and which of their guards quantify.

use std::collections::BTreeMap;

use crate::analysis::polarity::Polarity;
use crate::logic::{Quantifier, Var};
use crate::protocol::{Command, Protocol, StateVar, SymbolId};

use super::atom::{ActionAtom, AtomEntry, AtomValue};
use super::atoms_read::quantifiers;
use super::footprint::{Footprint, GuardSource};

/// An action undoes what the guard of an action needs: it consumes a message, or uses up a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Consumption {
    /// The action that undoes it.
    pub consumer: usize,
    /// Its update.
    pub update: usize,
    /// The action that needs it; may be the same action.
    pub needer: usize,
    /// Its guard atom.
    pub guard: usize,
}

/// Every pair of an update and a guard atom where the one may make the other fail for good.
///
/// An update to `*` is not counted: it may also establish what is needed.
pub fn consumptions(footprints: &[Footprint]) -> Vec<Consumption> {
    let mut updates: BTreeMap<SymbolId, Vec<(usize, usize, &ActionAtom)>> = BTreeMap::new();
    for (consumer, consuming) in footprints.iter().enumerate() {
        for (position, update) in consuming.updates.iter().enumerate() {
            let of_symbol = updates.entry(update.atom.symbol).or_default();
            of_symbol.push((consumer, position, &update.atom));
        }
    }
    let mut found = Vec::new();
    for (needer, needing) in footprints.iter().enumerate() {
        for (guard, needed) in needing.guards.iter().enumerate() {
            let of_symbol = updates.get(&needed.atom.symbol).into_iter().flatten();
            let undoing = of_symbol.filter(|(_, _, update)| undoes(update, &needed.atom));
            let consumption = |(consumer, update, _): &(usize, usize, _)| Consumption {
                consumer: *consumer,
                update: *update,
                needer,
                guard,
            };
            found.extend(undoing.map(consumption));
        }
    }
    found
}

/// Whether an update of one action makes a guard atom of another fail; their names are unrelated.
fn undoes(update: &ActionAtom, guard: &ActionAtom) -> bool {
    let literals_differ = update.args.iter().zip(&guard.args).any(|pair| match pair {
        (AtomEntry::Integer(one), AtomEntry::Integer(two)) => one != two,
        (AtomEntry::Element(_, one), AtomEntry::Element(_, two)) => one != two,
        _ => false,
    });
    let value_differs = match (&update.output, &guard.output) {
        (AtomValue::Truth(made), AtomValue::Truth(needed)) => made != needed,
        (AtomValue::Is(made), AtomValue::Is(needed)) => made != needed,
        (AtomValue::Any | AtomValue::Truth(_) | AtomValue::Is(_), _) => false,
    };
    update.symbol == guard.symbol && !literals_differ && value_differs
}

/// A quantifier in a guard.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QuantifiedGuard {
    /// The action.
    pub action: usize,
    /// The guard it stands in.
    pub source: GuardSource,
    /// By its force: `~exists` counts as `Forall`; a quantifier under `<->` or in a condition is
    /// listed with both.
    pub quantifier: Quantifier,
    /// What it binds.
    pub vars: Vec<StateVar>,
}

/// Every quantifier in a guard or condition, in the order of the text.
pub fn quantified_guards(protocol: &Protocol) -> Vec<QuantifiedGuard> {
    let mut found = Vec::new();
    for (action, declared) in protocol.actions.iter().enumerate() {
        in_block(action, &declared.body, &mut found);
    }
    found
}

fn in_block(action: usize, body: &[Command], found: &mut Vec<QuantifiedGuard>) {
    for command in body {
        match command {
            Command::Require(formula, _) => {
                for conjunct in formula.conjuncts() {
                    let bindings = quantifiers(&conjunct, Polarity::Positive);
                    let source = GuardSource::Require(conjunct);
                    note(action, &source, bindings, found);
                }
            }
            Command::If(condition, then, otherwise, _) => {
                let bindings = quantifiers(condition, Polarity::Both);
                note(action, &GuardSource::Condition(condition.clone()), bindings, found);
                in_block(action, then, found);
                in_block(action, otherwise, found);
            }
            Command::Relate(_, formula, _) => {
                let bindings = quantifiers(formula, Polarity::Positive);
                let bindings = bindings.into_iter().map(|(quantifier, vars)| {
                    let vars = vars.into_iter().map(|var| Var::new(var.name, var.sort));
                    (quantifier, vars.collect())
                });
                note(action, &GuardSource::Relation(formula.clone()), bindings.collect(), found);
            }
            Command::Assign(_) | Command::Together(..) => {}
        }
    }
}

fn note(
    action: usize,
    source: &GuardSource,
    bindings: Vec<(Quantifier, Vec<StateVar>)>,
    found: &mut Vec<QuantifiedGuard>,
) {
    found.extend(bindings.into_iter().map(|(quantifier, vars)| {
        let source = source.clone();
        QuantifiedGuard { action, source, quantifier, vars }
    }));
}
