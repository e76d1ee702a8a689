//! The Z3 library: the only folder that names the z3 crate.

mod attempt;
mod model;
mod script;
mod session;
mod translate;

pub use script::answer;
pub use session::{ModelSize, Session, Supposition};

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use thiserror::Error;

use super::{Budget, Cancellation, Discharge, Prover, ProverError, Query};
use crate::logic::Vocabulary;

/// The Z3 releases whose interface this program was built for.
const SUPPORTED: &str = "5.3.";

/// An interrupt between two checks is lost, so it is repeated this often.
const INTERRUPT_EVERY: Duration = Duration::from_millis(10);

/// The linked Z3 library is not one this program was built for.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("the Z3 library found at start is {found}, but {SUPPORTED}x is needed")]
pub struct WrongVersion {
    /// The version that the library reports.
    pub found: String,
}

/// The version of the linked library, such as `5.3.2.0`.
pub fn version() -> String {
    let full = z3::full_version();
    full.trim_start_matches("Z3 ").to_owned()
}

/// Refuses any library whose interface may differ from the one this program was built for.
///
/// # Errors
/// When the library reports another version.
pub fn ensure_version() -> Result<(), WrongVersion> {
    supported(&version())
}

fn supported(version: &str) -> Result<(), WrongVersion> {
    if version.starts_with(SUPPORTED) {
        Ok(())
    } else {
        Err(WrongVersion { found: version.to_owned() })
    }
}

/// Runs `work` with a Z3 context of its own, interrupted when cancelled.
///
/// What Z3 answers can depend on what its context was used for before; in a context of its own, the
/// same work gets the same answers. Sessions must not leave the context they were opened in.
pub fn isolated<R: Send + Sync>(
    cancellation: &Cancellation,
    work: impl FnOnce() -> R + Send + Sync,
) -> R {
    z3::with_z3_config(&z3::Config::new(), || {
        let context = z3::Context::thread_local();
        let handle = context.handle();
        let finished = AtomicBool::new(false);
        let is_finished = || finished.load(Ordering::Acquire);
        thread::scope(|scope| {
            scope.spawn(|| {
                cancellation.wait_unless(is_finished);
                while !is_finished() {
                    handle.interrupt();
                    thread::sleep(INTERRUPT_EVERY);
                }
            });
            let _finish = Finish { finished: &finished, cancellation };
            work()
        })
    })
}

/// Tells the watching thread that the work is over, even if it ended in a panic.
struct Finish<'a> {
    finished: &'a AtomicBool,
    cancellation: &'a Cancellation,
}

impl Drop for Finish<'_> {
    fn drop(&mut self) {
        self.finished.store(true, Ordering::Release);
        self.cancellation.wake();
    }
}

/// Z3 as a prover: every group of queries in a context of its own.
#[derive(Clone, Copy, Debug)]
pub struct Z3 {
    /// What counter-models are asked for.
    pub models: ModelSize,
}

impl<V: Vocabulary> Prover<V> for Z3 {
    fn discharge(
        &self,
        query: &Query<'_, V>,
        budget: &Budget,
    ) -> Result<Discharge<V>, ProverError> {
        let mut answers = self.discharge_group(std::slice::from_ref(query), budget)?;
        Ok(answers.pop().expect("one answer to one query"))
    }

    fn discharge_group(
        &self,
        queries: &[Query<'_, V>],
        budget: &Budget,
    ) -> Result<Vec<Discharge<V>>, ProverError> {
        ensure_version()?;
        let Some(first) = queries.first() else { return Ok(Vec::new()) };
        isolated(&budget.cancellation, || {
            let mut session = Session::new(first.declarations, budget.clone(), self.models);
            for hypothesis in &first.hypotheses {
                session.assume(hypothesis)?;
            }
            queries
                .iter()
                .map(|query| {
                    session.observe(&query.observed);
                    Ok(session.prove(&query.goal)?)
                })
                .collect()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_linked_library_is_supported() {
        assert_eq!(ensure_version(), Ok(()));
    }

    #[test]
    fn other_libraries_are_refused() {
        for other in ["4.8.12.0", "5.4.0.0", "5.30.1", "15.3.2", ""] {
            assert_eq!(supported(other), Err(WrongVersion { found: other.to_owned() }));
        }
    }
}
