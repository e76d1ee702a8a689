//! The Z3 library: the only folder that names the z3 crate.

#[cfg(loads_z3)]
mod library;
mod model;
mod script;
mod session;
mod small_models;
mod solver_call;
mod translate;

#[cfg(loads_z3)]
pub use library::provide;
pub use script::answer;
pub use session::{ModelSize, Session, Supposition};

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use super::{Discharge, LibraryError, Prover, ProverError, Query, UnknownReason};
use crate::budget::{Budget, Stop};
use crate::logic::Vocabulary;

/// The Z3 release whose interface this program was built for.
pub(super) const RELEASE: &str = "5.3.2";

/// An interrupt between two checks is lost, so it is repeated this often.
const INTERRUPT_EVERY: Duration = Duration::from_millis(10);

/// Makes sure that Z3 can be called, and that it is the release this program was built for.
///
/// The library is opened when this is first called; whatever calls Z3 must have called this before.
///
/// # Errors
/// When there is no library, or one of another release.
pub fn load() -> Result<(), LibraryError> {
    #[cfg(loads_z3)]
    return library::load();
    #[cfg(not(loads_z3))]
    ensure_release("the Z3 in this program", &linked_release())
}

/// The version of the library in use, such as `5.3.2.0`.
///
/// # Errors
/// When there is no library, or one of another release.
pub fn version() -> Result<String, LibraryError> {
    load()?;
    Ok(z3::full_version().trim_start_matches("Z3 ").to_owned())
}

#[cfg(not(loads_z3))]
fn linked_release() -> String {
    let z3::Version { major, minor, build_number, .. } = z3::version();
    format!("{major}.{minor}.{build_number}")
}

/// Refuses any library whose interface may differ from the one this program was built for.
fn ensure_release(library: &str, found: &str) -> Result<(), LibraryError> {
    if found == RELEASE {
        return Ok(());
    }
    Err(LibraryError::WrongVersion { library: library.to_owned(), found: found.to_owned() })
}

/// Runs `work` with a Z3 context of its own, interrupted when it has to stop.
///
/// What Z3 answers can depend on what its context was used for before; in a context of its own, the
/// same work gets the same answers. Sessions must not leave the context they were opened in.
///
/// # Errors
/// When there is no library that can be used.
pub fn isolated<R: Send + Sync>(
    stop: &Stop,
    work: impl FnOnce() -> R + Send + Sync,
) -> Result<R, LibraryError> {
    load()?;
    Ok(z3::with_z3_config(&z3::Config::new(), || {
        let context = z3::Context::thread_local();
        let handle = context.handle();
        let finished = AtomicBool::new(false);
        let is_finished = || finished.load(Ordering::Acquire);
        thread::scope(|scope| {
            scope.spawn(|| {
                stop.wait_unless(is_finished);
                while !is_finished() {
                    handle.interrupt();
                    thread::sleep(INTERRUPT_EVERY);
                }
            });
            let _finish = Finish { finished: &finished, stop };
            work()
        })
    }))
}

/// Informs the watching thread that the work is over, even if it ended in a panic.
struct Finish<'a> {
    finished: &'a AtomicBool,
    stop: &'a Stop,
}

impl Drop for Finish<'_> {
    fn drop(&mut self) {
        self.finished.store(true, Ordering::Release);
        self.stop.wake();
    }
}

/// Z3 as a prover: every group of queries in a context of its own.
#[derive(Clone, Copy, Debug)]
pub struct Z3 {
    /// What counter-models are asked for.
    pub models: ModelSize,
}

impl<V: Vocabulary> Prover<V> for Z3 {
    fn discharge_group(
        &self,
        queries: &[Query<'_, V>],
        budget: &Budget,
    ) -> Result<Vec<Discharge<V>>, ProverError> {
        let open = queries.iter().filter(|query| !query.is_assumed()).cloned().collect::<Vec<_>>();
        let mut answers = self.ask(&open, budget)?.into_iter();
        let answer = |query: &Query<'_, V>| match query.is_assumed() {
            true => Discharge::Valid,
            false => answers.next().expect("one answer to each query"),
        };
        Ok(queries.iter().map(answer).collect())
    }
}

impl Z3 {
    /// Puts queries with the same hypotheses to the solver, also those whose goal is assumed.
    ///
    /// # Errors
    /// When a query is ill-sorted or the solver cannot be run.
    pub fn ask<V: Vocabulary>(
        &self,
        queries: &[Query<'_, V>],
        budget: &Budget,
    ) -> Result<Vec<Discharge<V>>, ProverError> {
        let Some(first) = queries.first() else { return Ok(Vec::new()) };
        isolated(&budget.stop, || {
            let mut session = Session::new(first.declarations, budget.clone(), self.models);
            for hypothesis in &first.hypotheses {
                session.assume(hypothesis)?;
            }
            queries
                .iter()
                .map(|query| {
                    if budget.stop.is_set() {
                        return Ok(Discharge::Unknown(UnknownReason::NotAsked));
                    }
                    session.observe(&query.observed);
                    Ok(session.prove(&query.goal)?)
                })
                .collect()
        })?
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_library_of_the_build_is_the_release_that_is_needed() {
        assert_eq!(load(), Ok(()));
        assert!(version().is_ok_and(|version| version.starts_with(RELEASE)));
    }

    #[test]
    fn other_releases_are_refused() {
        for other in ["4.8.12", "5.3.1", "5.3.20", "5.4.0", "15.3.2", ""] {
            let refusal = ensure_release("it", other).expect_err("another release");
            assert!(refusal.to_string().ends_with(&format!("this is {other}")), "{refusal}");
        }
    }
}
