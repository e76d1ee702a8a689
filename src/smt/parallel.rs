//! Many queries at once, over all cores, with the answers in the order of the questions.

use std::panic::resume_unwind;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::{ptr, thread};

use super::{Discharge, Prover, ProverError, Query, UnknownReason};
use crate::budget::Budget;
use crate::logic::Vocabulary;

/// Queries that share hypotheses are asked in one go, but no more than this many: longer groups would
/// leave the other threads without work.
const LONGEST_GROUP: usize = 8;

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
    let answers = in_parallel(&groups, budget.threads, |group| answer(prover, group, budget));
    let mut all = Vec::with_capacity(queries.len());
    for answer in answers {
        all.extend(answer?);
    }
    Ok(all)
}

/// Works on all items with so many threads; the results are in the order of the items.
pub fn in_parallel<T: Sync, R: Send>(
    items: &[T],
    threads: usize,
    work: impl Fn(&T) -> R + Sync,
) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let take_items = || {
        let mut results = Vec::new();
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(item) = items.get(index) else { return results };
            results.push((index, work(item)));
        }
    };
    let mut results: Vec<(usize, R)> = thread::scope(|scope| {
        let workers = (0..threads.clamp(1, items.len().max(1))).map(|_| scope.spawn(take_items));
        let workers: Vec<_> = workers.collect();
        let joined = workers.into_iter().map(|worker| worker.join());
        joined.flat_map(|results| results.unwrap_or_else(|panic| resume_unwind(panic))).collect()
    });
    results.sort_by_key(|(index, _)| *index);
    results.into_iter().map(|(_, result)| result).collect()
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
