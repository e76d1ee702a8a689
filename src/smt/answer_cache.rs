//! Answers remembered from one round of questions to the next, for repeated checks.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::smtlib::ScriptStatus;
use super::{Discharge, IllSorted, Prover, ProverError, Query, smtlib};
use crate::budget::Budget;
use crate::logic::Vocabulary;

/// A query word for word, and the symbols that the words stand for: a counter-model is about both.
type Key<V> = (String, Vec<<V as Vocabulary>::Symbol>);

/// Decided queries with their answers.
#[derive(Debug)]
pub struct AnswerCache<V: Vocabulary>(Mutex<CachedAnswer<V>>);

#[derive(Debug)]
struct CachedAnswer<V: Vocabulary> {
    answers: BTreeMap<Key<V>, CacheEntry<V>>,
    round: Round,
}

/// Answers that were not needed in so many rounds are forgotten: an edit that is undone, or a
/// text that cannot be read for a while, costs nothing.
const ROUNDS: u32 = 8;

/// What one round asked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Round {
    /// Questions whose answers were known.
    pub known: usize,
    /// Questions that were put to the prover.
    pub asked: usize,
}

#[derive(Debug)]
struct CacheEntry<V: Vocabulary> {
    answer: Discharge<V>,
    /// In how many rounds it was not needed.
    idle: u32,
}

impl<V: Vocabulary> Default for AnswerCache<V> {
    fn default() -> Self {
        AnswerCache(Mutex::new(CachedAnswer { answers: BTreeMap::new(), round: Round::default() }))
    }
}

impl<V: Vocabulary> AnswerCache<V> {
    /// Ends a round: forgets what several rounds did not ask for, and says what this one asked.
    pub fn end_round(&self) -> Round {
        let mut remembered = self.lock();
        remembered.answers.retain(|_, entry| {
            entry.idle += 1;
            entry.idle <= ROUNDS
        });
        std::mem::take(&mut remembered.round)
    }

    fn recall(&self, key: &Key<V>) -> Option<Discharge<V>> {
        let mut remembered = self.lock();
        let entry = remembered.answers.get_mut(key)?;
        entry.idle = 0;
        let answer = entry.answer.clone();
        remembered.round.known += 1;
        Some(answer)
    }

    /// Keeps an answer; one that was not decided may be tomorrow.
    fn keep(&self, key: Key<V>, answer: &Discharge<V>) {
        self.lock().round.asked += 1;
        match answer {
            Discharge::Unknown(_) => {}
            Discharge::Valid | Discharge::Refuted(_) => {
                let entry = CacheEntry { answer: answer.clone(), idle: 0 };
                self.lock().answers.insert(key, entry);
            }
        }
    }

    /// Every entry is whole whatever happened to a thread that held the lock.
    fn lock(&self) -> MutexGuard<'_, CachedAnswer<V>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A prover that asks another one only what it does not remember.
pub struct Remembering<'a, V: Vocabulary> {
    /// The prover for what is not known yet.
    pub prover: &'a dyn Prover<V>,
    /// What is known.
    pub memory: &'a AnswerCache<V>,
}

impl<V: Vocabulary> Prover<V> for Remembering<'_, V> {
    fn discharge_group(
        &self,
        queries: &[Query<'_, V>],
        budget: &Budget,
    ) -> Result<Vec<Discharge<V>>, ProverError> {
        let keys = queries.iter().map(key).collect::<Result<Vec<_>, _>>()?;
        let known: Vec<Option<Discharge<V>>> =
            keys.iter().map(|key| self.memory.recall(key)).collect();
        let open = queries.iter().zip(&known).filter(|(_, known)| known.is_none());
        let open: Vec<Query<'_, V>> = open.map(|(query, _)| query.clone()).collect();
        let mut found = self.prover.discharge_group(&open, budget)?.into_iter();
        let mut answers = Vec::with_capacity(queries.len());
        for (key, known) in keys.into_iter().zip(known) {
            answers.push(match known {
                Some(answer) => answer,
                None => {
                    let answer = found.next().expect("one answer to each open query");
                    self.memory.keep(key, &answer);
                    answer
                }
            });
        }
        Ok(answers)
    }
}

fn key<V: Vocabulary>(query: &Query<'_, V>) -> Result<Key<V>, IllSorted> {
    let mut symbols: Vec<V::Symbol> =
        query.formulas().flat_map(|formula| formula.symbols()).collect();
    symbols.extend(&query.observed);
    symbols.sort_unstable();
    symbols.dedup();
    Ok((smtlib::script(query, ScriptStatus::Unknown)?, symbols))
}
