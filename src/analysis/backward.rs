//! From a violation back to the state and the invocations it needs: Algorithm 2, STATICANALYSIS.
//!
//! As printed, the loop copies `S` to `S_prev` and only then visits `S \ S_prev`, which is empty:
//! it returns `S_init` and no action. Here a round visits the clauses that the round before added,
//! as the paper's text says.

use crate::protocol::Protocol;

use super::atom::{ActionInvocation, NeededClause, Subsumes, most_general};
use super::causes::{Cause, actions_that_set, instantiate};
use super::footprint::Footprint;

/// What a violation needs, with the way it was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Relevance {
    /// Every clause that was found, before subsumption.
    pub found: Vec<BackwardResult<NeededClause, ClauseReason>>,
    /// Every invocation that was found, before subsumption.
    pub invoked: Vec<BackwardResult<ActionInvocation, InvocationReason>>,
    /// How many rounds added something.
    pub rounds: usize,
    /// The positions in `found` that make up `S`.
    state: Vec<usize>,
    /// The positions in `invoked` that make up `A`.
    actions: Vec<usize>,
}

/// Something that was found, and why first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BackwardResult<T, R> {
    /// What.
    pub item: T,
    /// The round: 0 for the violation itself.
    pub round: usize,
    /// Why.
    pub because: R,
}

/// Why a clause is relevant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ClauseReason {
    /// The violation says so.
    Violation,
    /// An invocation needs it.
    Needed {
        /// The invocation, by position in [`Relevance::invoked`].
        by: usize,
        /// Which part of the action reads it.
        at: BackwardNeed,
    },
}

/// The part of an action that reads an atom.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum BackwardNeed {
    /// A guard atom, by position in the footprint.
    Guard(usize),
    /// An update, by position in the footprint: its place or its value.
    Update(usize),
}

/// Why an invocation is relevant: it may give a clause its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct InvocationReason {
    /// The clause, by position in [`Relevance::found`].
    pub sets: usize,
    /// The update that does it, by position in the footprint.
    pub update: usize,
}

impl Relevance {
    /// `S`: the clauses that no other subsumes, in the order their symbols were first needed.
    pub fn state(&self) -> impl Iterator<Item = &NeededClause> {
        self.state.iter().map(|index| &self.found[*index].item)
    }

    /// `A`: the invocations that no other subsumes, by the name of the action.
    pub fn actions(&self) -> impl Iterator<Item = &ActionInvocation> {
        self.actions.iter().map(|index| &self.invoked[*index].item)
    }
}

/// STATICANALYSIS: everything that can contribute to the given clauses.
///
/// Terminates: there are finitely many clauses over the violators, `*` and the constants that
/// occur, and each is added at most once.
pub fn trace_back(
    protocol: &Protocol,
    footprints: &[Footprint],
    start: &[NeededClause],
) -> Relevance {
    let arities: Vec<usize> = protocol.actions.iter().map(|action| action.params.len()).collect();
    let mut search = BackwardAnalysis { footprints, found: Vec::new(), invoked: Vec::new() };
    for clause in start {
        search.add_clause(clause.clone(), 0, ClauseReason::Violation);
    }
    let mut rounds = 0;
    let mut visited = 0;
    while visited < search.found.len() {
        let last = search.found.len();
        let before = (search.found.len(), search.invoked.len());
        for sets in visited..last {
            let clause = search.found[sets].item.clone();
            for cause in actions_that_set(footprints, &arities, &clause) {
                search.follow(sets, &cause, rounds + 1);
            }
        }
        if (search.found.len(), search.invoked.len()) != before {
            rounds += 1;
        }
        visited = last;
    }
    search.finish(protocol, rounds)
}

struct BackwardAnalysis<'a> {
    footprints: &'a [Footprint],
    found: Vec<BackwardResult<NeededClause, ClauseReason>>,
    invoked: Vec<BackwardResult<ActionInvocation, InvocationReason>>,
}

impl BackwardAnalysis<'_> {
    /// Adds an invocation and what it needs.
    fn follow(&mut self, sets: usize, cause: &Cause, round: usize) {
        let reason = InvocationReason { sets, update: cause.update };
        let by = self.add_invocation(cause.invocation.clone(), round, reason);
        let footprint = &self.footprints[cause.invocation.action];
        for (index, guard) in footprint.guards.iter().enumerate() {
            let clause = instantiate(&guard.atom, &cause.instantiation);
            let because = ClauseReason::Needed { by, at: BackwardNeed::Guard(index) };
            self.add_clause(clause, round, because);
        }
        let wanted = self.found[sets].item.output;
        for atom in footprint.updates[cause.update].reads(&wanted) {
            let clause = instantiate(atom, &cause.instantiation);
            let because = ClauseReason::Needed { by, at: BackwardNeed::Update(cause.update) };
            self.add_clause(clause, round, because);
        }
    }

    /// Adds a clause unless one that is as general was found before: then its consequences are
    /// found too, because matching is monotone.
    fn add_clause(&mut self, item: NeededClause, round: usize, because: ClauseReason) {
        if !self.found.iter().any(|known| known.item.subsumes(&item)) {
            self.found.push(BackwardResult { item, round, because });
        }
    }

    /// The position of the invocation, or of one as general.
    fn add_invocation(
        &mut self,
        item: ActionInvocation,
        round: usize,
        because: InvocationReason,
    ) -> usize {
        let known = self.invoked.iter().position(|known| known.item.subsumes(&item));
        known.unwrap_or_else(|| {
            self.invoked.push(BackwardResult { item, round, because });
            self.invoked.len() - 1
        })
    }

    fn finish(self, protocol: &Protocol, rounds: usize) -> Relevance {
        let clauses: Vec<NeededClause> =
            self.found.iter().map(|found| found.item.clone()).collect();
        let invocations: Vec<ActionInvocation> =
            self.invoked.iter().map(|found| found.item.clone()).collect();
        let first_need = |index: &usize| {
            let (symbol, output) = (clauses[*index].symbol, &clauses[*index].output);
            let first = clauses.iter().position(|other| {
                other.symbol == symbol
                    && (other.output == *output || output.subsumes(&other.output))
            });
            (first, *index)
        };
        let mut state = most_general(&clauses);
        state.sort_by_key(first_need);
        let mut actions = most_general(&invocations);
        actions.sort_by_key(|index| {
            (protocol.actions[invocations[*index].action].name.clone(), *index)
        });
        Relevance { found: self.found, invoked: self.invoked, rounds, state, actions }
    }
}
