//! The search: plan after plan until the cases of every property are proved.

use crate::analysis::analyse;
use crate::budget::Budget;
use crate::certificate::{Case, Certificate, ProofArgument};
use crate::logic::Name;
use crate::protocol::{Protocol, SortId, StateFormula};
use crate::smt::ProverError;

use super::cases::prove_property;
use super::lemmas::{Lemma, lemma, with_lemma_properties};
use super::prove::attempts::{PlanAttempt, SearchLog};
use super::prove::backward_proof::Means;
use super::prove::polish::polish;
use super::prove::walks::walks;
use super::task::CutoffTask;
use super::witness::history::{WitnessHistory, remember};
use super::witness::witness_cases::witness_case;
use crate::synthesis::clause_exchange::learnt;
use crate::synthesis::clause_names::clause_names;

/// The result of a search.
#[derive(Clone, Debug)]
pub struct SearchResult {
    /// The certificate, if every property got its cases.
    pub certificate: Option<Certificate>,
    /// The cases of the properties that were proved.
    pub cases: Vec<Case>,
    /// These cases, and the nearest misses of the other properties.
    pub attempt: Certificate,
    /// Every attempt, in order.
    pub attempts: Vec<PlanAttempt>,
    /// Clauses about the protocol that may be invariants: guesses, and clauses of cases about one
    /// of the two systems.
    pub learnt: Vec<StateFormula>,
}

/// The part of the time, in tenths, in which proofs are looked for; the rest is for near misses, which
/// are what a user continues from when there is no proof.
const SEARCHING: u32 = 9;

/// Looks for a cutoff certificate. Where there are `candidates`, clauses that may be invariants, only
/// pools with them are searched: a search without them has tried the others before. Only the stop and
/// the threads of the budget count: effort is limited here.
///
/// # Errors
/// When the solver cannot be used or an obligation is ill-sorted.
pub fn search(
    protocol: &Protocol,
    candidates: &[StateFormula],
    budget: &Budget,
) -> Result<SearchResult, ProverError> {
    let (stop, threads) = (&budget.stop, budget.threads);
    let facts = analyse(protocol);
    let searching = stop.share(SEARCHING, 10);
    let walks = walks(protocol, &searching);
    let means = Means::until(&searching, threads, &walks);
    let task = CutoffTask { protocol, facts: &facts, candidates, means: &means };
    let mut log = SearchLog::default();
    let found = prove_properties(task, &mut log)?;
    let is_complete = found.open.is_empty();
    let last = Means::until(stop, threads, &walks);
    let mut near: Vec<Case> = Vec::new();
    for property in found.open {
        near.extend(log.misses.nearest(property, CutoffTask { means: &last, ..task })?);
    }
    let (large, cases) =
        assemble(protocol, &found.history, found.cases, found.lemmas, &last.budget)?;
    let lemmas = large.properties.len() - protocol.properties.len();
    let small = Protocol { properties: large.properties.clone(), ..protocol.clone() };
    let near = near.into_iter().map(|case| Case {
        property: case.property + lemmas,
        small: small.clone(),
        ..case
    });
    let mut all: Vec<Case> = cases.iter().cloned().chain(near).collect();
    all.sort_by_key(|case| case.property);
    let attempt = Certificate { large, argument: ProofArgument::Cutoff(all) };
    let learnt = learnt(protocol, &attempt, log.guessed);
    Ok(SearchResult {
        certificate: is_complete.then(|| attempt.clone()),
        cases,
        attempt,
        attempts: log.attempts,
        learnt,
    })
}

/// The properties that have cases, and those that have none.
struct PropertyProofs {
    history: WitnessHistory,
    cases: Vec<Case>,
    lemmas: Vec<Lemma>,
    open: Vec<usize>,
}

/// Proves one property after another.
///
/// Cases with witnesses come first: there are few plans for them, and where nothing stays uncut no
/// other case can be better. Otherwise the case that leaves fewer sorts uncut wins.
fn prove_properties(
    task: CutoffTask<'_>,
    log: &mut SearchLog,
) -> Result<PropertyProofs, ProverError> {
    let protocol = task.protocol;
    let all = remember(protocol);
    let history = WitnessHistory::nothing(protocol);
    let (cases, lemmas, open) = (Vec::new(), Vec::new(), Vec::new());
    let mut found = PropertyProofs { history, cases, lemmas, open };
    for property in 0..protocol.properties.len() {
        let witnessed = witness_case(task, property, &all, &found.history, log)?;
        let is_whole = witnessed.as_ref().is_some_and(|(_, case)| uncut(protocol, case) == 0);
        let plain = if is_whole { None } else { prove_property(task, property, log)? };
        let cases = plain.iter().flat_map(|proof| &proof.cases);
        let most = cases.map(|case| uncut(protocol, case)).max();
        match (plain, witnessed) {
            (_, Some((history, case)))
                if most.is_none_or(|plain| uncut(protocol, &case) < plain) =>
            {
                found.history = history;
                found.cases.push(case);
            }
            (Some(proof), _) => {
                found.cases.extend(proof.cases);
                for lemma in proof.lemmas {
                    if found.lemmas.iter().all(|known| known.formula != lemma.formula) {
                        found.lemmas.push(lemma);
                    }
                }
            }
            (None, _) => found.open.push(property),
        }
    }
    Ok(found)
}

/// How many sorts a case leaves uncut.
fn uncut(protocol: &Protocol, case: &Case) -> usize {
    let is_cut = |sort: &SortId| case.cut.iter().any(|cut| cut.sort == *sort);
    let open = |sort: &SortId| !is_cut(sort) && protocol.fixed_size(*sort).is_none();
    protocol.signature.sorts().filter(open).count()
}

/// The protocol with history, with its lemmas before its properties, and the cases of all of them.
fn assemble(
    protocol: &Protocol,
    memory: &WitnessHistory,
    cases: Vec<Case>,
    lemmas: Vec<Lemma>,
    budget: &Budget,
) -> Result<(Protocol, Vec<Case>), ProverError> {
    let properties = protocol.properties.iter();
    let known: Vec<(Option<Name>, StateFormula)> = properties
        .map(|property| (Some(property.name.clone()), property.formula()))
        .chain(lemmas.iter().map(|lemma| (None, lemma.formula.clone())))
        .collect();
    let names =
        clause_names(&protocol.signature, known.iter().map(|(name, said)| (name.clone(), said)));
    let names = &names[protocol.properties.len()..];
    let first = names.iter().zip(&lemmas);
    let first: Vec<_> = first.map(|(name, own)| lemma(name.clone(), &own.formula)).collect();
    let count = first.len();
    let small = with_lemma_properties(protocol, first.clone());
    let large = with_lemma_properties(&memory.large, first);
    let lemma_cases = lemmas.into_iter().zip(names).enumerate().map(|(index, (own, name))| Case {
        property: index,
        name: name.clone(),
        ..own.case
    });
    let cases = cases.into_iter().map(|case| Case { property: case.property + count, ..case });
    let polished = lemma_cases
        .chain(cases)
        .map(|case| polish(&large, Case { small: small.clone(), ..case }, budget))
        .collect::<Result<_, ProverError>>()?;
    Ok((large, polished))
}
