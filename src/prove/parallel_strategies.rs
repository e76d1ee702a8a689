//! Both strategies at once, beside the search for violations: which proof is the answer is decided
//! by rule, not by the clock.
//!
//! A violation ends everything. The first proof is the answer, but for a short patience with the
//! preferred kind. Patience is counted in the solver's own units and not in seconds, so that the
//! answer is the same on every machine; the clock only ends what can no longer change the answer.
//! Where neither strategy ends in a proof, both run once more, each with what the other one has
//! learnt.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::{self, Scope};
use std::time::Duration;

use super::job::{ProofOutcome, ProveConfig};
use super::proof_preference::Prefer;
use super::strategy::{Learnt, StrategyOutcome, StrategyRun};
use super::strategy_choice::{KINDS, StrategyChoice};
use super::violation_search::{FAR, NEAR, search_violation};
use crate::budget::{Meter, Stop};
use crate::finite::EngineError;
use crate::judge::{FiniteViolation, JudgeError};
use crate::protocol::{PropertyKind, Protocol};

/// Poll interval for cancellation and overdrawn meters.
const LOOK: Duration = Duration::from_millis(20);

/// How long the search for a cutoff waits for the search for an invariant, and the search for
/// violations for both.
/// Many invariants are found in this time, and other threads would slow that down where there are
/// few cores. It changes no answer.
const BEFORE_CUTOFF: Duration = Duration::from_millis(150);
const BEFORE_VIOLATIONS: Duration = Duration::from_millis(400);

enum StrategyEvent {
    Violation(Option<FiniteViolation>),
    Ended(Prefer, Box<Result<StrategyOutcome, JudgeError>>),
}

/// Runs both strategies and the search for violations, all at once.
pub(super) fn in_parallel(
    protocol: &Protocol,
    config: &ProveConfig<'_>,
) -> Result<ProofOutcome, JudgeError> {
    let mut choice = StrategyChoice::new(config);
    let violation_stop = choice.violation_stop.clone();
    let (sender, news) = channel();
    thread::scope(|scope| {
        let events = sender.clone();
        scope.spawn(move || {
            violation_stop.within(BEFORE_VIOLATIONS).wait_unless(|| false);
            let violation = safety_violation(protocol, &violation_stop, config);
            // There is no receiver any more if the answer is known.
            let _ = events.send(StrategyEvent::Violation(violation));
        });
        choice.start(scope, protocol, &sender, &Learnt::default());
        choice.watch(&news, StrategyChoice::have_both_ended)?;
        if let Some(learnt) = choice.again() {
            choice.start(scope, protocol, &sender, &learnt);
        }
        drop(sender);
        choice.watch(&news, |_| false)
    })?;
    Ok(choice.decide())
}

/// Runs one strategy after the other, and the search for violations last: the same answer with one
/// thread.
pub(super) fn in_turns(
    protocol: &Protocol,
    config: &ProveConfig<'_>,
) -> Result<ProofOutcome, JudgeError> {
    let mut choice = StrategyChoice::new(config);
    choice.take_turns(protocol, &Learnt::default())?;
    if let Some(learnt) = choice.again() {
        choice.take_turns(protocol, &learnt)?;
    }
    if !choice.is_proved() {
        choice.violation = safety_violation(protocol, &choice.violation_stop, config);
    }
    Ok(choice.decide())
}

/// A violation of a safety property, if one is found in the time.
pub(super) fn safety_violation(
    protocol: &Protocol,
    stop: &Stop,
    config: &ProveConfig<'_>,
) -> Option<FiniteViolation> {
    let mut efforts = [NEAR, FAR].into_iter();
    efforts.find_map(|far| {
        search_violation(protocol, PropertyKind::Safety, &far, stop, config.progress)
    })
}

