//! One way to prove a protocol, from the search to the judgement.

use std::time::{Duration, Instant};

use crate::budget::{Budget, Meter, Stop};
use crate::certificate::{Case, Certificate};
use crate::effort::{Phase, during};
use crate::finite::ENGINES;
use crate::judge::{FiniteConfig, JudgeConfig, JudgeError, Judgement, Verdict, judge};
use crate::protocol::Protocol;
use crate::smt::z3::{ModelSize, Z3};
use crate::synthesis::invariant::Obstacle;
use crate::synthesis::{Attempt, SearchConfig, search};

use super::close;
use super::compare::{Effort, Reached, Stuck, reached};
use super::{Prefer, ProveConfig};

/// What one way came to.
pub(super) struct Side {
    pub(super) effort: Effort,
    /// The certificate that was found, and what the judge says of it.
    pub(super) judged: Option<(Box<Certificate>, Box<Judgement>)>,
    /// The cases that were proved, with or without a certificate.
    pub(super) cases: Vec<Case>,
    /// What came nearest to a cutoff.
    pub(super) attempt: Option<Box<Certificate>>,
    pub(super) attempts: Vec<Attempt>,
}

impl Side {
    /// A way that nobody went.
    pub(super) fn not_begun() -> Self {
        let (result, time, stuck) = (Reached::CalledOff, Duration::ZERO, Vec::new());
        let effort = Effort { result, time, stuck };
        Side { effort, judged: None, cases: Vec::new(), attempt: None, attempts: Vec::new() }
    }

    /// Whether nothing better can be hoped for.
    pub(super) fn is_final(&self) -> bool {
        self.judged.as_ref().is_some_and(|(_, judgement)| {
            matches!(judgement.verdict, Verdict::Safe | Verdict::Unsafe(_))
        })
    }
}

/// What a way may use.
#[derive(Clone, Copy)]
pub(super) struct Lane<'a> {
    pub(super) protocol: &'a Protocol,
    pub(super) config: &'a ProveConfig<'a>,
    /// Calls the way off.
    pub(super) stop: &'a Stop,
    /// Counts what the solver does for the search; judging is not counted.
    pub(super) meter: &'a Meter,
}

/// The parts of the remaining time, in tenths, that are not for the judge.
const SEARCH_SHARE: u32 = 6;
const CLOSING_SHARE: u32 = 6;
const INVARIANT_SHARE: u32 = 9;

/// The time for one obligation at least; half of what is left if that is more.
const OBLIGATION: Duration = Duration::from_secs(20);

impl Lane<'_> {
    /// Goes one of the two ways.
    pub(super) fn go(self, kind: Prefer) -> Result<Side, JudgeError> {
        match kind {
            Prefer::Cutoff => self.by_cutoff(),
            Prefer::Invariant => self.by_invariant(),
        }
    }

    /// A cutoff, with invariants for what it leaves unbounded.
    fn by_cutoff(self) -> Result<Side, JudgeError> {
        let start = Instant::now();
        let counted = self.stop.metered(self.meter);
        let stop = counted.share(SEARCH_SHARE, 10);
        let config = SearchConfig { stop: stop.clone(), mined: Vec::new() };
        let found = during(Phase::Cutoff, || search(self.protocol, &config));
        let (mut stuck, mut judged) = (Vec::new(), None);
        if let Some(certificate) = found.certificate {
            let share = counted.share(CLOSING_SHARE, 10);
            let (closed, left) = during(Phase::Invariant, || close::close(certificate, &share));
            stuck = left;
            let judgement = self.judge(&closed)?;
            judged = Some((Box::new(closed), Box::new(judgement)));
        }
        let effort = self.effort(start, &stop, judged.as_ref(), stuck);
        let attempt = Some(Box::new(found.attempt));
        Ok(Side { effort, judged, cases: found.cases, attempt, attempts: found.attempts })
    }

    /// An invariant of the protocol itself.
    fn by_invariant(self) -> Result<Side, JudgeError> {
        let start = Instant::now();
        let stop = self.stop.metered(self.meter).share(INVARIANT_SHARE, 10);
        let (stuck, judged) = match during(Phase::Invariant, || close::direct(self.protocol, &stop))
        {
            Err(stuck) => (vec![stuck], None),
            Ok(certificate) => {
                let judgement = self.judge(&certificate)?;
                (Vec::new(), Some((Box::new(certificate), Box::new(judgement))))
            }
        };
        let effort = self.effort(start, &stop, judged.as_ref(), stuck);
        Ok(Side { effort, judged, cases: Vec::new(), attempt: None, attempts: Vec::new() })
    }

    /// What a way came to that began at this time, and what its search had to stop at.
    fn effort(
        self,
        start: Instant,
        stop: &Stop,
        judged: Option<&(Box<Certificate>, Box<Judgement>)>,
        stuck: Vec<Stuck>,
    ) -> Effort {
        let late = stuck.iter().any(|stuck| matches!(stuck.obstacle, Obstacle::Timeout))
            || stop.remaining().is_zero();
        let result = match judged {
            Some((certificate, judgement)) => reached(certificate, judgement),
            None if late || self.stop.is_set() => Reached::OutOfTime,
            None => Reached::Nothing,
        };
        Effort { result, time: start.elapsed(), stuck }
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
            engines: ENGINES,
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
