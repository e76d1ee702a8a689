//! The questions of one case, under guesses that may or may not be used.

use std::collections::{BTreeMap, BTreeSet};

use crate::budget::Budget;
use crate::certificate::{
    CaseContext, Obligation, ProductFormula, ProductSymbol, ProductVar, TwoSystems, large_sort,
};
use crate::logic::{Formula, Term, Var};
use crate::protocol::{Rigidity, Signature, Sort, StateFormula};
use crate::smt::Discharge;
use crate::smt::z3::Supposition;

use super::session_group::{GroupAnswer, SessionGroup, grouped};

/// How many elements of a sort are few: a lemma is learnt from the counterexample, and a small one
/// leaves fewer candidates.
const FEW: usize = 3;

/// Which guesses about `L` may be used to carry a violation over: lemmas come before properties.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ProofRank {
    /// All of them.
    AfterLemmas,
    /// None of them: it is a lemma itself.
    AmongLemmas,
}

/// What a valid question needed.
#[derive(Clone, Debug, Default)]
pub(crate) struct Needs {
    /// Clauses of γ.
    pub(crate) clauses: BTreeSet<usize>,
    /// Guesses.
    pub(crate) guesses: BTreeSet<usize>,
}

/// Whether a question may lead to new guesses and lost clauses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Learning {
    /// It may.
    Allowed,
    /// It may not.
    Forbidden,
}

/// What a question may use.
#[derive(Clone, Copy)]
pub(crate) struct Given<'a> {
    /// Clauses of γ.
    pub(crate) clauses: &'a BTreeSet<usize>,
    /// Guesses.
    pub(crate) guesses: &'a BTreeSet<usize>,
}

/// Sessions for the obligations of a case.
pub(crate) struct Questions<'a> {
    pub(crate) context: &'a CaseContext<'a>,
    rank: ProofRank,
    /// Whether counter-models are learnt from.
    learns: bool,
    pub(crate) groups: Vec<SessionGroup<'a>>,
    /// For each group, the guesses that it knows.
    supposed: Vec<BTreeMap<usize, Vec<Supposition>>>,
    /// For each group, that there are few elements, where something is to be learnt.
    few: Vec<Option<Supposition>>,
    pub(crate) budget: &'a Budget,
}

impl<'a> Questions<'a> {
    /// No questions yet.
    pub(crate) fn new(
        context: &'a CaseContext<'a>,
        rank: ProofRank,
        learns: bool,
        budget: &'a Budget,
    ) -> Self {
        let (groups, supposed, few) = (Vec::new(), Vec::new(), Vec::new());
        Questions { context, rank, learns, groups, supposed, few, budget }
    }

    /// Opens sessions for obligations.
    pub(crate) fn open_sessions(&mut self, obligations: &'a [Obligation]) -> GroupAnswer<()> {
        let mut groups = grouped(obligations, self.budget)?;
        self.supposed.extend(groups.iter().map(|_| BTreeMap::new()));
        if self.learns {
            observe(self.context, &mut groups);
            let few = few_elements(&self.context.large.signature);
            for group in &mut groups {
                self.few.push(Some(group.session.suppose(&few)?));
            }
        } else {
            self.few.extend(groups.iter().map(|_| None));
        }
        self.groups.extend(groups);
        Ok(())
    }

    /// Tells every session that may use it what a guess says.
    pub(crate) fn state_guess(&mut self, guess: usize, clause: &StateFormula) -> GroupAnswer<()> {
        let large = self.context.in_large(clause);
        let cutoff = self.context.in_cutoff(clause);
        for (group, supposed) in self.groups.iter_mut().zip(&mut self.supposed) {
            let is_safety = group.safety().is_some();
            if !(group.is_step() || is_safety) || supposed.contains_key(&guess) {
                continue;
            }
            let mut said = vec![group.session.suppose(&cutoff)?];
            if group.is_step() || self.rank == ProofRank::AfterLemmas {
                said.push(group.session.suppose(&large)?);
            }
            supposed.insert(guess, said);
        }
        Ok(())
    }

    /// Asks whether a goal holds; what is to be learnt from is looked for among few elements first.
    pub(crate) fn ask(
        &mut self,
        group: usize,
        goal: &ProductFormula,
        given: Given<'_>,
        learning: Learning,
    ) -> GroupAnswer<(Discharge<TwoSystems>, Needs)> {
        let mut suppositions = self.groups[group].suppositions(given.clauses);
        let known = self.supposed[group].iter().filter(|(guess, _)| given.guesses.contains(guess));
        suppositions.extend(known.flat_map(|(_, said)| said));
        if let Some(few) = self.few[group].filter(|_| learning == Learning::Allowed) {
            let among_few: Vec<Supposition> = suppositions.iter().copied().chain([few]).collect();
            let answer = self.groups[group].session.prove_under(&among_few, goal)?;
            if matches!(answer, Discharge::Refuted(_)) {
                return Ok((answer, Needs::default()));
            }
        }
        let answer = self.groups[group].session.prove_under(&suppositions, goal)?;
        let mut needs = Needs::default();
        if answer.is_valid() {
            needs.clauses = self.groups[group].core();
            let used = self.groups[group].session.core();
            let used = |said: &Vec<Supposition>| said.iter().any(|one| used.contains(one));
            let known = self.supposed[group].iter().filter(|(_, said)| used(said));
            needs.guesses = known.map(|(guess, _)| *guess).collect();
        }
        Ok((answer, needs))
    }
}

/// Makes counter-models give whole states.
fn observe(context: &CaseContext<'_>, groups: &mut [SessionGroup<'_>]) {
    let signature = &context.large.signature;
    let mut symbols: Vec<ProductSymbol> = Vec::new();
    for (id, symbol) in signature.symbols() {
        symbols.push(ProductSymbol::Large(id));
        if symbol.rigidity == Rigidity::Mutable {
            symbols.push(ProductSymbol::Cutoff(id));
        }
    }
    for group in groups {
        group.session.observe(&symbols);
    }
}

/// That every sort has few elements.
fn few_elements(signature: &Signature) -> ProductFormula {
    Formula::and(signature.sized_sorts().map(|id| {
        let sort = large_sort(Sort::Declared(id));
        let any: ProductVar = Var::new("any%", sort);
        let named = |index: usize| -> ProductVar { Var::new(format!("few%{index}"), sort) };
        let is_named = |index| Formula::equal(Term::var(any.clone()), Term::var(named(index)));
        let is_some = Formula::or((0..FEW).map(is_named).collect::<Vec<_>>());
        Formula::exists((0..FEW).map(named).collect(), Formula::forall(vec![any], is_some))
    }))
}
