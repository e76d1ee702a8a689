//! Which small instances are looked at, and how far.

use std::collections::BTreeSet;
use std::time::Duration;

use crate::budget::{Budget, Stop};
use crate::finite::{
    Question, Reachable, Slicing, SmallSizes, Symmetry, Walks, renamings, sample, walk,
};
use crate::protocol::{Protocol, Size};

use super::language::integers;
use super::samples::Samples;

/// How many states are sampled.
#[derive(Clone, Copy, Debug)]
pub struct SampleSize {
    /// The most states of one instance.
    pub states: u64,
    /// The most states over all instances.
    pub total: usize,
}

/// How clauses are guessed.
#[derive(Clone, Copy, Debug)]
pub struct Mining {
    /// The states to learn from.
    pub samples: SampleSize,
    /// Whether clauses may say from the beginning that something exists.
    pub witnesses: bool,
}

/// The largest number of elements of one sort, and of all sorts together.
const LARGEST: u32 = 4;
const LARGEST_OF_ALL: u32 = 3;

/// The part of the states that is looked at where instances are larger.
const LARGER: u64 = 5;

/// The random runs where not all states were seen.
const WALKS: Walks = Walks { runs: 60, steps: 50 };

/// The random runs of instances with plenty of elements, which come back to the beginning of a
/// protocol again and again where each round uses up an element.
const LONG_WALKS: Walks = Walks { runs: 40, steps: 60 };

/// How many elements are plenty, and the most time for one such instance.
const PLENTY: u32 = 9;
const PLENTY_OF_TIME: Duration = Duration::from_secs(4);

/// Where elements can be renamed in so many ways at most, one state stands for its renamings: with
/// more, finding out which state that is takes longer than looking at all of them.
const FEW_RENAMINGS: u32 = 48;

/// How many invocations are tried at the cost of one of the solver's units.
const TRIED_IN_A_UNIT: u64 = 4;

/// Instances with more invocations of actions than this take too long to prepare.
const MAX_INVOCATIONS: u64 = 4_000;

/// How many integers above those that the protocol mentions are looked at, and how many on long
/// runs.
pub(super) const ABOVE: i64 = 3;
const FAR_ABOVE: i64 = 8;

/// The system whose states are looked at.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sampled<'a> {
    pub(super) sizes: &'a SmallSizes<'a>,
    pub(super) actions: &'a [usize],
}

/// The reachable states of small instances, at one size after another: all that are near an
/// initial state, and what random runs meet farther away; with the sizes of which all states are among
/// them.
pub(super) fn sample_states(
    system: Sampled<'_>,
    size: SampleSize,
    stop: &Stop,
) -> (Samples, BTreeSet<Size>) {
    let SampleSize { states, total } = size;
    let near = stop.share(1, 2);
    let mut samples = Samples::default();
    let mut exhausted = BTreeSet::new();
    for (position, size) in sampled_sizes(system.sizes).into_iter().enumerate() {
        if near.is_set() || samples.len() >= total {
            break;
        }
        let most = if position == 0 { states } else { states / LARGER };
        let budget = budget(near.clone(), most);
        let mut question = question(system, size, ABOVE);
        if renamings(&question.size) <= FEW_RENAMINGS {
            question.symmetry = Symmetry::Reduced;
        }
        // What is too large to be looked at teaches nothing.
        let Ok(found) = sample(&question, &budget) else { continue };
        charge(system, &question, &found.reachable, stop);
        add_states(&mut samples, system, &found.reachable, total);
        if found.missing.is_none() && samples.len() < total {
            exhausted.insert(question.size.clone());
        }
        question.symmetry = Symmetry::Distinguished;
        if found.missing.is_some()
            && let Ok(farther) = walk(&question, WALKS, &budget)
        {
            charge(system, &question, &farther, stop);
            add_states(&mut samples, system, &farther, total);
        }
    }
    for size in plentiful_sizes(system) {
        if stop.is_set() {
            break;
        }
        let budget = budget(stop.within(PLENTY_OF_TIME), states);
        let question = question(system, size, FAR_ABOVE);
        if let Ok(far) = walk(&question, LONG_WALKS, &budget) {
            charge(system, &question, &far, stop);
            add_states(&mut samples, system, &far, usize::MAX);
        }
    }
    (samples, exhausted)
}

/// Counts what looking at states costs. One of the solver's units is about a microsecond, in which
/// some actions are tried.
fn charge(system: Sampled<'_>, question: &Question<'_>, found: &Reachable, stop: &Stop) {
    let states = found.instances.iter().map(|instance| instance.states().count()).sum::<usize>();
    let states = u64::try_from(states).unwrap_or(u64::MAX);
    stop.charge(
        states.saturating_mul(system.sizes.invocation_count(system.actions, &question.size))
            / TRIED_IN_A_UNIT,
    );
}

fn budget(stop: Stop, max_states: u64) -> Budget {
    Budget { max_states, max_memory: 1 << 30, ..Budget::until(stop) }
}

pub(super) fn question(system: Sampled<'_>, size: Size, above: i64) -> Question<'_> {
    let protocol = system.sizes.protocol;
    let mut question = Question::new(protocol, size);
    question.actions = system.actions.to_vec();
    question.window = Some(window(protocol, above));
    question.symmetry = Symmetry::Distinguished;
    question.slicing = Slicing::Whole;
    question
}

fn add_states(samples: &mut Samples, system: Sampled<'_>, found: &Reachable, total: usize) {
    for instance in &found.instances {
        let room = total.saturating_sub(samples.len());
        for state in instance.states().take(room) {
            samples.add(&system.sizes.protocol.signature, &state);
        }
    }
}

/// Two elements everywhere, then one sort after another with more, then smaller ones.
fn sampled_sizes(small: &SmallSizes<'_>) -> Vec<Size> {
    let mut sizes = vec![small.alike(2)];
    for count in 3..=LARGEST {
        sizes.extend(small.free().map(|sort| small.with_one(sort, count, 2)));
        sizes.push(small.alike(count.min(LARGEST_OF_ALL)));
    }
    sizes.push(small.alike(1));
    let mut seen = BTreeSet::new();
    sizes.retain(|size| seen.insert(size.clone()));
    sizes
}

/// Sizes with plenty of elements of one sort that has no structure, so that fresh elements are
/// never wanting.
fn plentiful_sizes(system: Sampled<'_>) -> Vec<Size> {
    let sizes = system.sizes.without_structure();
    let sizes = sizes.map(|sort| system.sizes.with_one(sort, PLENTY, 2));
    sizes
        .filter(|size| system.sizes.invocation_count(system.actions, size) <= MAX_INVOCATIONS)
        .collect()
}

/// The integers that the initial conditions mention, and some above them.
fn window(protocol: &Protocol, above: i64) -> (i64, i64) {
    let mut integers = integers(protocol.init.iter().map(|statement| &statement.formula));
    integers.insert(0);
    let (low, high) = (integers.first().copied(), integers.last().copied());
    (low.unwrap_or(0), high.unwrap_or(0) + above)
}
