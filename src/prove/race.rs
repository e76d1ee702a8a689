//! Both ways at once, beside the hunt: who is heard is decided by rule, not by who is first.
//!
//! A violation ends everything. A proof of the preferred kind is the answer; the other way then has
//! a moment longer, so that the two can be compared. A proof of the other kind is the answer if the
//! preferred way does not end in one within twice as much time again, or a tenth of all time.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use super::compare::{Comparison, Reached};
use super::hunt::{self, Hunted, hunt};
use super::side::{Lane, Side};
use super::{Outcome, Prefer, ProveConfig};
use crate::judge::JudgeError;
use crate::protocol::Protocol;
use crate::smt::Cancellation;

/// How often somebody looks whether the user has called everything off.
const LOOK: Duration = Duration::from_millis(20);

/// What the other way gets at least after a proof of the preferred kind.
const AFTER_PREFERRED: Duration = Duration::from_millis(500);

/// The part of all time that the preferred way gets at least after another proof.
const AFTER_OTHER: u32 = 10;

/// The hunt beside the search for proofs.
const HUNT: hunt::Effort =
    hunt::Effort { sizes: 2..=3, time: Duration::from_secs(10), states: 400_000, threads: 1 };

enum News {
    Hunted(Option<Hunted>),
    Ended(Prefer, Box<Result<Side, JudgeError>>),
}

/// Runs both ways and the hunt.
pub(super) fn race(
    protocol: &Protocol,
    deadline: Instant,
    config: &ProveConfig<'_>,
) -> Result<Outcome, JudgeError> {
    let start = Instant::now();
    let mut referee = Referee {
        start,
        deadline,
        prefer: config.prefer,
        patience: config.timeout / AFTER_OTHER,
        user: &config.cancellation,
        cutoff: Runner::new(deadline),
        invariant: Runner::new(deadline),
        hunt: Arc::new(AtomicBool::new(false)),
        hunted: None,
    };
    let stops = [Prefer::Cutoff, Prefer::Invariant].map(|kind| (kind, referee.stop(kind)));
    let hunting = Arc::clone(&referee.hunt);
    let (sender, news) = channel();
    thread::scope(|scope| {
        let hunter = sender.clone();
        scope.spawn(move || {
            let hunted = hunt(protocol, &HUNT, deadline, &hunting, config);
            // Nobody listens any more if the race is over.
            let _ = hunter.send(News::Hunted(hunted));
        });
        for (kind, stop) in stops {
            let runner = sender.clone();
            scope.spawn(move || {
                let side = Lane { protocol, config, deadline, stop: &stop }.go(kind);
                let _ = runner.send(News::Ended(kind, Box::new(side)));
            });
        }
        drop(sender);
        referee.watch(&news)
    })?;
    Ok(referee.decide())
}

/// One of the two ways, seen from outside.
struct Runner {
    stop: Cancellation,
    called_off: bool,
    side: Option<Side>,
}

impl Runner {
    fn new(deadline: Instant) -> Self {
        Runner { stop: Cancellation::default().until(deadline), called_off: false, side: None }
    }

    fn call_off(&mut self) {
        self.called_off |= self.side.is_none();
        self.stop.cancel();
    }

    fn is_final(&self) -> bool {
        self.side.as_ref().is_some_and(Side::is_final)
    }
}

struct Referee<'a> {
    start: Instant,
    /// When everybody is called off.
    deadline: Instant,
    prefer: Prefer,
    patience: Duration,
    user: &'a Cancellation,
    cutoff: Runner,
    invariant: Runner,
    hunt: Arc<AtomicBool>,
    hunted: Option<Hunted>,
}

impl Referee<'_> {
    fn runner(&mut self, kind: Prefer) -> &mut Runner {
        match kind {
            Prefer::Cutoff => &mut self.cutoff,
            Prefer::Invariant => &mut self.invariant,
        }
    }

    fn stop(&mut self, kind: Prefer) -> Cancellation {
        self.runner(kind).stop.clone()
    }

    /// Listens until everybody has ended.
    fn watch(&mut self, news: &Receiver<News>) -> Result<(), JudgeError> {
        let mut failure = None;
        loop {
            if Instant::now() >= self.deadline || self.user.is_cancelled() {
                self.call_off();
            }
            match news.recv_timeout(LOOK) {
                Ok(News::Hunted(hunted)) => {
                    self.hunted = hunted;
                    if self.hunted.is_some() {
                        self.call_off();
                    }
                }
                Ok(News::Ended(kind, side)) => match *side {
                    Ok(side) => self.ended(kind, side),
                    Err(error) => {
                        failure.get_or_insert(error);
                        self.call_off();
                    }
                },
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
        failure.map_or(Ok(()), Err)
    }

    fn ended(&mut self, kind: Prefer, side: Side) {
        let is_final = side.is_final();
        self.runner(kind).side = Some(side);
        let both = self.cutoff.side.is_some() && self.invariant.side.is_some();
        if is_final || both {
            self.hunt.store(true, Ordering::Relaxed);
        }
        if is_final {
            let elapsed = self.start.elapsed();
            let longer = match kind == self.prefer {
                true => AFTER_PREFERRED.max(elapsed / 2),
                false => self.patience.max(2 * elapsed),
            };
            self.deadline = self.deadline.min(Instant::now() + longer);
        }
    }

    fn call_off(&mut self) {
        self.cutoff.call_off();
        self.invariant.call_off();
        self.hunt.store(true, Ordering::Relaxed);
    }

    /// The answer.
    fn decide(self) -> Outcome {
        if let Some(hunted) = self.hunted {
            return Outcome::Unsafe(hunted);
        }
        let proved = [&self.cutoff, &self.invariant].into_iter().any(Runner::is_final);
        let [mut cutoff, mut invariant] = [self.cutoff, self.invariant].map(|runner| {
            let mut side = runner.side.expect("both ways have ended without an error");
            if runner.called_off && proved && !side.is_final() {
                side.effort.result = Reached::CalledOff;
            }
            side
        });
        let comparison = Box::new(Comparison {
            cutoff: cutoff.effort.clone(),
            invariant: invariant.effort.clone(),
        });
        let by_invariant = match self.prefer {
            Prefer::Cutoff => invariant.is_final() && !cutoff.is_final(),
            Prefer::Invariant => invariant.is_final() || !cutoff.is_final(),
        };
        let attempts = std::mem::take(&mut cutoff.attempts);
        let invariant = invariant.judged.take().filter(|_| by_invariant);
        match invariant.or(cutoff.judged) {
            Some((certificate, judgement)) => {
                let comparison = Some(comparison);
                Outcome::Judged { certificate, judgement, attempts, comparison }
            }
            None => Outcome::Nothing { cases: cutoff.cases, attempts, comparison },
        }
    }
}
