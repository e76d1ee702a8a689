//! Many queries at once, over all cores, with the answers in the order of the questions.

use std::num::NonZero;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::{ptr, thread};

use super::{Discharge, Prover, ProverError, Query, UnknownReason};
use crate::budget::Budget;
use crate::logic::Vocabulary;

/// Queries that share hypotheses are asked in one go, but no more than this many.
const LONGEST_GROUP: usize = 8;

/// How many threads may work; 0 for as many as there are cores.
static THREADS: AtomicUsize = AtomicUsize::new(0);

/// From now on, queries are answered by so many threads.
pub fn discharge_with(threads: usize) {
    THREADS.store(threads, Ordering::Relaxed);
}

fn threads() -> usize {
    match THREADS.load(Ordering::Relaxed) {
        0 => thread::available_parallelism().map_or(1, NonZero::get),
        threads => threads,
    }
}

type OrderedAnswers<V> = Result<Vec<Discharge<V>>, ProverError>;

/// Answers all queries, each within the budget.
///
/// Neighbouring queries with the same hypotheses share a solver. Which ones do depends on the
/// queries alone, never on timing, so the same queries get the same answers unless time runs out.
/// Once the work has to stop, the remaining questions are not asked.
///
/// # Errors
/// The first error in the order of the queries.
pub fn discharge_all<V: Vocabulary>(
    prover: &dyn Prover<V>,
    queries: &[Query<'_, V>],
    budget: &Budget,
) -> Result<Vec<Discharge<V>>, ProverError> {
    let groups = groups(queries);
    let next = AtomicUsize::new(0);
    let work = || {
        let mut answers = Vec::new();
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(group) = groups.get(index) else { return answers };
            answers.push((index, answer(prover, group, budget)));
        }
    };
    let workers = threads().min(groups.len());
    let mut answers: Vec<(usize, OrderedAnswers<V>)> = thread::scope(|scope| {
        let workers: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
        let joined = workers.into_iter().map(|worker| worker.join());
        joined.flat_map(|answers| answers.unwrap_or_else(|panic| resume_unwind(panic))).collect()
    });
    answers.sort_by_key(|(index, _)| *index);
    let mut all = Vec::with_capacity(queries.len());
    for (_, answer) in answers {
        all.extend(answer?);
    }
    Ok(all)
}

fn answer<V: Vocabulary>(
    prover: &dyn Prover<V>,
    group: &[Query<'_, V>],
    budget: &Budget,
) -> OrderedAnswers<V> {
    if budget.stop.is_set() {
        return Ok(vec![Discharge::Unknown(UnknownReason::NotAsked); group.len()]);
    }
    prover.discharge_group(group, budget)
}

/// Runs of neighbours with the same hypotheses.
fn groups<'q, 'd, V: Vocabulary>(queries: &'q [Query<'d, V>]) -> Vec<&'q [Query<'d, V>]> {
    let same = |left: &Query<'d, V>, right: &Query<'d, V>| {
        ptr::addr_eq(left.declarations, right.declarations) && left.hypotheses == right.hypotheses
    };
    queries.chunk_by(same).flat_map(|run| run.chunks(LONGEST_GROUP)).collect()
}
