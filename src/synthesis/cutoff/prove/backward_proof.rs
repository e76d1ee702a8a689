//! A proof of one case from the violation backwards: only clauses that are needed are checked.
//!
//! A step that breaks a needed clause is excused if a guess about reachable states excludes it: the
//! guess then has to be proved too, as a lemma.

use std::collections::BTreeSet;

use crate::budget::{Budget, Stop};
use crate::certificate::{Assume, Case, CaseContext, Obligation, answer_weight, case_obligations};
use crate::protocol::Protocol;
use crate::smt::ProverError;
use crate::smt::z3::isolated;

use super::backward_search::BackwardSearch;
use super::failure::PlanFailure;
use super::minimize::with_clauses;
use super::prefilter::not_refuted;
use super::questions::{ProofRank, Questions};
use super::session_group::GroupAnswer;
use super::walks::LargeWalk;
use crate::synthesis::cutoff::lemmas::guesses::Guesses;

/// The solver's effort for one attempt at a question. It is counted in the solver's units and not
/// in seconds, so that the same proofs are found on every machine.
const EFFORT: u32 = 400_000;

/// The most symbols in the moves that answer one action: formulas about more would fill the memory.
const HEAVIEST_ANSWER: u64 = 1 << 18;

/// The most obligations of one case about steps and clauses: a plan with more is skipped
/// before its obligations fill the memory.
const MAX_OBLIGATIONS: usize = 20_000;

/// The walks that refute candidates before the solver sees them, and what one question may cost.
#[derive(Clone)]
pub(crate) struct Means<'a> {
    pub(crate) walks: &'a [LargeWalk],
    pub(crate) budget: Budget,
}

impl<'a> Means<'a> {
    /// Proofs until `stop`, by so many threads.
    pub(crate) fn until(stop: &Stop, threads: usize, walks: &'a [LargeWalk]) -> Self {
        let budget = Budget { resources: Some(EFFORT), threads, ..Budget::until(stop.clone()) };
        Means { walks, budget }
    }

    /// Whether no further proof may be started.
    pub(crate) fn is_over(&self) -> bool {
        self.budget.stop.is_set()
    }
}

/// A case with the clauses it needs, and the guesses that they need.
#[derive(Clone, Debug)]
pub(crate) struct Proved {
    pub(crate) case: Case,
    pub(crate) guesses: BTreeSet<usize>,
}

/// The guesses that a proof may make, and those of earlier proofs that it is likely to need again.
pub(crate) struct Guessing<'a, 'g> {
    pub(crate) guesses: &'a mut Guesses<'g>,
    pub(crate) known: &'a BTreeSet<usize>,
}

/// Looks for clauses of γ that keep each other and carry the violation over, with guesses if there
/// are any to be made.
///
/// # Errors
/// When the solver cannot be used or an obligation is ill-sorted; inside, why there is no proof.
pub(crate) fn prove_case(
    large: &Protocol,
    case: &Case,
    rank: ProofRank,
    guessing: Option<Guessing<'_, '_>>,
    means: &Means<'_>,
) -> Result<Result<Proved, PlanFailure>, ProverError> {
    if means.is_over() {
        return Ok(Err(PlanFailure::Cancelled));
    }
    if is_too_large(case) {
        return Ok(Err(PlanFailure::TooLarge));
    }
    let needs = search_case(large, case, rank, guessing, means, |mut search, obligations| {
        search.run(obligations)
    })?;
    Ok(needs
        .map(|needs| Proved { case: with_clauses(case, &needs.clauses), guesses: needs.guesses }))
}

/// Whether a case has more obligations than can be written down, let alone proved.
pub fn is_endless(case: &Case) -> bool {
    let answers = case.lockstep.iter().flatten().count();
    answers.saturating_mul(case.gamma.len()) > MAX_OBLIGATIONS
}

/// Whether the moves or the obligations of a case are too large to be written down.
fn is_too_large(case: &Case) -> bool {
    let mut answers = case.lockstep.iter().flatten();
    is_endless(case)
        || answers.any(|answer| answer_weight(case, &answer.moves).total() > HEAVIEST_ANSWER)
}

/// The case with the clauses that its proof would need if every step kept them, and how many
/// obligations about them fail; `None` if not even all clauses carry the violation over.
pub(crate) fn failing_obligations(
    large: &Protocol,
    case: &Case,
    means: &Means<'_>,
) -> Result<Option<(Case, usize)>, ProverError> {
    let rank = ProofRank::AfterLemmas;
    let found = search_case(large, case, rank, None, means, |mut search, obligations| {
        search.count_failures(obligations)
    })?;
    Ok(found.map(|(clauses, failing)| (with_clauses(case, &clauses), failing)))
}

/// Starts a backward search with the clauses that walks do not refute.
fn search_case<T: Send + Sync>(
    large: &Protocol,
    case: &Case,
    rank: ProofRank,
    guessing: Option<Guessing<'_, '_>>,
    means: &Means<'_>,
    work: for<'a> fn(BackwardSearch<'a, '_>, &'a [Obligation]) -> GroupAnswer<T>,
) -> Result<T, ProverError> {
    let stop = &means.budget.stop;
    let obligations = case_obligations(large, case, Assume::CutoffSafe);
    let context = CaseContext::new(large, case);
    let alive = not_refuted(&context, &obligations, means.walks, stop);
    let known = guessing.as_ref().map(|guessing| guessing.known.clone()).unwrap_or_default();
    let guesses = guessing.map(|guessing| guessing.guesses);
    let answer = isolated(stop, || {
        let questions = Questions::new(&context, rank, guesses.is_some(), &means.budget);
        work(BackwardSearch::new(questions, alive, known, guesses), &obligations)
    })?;
    Ok(answer?)
}
