//! How much a question may cost, and how to call it off.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

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

/// A signal to stop, shared by all its clones.
#[derive(Clone, Debug, Default)]
pub struct Cancellation(Arc<Signal>);

#[derive(Debug, Default)]
struct Signal {
    cancelled: Mutex<bool>,
    changed: Condvar,
}

impl Cancellation {
    /// Calls everything off, for good.
    pub fn cancel(&self) {
        *self.state() = true;
        self.0.changed.notify_all();
    }

    /// Whether everything was called off.
    pub fn is_cancelled(&self) -> bool {
        *self.state()
    }

    /// Waits until cancelled or until `finished`, which is asked again after every [`Self::wake`].
    pub(super) fn wait_unless(&self, finished: impl Fn() -> bool) {
        let mut state = self.state();
        while !*state && !finished() {
            state = self.0.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Makes everyone who waits look again.
    pub(super) fn wake(&self) {
        // Holding the lock, so that nobody is between looking and waiting.
        let _state = self.state();
        self.0.changed.notify_all();
    }

    /// A flag is right whatever happened to a thread that held it.
    fn state(&self) -> MutexGuard<'_, bool> {
        self.0.cancelled.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
