//! Time limits that mean the same on a busy machine: a thread that waits for its turn most of the
//! time gets so much longer.

use std::cell::RefCell;
use std::time::Duration;

/// The most that a limit grows.
const MOST: u32 = 200;

/// What must have run before the pace is judged anew.
const ENOUGH: u64 = 20_000_000;

/// How long this thread has run and waited, in nanoseconds, when the pace was last judged, and the
/// pace.
#[derive(Clone, Copy)]
struct Judged {
    ran: u64,
    waited: u64,
    pace: u32,
}

thread_local! {
    static JUDGED: RefCell<Judged> = const { RefCell::new(Judged { ran: 0, waited: 0, pace: 1 }) };
}

/// The time in which as much can be done as within `time` on an idle machine, as far as the system
/// tells.
pub(crate) fn stretched(time: Duration) -> Duration {
    time * pace()
}

fn pace() -> u32 {
    let Some((ran, waited)) = schedule() else { return 1 };
    JUDGED.with_borrow_mut(|judged| {
        let (more, longer) = (ran - judged.ran, waited - judged.waited);
        if more >= ENOUGH {
            let pace = (more + longer).div_ceil(more).min(u64::from(MOST));
            *judged = Judged { ran, waited, pace: u32::try_from(pace).unwrap_or(MOST) };
        }
        judged.pace
    })
}

/// How long this thread has run and how long it has waited to, where the system tells.
fn schedule() -> Option<(u64, u64)> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    let mut numbers = text.split_whitespace().map_while(|word| word.parse().ok());
    Some((numbers.next()?, numbers.next()?))
}

#[test]
fn a_limit_is_stretched_and_never_shrunk() {
    let time = Duration::from_millis(100);
    assert!((time..=time * MOST).contains(&stretched(time)));
}
