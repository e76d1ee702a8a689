//! Compares the two strategies: the result of each, and its cost.

use std::time::Duration;

use super::proof_preference::Prefer;
use crate::certificate::{Case, Certificate, Closing, Invariant, ProofArgument};
use crate::judge::{Judgement, Verdict};
use crate::logic::Name;
use crate::synthesis::invariant::{Counterexample, InvariantObstacle};

/// Both strategies.
#[derive(Clone, Debug)]
pub struct ProofComparison {
    /// By a cutoff, with invariants for what it leaves unbounded.
    pub cutoff: StrategyEffort,
    /// By an inductive invariant of the protocol itself.
    pub invariant: StrategyEffort,
    /// The kind that was preferred.
    pub prefer: Prefer,
    /// How many times the usual effort it was allowed.
    pub patience: u32,
}

/// The result of one strategy, and its cost.
#[derive(Clone, Debug)]
pub struct StrategyEffort {
    /// Its result.
    pub result: StrategyResult,
    /// How long it took, with the judging.
    pub time: Duration,
    /// What the solver did for the search, in its own units, which are the same on every machine.
    pub units: u64,
    /// The searches for invariants that found none.
    pub stuck: Vec<Stuck>,
}

/// Where a search for an invariant gave up.
#[derive(Clone, Debug)]
pub struct Stuck {
    /// The case whose cutoff instance it was about; `None` for the protocol itself.
    pub case: Option<Name>,
    /// Clauses and properties that are inductive together: what is known at least.
    pub known: Invariant,
    /// What stands in the way.
    pub obstacle: InvariantObstacle,
    /// A step that breaks a property from a state in which all that is known holds.
    pub step: Option<Box<Counterexample>>,
}

/// How far one strategy went.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StrategyResult {
    /// It proves the protocol.
    Proof(Figures),
    /// There is a certificate, which leaves a bound or a gap.
    Partial(Figures),
    /// Nothing was found, and nothing is left to try.
    Nothing,
    /// It was cancelled after a proof by the other strategy.
    Cancelled,
    /// Its time was up.
    OutOfTime,
}

/// The size of an argument.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Figures {
    /// Clauses of all gammas.
    pub gamma: usize,
    /// Clauses of all invariants.
    pub clauses: usize,
    /// Obligations.
    pub obligations: usize,
}

impl ProofComparison {
    /// The strategy of one kind.
    pub fn of(&self, kind: Prefer) -> &StrategyEffort {
        match kind {
            Prefer::Cutoff => &self.cutoff,
            Prefer::Invariant => &self.invariant,
        }
    }

    /// The kind that was given up when there was a proof of the other kind, if one was.
    pub fn not_waited_for(&self) -> Option<Prefer> {
        let is_given_up = |kind: &Prefer| {
            self.of(*kind).result == StrategyResult::Cancelled && self.of(kind.other()).is_proof()
        };
        [Prefer::Cutoff, Prefer::Invariant].into_iter().find(is_given_up)
    }
}

impl StrategyEffort {
    /// Whether it is a proof.
    pub fn is_proof(&self) -> bool {
        matches!(self.result, StrategyResult::Proof(_))
    }
}

/// How far a judged certificate goes.
pub(super) fn reached(certificate: &Certificate, judgement: &Judgement) -> StrategyResult {
    let mut figures =
        Figures { obligations: judgement.obligations().count(), ..Figures::default() };
    match &certificate.argument {
        ProofArgument::Invariant(invariant) => figures.clauses = invariant.clauses.len(),
        ProofArgument::Cutoff(cases) => {
            figures.gamma = cases.iter().map(|case| case.gamma.len()).sum();
            figures.clauses = cases.iter().map(closing_clauses).sum();
        }
    }
    match judgement.verdict {
        Verdict::Safe => StrategyResult::Proof(figures),
        Verdict::SafeUpTo(_) | Verdict::Unsafe(_) | Verdict::Unproved(_) => {
            StrategyResult::Partial(figures)
        }
    }
}

fn closing_clauses(case: &Case) -> usize {
    match &case.closing {
        Closing::Search | Closing::Certificate(_) => 0,
        Closing::Invariant(invariant) => invariant.clauses.len(),
    }
}
