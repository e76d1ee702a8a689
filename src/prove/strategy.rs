//! One strategy to prove a protocol, from the search to the judgement.

use std::time::{Duration, Instant};

use crate::budget::{Budget, Meter, Stop};
use crate::certificate::{Case, Certificate};
use crate::effort::{Phase, during};
use crate::judge::{FiniteConfig, JudgeConfig, JudgeError, Judgement, Verdict, judge};
use crate::protocol::{Protocol, StateFormula};
use crate::smt::z3::{ModelSize, Z3};
use crate::synthesis::invariant::InvariantObstacle;
use crate::synthesis::{PlanAttempt, SearchResult, search};

use super::job::ProveConfig;
use super::proof_preference::Prefer;
use super::residual_invariants;
use super::strategy_comparison::{StrategyEffort, StrategyResult, Stuck, reached};

/// The outcome of one strategy.
pub(super) struct StrategyOutcome {
    pub(super) effort: StrategyEffort,
    /// The certificate that was found, and its judgement.
    pub(super) judged: Option<Box<(Certificate, Judgement)>>,
    /// The cases that were proved, with or without a certificate.
    pub(super) cases: Vec<Case>,
    /// The proved cases, and near misses of the others.
    pub(super) attempt: Option<Box<Certificate>>,
    pub(super) attempts: Vec<PlanAttempt>,
    /// Clauses that may help the other strategy.
    pub(super) learnt: Vec<StateFormula>,
}

/// What strategies without a proof have learnt: clauses over the symbols of the protocol that may be
/// invariants. None of them is assumed.
#[derive(Clone, Debug, Default)]
pub(super) struct Learnt {
    /// Lemmas and clauses of gamma about one of the two systems.
    pub(super) by_cutoff: Vec<StateFormula>,
    /// Clauses that are inductive, if not enough.
    pub(super) by_invariant: Vec<StateFormula>,
}

impl Learnt {
    pub(super) fn is_empty(&self) -> bool {
        self.by_cutoff.is_empty() && self.by_invariant.is_empty()
    }
}

impl StrategyOutcome {
    /// A strategy that was not started.
    pub(super) fn not_begun() -> Self {
        let (result, time, stuck) = (StrategyResult::Cancelled, Duration::ZERO, Vec::new());
        let effort = StrategyEffort { result, time, units: 0, stuck };
        let (cases, attempts, learnt) = (Vec::new(), Vec::new(), Vec::new());
        StrategyOutcome { effort, judged: None, cases, attempt: None, attempts, learnt }
    }

    /// Whether it proves every size.
    pub(super) fn is_proof(&self) -> bool {
        let safe = |judgement: &Judgement| matches!(judgement.verdict, Verdict::Safe);
        self.judged.as_ref().is_some_and(|judged| safe(&judged.1))
    }

    /// Whether it leaves less open.
    pub(super) fn is_ahead_of(&self, other: &Self) -> bool {
        let rank = |outcome: &Self| (outcome.is_final(), outcome.judged.is_some());
        rank(self) > rank(other)
    }

    /// Whether no other outcome can be better.
    pub(super) fn is_final(&self) -> bool {
        self.judged
            .as_ref()
            .is_some_and(|judged| matches!(judged.1.verdict, Verdict::Safe | Verdict::Unsafe(_)))
    }
}

/// What a strategy may use.
#[derive(Clone, Copy)]
pub(super) struct StrategyRun<'a> {
    pub(super) protocol: &'a Protocol,
    pub(super) config: &'a ProveConfig<'a>,
    /// Cancels the strategy.
    pub(super) stop: &'a Stop,
    /// Counts what the solver does for the search; judging is not counted.
    pub(super) meter: &'a Meter,
    /// Clauses to try.
    pub(super) learnt: &'a Learnt,
}

/// The parts of the remaining time, in tenths, that each search gets; the judge gets the rest.
const SEARCH_SHARE: u32 = 6;
const CLOSING_SHARE: u32 = 6;
const INVARIANT_SHARE: u32 = 9;

/// The time for one obligation at least; half of what is left if that is more, so that one hard
/// obligation cannot use up the time of all others.
const OBLIGATION: Duration = Duration::from_secs(20);

