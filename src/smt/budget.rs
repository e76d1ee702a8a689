//! How much a question may cost, and how to call it off.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::Meter;

/// What one question may cost.
#[derive(Clone, Debug)]
pub struct Budget {
    /// Wall-clock time for all attempts together.
    pub timeout: Duration,
    /// The solver's own unit of effort, for each attempt: the same on every machine.
    pub resources: Option<u32>,
    /// Whoever holds a clone of this may call everything off.
    pub cancellation: Cancellation,
}

impl Budget {
    /// A budget of time only.
    pub fn of_time(timeout: Duration) -> Self {
        Budget { timeout, resources: None, cancellation: Cancellation::default() }
    }
}

/// A signal to stop, shared by all its clones; a clone may also have a moment of its own, and a
/// meter that says when too much was spent.
#[derive(Clone, Debug, Default)]
pub struct Cancellation {
    signal: Arc<Signal>,
    deadline: Option<Instant>,
    meter: Option<Meter>,
}

#[derive(Debug, Default)]
struct Signal {
    cancelled: Mutex<bool>,
    changed: Condvar,
}

impl Cancellation {
    /// Calls everything off, for good.
    pub fn cancel(&self) {
        *self.state() = true;
        self.signal.changed.notify_all();
    }

    /// The same signal, which also counts as given from this moment on.
    #[must_use]
    pub fn until(&self, deadline: Instant) -> Self {
        let earlier = self.deadline.map_or(deadline, |own| own.min(deadline));
        Cancellation { deadline: Some(earlier), ..self.clone() }
    }

    /// The same signal, which also counts as given when the meter is overdrawn; what is done under
    /// it is counted there.
    #[must_use]
    pub fn metered(&self, meter: &Meter) -> Self {
        Cancellation { meter: Some(meter.clone()), ..self.clone() }
    }

    /// Where effort is counted, if anywhere.
    pub(super) fn meter(&self) -> Option<&Meter> {
        self.meter.as_ref()
    }

    /// Whether everything was called off.
    pub fn is_cancelled(&self) -> bool {
        self.is_late() || self.meter.as_ref().is_some_and(Meter::is_overdrawn) || *self.state()
    }

    /// Waits until cancelled or until `finished`, which is asked again after every [`Self::wake`].
    pub(super) fn wait_unless(&self, finished: impl Fn() -> bool) {
        let changed = &self.signal.changed;
        let mut state = self.state();
        while !*state && !finished() && !self.is_late() {
            state = match self.deadline {
                None => changed.wait(state).unwrap_or_else(PoisonError::into_inner),
                Some(deadline) => {
                    let left = deadline.saturating_duration_since(Instant::now());
                    changed.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner).0
                }
            };
        }
    }

    /// Makes everyone who waits look again.
    pub(super) fn wake(&self) {
        // Holding the lock, so that nobody is between looking and waiting.
        let _state = self.state();
        self.signal.changed.notify_all();
    }

    fn is_late(&self) -> bool {
        self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }

    /// A flag is right whatever happened to a thread that held it.
    fn state(&self) -> MutexGuard<'_, bool> {
        self.signal.cancelled.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
