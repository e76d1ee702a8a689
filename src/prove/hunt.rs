//! The hunt for a real violation in small instances.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use crate::finite::{Budget, Claim, ENGINES, Failure, Outcome, Question, Violation, check};
use crate::logic::Name;
use crate::protocol::{PropertyKind, Protocol, Size};

use super::ProveConfig;

/// A violation of a safety property in a small instance, replayed by the concrete semantics.
#[derive(Clone, Debug)]
pub struct Hunted {
    /// The run.
    pub violation: Box<Violation>,
    /// The property.
    pub property: Name,
    /// The size of the instance.
    pub size: Size,
}

/// How far a hunt goes at each size.
pub(super) struct Effort {
    /// The numbers of elements that all sorts have, one after another.
    pub(super) sizes: std::ops::RangeInclusive<u32>,
    /// The most time at one size.
    pub(super) time: Duration,
    /// The most states of one instance: larger ones are left to the search for a proof.
    pub(super) states: u64,
    /// How many threads may work.
    pub(super) threads: usize,
}

/// The range that stands in for ℤ.
const WINDOW: (i64, i64) = (-1, 4);

/// Explores small sizes, the smallest first.
pub(super) fn hunt(
    protocol: &Protocol,
    effort: &Effort,
    deadline: Instant,
    cancelled: &Arc<AtomicBool>,
    config: &ProveConfig<'_>,
) -> Option<Hunted> {
    effort.sizes.clone().find_map(|count| {
        let size: Size = protocol.signature.sorts().map(|sort| (sort, count)).collect();
        let budget = Budget {
            deadline: Some(deadline.min(Instant::now() + effort.time)),
            max_states: effort.states,
            max_memory: 1 << 30,
            threads: effort.threads,
            cancelled: Arc::clone(cancelled),
        };
        explore(protocol, size, &budget, config)
    })
}

fn explore(
    protocol: &Protocol,
    size: Size,
    budget: &Budget,
    config: &ProveConfig<'_>,
) -> Option<Hunted> {
    let safety = protocol.properties.iter();
    let safety = safety.filter(|property| property.kind == PropertyKind::Safety);
    let claims: Vec<Claim> = safety.map(Claim::from).collect();
    let mut question = Question::new(protocol, size.clone());
    question.claims = claims;
    question.window = protocol.signature.uses_int().then_some(WINDOW);
    let outcome = check(ENGINES[0], &question, budget, config.progress).ok()?;
    let Outcome::Unsafe(violation, _) = outcome else { return None };
    let Failure::Claim(position, _) = &violation.failure else { return None };
    let property = question.claims[*position].name.clone();
    let (_, declared) = protocol.property(&property)?;
    violation.trace.violates(protocol, declared).then_some(Hunted { violation, property, size })
}
