//! Guesses about all reachable states, made to exclude a counterexample.
//!
//! A guess holds in every sampled state of small instances; before it counts as a lemma it needs
//! cases of its own.

use std::collections::BTreeSet;

use crate::budget::Stop;
use crate::certificate::{Case, ProductSymbol, TwoSystems};
use crate::finite::SmallSizes;
use crate::logic::{Structure, VariableAssignment, evaluate_formula};
use crate::protocol::{Protocol, Rigidity, Signature, Size, State, StateFormula};

use crate::synthesis::cutoff::prove::prefilter::{defined_table, rigid_of_cutoff};
use crate::synthesis::mine::{Miner, SampleSize};
use crate::synthesis::model_state::{blank_cutoff, blank_large};

/// What was guessed, and the states that it was guessed from.
pub(crate) struct Guesses<'a> {
    protocol: &'a Protocol,
    /// Ends the exploration of small instances.
    sampling: Stop,
    /// Knows the states of small instances; made for the first guess.
    miner: Option<Miner<'a>>,
    /// The guesses; their positions are their names.
    clauses: Vec<StateFormula>,
    refused: BTreeSet<StateFormula>,
    /// The most that may be made.
    most: usize,
}

/// The states to learn from.
const SAMPLES: SampleSize = SampleSize { states: 4_000, total: 12_000 };

/// One of so many parts of the time is for sampling.
const SAMPLING: u32 = 4;

impl<'a> Guesses<'a> {
    /// No guesses yet about a protocol.
    pub(crate) fn new(protocol: &'a Protocol, most: usize, stop: &Stop) -> Self {
        let sampling = stop.share(1, SAMPLING);
        let (clauses, refused) = (Vec::new(), BTreeSet::new());
        Guesses { protocol, sampling, miner: None, clauses, refused, most }
    }

    /// Looks at small instances, if that was not done yet.
    fn explore(&mut self) -> &mut Miner<'a> {
        let (protocol, stop) = (self.protocol, &self.sampling);
        self.miner.get_or_insert_with(|| {
            let actions: Vec<usize> = (0..protocol.actions.len()).collect();
            let sizes = SmallSizes { protocol, fixed: Size::new() };
            Miner::new(&sizes, &actions, SAMPLES, stop)
        })
    }

    /// What a guess says.
    pub(crate) fn clause(&self, guess: usize) -> &StateFormula {
        &self.clauses[guess]
    }

    /// Everything that was guessed.
    pub(crate) fn all(&self) -> &[StateFormula] {
        &self.clauses
    }

    /// Never makes a guess again.
    pub(crate) fn refuse(&mut self, guess: usize) {
        self.refused.insert(self.clauses[guess].clone());
    }

    /// A guess that a state contradicts: an old one, else a new one.
    pub(crate) fn contradicted_guess(&mut self, state: &State, stop: &Stop) -> Option<usize> {
        let known = self.clauses.iter().position(|clause| {
            let contradicted =
                evaluate_formula(state, &VariableAssignment::new(), clause) == Ok(false);
            contradicted && !self.refused.contains(clause)
        });
        if known.is_some() || self.clauses.len() >= self.most {
            return known;
        }
        let refused = self.refused.clone();
        let clause = self.explore().exclude(state, &refused, stop)?;
        self.clauses.push(clause);
        Some(self.clauses.len() - 1)
    }
}

/// The state of `L` in a model.
pub(crate) fn large_state(signature: &Signature, model: &Structure<TwoSystems>) -> Option<State> {
    let mut state = blank_large(signature, model);
    for (id, _) in signature.symbols() {
        let table = model.tables.get(&ProductSymbol::Large(id))?;
        state.tables.insert(id, table.clone());
    }
    Some(state)
}

/// The state of `C` in a model.
pub(crate) fn cutoff_state(case: &Case, model: &Structure<TwoSystems>) -> Option<State> {
    let signature = &case.small.signature;
    let mut state = blank_cutoff(signature, model);
    for (id, symbol) in signature.symbols() {
        if symbol.rigidity == Rigidity::Mutable {
            let table = model.tables.get(&ProductSymbol::Cutoff(id))?;
            state.tables.insert(id, table.clone());
        }
    }
    for (id, definition) in rigid_of_cutoff(case) {
        defined_table(model, &definition, state.tables.get_mut(&id)?)?;
    }
    Some(state)
}
