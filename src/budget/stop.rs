//! When to stop: a deadline and a cancellation in one value.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::{Meter, Turn};

/// Ends work: when it was cancelled, when its time is up, or when its meter is overdrawn.
///
/// Clones share one cancellation; [`Stop::child`] has one of its own below it. A deadline or a
/// meter that is added belongs to the new value alone.
///
/// Asking costs a few atomic loads and a look at the clock, some 30 ns. Ask in every loop that can
/// run for longer than a twentieth of a second.
#[derive(Clone, Debug)]
pub struct Stop {
    signal: Arc<Signal>,
    deadline: Option<Instant>,
    meter: Option<Meter>,
    turn: Option<Turn>,
}

/// Why work has to stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stopped {
    /// It was cancelled: by the user, or because its result is no longer needed.
    Cancelled,
    /// Its time is up.
    TimeIsUp,
    /// It has cost more than its meter allows.
    Overdrawn,
}

/// A cancellation; it counts as given when one above it is.
#[derive(Debug)]
struct Signal {
    cancelled: AtomicBool,
    above: Option<Arc<Signal>>,
    /// Shared by a whole family, so that waiting for a child sees the cancellation of a parent.
    bell: Arc<Bell>,
}

/// What threads that wait for a cancellation sleep on.
#[derive(Debug, Default)]
struct Bell {
    lock: Mutex<()>,
    changed: Condvar,
}

/// A time without end is as good as a day.
const A_DAY: Duration = Duration::from_secs(24 * 60 * 60);

impl Stop {
    /// Stops nothing until it is cancelled.
    pub fn never() -> Self {
        Stop {
            signal: Signal::below(None, Arc::default()),
            deadline: None,
            meter: None,
            turn: None,
        }
    }

    /// Cancels the work of all clones and children, for good.
    pub fn cancel(&self) {
        self.signal.cancelled.store(true, Ordering::Release);
        self.wake();
    }

    /// The same, with a cancellation of its own: cancelling the child leaves the parent alone.
    #[must_use]
    pub fn child(&self) -> Self {
        let signal = Signal::below(Some(&self.signal), Arc::clone(&self.signal.bell));
        Stop { signal, ..self.clone() }
    }

    /// The same, but no longer than to this moment.
    #[must_use]
    pub fn until(&self, deadline: Instant) -> Self {
        let earlier = self.deadline.map_or(deadline, |own| own.min(deadline));
        Stop { deadline: Some(earlier), ..self.clone() }
    }

    /// The same, but no longer than for this time from now.
    #[must_use]
    pub fn within(&self, time: Duration) -> Self {
        // A time too long for the clock is no limit.
        Instant::now().checked_add(time).map_or_else(|| self.clone(), |moment| self.until(moment))
    }

    /// The same, but no longer than for `parts` of `whole` parts of the time that is left.
    #[must_use]
    pub fn share(&self, parts: u32, whole: u32) -> Self {
        self.within(self.remaining() / whole.max(1) * parts)
    }

    /// The same, and also set when the meter is overdrawn; what the solver does under it is
    /// counted there.
    #[must_use]
    pub fn metered(&self, meter: &Meter) -> Self {
        Stop { meter: Some(meter.clone()), ..self.clone() }
    }

    /// The same for work that takes turns with other work: what it is charged decides whose turn
    /// it is, and counts nowhere else.
    #[must_use]
    pub fn taking(&self, turn: &Turn) -> Self {
        Stop { turn: Some(turn.clone()), ..self.clone() }
    }

    /// Counts effort that is not the solver's, in its units, if effort is counted; waits if it is
    /// the turn of other work.
    pub(crate) fn charge(&self, effort: u64) {
        match (&self.turn, &self.meter) {
            (Some(turn), _) => turn.spend(effort),
            (None, Some(meter)) => meter.add(effort),
            (None, None) => {}
        }
    }

    /// Spends effort of a turn, if it is one.
    pub(crate) fn spend_turn(&self, effort: u64) {
        if let Some(turn) = &self.turn {
            turn.spend(effort);
        }
    }

    /// Where effort is counted, if anywhere.
    pub fn meter(&self) -> Option<&Meter> {
        self.meter.as_ref()
    }

    /// Whether the work has to stop.
    pub fn is_set(&self) -> bool {
        self.why().is_some()
    }

