//! Ctrl-C: the first one stops the work, the second one ends the program at once.

use std::sync::OnceLock;

use crate::budget::Stop;

static STOP: OnceLock<Stop> = OnceLock::new();

/// A stop that the first Ctrl-C sets; the same one at every call.
pub(crate) fn on_ctrl_c() -> Stop {
    let stop = STOP.get_or_init(|| {
        let stop = Stop::never();
        super::memory::watch(&stop);
        let signal = stop.clone();
        // Without a handler the signal ends the program at once, which is a fair second best.
        let _ = ctrlc::set_handler(move || {
            if signal.is_set() {
                end_at_once();
            }
            signal.cancel();
        });
        stop
    });
    stop.clone()
}

/// Ends the program without running anything more of it: `exit` would destroy what the solver
/// library keeps while other threads still work with it.
#[cfg(unix)]
fn end_at_once() {
    use nix::sys::signal::{Signal, raise};
    // A process can always kill itself.
    let _ = raise(Signal::SIGKILL);
}

#[cfg(not(unix))]
fn end_at_once() {
    std::process::abort();
}
