//! Decides which strategy is the answer, what each may still cost, and whether both run again.

use super::job::{ProofOutcome, ProveConfig};
use super::proof_preference::{Patience, Prefer};
use super::strategy::{Learnt, StrategyOutcome};
use super::strategy_comparison::{ProofComparison, StrategyResult};
use crate::budget::{Meter, Stop};
use crate::judge::FiniteViolation;

/// Both kinds, in a fixed order.
pub(super) const KINDS: [Prefer; 2] = [Prefer::Cutoff, Prefer::Invariant];

/// One of the two strategies, as the choice sees it.
pub(super) struct Runner {
    pub(super) stop: Stop,
    /// What the solver does for it.
    pub(super) meter: Meter,
    cancelled: bool,
    outcome: Option<StrategyOutcome>,
    /// Its outcome in the first round, if it runs again.
    before: Option<StrategyOutcome>,
}

impl Runner {
    fn new(stop: &Stop) -> Self {
        let (stop, meter) = (stop.child(), Meter::default());
        Runner { stop, meter, cancelled: false, outcome: None, before: None }
    }

    /// The same strategy once more, from the beginning.
    fn renew(&mut self, stop: &Stop) {
        let before = self.outcome.take().or(self.before.take());
        *self = Runner { before, ..Runner::new(stop) };
    }

    fn cancel(&mut self) {
        self.cancelled |= self.outcome.is_none();
        self.stop.cancel();
    }

    pub(super) fn is_final(&self) -> bool {
        self.outcome.as_ref().is_some_and(StrategyOutcome::is_final)
    }

    /// Its last outcome, unless the one before is better.
    fn result(self) -> StrategyOutcome {
        let both = [self.outcome, self.before].into_iter().flatten();
        both.reduce(|last, before| if before.is_ahead_of(&last) { before } else { last })
            .unwrap_or_else(StrategyOutcome::not_begun)
    }
}

/// Chooses between the strategies, by rule.
pub(super) struct StrategyChoice<'a> {
    pub(super) config: &'a ProveConfig<'a>,
    pub(super) patience: Patience,
    cutoff: Runner,
    invariant: Runner,
    pub(super) violation_stop: Stop,
    pub(super) violation: Option<FiniteViolation>,
    /// Whether the caller knows that the protocol is proved.
    is_announced: bool,
}

impl<'a> StrategyChoice<'a> {
    pub(super) fn new(config: &'a ProveConfig<'a>) -> Self {
        StrategyChoice {
            config,
            patience: Patience::of(config.patience),
            cutoff: Runner::new(&config.stop),
            invariant: Runner::new(&config.stop),
            violation_stop: config.stop.child(),
            violation: None,
            is_announced: false,
        }
    }

    pub(super) fn runner(&mut self, kind: Prefer) -> &mut Runner {
        match kind {
            Prefer::Cutoff => &mut self.cutoff,
            Prefer::Invariant => &mut self.invariant,
        }
    }

    pub(super) fn have_both_ended(&self) -> bool {
        self.cutoff.outcome.is_some() && self.invariant.outcome.is_some()
    }

    /// Records the outcome of one strategy, and limits what the other one may still cost.
    pub(super) fn ended(&mut self, kind: Prefer, outcome: StrategyOutcome) {
        if outcome.is_proof() && !std::mem::replace(&mut self.is_announced, true) {
            (self.config.proved)();
        }
        let runner = self.runner(kind);
        // A strategy that runs again must not lose what it had: its proof may be announced.
        if !runner.outcome.as_ref().is_some_and(|known| known.is_ahead_of(&outcome)) {
            runner.outcome = Some(outcome);
        }
        if !runner.is_final() {
            return;
        }
        self.violation_stop.cancel();
        let spent = self.runner(kind).meter.spent();
        let most = match kind == self.config.prefer {
            true => self.patience.for_the_other(spent),
            false => self.patience.for_the_preferred(spent),
        };
        let other = self.runner(kind.other());
        match most {
            0 => other.cancel(),
            most => other.meter.allow(most),
        }
    }

    pub(super) fn is_proved(&self) -> bool {
        self.cutoff.is_final() || self.invariant.is_final()
    }

    /// What both strategies have learnt, if they are to run once more with it.
    pub(super) fn again(&mut self) -> Option<Learnt> {
        let is_over = self.is_proved() || self.violation.is_some() || self.config.stop.is_set();
        if is_over || !self.have_both_ended() {
            return None;
        }
        let learnt = Learnt {
            by_cutoff: std::mem::take(&mut self.cutoff.outcome.as_mut()?.learnt),
            by_invariant: std::mem::take(&mut self.invariant.outcome.as_mut()?.learnt),
        };
        if learnt.is_empty() {
            return None;
        }
        KINDS.into_iter().for_each(|kind| {
            let stop = self.config.stop.clone();
            self.runner(kind).renew(&stop);
        });
        Some(learnt)
    }

    /// Whether a proof of the preferred kind is the answer.
    fn is_preferred_the_answer(&self) -> bool {
        let (preferred, other) = match self.config.prefer {
            Prefer::Cutoff => (&self.cutoff, &self.invariant),
            Prefer::Invariant => (&self.invariant, &self.cutoff),
        };
        let is_cheap = || {
            let most = self.patience.for_the_preferred(other.meter.spent());
            preferred.meter.spent() <= most
        };
        preferred.is_final() && (!other.is_final() || is_cheap())
    }

