//! Invariants of systems of equal processes, by backward coverability on counters.
//!
//! With crashes everywhere a configuration can do whatever a smaller one can, so the bad
//! configurations are those above finitely many minimal ones, and so are all that lead to them. What
//! is left is inductive. Nothing here is trusted: the clauses are put to the solver.

mod backward;
mod bad;
mod boxes;
mod clauses;
mod cutoff;
mod shown;

pub use backward::Uncovered;
pub use cutoff::{Cutoff, cutoff};
pub use shown::cutoff_by_instances;

use crate::budget::Stop;
use crate::process::Process;
use crate::process::counters::{Configuration, CounterSystem};
use crate::process::local::{LocalStates, Unlisted, local_states};
use crate::protocol::{Protocol, StateFormula};

/// The most local states.
const MOST_STATES: usize = 400;

/// The most minimal configurations.
const MOST_CONFIGURATIONS: usize = 20_000;

/// What the counters say.
#[derive(Clone, Debug)]
pub enum CounterAnswer {
    /// No configuration that violates anything is reachable.
    Safe(CounterProof),
    /// So many processes violate something, and no fewer; exactly so with crashes everywhere and
    /// without links.
    Unsafe(usize),
    /// They do not apply, or there is too much to look at.
    NotApplicable(Uncovered),
}

/// Why nothing bad is reachable.
#[derive(Clone, Debug)]
pub struct CounterProof {
    /// How many local states a process has.
    pub local_states: usize,
    /// The invariant.
    pub clauses: Vec<StateFormula>,
    /// At how many processes everything that the specification speaks of has been seen.
    pub cutoff: Option<usize>,
}

/// Decides whether any number of processes violates a specification.
pub fn count(protocol: &Protocol, process: &Process, stop: &Stop) -> CounterAnswer {
    let locals = match local_states(process, MOST_STATES) {
        Ok(locals) => locals,
        Err(Unlisted::MoreThan(most)) => {
            return CounterAnswer::NotApplicable(Uncovered::LocalStates(most));
        }
        Err(Unlisted::UnboundedData) => {
            return CounterAnswer::NotApplicable(Uncovered::UnboundedData);
        }
        Err(Unlisted::WrittenEnvironment) => {
            return CounterAnswer::NotApplicable(Uncovered::Environment);
        }
    };
    let system = CounterSystem { process, locals: &locals };
    decide(protocol, system, stop).unwrap_or_else(CounterAnswer::NotApplicable)
}

fn decide(
    protocol: &Protocol,
    system: CounterSystem<'_>,
    stop: &Stop,
) -> Result<CounterAnswer, Uncovered> {
    let bad = bad::configurations(system, MOST_CONFIGURATIONS)?;
    let minimal = backward::close(system, bad.clone(), MOST_CONFIGURATIONS, stop)?;
    if let Some(processes) = least_initial(&minimal) {
        return Ok(CounterAnswer::Unsafe(processes));
    }
    // With links the counter system reaches more than the protocol: nothing seen there counts.
    let is_exact = system.process.links.is_empty();
    let cutoff = is_exact.then(|| cutoff(system, &bad, stop)).flatten();
    let minimal = cutoff.as_ref().map_or(&minimal, |cutoff| &cutoff.unreachable);
    let clauses = clauses::invariant(protocol, system.process, system.locals, minimal);
    let clauses = clauses.ok_or(Uncovered::Names)?;
    let local_states = system.locals.states.len();
    let cutoff = cutoff.map(|cutoff| cutoff.processes);
    Ok(CounterAnswer::Safe(CounterProof { local_states, clauses, cutoff }))
}

/// The least number of processes that are all in the initial state and above which something bad is
/// reached.
fn least_initial(minimal: &[Configuration]) -> Option<usize> {
    let initial = minimal.iter().filter(|states| states.iter().all(|state| *state == 0));
    initial.map(Vec::len).min()
}

/// That every process is in exactly one local state: what any other invariant may build on.
pub fn structure(protocol: &Protocol, process: &Process) -> Vec<StateFormula> {
    clauses::structure(protocol, process).unwrap_or_default()
}

/// The minimal configurations of a system that violate a specification or lead to a violation.
///
/// # Errors
/// Why there is no answer.
pub fn covered(
    process: &Process,
    locals: &LocalStates,
    stop: &Stop,
) -> Result<Vec<Configuration>, Uncovered> {
    let system = CounterSystem { process, locals };
    let bad = bad::configurations(system, MOST_CONFIGURATIONS)?;
    backward::close(system, bad, MOST_CONFIGURATIONS, stop)
}
