//! A line on the terminal that says how far a long run is; nothing in a pipe.

use std::io::{self, IsTerminal, Write};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use crate::effort::Effort;
use crate::finite::{Counts, Progress};

/// How often the line is rewritten.
const INTERVAL: Duration = Duration::from_millis(200);

/// What is known of the run besides the time.
#[derive(Default)]
struct News {
    states: AtomicU64,
}

impl Progress for News {
    fn report(&self, counts: &Counts) {
        self.states.store(counts.states, Ordering::Relaxed);
    }
}

/// Does some work; meanwhile a line tells what it is about and how long it has taken.
pub(super) fn during<R>(about: &str, limit: Duration, work: impl FnOnce(&dyn Progress) -> R) -> R {
    let news = News::default();
    if !io::stderr().is_terminal() {
        return work(&news);
    }
    thread::scope(|scope| {
        let (finished, is_finished) = mpsc::channel::<()>();
        let watched = &news;
        scope.spawn(move || {
            let (started, before) = (Instant::now(), Effort::so_far());
            while is_finished.recv_timeout(INTERVAL) == Err(RecvTimeoutError::Timeout) {
                let spent = Effort::so_far().since(before);
                // Nobody is told when the terminal is gone.
                let _ = write!(
                    io::stderr(),
                    "\r\x1b[K{about}: {:.0} of {:.0} s, solver {:.0} s, {} states",
                    started.elapsed().as_secs_f64(),
                    limit.as_secs_f64(),
                    spent.solver.as_secs_f64(),
                    watched.states.load(Ordering::Relaxed),
                );
            }
            let _ = write!(io::stderr(), "\r\x1b[K");
        });
        let result = work(&news);
        drop(finished);
        result
    })
}