    /// Stops the strategies that have cost too much to be the answer. Their searches see the meter
    /// themselves; judging is not metered and would go on to its end.
    pub(super) fn cancel_overdrawn(&mut self) {
        for kind in KINDS {
            let runner = self.runner(kind);
            if runner.meter.is_overdrawn() {
                runner.cancel();
            }
        }
    }

    pub(super) fn cancel(&mut self) {
        self.cutoff.cancel();
        self.invariant.cancel();
        self.violation_stop.cancel();
    }

    /// The answer.
    pub(super) fn decide(self) -> ProofOutcome {
        if let Some(violation) = self.violation {
            return ProofOutcome::of_violation(violation);
        }
        let prefer = self.config.prefer;
        let answer = if self.is_preferred_the_answer() { prefer } else { prefer.other() };
        let proved = self.is_proved();
        let [mut cutoff, mut invariant] = [self.cutoff, self.invariant].map(|runner| {
            let is_cancelled = runner.cancelled || runner.meter.is_overdrawn();
            let mut outcome = runner.result();
            if is_cancelled && proved && !outcome.is_final() {
                outcome.effort.result = StrategyResult::Cancelled;
            }
            outcome
        });
        let comparison = Some(Box::new(ProofComparison {
            cutoff: cutoff.effort.clone(),
            invariant: invariant.effort.clone(),
            prefer,
            patience: self.config.patience,
        }));
        // Without any proof, a partial cutoff says more than half an invariant.
        let by_invariant = invariant.is_final() && answer == Prefer::Invariant
            || prefer == Prefer::Invariant && !cutoff.is_final();
        let attempts = std::mem::take(&mut cutoff.attempts);
        let invariant = invariant.judged.take().filter(|_| by_invariant);
        match invariant.or(cutoff.judged) {
            Some(judged) => {
                let found = ProofOutcome::of_judgement(judged.0, judged.1);
                ProofOutcome { attempts, comparison, ..found }
            }
            None => {
                let StrategyOutcome { cases, attempt, .. } = cutoff;
                let nothing = ProofOutcome::of_nothing();
                ProofOutcome { cases, attempt, attempts, comparison, ..nothing }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::certificate::{Certificate, Invariant, ProofArgument};
    use crate::finite::Silent;
    use crate::judge::{Judgement, Verdict};
    use crate::logic::Formula;
    use crate::pipeline::read_protocol;
    use crate::source::SourceFile;

    fn config() -> ProveConfig<'static> {
        ProveConfig {
            stop: Stop::never(),
            prefer: Prefer::Cutoff,
            patience: 1,
            residual: 1,
            threads: 1,
            proved: &|| {},
            progress: &Silent,
        }
    }

    #[test]
    fn both_go_again_with_what_they_have_learnt_and_only_once() {
        let config = config();
        let mut choice = StrategyChoice::new(&config);
        let learnt = |value| StrategyOutcome {
            learnt: vec![Formula::truth(value)],
            ..StrategyOutcome::not_begun()
        };
        choice.ended(Prefer::Cutoff, learnt(true));
        assert!(choice.again().is_none(), "one is still on its way");
        choice.ended(Prefer::Invariant, learnt(false));
        let all = choice.again().expect("neither is a proof");
        assert_eq!(all.by_cutoff, [Formula::truth(true)]);
        assert_eq!(all.by_invariant, [Formula::truth(false)]);
        assert!(!choice.have_both_ended(), "both are on their way again");
        choice.ended(Prefer::Cutoff, StrategyOutcome::not_begun());
        choice.ended(Prefer::Invariant, StrategyOutcome::not_begun());
        assert!(choice.again().is_none(), "nothing new was learnt");
    }

    #[test]
    fn a_strategy_that_runs_again_keeps_its_certificate() {
        let config = config();
        let mut choice = StrategyChoice::new(&config);
        let text = SourceFile::new("p.rml", "relation r\ninit ~r\nsafety ~r\n");
        let large = read_protocol(&text).expect("it is a protocol").0;
        let argument = ProofArgument::Invariant(Invariant { clauses: Vec::new() });
        let judgement = Judgement {
            problems: Vec::new(),
            whole: Vec::new(),
            cases: Vec::new(),
            size_relations: Vec::new(),
            verdict: Verdict::Safe,
        };
        let judged = Some(Box::new((Certificate { large, argument }, judgement)));
        choice.ended(Prefer::Invariant, StrategyOutcome { judged, ..StrategyOutcome::not_begun() });
        assert!(choice.is_proved());
        choice.ended(Prefer::Invariant, StrategyOutcome::not_begun());
        assert!(choice.is_proved(), "a second run that fails changes nothing");
    }

    #[test]
    fn a_strategy_that_costs_too_much_is_cancelled_while_it_is_judged() {
        let config = config();
        let mut choice = StrategyChoice::new(&config);
        choice.cutoff.meter.add(2);
        choice.cutoff.meter.allow(2);
        choice.invariant.meter.add(2);
        choice.cancel_overdrawn();
        assert!(!choice.cutoff.stop.is_set(), "it has not cost too much");
        choice.cutoff.meter.allow(1);
        choice.cancel_overdrawn();
        assert!(choice.cutoff.stop.is_set() && !choice.invariant.stop.is_set());
    }

    #[test]
    fn after_a_cancellation_no_strategy_goes_again() {
        let config = config();
        let mut choice = StrategyChoice::new(&config);
        let learnt = || StrategyOutcome {
            learnt: vec![Formula::truth(true)],
            ..StrategyOutcome::not_begun()
        };
        choice.ended(Prefer::Cutoff, learnt());
        choice.ended(Prefer::Invariant, learnt());
        config.stop.cancel();
        assert!(choice.again().is_none());
    }
}
