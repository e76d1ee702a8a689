//! A look at a protocol at one size: before a completion is proved, and at the protocol to repair.

use crate::budget::{Budget, Stop};
use crate::finite::{
    ENGINES, FiniteOutcome, FrozenSearch, FrozenSize, Question, SMALL_INTEGERS, Silent, Wanted,
    check,
};
use crate::protocol::{Protocol, Size};

/// How many states of one instance are looked at.
const STATES: u64 = 5_000;

/// The same, while a violation is looked for at smaller sizes.
const SHRINKING_STATES: u64 = 20_000;

/// What is seen of a protocol at one size.
pub(super) enum Seen {
    /// A property is violated.
    Violated,
    /// Something wanted never happens.
    Lacks,
    /// It reaches so many states, and neither is the case.
    States(u64),
    /// It was not looked at to the end.
    TooMuch,
}

/// Looks at a protocol at one size.
pub(super) fn looked_at(
    protocol: &Protocol,
    size: &Size,
    wanted: Vec<Wanted>,
    stop: &Stop,
) -> Seen {
    let budget = budget(stop);
    let Some(mut ground) = ground(protocol, size, &budget) else { return Seen::TooMuch };
    match ground.search(&[], &budget) {
        Ok(FrozenSearch::Violated(_)) => Seen::Violated,
        Ok(FrozenSearch::Exhausted(reached)) => match ground.met(&reached, &[], &wanted, stop) {
            Some(met) if !met.iter().all(|own| *own) => Seen::Lacks,
            _ => Seen::States(reached.count),
        },
        Ok(FrozenSearch::Stopped(_)) | Err(_) => Seen::TooMuch,
    }
}

/// What a protocol does at one size, violations or not, and how many states it reaches.
pub(super) fn abilities_at(
    protocol: &Protocol,
    size: &Size,
    every: &[Wanted],
    stop: &Stop,
) -> Option<(Vec<Wanted>, u64)> {
    let budget = budget(stop);
    let mut ground = ground(protocol, size, &budget)?;
    let reached = ground.search_all((&[], None), &budget).ok()??;
    let met = ground.met(&reached, &[], every, stop)?;
    let able = every.iter().zip(met).filter(|(_, met)| *met).map(|(own, _)| own.clone());
    Some((able.collect(), reached.count))
}

/// A size with as few elements as possible at which a protocol is still violated.
pub(super) fn smallest_violated(protocol: &Protocol, size: &Size, stop: &Stop) -> Size {
    let budget = Budget { max_states: SHRINKING_STATES, ..budget(stop) };
    let is_violated = |size: &Size| {
        let mut question = Question::new(protocol, size.clone());
        question.window = window(protocol);
        matches!(check(ENGINES[0], &question, &budget, &Silent), Ok(FiniteOutcome::Unsafe(..)))
    };
    let mut smallest = size.clone();
    for sort in size.keys() {
        while smallest[sort] > 1 {
            let mut smaller = smallest.clone();
            smaller.insert(*sort, smallest[sort] - 1);
            if !is_violated(&smaller) {
                break;
            }
            smallest = smaller;
        }
    }
    smallest
}

fn budget(stop: &Stop) -> Budget {
    Budget { max_states: STATES, max_memory: 1 << 30, ..Budget::until(stop.clone()) }
}

fn window(protocol: &Protocol) -> Option<(i64, i64)> {
    protocol.signature.uses_int().then_some(SMALL_INTEGERS)
}

fn ground(protocol: &Protocol, size: &Size, budget: &Budget) -> Option<FrozenSize> {
    FrozenSize::new(protocol, (size.clone(), window(protocol)), &[], budget).ok()?.ok()
}
