//! Does the protocol ever do what its text is about? Actions that are never possible, properties
//! whose premise never holds, and expected runs that do not exist, in every small instance.
//!
//! A report and nothing else: no verdict depends on it.

mod coverage_notes;
mod expected_runs;
mod forbidden_action;
pub mod process;
mod weave;

pub use coverage_notes::{idle, unmet, unreached};
pub(crate) use weave::woven_protocol;

pub use expected_runs::{CheckedRun, at_small_sizes, look_for};

use std::collections::BTreeSet;
use std::time::Duration;

use crate::budget::{Budget, Stop};
use crate::certificate::{Case, Certificate, ProofArgument};
use crate::finite::{
    Claim, Coverage, ENGINES, FiniteOutcome, FiniteReason, Question, SMALL_INTEGERS, Silent,
    Unseen, Walks, check, unseen_on_walks,
};
use crate::logic::Name;
use crate::protocol::{Protocol, Size, sizes_up_to};
use forbidden_action::is_forbidden;

/// What was exercised, and where it was looked for.
#[derive(Clone, Debug)]
pub struct Exercise {
    /// The actions that were not possible in any state, in the order of the text.
    pub idle: Vec<Name>,
    /// The properties whose premise did not hold in any state, in the order of the text.
    pub unmet: Vec<Name>,
    /// Where all of this was looked for.
    pub looked: Looked,
    /// The runs that the text says exist, each with the shortest that was found.
    pub runs: Vec<CheckedRun>,
}

/// Where something was looked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Looked {
    /// Every combination of sizes up to this one.
    pub up_to: Size,
    /// Further sizes: those of cutoff instances.
    pub cutoff_sizes: Vec<Size>,
    /// The range that stood in for ℤ, if the protocol has integers.
    pub window: Option<(i64, i64)>,
    /// How many sizes there are.
    pub sizes: usize,
    /// How many of them were searched to the end.
    pub exhausted: usize,
}

impl Exercise {
    /// Whether every action was possible, every premise held and every expected run was found.
    pub fn is_full(&self) -> bool {
        self.idle.is_empty()
            && self.unmet.is_empty()
            && self.runs.iter().all(|run| run.is_as_expected() == Some(true))
    }
}

impl Looked {
    /// Whether every reachable state of every size was visited.
    pub fn is_complete(&self) -> bool {
        self.exhausted == self.sizes
    }
}

/// How many elements a sort has at most.
const LARGEST: u32 = 3;

/// The most states of one size, and of all sizes together: the same on every machine.
const STATES: u64 = 50_000;
const ALL_STATES: u64 = 200_000;

/// The runs of an instance that has more states.
const WALKS: Walks = Walks { runs: 100, steps: 100 };

/// The most time, for machines on which so many states take long.
const TIME: Duration = Duration::from_secs(10);

/// More sizes than this are not looked at.
const MAX_SIZES: usize = 256;

/// Looks at every size up to three elements of each sort, and at the sizes of the cutoff instances
/// of a certificate, until everything was seen; `None` if no state was looked at.
pub fn exercise(
    protocol: &Protocol,
    certificate: Option<&Certificate>,
    stop: &Stop,
) -> Option<Exercise> {
    if stop.is_set() {
        return None;
    }
    let (small, looked) = sizes_to_look_at(protocol);
    let mut cutoff_sizes: Vec<Size> = Vec::new();
    for cutoff in certificate.map(|own| cutoffs(protocol, own)).into_iter().flatten() {
        let is_small = cutoff.values().all(|count| *count <= LARGEST);
        if !is_small && !cutoff_sizes.contains(&cutoff) {
            cutoff_sizes.push(cutoff);
        }
    }
    let all: Vec<Size> = small.into_iter().chain(cutoff_sizes.iter().cloned()).collect();
    let looked = Looked { sizes: looked.sizes + cutoff_sizes.len(), cutoff_sizes, ..looked };
    let mut search = Search::new(protocol, looked, stop.within(TIME));
    for size in all {
        if search.is_over() {
            break;
        }
        search.at(size);
    }
    let runs = expected_runs::expected_runs(protocol, stop);
    search.started.then(|| search.finish(runs))
}

/// Every size up to three elements of each sort, and the notes on them before they are searched.
fn sizes_to_look_at(protocol: &Protocol) -> (Vec<Size>, Looked) {
    let up_to: Size = protocol.signature.sized_sorts().map(|sort| (sort, LARGEST)).collect();
    let (small, number) = sizes(&up_to);
    let window = protocol.signature.uses_int().then_some(SMALL_INTEGERS);
    let cutoff_sizes = Vec::new();
    (small, Looked { up_to, cutoff_sizes, window, sizes: number, exhausted: 0 })
}

