//! Why each clause of `S` and each invocation of `A` is there, read off the finished sets.
//!
//! Where [`super::Relevance`] keeps how something was found first, this says everything that needs
//! or sets it.

use std::collections::BTreeSet;

use super::atom::{ActionInvocation, Clause, Entry, Local, Subsumes};
use super::backward::{Need, Relevance};
use super::causes::{Instantiation, instantiate, pattern_match};
use super::footprint::{Footprint, Update};
use super::violation::Violation;

/// Who needs and who sets a clause of `S`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClauseUse {
    /// Whether the violation itself says it, or a special case of it.
    pub in_violation: bool,
    /// The invocations of `A`, by position, that need it, each with the part that reads it.
    pub needed_by: Vec<(usize, Need)>,
    /// The invocations of `A`, by position, that may give it its value.
    pub set_by: Vec<usize>,
}

/// The uses of every clause of `S`, in order.
pub fn clause_uses(
    footprints: &[Footprint],
    violation: &Violation,
    relevance: &Relevance,
) -> Vec<ClauseUse> {
    let state: Vec<&Clause> = relevance.state().collect();
    let reads: Vec<Vec<(Need, Clause)>> = relevance
        .actions()
        .map(|invocation| reads(&footprints[invocation.action], invocation, &state))
        .collect();
    let clause_use = |clause: &&Clause| {
        let needed = reads.iter().enumerate().flat_map(|(position, reads)| {
            let covered = reads.iter().filter(|(_, read)| clause.subsumes(read));
            covered.map(move |(need, _)| (position, *need))
        });
        let sets = |(_, invocation): &(usize, &ActionInvocation)| {
            let updates = &footprints[invocation.action].updates;
            updates.iter().any(|update| hits(update, invocation, clause).is_some())
        };
        ClauseUse {
            in_violation: violation.clauses.iter().any(|start| clause.subsumes(start)),
            needed_by: needed.collect::<BTreeSet<_>>().into_iter().collect(),
            set_by: relevance
                .actions()
                .enumerate()
                .filter(sets)
                .map(|(position, _)| position)
                .collect(),
        }
    };
    state.iter().map(clause_use).collect()
}

/// What an invocation reads: for its guards, and for the updates that set clauses of `S`.
fn reads(
    footprint: &Footprint,
    invocation: &ActionInvocation,
    state: &[&Clause],
) -> Vec<(Need, Clause)> {
    let params = params(invocation);
    let guards = footprint.guards.iter().enumerate();
    let mut reads: Vec<(Need, Clause)> = guards
        .map(|(index, guard)| (Need::Guard(index), instantiate(&guard.atom, &params)))
        .collect();
    for (index, update) in footprint.updates.iter().enumerate() {
        for clause in state {
            if let Some(instantiation) = hits(update, invocation, clause) {
                let read = update.reads(&clause.output);
                let read =
                    read.map(|atom| (Need::Update(index), instantiate(atom, &instantiation)));
                reads.extend(read);
            }
        }
    }
    reads
}

/// What the action's names are when this invocation gives the clause its value by this update.
fn hits(update: &Update, invocation: &ActionInvocation, clause: &Clause) -> Option<Instantiation> {
    let mut instantiation = pattern_match(update, clause)?;
    for (name, entry) in params(invocation) {
        let chosen = instantiation.entry(name).or_insert(Entry::Any);
        if chosen.subsumes(&entry) {
            *chosen = entry;
        } else if !entry.subsumes(chosen) {
            return None;
        }
    }
    Some(instantiation)
}

fn params(invocation: &ActionInvocation) -> Instantiation {
    let args = invocation.args.iter().enumerate();
    args.map(|(index, entry)| (Local::Param(index), *entry)).collect()
}
