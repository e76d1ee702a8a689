//! How far one search of finite instances is, on a terminal.

use std::io::{self, IsTerminal, Write};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use crate::finite::{Progress, StateCounts};

/// A line on the terminal that says how far the search is.
pub(crate) struct SearchProgress {
    started: Instant,
    last: Mutex<Option<Instant>>,
    visible: bool,
}

/// How often the line is rewritten.
const INTERVAL: Duration = Duration::from_millis(200);

impl SearchProgress {
    /// A line that is not shown yet, and never is in a pipe.
    pub(crate) fn new() -> Self {
        let visible = io::stderr().is_terminal();
        SearchProgress { started: Instant::now(), last: Mutex::new(None), visible }
    }

    /// Takes the line away.
    pub(crate) fn clear(&self) {
        let shown = self.last.lock().is_ok_and(|last| last.is_some());
        if shown {
            // When the terminal is gone there is nowhere to report that.
            let _ = write!(io::stderr(), "\r\x1b[K");
        }
    }
}

impl Progress for SearchProgress {
    fn report(&self, counts: &StateCounts) {
        let elapsed = self.started.elapsed();
        if !self.visible || elapsed < INTERVAL {
            return;
        }
        let Ok(mut last) = self.last.lock() else { return };
        if last.is_some_and(|last| last.elapsed() < INTERVAL) {
            return;
        }
        *last = Some(Instant::now());
        if counts.nodes > 0 {
            let (nodes, memory) = (counts.nodes, counts.memory >> 20);
            let _ = write!(io::stderr(), "\r\x1b[Ksets of states: {nodes} nodes, {memory} MiB");
            return;
        }
        let rate = counts.states as f64 / elapsed.as_secs_f64();
        let _ = write!(
            io::stderr(),
            "\r\x1b[K{} states, {rate:.0}/s, depth {}, frontier {}, {} MiB",
            counts.states,
            counts.depth,
            counts.frontier,
            counts.memory >> 20
        );
    }
}