/// The combinations of sizes, and how many there are: those with as many elements of every sort
/// first, as they show most, then smaller ones; only the first if there are too many.
fn sizes(up_to: &Size) -> (Vec<Size>, usize) {
    let even = |count: u32| up_to.keys().map(move |sort| (*sort, count)).collect::<Size>();
    let exponent = u32::try_from(up_to.len()).unwrap_or(u32::MAX);
    let number = (LARGEST as usize).saturating_pow(exponent);
    if number > MAX_SIZES {
        return ((1..=LARGEST).map(even).collect(), number);
    }
    let mut all = sizes_up_to(Size::new(), up_to.iter().map(|(sort, most)| (*sort, *most)));
    let is_even = |size: &Size| size.values().collect::<BTreeSet<_>>().len() <= 1;
    all.sort_by_key(|size| (!is_even(size), size.values().sum::<u32>()));
    (all, number)
}

/// The sizes of the cutoff instances; what is not cut is as large as elsewhere.
fn cutoffs(protocol: &Protocol, certificate: &Certificate) -> Vec<Size> {
    let ProofArgument::Cutoff(cases) = &certificate.argument else { return Vec::new() };
    let size = |case: &Case| {
        let whole = protocol.signature.sized_sorts().map(|sort| (sort, LARGEST));
        let cut = case.cut.iter();
        let cut = cut.map(|cut| (cut.sort, u32::try_from(cut.elements.len()).unwrap_or(u32::MAX)));
        whole.chain(cut).collect()
    };
    cases.iter().map(size).collect()
}

/// A search under way.
struct Search<'a> {
    protocol: &'a Protocol,
    /// What was not seen yet.
    actions: BTreeSet<Name>,
    premises: BTreeSet<Name>,
    looked: Looked,
    states: u64,
    /// Whether some state was looked at.
    started: bool,
    stop: Stop,
}

impl<'a> Search<'a> {
    fn new(protocol: &'a Protocol, looked: Looked, stop: Stop) -> Self {
        let actions = protocol.actions.iter().filter(|own| !is_forbidden(protocol, own));
        let premises = protocol.properties.iter().filter(|own| own.premise().is_some());
        let premises = premises.filter(|own| !Claim::from(*own).ranges_over_int());
        Search {
            protocol,
            actions: actions.map(|action| action.name.clone()).collect(),
            premises: premises.map(|own| own.name.clone()).collect(),
            looked,
            states: 0,
            started: false,
            stop,
        }
    }

    fn is_over(&self) -> bool {
        let is_full = self.actions.is_empty() && self.premises.is_empty();
        is_full || self.states >= ALL_STATES || self.stop.is_set()
    }

    /// Looks at one size: at every state if they are few, and else at those on some long runs too.
    fn at(&mut self, size: Size) {
        let mut question = Question::new(self.protocol, size);
        question.window = self.looked.window;
        question.claims.retain(|claim| self.premises.contains(&claim.name));
        let budget = Budget {
            max_states: STATES.min(ALL_STATES - self.states),
            max_memory: 1 << 30,
            ..Budget::until(self.stop.clone())
        };
        let is_exhausted = match check(ENGINES[0], &question, &budget, &Silent) {
            Ok(FiniteOutcome::Unknown(
                FiniteReason::NoInstance | FiniteReason::NoInitialState,
                _,
            )) => true,
            Ok(FiniteOutcome::Safe(coverage)) => {
                self.saw(&coverage);
                true
            }
            Ok(FiniteOutcome::Unsafe(_, coverage) | FiniteOutcome::Unknown(_, coverage)) => {
                self.saw(&coverage);
                false
            }
            Err(_) => false,
        };
        if is_exhausted {
            self.looked.exhausted += 1;
        } else if let Ok(unseen) = unseen_on_walks(&question, WALKS, &budget) {
            self.keep(&unseen);
        }
    }

    fn saw(&mut self, coverage: &Coverage) {
        if let (Some(counts), Some(unseen)) = (coverage.visited, &coverage.unseen) {
            self.states += counts.states;
            self.keep(unseen);
        }
    }

    /// Only what this search has not seen either is left.
    fn keep(&mut self, unseen: &Unseen) {
        self.started = true;
        self.actions.retain(|action| unseen.actions.contains(action));
        self.premises.retain(|property| unseen.premises.contains(property));
    }

    fn finish(self, runs: Vec<CheckedRun>) -> Exercise {
        let actions = self.protocol.actions.iter().map(|action| &action.name);
        let properties = self.protocol.properties.iter().map(|property| &property.name);
        Exercise {
            idle: actions.filter(|name| self.actions.contains(*name)).cloned().collect(),
            unmet: properties.filter(|name| self.premises.contains(*name)).cloned().collect(),
            looked: self.looked,
            runs,
        }
    }
}
