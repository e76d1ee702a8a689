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
    /// Guessing clauses from states.
    Candidates,
}

static SOLVER: AtomicU64 = AtomicU64::new(0);
static INSTANCES: AtomicU64 = AtomicU64::new(0);
static CANDIDATES: AtomicU64 = AtomicU64::new(0);

/// The questions to the solver by the time they took: below each limit in milliseconds, and above
/// the last one.
static QUESTIONS: [AtomicU64; QUESTION_LIMITS.len() + 1] =
    [const { AtomicU64::new(0) }; QUESTION_LIMITS.len() + 1];

/// The limits by which questions to the solver are counted, in milliseconds.
pub const QUESTION_LIMITS: [u64; 4] = [1, 10, 100, 1_000];

impl EffortPart {
    fn nanoseconds(self) -> &'static AtomicU64 {
        match self {
            EffortPart::Solver => &SOLVER,
            EffortPart::Instances => &INSTANCES,
            EffortPart::Candidates => &CANDIDATES,
        }
    }
}

/// Does some work and adds its time to a part.
pub fn measured<R>(part: EffortPart, work: impl FnOnce() -> R) -> R {
    let start = Instant::now();
    let result = work();
    let elapsed = start.elapsed();
    part.nanoseconds().fetch_add(nanoseconds(elapsed), Ordering::Relaxed);
    if part == EffortPart::Solver {
        let longer = |limit: &&u64| elapsed >= Duration::from_millis(**limit);
        let class = QUESTION_LIMITS.iter().filter(longer).count();
        QUESTIONS[class].fetch_add(1, Ordering::Relaxed);
    }
    result
}

fn nanoseconds(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}

/// The time that each part has taken; with several threads, together more than has passed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Effort {
    /// Inside the SMT solver.
    pub solver: Duration,
    /// Visiting states of finite instances.
    pub instances: Duration,
    /// Guessing clauses from states, where they are tried on states included.
    pub candidates: Duration,
    /// Questions to the solver, by [`QUESTION_LIMITS`].
    pub questions: [u64; QUESTION_LIMITS.len() + 1],
    /// In each phase that has ended, in the order of [`phase_names`].
    pub phases: [Duration; PHASES.len()],
}

impl Effort {
    /// What has been spent since the program started.
    pub fn so_far() -> Self {
        let spent =
            |part: EffortPart| Duration::from_nanos(part.nanoseconds().load(Ordering::Relaxed));
        Effort {
            solver: spent(EffortPart::Solver),
            instances: spent(EffortPart::Instances),
            candidates: spent(EffortPart::Candidates),
            questions: QUESTIONS.each_ref().map(|count| count.load(Ordering::Relaxed)),
            phases: PHASES
                .each_ref()
                .map(|(_, state)| Duration::from_nanos(state.nanoseconds.load(Ordering::Relaxed))),
        }
    }

    /// What was spent after `earlier`.
    pub fn since(self, earlier: Effort) -> Effort {
        Effort {
            solver: self.solver.saturating_sub(earlier.solver),
            instances: self.instances.saturating_sub(earlier.instances),
            candidates: self.candidates.saturating_sub(earlier.candidates),
            questions: std::array::from_fn(|class| {
                self.questions[class].saturating_sub(earlier.questions[class])
            }),
            phases: std::array::from_fn(|at| self.phases[at].saturating_sub(earlier.phases[at])),
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

/// How many threads are in a phase, and how long those were in it that have left.
struct PhaseState {
    phase: Phase,
    running: AtomicU64,
    nanoseconds: AtomicU64,
}

const fn state(phase: Phase) -> PhaseState {
    PhaseState { phase, running: AtomicU64::new(0), nanoseconds: AtomicU64::new(0) }
}

/// Every phase with its name.
static PHASES: [(&str, PhaseState); 4] = [
    ("violation search", state(Phase::ViolationSearch)),
    ("cutoff search", state(Phase::Cutoff)),
    ("invariant search", state(Phase::Invariant)),
    ("judging", state(Phase::Judging)),
];

/// Does some work as a phase.
pub fn during<R>(phase: Phase, work: impl FnOnce() -> R) -> R {
    let entry = PHASES.iter().find(|(_, known)| known.phase == phase);
    let _inside = entry.map(|(_, state)| Inside::enter(state));
    work()
}

/// The names of the phases that are running.
pub fn running() -> Vec<&'static str> {
    let running = PHASES.iter().filter(|(_, state)| state.running.load(Ordering::Relaxed) > 0);
    running.map(|(name, _)| *name).collect()
}

/// The names of all phases.
pub fn phase_names() -> [&'static str; PHASES.len()] {
    PHASES.each_ref().map(|(name, _)| *name)
}

/// Leaves the phase however the work ends.
struct Inside(&'static PhaseState, Instant);

impl Inside {
    fn enter(state: &'static PhaseState) -> Self {
        state.running.fetch_add(1, Ordering::Relaxed);
        Inside(state, Instant::now())
    }
}

impl Drop for Inside {
    fn drop(&mut self) {
        self.0.running.fetch_sub(1, Ordering::Relaxed);
        self.0.nanoseconds.fetch_add(nanoseconds(self.1.elapsed()), Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_phase_runs_until_its_work_ends() {
        let before = Effort::so_far();
        let pause = Duration::from_millis(5);
        during(Phase::Cutoff, || {
            assert_eq!(running(), ["cutoff search"]);
            std::thread::sleep(pause);
        });
        assert_eq!(running(), [""; 0]);
        assert_eq!(phase_names()[1], "cutoff search");
        assert!(Effort::so_far().since(before).phases[1] >= pause);
    }

    #[test]
    fn questions_are_counted_by_their_time() {
        let before = Effort::so_far();
        let pause = Duration::from_millis(QUESTION_LIMITS[1]);
        measured(EffortPart::Solver, || std::thread::sleep(pause));
        // Other tests may ask the solver meanwhile.
        let questions = Effort::so_far().since(before).questions;
        assert!(questions[2..].iter().sum::<u64>() >= 1, "{questions:?}");
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