impl StrategyRun<'_> {
    /// Runs one of the two strategies.
    pub(super) fn execute(self, kind: Prefer) -> Result<StrategyOutcome, JudgeError> {
        match kind {
            Prefer::Cutoff => self.by_cutoff(),
            Prefer::Invariant => self.by_invariant(),
        }
    }

    /// A cutoff, with invariants for what it leaves unbounded.
    fn by_cutoff(self) -> Result<StrategyOutcome, JudgeError> {
        let start = Instant::now();
        let counted = self.stop.metered(self.meter);
        let stop = counted.share(SEARCH_SHARE, 10);
        let candidates = &self.learnt.by_invariant;
        let budget = Budget { threads: self.config.threads, ..Budget::until(stop.clone()) };
        let found = during(Phase::Cutoff, || search(self.protocol, candidates, &budget))?;
        let (mut stuck, mut judged) = (Vec::new(), None);
        if let Some(certificate) = found.certificate {
            let share = counted.share(CLOSING_SHARE, 10);
            let (closed, left) =
                during(Phase::Invariant, || residual_invariants::close(certificate, &share))?;
            stuck = left;
            let judgement = self.judge(&closed)?;
            judged = Some(Box::new((closed, judgement)));
        }
        let effort = self.effort(start, &stop, judged.as_deref(), stuck);
        let attempt = Some(Box::new(found.attempt));
        let SearchResult { cases, attempts, learnt, .. } = found;
        Ok(StrategyOutcome { effort, judged, cases, attempt, attempts, learnt })
    }

    /// An invariant of the protocol itself.
    fn by_invariant(self) -> Result<StrategyOutcome, JudgeError> {
        let start = Instant::now();
        let stop = self.stop.metered(self.meter).share(INVARIANT_SHARE, 10);
        let direct = || residual_invariants::direct(self.protocol, &self.learnt.by_cutoff, &stop);
        let (stuck, judged) = match during(Phase::Invariant, direct)? {
            Err(stuck) => (vec![stuck], None),
            Ok(certificate) => {
                let judgement = self.judge(&certificate)?;
                (Vec::new(), Some(Box::new((certificate, judgement))))
            }
        };
        let known = stuck.iter().flat_map(|stuck| &stuck.known.clauses);
        let learnt = known.map(|clause| clause.formula.clone()).collect();
        let effort = self.effort(start, &stop, judged.as_deref(), stuck);
        let (cases, attempts) = (Vec::new(), Vec::new());
        Ok(StrategyOutcome { effort, judged, cases, attempt: None, attempts, learnt })
    }

    /// The result and the cost of a strategy that began at `start` and searched until `stop`.
    fn effort(
        self,
        start: Instant,
        stop: &Stop,
        judged: Option<&(Certificate, Judgement)>,
        stuck: Vec<Stuck>,
    ) -> StrategyEffort {
        let late = stuck.iter().any(|stuck| matches!(stuck.obstacle, InvariantObstacle::Timeout))
            || stop.remaining().is_zero();
        let result = match judged {
            Some((certificate, judgement)) => reached(certificate, judgement),
            None if late || self.stop.is_set() => StrategyResult::OutOfTime,
            None => StrategyResult::Nothing,
        };
        StrategyEffort { result, time: start.elapsed(), units: self.meter.spent(), stuck }
    }

    /// Has a certificate judged in the time that is left.
    pub(super) fn judge(self, certificate: &Certificate) -> Result<Judgement, JudgeError> {
        let config = self.config;
        let budget = Budget {
            max_states: 20_000_000,
            max_memory: 4 << 30,
            threads: config.threads,
            ..Budget::until(self.stop.clone())
        };
        let obligation = OBLIGATION.max(self.stop.remaining() / 2);
        let finite = FiniteConfig {
            budget: budget.clone(),
            residual: config.residual,
            progress: config.progress,
        };
        let judge_config = JudgeConfig {
            prover: &Z3 { models: ModelSize::Small },
            budget: Budget { time: obligation, ..budget },
            wanted: &|_| true,
            finite: Some(finite),
        };
        during(Phase::Judging, || judge(self.protocol, certificate, &judge_config))
    }
}
