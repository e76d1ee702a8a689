//! The search for a real violation in small instances.

use std::ops::RangeInclusive;
use std::time::Duration;

use crate::budget::{Budget, Stop};
use crate::effort::{Phase, during};
use crate::finite::{
    Claim, ClaimFailure, ClaimViolation, FiniteOutcome, Progress, Question, SMALL_INTEGERS,
    SmallSizes, check_with_any,
};
use crate::judge::FiniteViolation;
use crate::protocol::{Property, PropertyKind, Protocol, Size};

/// How far a search goes.
pub(super) struct SearchEffort {
    /// The instances that are looked at, one after another.
    pub(super) ground: fn(&Protocol) -> Vec<Spot>,
    /// The most time at one of them.
    pub(super) time: Duration,
    /// The most states of one of them: larger ones are left to the search for a proof.
    pub(super) states: u64,
}

/// Where to look: a size, and the range that stands in for ℤ.
pub(super) struct Spot {
    size: Size,
    window: (i64, i64),
}

/// The wider ranges, for counters that need many steps to fail, and how many elements sorts then
/// have: few, because states multiply with both.
const WIDER: [(i64, i64); 2] = [(-1, 16), (-1, 64)];
const BESIDE: u32 = 2;

/// The sizes of one sort among small ones.
const LARGER: RangeInclusive<u32> = 4..=6;

/// The size of all sorts together that is looked at last.
const LARGEST: u32 = 4;

/// Before anything is proved.
pub(super) const FIRST: SearchEffort = SearchEffort {
    ground: |protocol| alike(protocol, 1..=2),
    time: Duration::from_millis(300),
    states: 20_000,
};

/// Beside the search for proofs.
pub(super) const NEAR: SearchEffort = SearchEffort {
    ground: |protocol| alike(protocol, 1..=3),
    time: Duration::from_secs(10),
    states: 400_000,
};

/// After that: bugs that need more elements or larger numbers, and few steps.
pub(super) const FAR: SearchEffort =
    SearchEffort { ground: far, time: Duration::from_secs(3), states: 200_000 };

/// All sorts have the same size.
fn alike(protocol: &Protocol, sizes: RangeInclusive<u32>) -> Vec<Spot> {
    let small = SmallSizes::new(protocol);
    let spot = |count| Spot { size: small.alike(count), window: SMALL_INTEGERS };
    let mut spots: Vec<Spot> = sizes.map(spot).collect();
    spots.dedup_by(|one, other| one.size == other.size);
    spots
}

/// One thing is larger than the others, and then all sorts are.
fn far(protocol: &Protocol) -> Vec<Spot> {
    let small = SmallSizes::new(protocol);
    let mut spots = Vec::new();
    if protocol.signature.uses_int() {
        spots.extend(WIDER.map(|window| Spot { size: small.alike(BESIDE), window }));
    }
    for larger in LARGER {
        for sort in small.free() {
            let size = small.with_one(sort, larger, BESIDE);
            spots.push(Spot { size, window: SMALL_INTEGERS });
        }
    }
    if small.free().count() > 1 {
        spots.extend(alike(protocol, LARGEST..=LARGEST));
    }
    spots
}

/// Explores small instances for a violation of some property of this kind, replayed by the concrete
/// semantics.
pub(super) fn search_violation(
    protocol: &Protocol,
    kind: PropertyKind,
    effort: &SearchEffort,
    stop: &Stop,
    progress: &dyn Progress,
) -> Option<FiniteViolation> {
    let properties = protocol.properties.iter().filter(|property| property.kind == kind);
    let claims = searchable(properties);
    if claims.is_empty() {
        return None;
    }
    let spots = (effort.ground)(protocol).into_iter();
    let mut spots = spots.take_while(|_| !stop.is_set());
    spots.find_map(|spot| {
        let budget = Budget {
            max_states: effort.states,
            max_memory: 1 << 30,
            ..Budget::until(stop.within(effort.time))
        };
        during(Phase::ViolationSearch, || explore(protocol, &claims, spot, &budget, progress))
    })
}

/// A violation of a safety property by so few elements of every sort as possible, up to a number.
pub(super) fn search_up_to(
    protocol: &Protocol,
    most: u32,
    stop: &Stop,
    progress: &dyn Progress,
) -> Option<FiniteViolation> {
    let wanted = protocol.properties.iter().filter(|own| own.kind == PropertyKind::Safety);
    let claims = searchable(wanted);
    let mut spots = alike(protocol, 1..=most).into_iter().take_while(|_| !stop.is_set());
    spots.find_map(|spot| {
        let budget = Budget { max_memory: 1 << 30, ..Budget::until(stop.clone()) };
        during(Phase::ViolationSearch, || explore(protocol, &claims, spot, &budget, progress))
    })
}

/// The properties that have a value in a finite instance: the others must not end the search for
/// them.
fn searchable<'a>(properties: impl Iterator<Item = &'a Property>) -> Vec<Claim> {
    properties.map(Claim::from).filter(|claim| !claim.ranges_over_int()).collect()
}

fn explore(
    protocol: &Protocol,
    claims: &[Claim],
    Spot { size, window }: Spot,
    budget: &Budget,
    progress: &dyn Progress,
) -> Option<FiniteViolation> {
    let mut question = Question::new(protocol, size.clone());
    question.claims = claims.to_vec();
    question.window = protocol.signature.uses_int().then_some(window);
    let (_, outcome) = check_with_any(&question, budget, progress).ok()?;
    let FiniteOutcome::Unsafe(violation, _) = outcome else { return None };
    let ClaimFailure::Claim(position, _) = &violation.failure else { return None };
    let claim = question.claims[*position].name.clone();
    let (_, declared) = protocol.property(&claim)?;
    let is_real = violation.trace.violates(protocol, declared);
    let claims = question.claims;
    is_real.then(|| shrunk(protocol, declared, FiniteViolation { violation, claim, claims, size }))
}

/// The same violation without the elements that do not matter to it.
fn shrunk(protocol: &Protocol, property: &Property, found: FiniteViolation) -> FiniteViolation {
    let trace = found.violation.trace.without_idle_elements(protocol, property);
    let size: Size = found.size.keys().map(|sort| (*sort, trace.count(*sort))).collect();
    match (&found.violation.failure, trace.violation(property)) {
        (ClaimFailure::Claim(claim, _), Ok(Some(values))) => {
            let failure = ClaimFailure::Claim(*claim, values);
            FiniteViolation {
                violation: Box::new(ClaimViolation { failure, trace }),
                size,
                ..found
            }
        }
        _ => found,
    }
}
