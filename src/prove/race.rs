//! Both ways at once, beside the hunt: who is heard is decided by rule, not by who is first.
//!
//! A violation ends everything. A proof of the preferred kind is the answer, unless the solver did
//! much more for it than for a proof of the other kind. That is counted in the solver's own units
//! and not in seconds, so that the answer is the same on every machine; the clock only ends what
//! can no longer change the answer.

use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use super::compare::{Comparison, Reached};
use super::hunt::{FAR, Hunted, NEAR, hunt};
use super::side::{Lane, Side};
use super::{Outcome, Prefer, ProveConfig};
use crate::budget::{Meter, Stop};
use crate::judge::JudgeError;
use crate::protocol::{PropertyKind, Protocol};

/// How often the referee looks whether everything has to stop.
const LOOK: Duration = Duration::from_millis(20);

/// What the other way gets at least after a proof of the preferred kind.
const AFTER_PREFERRED: Duration = Duration::from_millis(500);

/// What the preferred way may cost in any case, and how often as much as the other way, in the
/// solver's units.
const PREFERRED: u64 = 30_000_000;
const PREFERRED_TIMES: u64 = 3;

enum News {
    Hunted(Option<Hunted>),
    Ended(Prefer, Box<Result<Side, JudgeError>>),
}

/// Runs both ways and the hunt, all at once.
pub(super) fn race(protocol: &Protocol, config: &ProveConfig<'_>) -> Result<Outcome, JudgeError> {
    let mut referee = Referee::new(config);
    let runners = [Prefer::Cutoff, Prefer::Invariant].map(|kind| (kind, referee.signals(kind)));
    let hunting = referee.hunt.clone();
    let (sender, news) = channel();
    thread::scope(|scope| {
        let hunter = sender.clone();
        scope.spawn(move || {
            let hunted = hunted(protocol, &hunting, config);
            // Nobody listens any more if the race is over.
            let _ = hunter.send(News::Hunted(hunted));
        });
        for (kind, (stop, meter)) in runners {
            let runner = sender.clone();
            scope.spawn(move || {
                let side = Lane { protocol, config, stop: &stop, meter: &meter }.go(kind);
                let _ = runner.send(News::Ended(kind, Box::new(side)));
            });
        }
        drop(sender);
        referee.watch(&news)
    })?;
    Ok(referee.decide())
}

/// Runs one way after the other, and the hunt last: the same answer with one thread.
pub(super) fn turns(protocol: &Protocol, config: &ProveConfig<'_>) -> Result<Outcome, JudgeError> {
    let mut referee = Referee::new(config);
    let (preferred, other) = (config.prefer, config.prefer.other());
    let go = |referee: &mut Referee, kind: Prefer| -> Result<(), JudgeError> {
        let (stop, meter) = referee.signals(kind);
        let side = Lane { protocol, config, stop: &stop, meter: &meter }.go(kind)?;
        referee.runner(kind).side = Some(side);
        Ok(())
    };
    referee.runner(preferred).meter.allow(PREFERRED);
    go(&mut referee, preferred)?;
    if !referee.runner(preferred).is_final() {
        let is_short = referee.runner(preferred).meter.is_overdrawn();
        go(&mut referee, other)?;
        let most = match referee.runner(other).is_final() {
            true => allowance(referee.runner(other).meter.spent()),
            false => u64::MAX,
        };
        if is_short && most > PREFERRED {
            referee.runner(preferred).meter = Meter::default();
            referee.runner(preferred).meter.allow(most);
            go(&mut referee, preferred)?;
        }
    }
    if ![&referee.cutoff, &referee.invariant].into_iter().any(Runner::is_final) {
        referee.hunted = hunted(protocol, &referee.hunt, config);
    }
    Ok(referee.decide())
}

/// A violation of a safety property, if one is found in the time.
pub(super) fn hunted(protocol: &Protocol, stop: &Stop, config: &ProveConfig<'_>) -> Option<Hunted> {
    let mut efforts = [NEAR, FAR].into_iter();
    efforts.find_map(|far| hunt(protocol, PropertyKind::Safety, &far, stop, config.progress))
}

/// One of the two ways, seen from outside.
struct Runner {
    stop: Stop,
    /// What the solver does for it.
    meter: Meter,
    called_off: bool,
    side: Option<Side>,
}

