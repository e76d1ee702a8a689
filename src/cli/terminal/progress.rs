//! A line on the terminal that says how far a long run is; nothing in a pipe.

use std::io::{self, IsTerminal, Write};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use crate::effort;
use crate::effort::Effort;
use crate::finite::{Progress, StateCounts};

/// How often the line is rewritten.
const INTERVAL: Duration = Duration::from_millis(200);

/// What is known of the run besides the time.
#[derive(Default)]
struct ProgressNews {
    states: AtomicU64,
}

impl Progress for ProgressNews {
    fn report(&self, counts: &StateCounts) {
        self.states.store(counts.states, Ordering::Relaxed);
    }
}

/// Does some work; meanwhile a line says what is going on and how long it has taken.
pub(crate) fn during<R>(about: &str, limit: Duration, work: impl FnOnce(&dyn Progress) -> R) -> R {
    let news = ProgressNews::default();
    if !io::stderr().is_terminal() {
        return work(&news);
    }
    thread::scope(|scope| {
        let (finished, is_finished) = mpsc::channel::<()>();
        let watched = &news;
        scope.spawn(move || {
            let (started, before) = (Instant::now(), Effort::so_far());
            while is_finished.recv_timeout(INTERVAL) == Err(RecvTimeoutError::Timeout) {
                let clock = clock(started.elapsed(), limit);
                let solver = Effort::so_far().since(before).solver.as_secs_f64();
                let states = watched.states.load(Ordering::Relaxed);
                let phases = effort::running().join(", ");
                // When the terminal is gone there is nowhere to report that.
                let _ = write!(
                    io::stderr(),
                    "\r\x1b[K{about}: {clock}, solver {solver:.0} s, {states} states; {phases}",
                );
            }
            let _ = write!(io::stderr(), "\r\x1b[K");
        });
        let result = work(&news);
        drop(finished);
        result
    })
}

/// `12 of 60 s`; once the time is over, that the work is being ended.
fn clock(elapsed: Duration, limit: Duration) -> String {
    if elapsed > limit {
        return format!("stopping after {:.0} s", limit.as_secs_f64());
    }
    // Rounded down: a second that has not passed is not counted.
    format!("{} of {:.0} s", elapsed.as_secs(), limit.as_secs_f64())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_clock_never_runs_past_its_limit() {
        let limit = Duration::from_secs(60);
        assert_eq!(clock(Duration::from_millis(59_900), limit), "59 of 60 s");
        assert_eq!(clock(limit, limit), "60 of 60 s");
        assert_eq!(clock(Duration::from_secs(79), limit), "stopping after 60 s");
    }
}
