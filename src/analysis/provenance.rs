//! Why each clause of `S` and each invocation of `A` is there, read off the finished sets.
//!
//! Where [`super::Relevance`] keeps how something was found first, this says everything that needs
//! or sets it.

use std::collections::BTreeSet;

use super::atom::{ActionInvocation, ActionLocal, AtomEntry, NeededClause, Subsumes};
use super::backward::{BackwardNeed, Relevance};
use super::causes::{Instantiation, instantiate, pattern_match};
use super::footprint::{Footprint, FootprintUpdate};
use super::violation::NegatedProperty;

/// Which invocations need and which set a clause of `S`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClauseUse {
    /// Whether the violation itself says it, or a special case of it.
    pub in_violation: bool,
    /// The invocations of `A`, by position, that need it, each with the part that reads it.
    pub needed_by: Vec<(usize, BackwardNeed)>,
    /// The invocations of `A`, by position, that may give it its value.
    pub set_by: Vec<usize>,
}

/// The uses of every clause of `S`, in order.
pub fn clause_uses(
    footprints: &[Footprint],
    violation: &NegatedProperty,
    relevance: &Relevance,
) -> Vec<ClauseUse> {
    let state: Vec<&NeededClause> = relevance.state().collect();
    let reads: Vec<Vec<(BackwardNeed, NeededClause)>> = relevance
        .actions()
        .map(|invocation| reads(&footprints[invocation.action], invocation, &state))
        .collect();
    let clause_use = |clause: &&NeededClause| {
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
    state: &[&NeededClause],
) -> Vec<(BackwardNeed, NeededClause)> {
    let params = params(invocation);
    let guards = footprint.guards.iter().enumerate();
    let mut reads: Vec<(BackwardNeed, NeededClause)> = guards
        .map(|(index, guard)| (BackwardNeed::Guard(index), instantiate(&guard.atom, &params)))
        .collect();
    for (index, update) in footprint.updates.iter().enumerate() {
        for clause in state {
            if let Some(instantiation) = hits(update, invocation, clause) {
                let read = update.reads(&clause.output);
                let read = read
                    .map(|atom| (BackwardNeed::Update(index), instantiate(atom, &instantiation)));
                reads.extend(read);
            }
        }
    }
    reads
}

/// What the action's names are when this invocation gives the clause its value by this update.
fn hits(
    update: &FootprintUpdate,
    invocation: &ActionInvocation,
    clause: &NeededClause,
) -> Option<Instantiation> {
    let mut instantiation = pattern_match(update, clause)?;
    for (name, entry) in params(invocation) {
        let chosen = instantiation.entry(name).or_insert(AtomEntry::Any);
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
    args.map(|(index, entry)| (ActionLocal::Param(index), *entry)).collect()
}
