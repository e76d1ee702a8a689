//! The hunt for a real violation in small instances, before anything is proved.

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

/// The share of the time that one size may take.
const TIME: Duration = Duration::from_secs(2);

/// The most states of one instance: larger ones are left to the search for a proof.
const STATES: u64 = 400_000;

/// The range that stands in for ℤ.
const WINDOW: (i64, i64) = (-1, 4);

/// Explores small sizes, the smallest first.
pub(super) fn hunt(
    protocol: &Protocol,
    deadline: Instant,
    config: &ProveConfig<'_>,
) -> Option<Hunted> {
    (1..=3).find_map(|count| {
        let size: Size = protocol.signature.sorts().map(|sort| (sort, count)).collect();
        explore(protocol, size, deadline, config)
    })
}

fn explore(
    protocol: &Protocol,
    size: Size,
    deadline: Instant,
    config: &ProveConfig<'_>,
) -> Option<Hunted> {
    let safety = protocol.properties.iter();
    let safety = safety.filter(|property| property.kind == PropertyKind::Safety);
    let claims: Vec<Claim> = safety.map(Claim::from).collect();
    let mut question = Question::new(protocol, size.clone());
    question.claims = claims;
    question.window = protocol.signature.uses_int().then_some(WINDOW);
    let budget = Budget {
        deadline: Some(deadline.min(Instant::now() + TIME)),
        max_states: STATES,
        max_memory: 1 << 30,
        threads: config.threads,
        cancelled: Arc::new(AtomicBool::new(false)),
    };
    let outcome = check(ENGINES[0], &question, &budget, config.progress).ok()?;
    let Outcome::Unsafe(violation, _) = outcome else { return None };
    let Failure::Claim(position, _) = &violation.failure else { return None };
    let property = question.claims[*position].name.clone();
    let (_, declared) = protocol.property(&property)?;
    let replayed = violation.trace.replay(protocol).is_ok()
        && matches!(violation.trace.violation(declared), Ok(Some(_)));
    replayed.then_some(Hunted { violation, property, size })
}
