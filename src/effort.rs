//! The time spent by part and the phases that are running: totals of the process, over all threads.
//!
//! Only reports read them; nothing is decided by them.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// A part of the work that is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EffortPart {
    /// Inside the SMT solver.
    Solver,
    /// Visiting states of finite instances.
    Instances,
}

static SOLVER: AtomicU64 = AtomicU64::new(0);
static INSTANCES: AtomicU64 = AtomicU64::new(0);

impl EffortPart {
    fn nanoseconds(self) -> &'static AtomicU64 {
        match self {
            EffortPart::Solver => &SOLVER,
            EffortPart::Instances => &INSTANCES,
        }
    }
}

/// Does some work and adds its time to a part.
pub fn measured<R>(part: EffortPart, work: impl FnOnce() -> R) -> R {
    let start = Instant::now();
    let result = work();
    let elapsed = u64::try_from(start.elapsed().as_nanos()).unwrap_or(u64::MAX);
    part.nanoseconds().fetch_add(elapsed, Ordering::Relaxed);
    result
}

/// The time that each part has taken; with several threads, together more than has passed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Effort {
    /// Inside the SMT solver.
    pub solver: Duration,
    /// Visiting states of finite instances.
    pub instances: Duration,
}

impl Effort {
    /// What has been spent since the program started.
    pub fn so_far() -> Self {
        let spent =
            |part: EffortPart| Duration::from_nanos(part.nanoseconds().load(Ordering::Relaxed));
        Effort { solver: spent(EffortPart::Solver), instances: spent(EffortPart::Instances) }
    }

    /// What was spent after `earlier`.
    pub fn since(self, earlier: Effort) -> Effort {
        Effort {
            solver: self.solver.saturating_sub(earlier.solver),
            instances: self.instances.saturating_sub(earlier.instances),
        }
    }
}

/// A phase of the main job; several may run at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Looking for a violation in small instances.
    ViolationSearch,
    /// Looking for a cutoff.
    Cutoff,
    /// Looking for an inductive invariant.
    Invariant,
    /// Checking what was found.
    Judging,
}

/// Every phase with its name and how many threads are in it.
static PHASES: [(Phase, &str, AtomicU64); 4] = [
    (Phase::ViolationSearch, "violation search", AtomicU64::new(0)),
    (Phase::Cutoff, "cutoff search", AtomicU64::new(0)),
    (Phase::Invariant, "invariant search", AtomicU64::new(0)),
    (Phase::Judging, "judging", AtomicU64::new(0)),
];

/// Does some work as a phase.
pub fn during<R>(phase: Phase, work: impl FnOnce() -> R) -> R {
    let entry = PHASES.iter().find(|(known, ..)| *known == phase);
    let _inside = entry.map(|(_, _, count)| Inside::enter(count));
    work()
}

/// The names of the phases that are running.
pub fn running() -> Vec<&'static str> {
    let running = PHASES.iter().filter(|(.., count)| count.load(Ordering::Relaxed) > 0);
    running.map(|(_, name, _)| *name).collect()
}

/// Leaves the phase however the work ends.
struct Inside(&'static AtomicU64);

impl Inside {
    fn enter(count: &'static AtomicU64) -> Self {
        count.fetch_add(1, Ordering::Relaxed);
        Inside(count)
    }
}

impl Drop for Inside {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_phase_runs_until_its_work_ends() {
        during(Phase::Cutoff, || assert_eq!(running(), ["cutoff search"]));
        assert_eq!(running(), [""; 0]);
    }

    #[test]
    fn work_is_added_to_its_part() {
        let before = Effort::so_far();
        let pause = Duration::from_millis(5);
        measured(EffortPart::Instances, || std::thread::sleep(pause));
        let spent = Effort::so_far().since(before);
        assert!(spent.instances >= pause, "{spent:?}");
    }
}