impl Runner {
    fn new(stop: &Stop) -> Self {
        Runner { stop: stop.child(), meter: Meter::default(), called_off: false, side: None }
    }

    fn call_off(&mut self) {
        self.called_off |= self.side.is_none();
        self.stop.cancel();
    }

    fn is_final(&self) -> bool {
        self.side.as_ref().is_some_and(Side::is_final)
    }
}

struct Referee {
    start: Instant,
    /// Calls everything off.
    stop: Stop,
    prefer: Prefer,
    cutoff: Runner,
    invariant: Runner,
    hunt: Stop,
    hunted: Option<Hunted>,
}

impl Referee {
    fn new(config: &ProveConfig<'_>) -> Self {
        Referee {
            start: Instant::now(),
            stop: config.stop.clone(),
            prefer: config.prefer,
            cutoff: Runner::new(&config.stop),
            invariant: Runner::new(&config.stop),
            hunt: config.stop.child(),
            hunted: None,
        }
    }

    fn runner(&mut self, kind: Prefer) -> &mut Runner {
        match kind {
            Prefer::Cutoff => &mut self.cutoff,
            Prefer::Invariant => &mut self.invariant,
        }
    }

    fn signals(&mut self, kind: Prefer) -> (Stop, Meter) {
        let runner = self.runner(kind);
        (runner.stop.clone(), runner.meter.clone())
    }

    /// Listens until everybody has ended.
    fn watch(&mut self, news: &Receiver<News>) -> Result<(), JudgeError> {
        let mut failure = None;
        loop {
            if self.stop.is_set() {
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
        if !is_final {
            return;
        }
        self.hunt.cancel();
        let spent = self.runner(kind).meter.spent();
        if kind != self.prefer {
            self.runner(kind.other()).meter.allow(allowance(spent));
        } else if spent > PREFERRED {
            // With less than this, a proof of the other kind is the answer all the same.
            self.runner(kind.other()).meter.allow(spent / PREFERRED_TIMES);
        } else {
            let longer = AFTER_PREFERRED.max(self.start.elapsed() / 2);
            self.stop = self.stop.within(longer);
        }
    }

    /// Whether a proof of the preferred kind is the answer.
    fn is_preferred_heard(&self) -> bool {
        let (preferred, other) = match self.prefer {
            Prefer::Cutoff => (&self.cutoff, &self.invariant),
            Prefer::Invariant => (&self.invariant, &self.cutoff),
        };
        let is_cheap = preferred.meter.spent() <= allowance(other.meter.spent());
        preferred.is_final() && (!other.is_final() || is_cheap)
    }

    fn call_off(&mut self) {
        self.cutoff.call_off();
        self.invariant.call_off();
        self.hunt.cancel();
    }

    /// The answer.
    fn decide(self) -> Outcome {
        if let Some(hunted) = self.hunted {
            return Outcome::Unsafe(hunted);
        }
        let heard = if self.is_preferred_heard() { self.prefer } else { self.prefer.other() };
        let proved = [&self.cutoff, &self.invariant].into_iter().any(Runner::is_final);
        let [mut cutoff, mut invariant] = [self.cutoff, self.invariant].map(|runner| {
            let mut side = runner.side.unwrap_or_else(Side::not_begun);
            if runner.called_off && proved && !side.is_final() {
                side.effort.result = Reached::CalledOff;
            }
            side
        });
        let comparison = Box::new(Comparison {
            cutoff: cutoff.effort.clone(),
            invariant: invariant.effort.clone(),
        });
        // Without any proof, what a cutoff leaves open is told rather than half an invariant.
        let by_invariant = invariant.is_final() && heard == Prefer::Invariant
            || self.prefer == Prefer::Invariant && !cutoff.is_final();
        let attempts = std::mem::take(&mut cutoff.attempts);
        let invariant = invariant.judged.take().filter(|_| by_invariant);
        match invariant.or(cutoff.judged) {
            Some((certificate, judgement)) => {
                let comparison = Some(comparison);
                Outcome::Judged { certificate, judgement, attempts, comparison }
            }
            None => {
                let Side { cases, attempt, .. } = cutoff;
                Outcome::Nothing { cases, attempt, attempts, comparison }
            }
        }
    }
}

/// What the preferred way may cost once the other way has ended in a proof.
fn allowance(other: u64) -> u64 {
    PREFERRED.max(other.saturating_mul(PREFERRED_TIMES))
}
