//! A proof of one case from the violation backwards: only clauses that are needed are looked at.
//!
//! A step that loses a needed clause is excused if a guess about reachable states excludes it: the
//! guess is then one more thing to be proved, as a lemma.

use std::collections::BTreeSet;

use crate::certificate::{Assume, Case, CaseContext, Obligation, case_obligations};
use crate::protocol::Protocol;
use crate::smt::z3::isolated;

use super::backward_search::Pursuit;
use super::prefilter::refuted;
use super::questions::{Needs, Questions};
use super::session_group::{Means, fixed_facts};
use super::strengthen::{PlanFailure, with_clauses};
use crate::synthesis::cutoff::lemmas::guesses::Guesses;

/// A case with the clauses it needs, and the guesses that they need.
#[derive(Clone, Debug)]
pub(in crate::synthesis) struct Proved {
    pub(in crate::synthesis) case: Case,
    pub(in crate::synthesis) guesses: BTreeSet<usize>,
}

/// Which guesses about `L` may be used to carry a violation over: lemmas come before properties.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::synthesis) enum ProofRank {
    /// All of them.
    AfterLemmas,
    /// None of them: it is a lemma itself.
    AmongLemmas,
}

/// What may be guessed, and what was guessed before and is likely to be needed again.
pub(in crate::synthesis) struct Guessing<'a, 'g> {
    pub(in crate::synthesis) guesses: &'a mut Guesses<'g>,
    pub(in crate::synthesis) known: &'a BTreeSet<usize>,
}

/// Looks for clauses and guesses that prove a case.
///
/// # Errors
/// Why there are none.
pub(in crate::synthesis) fn prove_backward(
    large: &Protocol,
    case: &Case,
    rank: ProofRank,
    guesses: Guessing<'_, '_>,
    means: &Means<'_>,
) -> Result<Proved, PlanFailure> {
    let obligations = case_obligations(large, case, Assume::CutoffSafe);
    let refuted = refuted(large, case, &fixed_facts(&obligations), means);
    let alive = (0..case.gamma.len()).filter(|clause| !refuted.contains(clause)).collect();
    let context = CaseContext::new(large, case);
    let needs = backward(&obligations, &context, rank, alive, Some(guesses), means)?;
    Ok(Proved { case: with_clauses(case, &needs.clauses), guesses: needs.guesses })
}

/// Looks for clauses that keep each other and carry the violation over; with guesses, if there are
/// any to be made.
///
/// # Errors
/// Why there are none.
pub(in crate::synthesis) fn backward(
    obligations: &[Obligation],
    context: &CaseContext<'_>,
    rank: ProofRank,
    alive: BTreeSet<usize>,
    guessing: Option<Guessing<'_, '_>>,
    means: &Means<'_>,
) -> Result<Needs, PlanFailure> {
    let known = guessing.as_ref().map(|guessing| guessing.known.clone()).unwrap_or_default();
    let guesses = std::sync::Mutex::new(guessing.map(|guessing| guessing.guesses));
    isolated(&means.budget.stop, move || {
        let mut guesses = guesses.lock().map_err(|_| PlanFailure::Cancelled)?;
        let questions = Questions::new(context, rank, guesses.is_some(), means);
        let mut pursuit = Pursuit::new(questions, alive, known, guesses.as_deref_mut());
        pursuit.run(obligations).unwrap_or(Err(PlanFailure::PoolTooWeak))
    })
    .unwrap_or(Err(PlanFailure::PoolTooWeak))
}
