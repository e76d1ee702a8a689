//! The search: plan after plan until the cases of every property are proved.

use std::collections::BTreeSet;

use crate::analysis::{Facts, analyse};
use crate::budget::{Budget, Stop};
use crate::certificate::{Case, Certificate, ProofArgument};
use crate::logic::Name;
use crate::protocol::{Protocol, SortId, StateFormula};

use super::lemmas::{Lemma, lemma, with_properties};
use super::prove::attempts::PlanAttempt;
use super::prove::near_miss::Miss;
use super::prove::polish::polish;
use super::prove::session_group::Means;
use super::prove::walks::{LargeWalk, walks};
use super::witness::history::{WitnessHistory, remember};
use crate::synthesis::invariant::clause_names;
use crate::synthesis::learnt::learnt;

/// How long and with what a search may run.
pub struct SearchConfig {
    /// Ends the search.
    pub stop: Stop,
    /// Invariants of small instances, worth trying as clauses.
    pub mined: Vec<(Name, StateFormula)>,
}

/// What a search found.
#[derive(Clone, Debug)]
pub struct SearchResult {
    /// The certificate, if every property got its cases.
    pub certificate: Option<Certificate>,
    /// The cases of the properties that were proved.
    pub cases: Vec<Case>,
    /// These cases, and the nearest misses for other properties.
    pub attempt: Certificate,
    /// What was tried, in order.
    pub attempts: Vec<PlanAttempt>,
    /// Clauses about the protocol that may be invariants: what was guessed, and what cases say of
    /// one of the two systems.
    pub learnt: Vec<StateFormula>,
}

/// The solver's effort for one attempt at a question. The clock decides nothing while there is time:
/// the same is found on every machine.
const EFFORT: u32 = 400_000;

/// The part of the time, in tenths, in which proofs are looked for; the rest is for what came near.
const SEARCHING: u32 = 9;

/// Looks for a cutoff certificate.
pub fn search(protocol: &Protocol, config: &SearchConfig) -> SearchResult {
    let facts = analyse(protocol);
    let stop = config.stop.share(SEARCHING, 10);
    let walks = walks(protocol, &stop);
    let mut searcher = Searcher {
        protocol,
        facts: &facts,
        config,
        stop,
        walks,
        hopeless: BTreeSet::new(),
        attempts: Vec::new(),
        misses: Vec::new(),
        lemmas: Vec::new(),
        guessed: Vec::new(),
    };
    let all = remember(protocol);
    let mut memory = WitnessHistory::nothing(protocol);
    let (mut cases, mut open) = (Vec::new(), Vec::new());
    for property in 0..protocol.properties.len() {
        let foreseen = searcher.foreseen(property, &all, &memory);
        let whole = foreseen.as_ref().is_some_and(|(_, case)| uncut(protocol, case) == 0);
        let found = if whole { None } else { searcher.property(property) };
        let plain = found.iter().flatten().map(|case| uncut(protocol, case)).max();
        match (found, foreseen) {
            (_, Some((more, case))) if plain.is_none_or(|plain| uncut(protocol, &case) < plain) => {
                memory = more;
                cases.push(case);
            }
            (Some(found), _) => cases.extend(found),
            (None, _) => open.push(property),
        }
    }
    let is_complete = open.is_empty();
    let near: Vec<Case> = open.into_iter().filter_map(|own| searcher.nearest(own)).collect();
    let budget = searcher.last_means().budget;
    let attempts = std::mem::take(&mut searcher.attempts);
    let lemmas = std::mem::take(&mut searcher.lemmas);
    let guessed = std::mem::take(&mut searcher.guessed);
    let (large, cases) = assemble(protocol, &memory, cases, lemmas, &budget);
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
    let learnt = learnt(protocol, &attempt, guessed);
    SearchResult {
        certificate: is_complete.then(|| attempt.clone()),
        cases,
        attempt,
        attempts,
        learnt,
    }
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
) -> (Protocol, Vec<Case>) {
    let properties = protocol.properties.iter();
    let known: Vec<(Option<Name>, StateFormula)> = properties
        .map(|property| (Some(property.name.clone()), property.formula()))
        .chain(lemmas.iter().map(|lemma| (None, lemma.formula.clone())))
        .collect();
    let names =
        clause_names(&protocol.signature, known.iter().map(|(name, said)| (name.clone(), said)));
    let names = &names[protocol.properties.len()..];
    let first = names.iter().zip(&lemmas);
    let first: Vec<_> = first.filter_map(|(name, own)| lemma(name.clone(), &own.formula)).collect();
    let count = first.len();
    let small = with_properties(protocol, first.clone());
    let large = with_properties(&memory.large, first);
    let lemma_cases = lemmas.into_iter().zip(names).enumerate().map(|(index, (own, name))| Case {
        property: index,
        name: name.clone(),
        ..own.case
    });
    let cases = cases.into_iter().map(|case| Case { property: case.property + count, ..case });
    let all = lemma_cases.chain(cases);
    let all = all.map(|case| polish(&large, Case { small: small.clone(), ..case }, budget));
    let all = all.collect();
    (large, all)
}

pub(in crate::synthesis) struct Searcher<'a> {
    pub(in crate::synthesis) protocol: &'a Protocol,
    pub(in crate::synthesis) facts: &'a Facts,
    pub(in crate::synthesis) config: &'a SearchConfig,
    /// Ends the search for proofs; a little later the whole search ends.
    pub(in crate::synthesis) stop: Stop,
    /// What candidates are tried on.
    walks: Vec<LargeWalk>,
    /// Parts of plans that fail whatever else is chosen.
    pub(in crate::synthesis) hopeless: BTreeSet<String>,
    pub(in crate::synthesis) attempts: Vec<PlanAttempt>,
    /// What came near.
    pub(in crate::synthesis) misses: Vec<Miss>,
    /// What the cases of the properties need.
    pub(in crate::synthesis) lemmas: Vec<Lemma>,
    /// What was guessed of all reachable states, proved or not.
    pub(in crate::synthesis) guessed: Vec<StateFormula>,
}

impl Searcher<'_> {
    /// What proofs work with.
    pub(in crate::synthesis) fn means(&self) -> Means<'_> {
        self.means_until(&self.stop)
    }

    /// What is left when no more proofs are looked for.
    pub(in crate::synthesis) fn last_means(&self) -> Means<'_> {
        self.means_until(&self.config.stop)
    }

    fn means_until(&self, stop: &Stop) -> Means<'_> {
        let budget = Budget { resources: Some(EFFORT), ..Budget::until(stop.clone()) };
        Means { walks: &self.walks, budget }
    }

    /// Whether it is time to give up.
    pub(in crate::synthesis) fn is_late(&self) -> bool {
        self.stop.is_set()
    }
}
