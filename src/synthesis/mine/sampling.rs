//! Which small instances are looked at, and how far.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use crate::finite::{Budget, Question, Reachable, Slicing, Symmetry, Walks, sample, walk};
use crate::logic::{Node, TermKind};
use crate::protocol::{Protocol, Size, SortId, StateFormula};

use super::samples::Samples;

/// How many states are looked at.
#[derive(Clone, Debug)]
pub struct SampleConfig {
    /// The most states of one instance.
    pub states: u64,
    /// The most states over all instances.
    pub total: usize,
    /// The most time.
    pub time: Duration,
}

/// The largest number of elements of one sort, and of all sorts together.
const LARGEST: u32 = 4;
const LARGEST_OF_ALL: u32 = 3;

/// The part of the states that is looked at where instances are larger.
const LARGER: u64 = 5;

/// The random runs where not all states were seen.
const WALKS: Walks = Walks { runs: 60, steps: 50 };

/// The system whose states are looked at.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sampled<'a> {
    pub(super) protocol: &'a Protocol,
    /// The sorts with a fixed number of elements.
    pub(super) fixed: &'a [(SortId, u32)],
    pub(super) actions: &'a [usize],
}

/// The reachable states of small instances, at one size after another: all that are near an
/// initial state, and what random runs meet farther away.
pub(super) fn collect(system: Sampled<'_>, config: &SampleConfig) -> Samples {
    let deadline = Instant::now() + config.time;
    let mut samples = Samples::default();
    for (position, size) in sizes(system).into_iter().enumerate() {
        if Instant::now() >= deadline || samples.len() >= config.total {
            break;
        }
        let budget = Budget {
            deadline: Some(deadline),
            max_states: if position == 0 { config.states } else { config.states / LARGER },
            max_memory: 1 << 30,
            threads: 1,
            cancelled: Arc::new(AtomicBool::new(false)),
        };
        let mut question = Question::new(system.protocol, size);
        question.actions = system.actions.to_vec();
        question.window = Some(window(system.protocol));
        question.symmetry = Symmetry::Reduced;
        question.slicing = Slicing::Whole;
        // What is too large to be looked at teaches nothing.
        let Ok(found) = sample(&question, &budget) else { continue };
        keep(&mut samples, system, &found.reachable, config);
        if found.missing.is_some()
            && let Ok(farther) = walk(&question, WALKS, &budget)
        {
            keep(&mut samples, system, &farther, config);
        }
    }
    samples
}

fn keep(samples: &mut Samples, system: Sampled<'_>, found: &Reachable, config: &SampleConfig) {
    for instance in &found.instances {
        let room = config.total.saturating_sub(samples.len());
        for state in instance.states().take(room) {
            samples.add(&system.protocol.signature, &state);
        }
    }
}

/// Two elements everywhere, then one sort after another with more, then smaller ones.
fn sizes(system: Sampled<'_>) -> Vec<Size> {
    let sorts: Vec<SortId> = system.protocol.signature.sorts().collect();
    let fixed = |sort: SortId| system.fixed.iter().find(|(of, _)| *of == sort).map(|(_, n)| *n);
    let all = |count: u32| -> Size {
        sorts.iter().map(|sort| (*sort, fixed(*sort).unwrap_or(count))).collect()
    };
    let mut sizes = vec![all(2)];
    for count in 3..=LARGEST {
        for sort in sorts.iter().filter(|sort| fixed(**sort).is_none()) {
            let mut size = all(2);
            size.insert(*sort, count);
            sizes.push(size);
        }
        sizes.push(all(count.min(LARGEST_OF_ALL)));
    }
    sizes.push(all(1));
    let mut seen = std::collections::BTreeSet::new();
    sizes.retain(|size| seen.insert(size.clone()));
    sizes
}

/// The integers that a protocol mentions, and some around them.
fn window(protocol: &Protocol) -> (i64, i64) {
    let (mut low, mut high) = (0, 0);
    let mut look = |formula: &StateFormula| {
        Node::Formula(formula).visit(&mut |node| {
            if let Node::Term(term) = node
                && let TermKind::Integer(value, _) = term.kind()
            {
                low = low.min(*value);
                high = high.max(*value);
            }
        });
    };
    protocol.init.iter().for_each(|statement| look(&statement.formula));
    (low, high + 3)
}
