//! Both strategies at once, beside the hunt: which proof is the answer is decided by rule, not by
//! the clock.
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
use super::strategy::{Lane, Learnt, Side};
use super::strategy_choice::{KINDS, Referee};
use super::violation_search::{FAR, NEAR, hunt};
use crate::budget::{Meter, Stop};
use crate::finite::EngineError;
use crate::judge::{FiniteViolation, JudgeError};
use crate::protocol::{PropertyKind, Protocol};

/// Poll interval for cancellation and overdrawn meters.
const LOOK: Duration = Duration::from_millis(20);

/// How long the search for a cutoff waits for the search for an invariant, and the hunt for both.
/// Many invariants are found in this time, and other threads would slow that down where there are
/// few cores. It changes no answer.
const BEFORE_CUTOFF: Duration = Duration::from_millis(150);
const BEFORE_HUNT: Duration = Duration::from_millis(400);

enum RaceNews {
    Hunted(Option<FiniteViolation>),
    Ended(Prefer, Box<Result<Side, JudgeError>>),
}

/// Runs both strategies and the hunt, all at once.
pub(super) fn race(
    protocol: &Protocol,
    config: &ProveConfig<'_>,
) -> Result<ProofOutcome, JudgeError> {
    let mut referee = Referee::new(config);
    let hunting = referee.hunt.clone();
    let (sender, news) = channel();
    thread::scope(|scope| {
        let hunter = sender.clone();
        scope.spawn(move || {
            hunting.within(BEFORE_HUNT).wait_unless(|| false);
            let hunted = hunted(protocol, &hunting, config);
            // There is no receiver any more if the race is over.
            let _ = hunter.send(RaceNews::Hunted(hunted));
        });
        referee.start(scope, protocol, &sender, &Learnt::default());
        referee.watch(&news, Referee::have_both_ended)?;
        if let Some(learnt) = referee.again() {
            referee.start(scope, protocol, &sender, &learnt);
        }
        drop(sender);
        referee.watch(&news, |_| false)
    })?;
    Ok(referee.decide())
}

/// Runs one strategy after the other, and the hunt last: the same answer with one thread.
pub(super) fn turns(
    protocol: &Protocol,
    config: &ProveConfig<'_>,
) -> Result<ProofOutcome, JudgeError> {
    let mut referee = Referee::new(config);
    referee.take_turns(protocol, &Learnt::default())?;
    if let Some(learnt) = referee.again() {
        referee.take_turns(protocol, &learnt)?;
    }
    if !referee.is_proved() {
        referee.hunted = hunted(protocol, &referee.hunt, config);
    }
    Ok(referee.decide())
}

/// A violation of a safety property, if one is found in the time.
pub(super) fn hunted(
    protocol: &Protocol,
    stop: &Stop,
    config: &ProveConfig<'_>,
) -> Option<FiniteViolation> {
    let mut efforts = [NEAR, FAR].into_iter();
    efforts.find_map(|far| hunt(protocol, PropertyKind::Safety, &far, stop, config.progress))
}

impl<'a> Referee<'a> {
    /// Starts both strategies, each with what the other one has learnt.
    fn start<'s>(
        &mut self,
        scope: &'s Scope<'s, '_>,
        protocol: &'s Protocol,
        sender: &Sender<RaceNews>,
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
                let lane = Lane { protocol, config, stop: &stop, meter: &meter, learnt: &learnt };
                // The referee waits for both; a thread that panics must not leave it waiting.
                let side = catch_unwind(AssertUnwindSafe(|| lane.go(kind))).unwrap_or_else(|_| {
                    let panicked = format!("the search for {kind:?} proofs panicked");
                    Err(JudgeError::Engine(EngineError::Bug(panicked)))
                });
                if kind == Prefer::Invariant {
                    is_invariant_done.store(true, Ordering::Release);
                    stop.wake();
                }
                let _ = sender.send(RaceNews::Ended(kind, Box::new(side)));
            });
        }
    }

    /// Listens until enough is known, or every thread has ended.
    fn watch(
        &mut self,
        news: &Receiver<RaceNews>,
        enough: impl Fn(&Self) -> bool,
    ) -> Result<(), JudgeError> {
        let mut failure = None;
        while !enough(self) {
            if self.config.stop.is_set() {
                self.cancel();
            }
            self.cancel_overdrawn();
            match news.recv_timeout(LOOK) {
                Ok(RaceNews::Hunted(hunted)) => {
                    self.hunted = hunted;
                    if self.hunted.is_some() {
                        self.cancel();
                    }
                }
                Ok(RaceNews::Ended(kind, side)) => match *side {
                    Ok(side) => self.ended(kind, side),
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
        let side = Lane { protocol, config, stop: &stop, meter: &meter, learnt }.go(kind)?;
        self.ended(kind, side);
        Ok(())
    }
}
