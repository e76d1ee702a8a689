//! The search for the runs that a text expects.

use std::time::Duration;

use super::weave::weave;
use super::{ALL_STATES, Looked, STATES, sizes_to_look_at};
use crate::budget::{Budget, Stop};
use crate::finite::question::request::{Explored, FiniteRequest, RequestError, explore};
use crate::finite::{
    Deadlocks, FiniteOutcome, FiniteReason, Progress, SMALL_INTEGERS, Silent, Slicing, Symmetry,
};
use crate::protocol::{Beginning, Expectation, ExpectedRun, Protocol, Size, Trace};

/// An expected run, and the result of looking for it.
#[derive(Clone, Debug)]
pub struct CheckedRun {
    /// What is expected.
    pub expected: ExpectedRun,
    /// The size, and the outcome of the search for its end: unsafe if it is reached. Where several
    /// sizes were searched, the one that has the run, or else the last.
    pub explored: Explored,
    /// A run of the protocol as described, replayed, if there is one.
    pub run: Option<Trace>,
    /// Where else it was looked for, if several sizes were searched.
    pub looked: Option<Looked>,
}

impl CheckedRun {
    /// Whether the search agrees with what the text says; `None` where it decides nothing.
    pub fn is_as_expected(&self) -> Option<bool> {
        match (&self.explored.outcome, self.expected.should_exist()) {
            (FiniteOutcome::Unsafe(..), should_exist) => Some(should_exist),
            (FiniteOutcome::Safe(_), false) => Some(true),
            // A larger instance may have the run.
            (FiniteOutcome::Safe(_), true) | (FiniteOutcome::Unknown(..), _) => None,
        }
    }

    /// Whether this is a `reach` line that no size reached.
    pub fn is_unreached_goal(&self) -> bool {
        self.expected.expectation == Expectation::Reachable && self.is_as_expected() != Some(true)
    }
}

/// Looks for a run at the size of a request.
///
/// # Errors
/// When the request is wrong, or too much for the engine.
pub fn look_for(
    protocol: &Protocol,
    expected: &ExpectedRun,
    request: &FiniteRequest,
    progress: &dyn Progress,
) -> Result<CheckedRun, RequestError> {
    let woven = weave(protocol, expected);
    let request =
        FiniteRequest { properties: Vec::new(), deadlocks: Deadlocks::Ignored, ..request.clone() };
    let explored = explore(&woven.protocol, &request, progress)?;
    let run = match &explored.outcome {
        FiniteOutcome::Unsafe(violation, _) => Some(woven.unweave(protocol, &violation.trace)),
        FiniteOutcome::Safe(_) | FiniteOutcome::Unknown(..) => None,
    };
    // A run that may begin anywhere is none from an initial state.
    let is_run =
        |run: &Trace| expected.beginning == Beginning::Anywhere || run.replay(protocol) == Ok(());
    Ok(CheckedRun { expected: expected.clone(), run: run.filter(is_run), explored, looked: None })
}

/// The most time for all runs of a text.
const TIME: Duration = Duration::from_secs(10);

/// Looks for every run that should exist, at every size up to three elements of each sort, until it
/// is found.
pub(super) fn expected_runs(protocol: &Protocol, stop: &Stop) -> Vec<CheckedRun> {
    let stop = stop.within(TIME);
    let wanted = protocol.expected_runs.iter().filter(|run| run.should_exist());
    wanted.filter_map(|run| at_small_sizes(protocol, run, &stop)).collect()
}

/// Looks for a run at every size up to three elements of each sort, until it is found; `None` if
/// no size was looked at.
pub fn at_small_sizes(
    protocol: &Protocol,
    expected: &ExpectedRun,
    stop: &Stop,
) -> Option<CheckedRun> {
    let (sizes, mut looked) = sizes_to_look_at(protocol);
    let mut last = None;
    let mut states = 0;
    for size in sizes {
        if stop.is_set() || states >= ALL_STATES {
            break;
        }
        let request = request(protocol, &size, STATES.min(ALL_STATES - states), stop);
        let Ok(checked) = look_for(protocol, expected, &request, &Silent) else { continue };
        let (FiniteOutcome::Safe(coverage)
        | FiniteOutcome::Unsafe(_, coverage)
        | FiniteOutcome::Unknown(_, coverage)) = &checked.explored.outcome;
        states += coverage.visited.map_or(0, |counts| counts.states);
        let nowhere = FiniteReason::NoInstance;
        looked.exhausted += usize::from(match &checked.explored.outcome {
            FiniteOutcome::Safe(_) => true,
            FiniteOutcome::Unknown(reason, _) => {
                *reason == nowhere || *reason == FiniteReason::NoInitialState
            }
            FiniteOutcome::Unsafe(..) => false,
        });
        let is_found = checked.run.is_some();
        last = Some(checked);
        if is_found {
            break;
        }
    }
    last.map(|checked| CheckedRun { looked: Some(looked), ..checked })
}

fn request(protocol: &Protocol, size: &Size, max_states: u64, stop: &Stop) -> FiniteRequest {
    let signature = &protocol.signature;
    let sizes = size.iter().map(|(sort, count)| (signature.sort_name(*sort).to_string(), *count));
    FiniteRequest {
        sizes: sizes.collect(),
        window: signature.uses_int().then_some(SMALL_INTEGERS),
        properties: Vec::new(),
        engine: None,
        deadlocks: Deadlocks::Ignored,
        symmetry: Symmetry::Reduced,
        slicing: Slicing::Whole,
        budget: Budget { max_states, max_memory: 1 << 30, ..Budget::until(stop.clone()) },
        patience: u64::MAX,
    }
}