impl<'a> StrategyChoice<'a> {
    /// Starts both strategies, each with what the other one has learnt.
    fn start<'s>(
        &mut self,
        scope: &'s Scope<'s, '_>,
        protocol: &'s Protocol,
        sender: &Sender<StrategyEvent>,
        learnt: &Learnt,
    ) where
        'a: 's,
    {
        let config = self.config;
        let is_invariant_done = Arc::new(AtomicBool::new(false));
        for kind in KINDS {
            let runner = self.runner(kind);
            let (stop, meter) = (runner.stop.clone(), runner.meter.clone());
            let (sender, learnt) = (sender.clone(), learnt.clone());
            let is_invariant_done = Arc::clone(&is_invariant_done);
            scope.spawn(move || {
                if kind == Prefer::Cutoff {
                    let done = || is_invariant_done.load(Ordering::Acquire);
                    stop.within(BEFORE_CUTOFF).wait_unless(done);
                }
                let run =
                    StrategyRun { protocol, config, stop: &stop, meter: &meter, learnt: &learnt };
                // The caller waits for both; a thread that panics must not leave it waiting.
                let outcome =
                    catch_unwind(AssertUnwindSafe(|| run.execute(kind))).unwrap_or_else(|_| {
                        let panicked = format!("the search for {kind:?} proofs panicked");
                        Err(JudgeError::Engine(EngineError::Bug(panicked)))
                    });
                if kind == Prefer::Invariant {
                    is_invariant_done.store(true, Ordering::Release);
                    stop.wake();
                }
                let _ = sender.send(StrategyEvent::Ended(kind, Box::new(outcome)));
            });
        }
    }

    /// Listens until enough is known, or every thread has ended.
    fn watch(
        &mut self,
        news: &Receiver<StrategyEvent>,
        enough: impl Fn(&Self) -> bool,
    ) -> Result<(), JudgeError> {
        let mut failure = None;
        while !enough(self) {
            if self.config.stop.is_set() {
                self.cancel();
            }
            self.cancel_overdrawn();
            match news.recv_timeout(LOOK) {
                Ok(StrategyEvent::Violation(violation)) => {
                    self.violation = violation;
                    if self.violation.is_some() {
                        self.cancel();
                    }
                }
                Ok(StrategyEvent::Ended(kind, outcome)) => match *outcome {
                    Ok(outcome) => self.ended(kind, outcome),
                    Err(error) => {
                        failure.get_or_insert(error);
                        self.cancel();
                        break;
                    }
                },
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
        failure.map_or(Ok(()), Err)
    }

    /// Runs both strategies, one after the other. The one that is not preferred goes first, with a
    /// small limit: a proof by it limits the preferred one.
    fn take_turns(&mut self, protocol: &Protocol, learnt: &Learnt) -> Result<(), JudgeError> {
        let (preferred, other) = (self.config.prefer, self.config.prefer.other());
        let first = self.patience.floor();
        self.run(protocol, learnt, other, first)?;
        // A search may overdraw its meter after it has its proof, while it makes it smaller.
        let is_short = !self.runner(other).is_final() && self.runner(other).meter.is_overdrawn();
        // A proof that costs no more than this is the answer whatever the other strategy finds.
        let second = match self.runner(other).is_final() {
            true => self.patience.for_the_preferred(self.runner(other).meter.spent()),
            false if is_short => self.patience.for_the_preferred(first),
            false => u64::MAX,
        };
        self.run(protocol, learnt, preferred, second)?;
        if self.runner(preferred).is_final() || !is_short {
            return Ok(());
        }
        let is_limited = self.runner(preferred).meter.is_overdrawn();
        self.run(protocol, learnt, other, u64::MAX)?;
        let third = match self.runner(other).is_final() {
            true => self.patience.for_the_preferred(self.runner(other).meter.spent()),
            false => u64::MAX,
        };
        if is_limited && third > second {
            self.run(protocol, learnt, preferred, third)?;
        }
        Ok(())
    }

    /// Runs one strategy from its beginning, for no more than so much effort.
    fn run(
        &mut self,
        protocol: &Protocol,
        learnt: &Learnt,
        kind: Prefer,
        most: u64,
    ) -> Result<(), JudgeError> {
        let config = self.config;
        let runner = self.runner(kind);
        runner.meter = Meter::default();
        runner.meter.allow(most);
        let (stop, meter) = (runner.stop.clone(), runner.meter.clone());
        let outcome =
            StrategyRun { protocol, config, stop: &stop, meter: &meter, learnt }.execute(kind)?;
        self.ended(kind, outcome);
        Ok(())
    }
}
