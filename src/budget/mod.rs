//! What a piece of work may cost, and when it has to stop.
//!
//! There is one way to end work early in this program, [`Stop`]: a deadline and a cancellation in
//! one value. Everything that can take longer than a moment carries one and asks it.

mod meter;
mod stop;
mod turns;

pub use meter::Meter;
pub use stop::{Stop, Stopped};
pub use turns::Turn;

use std::time::Duration;

/// What a piece of work may cost.
#[derive(Clone, Debug)]
pub struct Budget {
    /// Ends all of the work.
    pub stop: Stop,
    /// The most wall-clock time for one question: an obligation, or the instances of one size.
    pub time: Duration,
    /// The most that each attempt at a question may cost in the solver's own units, which are the
    /// same on every machine.
    pub resources: Option<u32>,
    /// The most distinct states of one instance.
    pub max_states: u64,
    /// The most bytes for states.
    pub max_memory: u64,
    /// How many threads may work on it.
    pub threads: usize,
}

/// As many threads as there are cores.
pub fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

impl Budget {
    /// A budget that only `stop` limits, for one thread.
    pub fn until(stop: Stop) -> Self {
        Budget {
            stop,
            time: Duration::MAX,
            resources: None,
            max_states: u64::MAX,
            max_memory: u64::MAX,
            threads: 1,
        }
    }

    /// A budget of so much time for each question, for one thread.
    pub fn of_time(time: Duration) -> Self {
        Budget { time, ..Budget::until(Stop::never()) }
    }

    /// The budget of one question that is asked now.
    #[must_use]
    pub fn one_question(&self) -> Self {
        Budget { stop: self.stop.within(self.time), ..self.clone() }
    }
}