    /// Why the work has to stop, if it has to.
    pub fn why(&self) -> Option<Stopped> {
        if self.signal.is_cancelled() {
            Some(Stopped::Cancelled)
        } else if self.is_late() {
            Some(Stopped::TimeIsUp)
        } else if self.meter.as_ref().is_some_and(Meter::is_overdrawn) {
            Some(Stopped::Overdrawn)
        } else {
            None
        }
    }

    /// The time that is left; a day if there is no deadline.
    pub fn remaining(&self) -> Duration {
        self.deadline.map_or(A_DAY, |own| own.saturating_duration_since(Instant::now()))
    }

    /// Waits until the work is cancelled, its time is up, or `finished`, which is asked again
    /// after every [`Self::wake`].
    pub(crate) fn wait_unless(&self, finished: impl Fn() -> bool) {
        let changed = &self.signal.bell.changed;
        let mut guard = self.signal.bell.lock();
        while !self.signal.is_cancelled() && !finished() && !self.is_late() {
            guard = match self.deadline {
                None => changed.wait(guard).unwrap_or_else(PoisonError::into_inner),
                Some(deadline) => {
                    let left = deadline.saturating_duration_since(Instant::now());
                    changed.wait_timeout(guard, left).unwrap_or_else(PoisonError::into_inner).0
                }
            };
        }
    }

    /// Makes every thread that waits look again.
    pub(crate) fn wake(&self) {
        // Under the lock, so that no thread is between looking and waiting.
        let _guard = self.signal.bell.lock();
        self.signal.bell.changed.notify_all();
    }

    fn is_late(&self) -> bool {
        self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }
}

impl Signal {
    fn below(above: Option<&Arc<Signal>>, bell: Arc<Bell>) -> Arc<Self> {
        Arc::new(Signal { cancelled: AtomicBool::new(false), above: above.cloned(), bell })
    }

    fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Acquire)
            || self.above.as_deref().is_some_and(Signal::is_cancelled)
    }
}

impl Bell {
    /// The lock guards no data, so it is sound whatever happened to a thread that held it.
    fn lock(&self) -> MutexGuard<'_, ()> {
        self.lock.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LONG: Duration = Duration::from_secs(3600);

    #[test]
    fn a_child_stops_with_its_parent_and_not_the_other_way_round() {
        let parent = Stop::never().within(LONG);
        let (one, other) = (parent.child(), parent.child());
        one.cancel();
        assert!(one.is_set() && !parent.is_set() && !other.is_set());
        let late_clone = other.clone().within(LONG);
        parent.cancel();
        for stop in [&parent, &other, &late_clone, &parent.child()] {
            assert_eq!(stop.why(), Some(Stopped::Cancelled));
        }
    }

    #[test]
    fn the_earliest_deadline_counts() {
        let brief = Stop::never().within(Duration::ZERO);
        assert_eq!(brief.why(), Some(Stopped::TimeIsUp));
        assert_eq!(brief.within(LONG).child().why(), Some(Stopped::TimeIsUp));
        assert_eq!(brief.remaining(), Duration::ZERO);
        let long = Stop::never().within(LONG);
        assert!(
            !long.within(Duration::MAX).is_set() && long.within(Duration::MAX).remaining() <= LONG
        );
        assert!(long.share(1, 4).remaining() <= LONG / 4);
        assert!(long.share(1, 4).remaining() > LONG / 5);
    }

    #[test]
    fn an_overdrawn_meter_stops_only_what_it_counts() {
        let (plain, meter) = (Stop::never(), Meter::default());
        let metered = plain.metered(&meter);
        meter.add(2);
        meter.allow(1);
        assert_eq!(metered.why(), Some(Stopped::Overdrawn));
        assert_eq!(plain.why(), None);
    }

    #[test]
    fn a_waiting_thread_is_woken_by_a_parent() {
        let parent = Stop::never();
        let child = parent.child();
        std::thread::scope(|scope| {
            let waiting = scope.spawn(|| child.wait_unless(|| false));
            parent.cancel();
            assert!(waiting.join().is_ok());
        });
        assert!(child.is_set());
    }

    #[test]
    fn a_waiting_thread_is_woken_when_the_work_is_finished() {
        let (stop, finished) = (Stop::never(), AtomicBool::new(false));
        std::thread::scope(|scope| {
            scope.spawn(|| stop.wait_unless(|| finished.load(Ordering::Acquire)));
            finished.store(true, Ordering::Release);
            stop.wake();
        });
        assert!(!stop.is_set());
    }
}
