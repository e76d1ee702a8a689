//! Diagrams against explicit sets: random events over few levels, every set written out.

use std::collections::BTreeSet;

use super::closure::is_closed;
use super::diagram::{Diagram, Diagrams, STEPS_BETWEEN_QUESTIONS};
use super::is_proof;
use super::node_table::{Node, NodeTable, ResultCache};
use super::saturation::reachable;
use super::state_count::count;
use super::transition_relations::{Access, Event};
use crate::budget::{Budget, Stop};
use crate::finite::question::reason::FiniteReason;
use crate::finite::{Random, Silent};

/// The number of levels, and of states.
const LEVELS: u32 = 4;
const STATES: u32 = 1 << LEVELS;

/// An event with the pairs of states that it relates.
struct KnownEvent {
    event: Event,
    pairs: BTreeSet<(u32, u32)>,
}

fn bit(state: u32, level: u32) -> bool {
    state >> level & 1 == 1
}

/// The set with these states.
fn set_of(diagrams: &mut Diagrams, states: impl IntoIterator<Item = u32>) -> Diagram {
    states.into_iter().fold(Diagram::FALSE, |set, state| {
        let values = (0..LEVELS).map(|level| (2 * level, bit(state, level)));
        let cube = diagrams.cube(values).expect("it is small");
        diagrams.or(set, cube).expect("it is small")
    })
}

/// A random event: some levels are written, some read, and the others stay as they are.
fn random_event(diagrams: &mut Diagrams, random: &mut Random) -> KnownEvent {
    let accesses: Vec<Option<Access>> = (0..LEVELS)
        .map(|_| [None, Some(Access::Read), Some(Access::Write)][random.below(3)])
        .collect();
    let levels: Vec<(u32, Access)> =
        (0..).zip(&accesses).filter_map(|(level, access)| Some((level, (*access)?))).collect();
    let is_written = |level: u32| accesses[level as usize] == Some(Access::Write);
    let mut relation = Diagram::FALSE;
    let mut pairs = BTreeSet::new();
    for _ in 0..1 + random.below(3) {
        let (before, after) = (random.below(16) as u32, random.below(16) as u32);
        let mut literals = Vec::new();
        for (level, _) in &levels {
            literals.push((2 * level, bit(before, *level)));
            if is_written(*level) {
                literals.push((2 * level + 1, bit(after, *level)));
            }
        }
        let cube = diagrams.cube(literals).expect("it is small");
        relation = diagrams.or(relation, cube).expect("it is small");
        for from in 0..STATES {
            let fits = levels.iter().all(|(level, _)| bit(from, *level) == bit(before, *level));
            let to = (0..LEVELS)
                .filter(|level| bit(if is_written(*level) { after } else { from }, *level))
                .fold(0, |to, level| to | 1 << level);
            pairs.extend(fits.then_some((from, to)));
        }
    }
    KnownEvent { event: Event { relation, levels, transition: 0 }, pairs }
}

fn closure(states: &BTreeSet<u32>, events: &[KnownEvent]) -> BTreeSet<u32> {
    let mut states = states.clone();
    loop {
        let pairs = events.iter().flat_map(|known| &known.pairs);
        let next: Vec<u32> =
            pairs.filter(|(from, _)| states.contains(from)).map(|(_, to)| *to).collect();
        let before = states.len();
        states.extend(next);
        if states.len() == before {
            return states;
        }
    }
}

#[test]
fn saturation_reaches_what_single_steps_reach_and_closure_is_exact() {
    let budget = Budget::until(Stop::never());
    let mut random = Random(21);
    let (mut open, mut closed) = (0, 0);
    for _ in 0..400 {
        let mut diagrams = Diagrams::new(&budget);
        let known: Vec<KnownEvent> =
            (0..1 + random.below(4)).map(|_| random_event(&mut diagrams, &mut random)).collect();
        let start: BTreeSet<u32> = (0..STATES).filter(|_| random.below(5) == 0).collect();
        let from = set_of(&mut diagrams, start.iter().copied());
        let expected = closure(&start, &known);
        let events: Vec<Event> = known.into_iter().map(|known| known.event).collect();
        let found = reachable(&mut diagrams, LEVELS, &events, from, &Silent).expect("it is small");
        assert_eq!(found, set_of(&mut diagrams, expected.iter().copied()));
        let size = count(&diagrams, found, LEVELS).expect("it is small");
        assert_eq!(size.to_string(), expected.len().to_string());
        assert_eq!(is_closed(&mut diagrams, &events, found), Ok(true));
        assert_eq!(is_proof(&mut diagrams, &events, from, found), Ok(true));
        let all = Diagram::TRUE;
        assert_eq!(is_proof(&mut diagrams, &events, all, found), Ok(found == all));
        let is_fixed = expected == start;
        assert_eq!(is_closed(&mut diagrams, &events, from), Ok(is_fixed));
        *(if is_fixed { &mut closed } else { &mut open }) += 1;
    }
    assert!(open > 50 && closed > 50, "{open} open, {closed} closed");
}

/// The function that is true in the rows whose bit is set.
fn of_table(diagrams: &mut Diagrams, table: u32) -> Diagram {
    (0..STATES).filter(|row| table >> row & 1 == 1).fold(Diagram::FALSE, |sum, row| {
        let literals = (0..LEVELS).map(|level| (2 * level, row >> level & 1 == 1));
        let cube = diagrams.cube(literals).expect("it is small");
        diagrams.or(sum, cube).expect("it is small")
    })
}

#[test]
fn operations_do_what_truth_tables_do() {
    let budget = Budget::until(Stop::never());
    let mut diagrams = Diagrams::new(&budget);
    let all = (1 << STATES) - 1;
    let mut table = 0x9e37_u32;
    for _ in 0..200 {
        table = table.wrapping_mul(0x9e37_79b1).rotate_left(13) ^ 0x5bd1;
        let (left, right) = (table & all, table >> 7 & all);
        let (one, other) = (of_table(&mut diagrams, left), of_table(&mut diagrams, right));
        let both = diagrams.and(one, other).expect("it is small");
        assert_eq!(both, of_table(&mut diagrams, left & right));
        let either = diagrams.or(one, other).expect("it is small");
        assert_eq!(either, of_table(&mut diagrams, left | right));
        let not = diagrams.not(one).expect("it is small");
        assert_eq!(not, of_table(&mut diagrams, !left & all));
        let same = diagrams.iff(one, other).expect("it is small");
        assert_eq!(same, of_table(&mut diagrams, !(left ^ right) & all));
        let some = diagrams.exists(one, 2).expect("it is small");
        let moved = (0..STATES).filter(|row| (left >> row | left >> (row ^ 2)) & 1 == 1);
        assert_eq!(some, of_table(&mut diagrams, moved.fold(0, |sum, row| sum | 1 << row)));
        let counted = count(&diagrams, one, LEVELS).expect("it is small");
        assert_eq!(counted.to_string(), left.count_ones().to_string());
    }
}

#[test]
fn a_solution_makes_the_function_true() {
    let budget = Budget::until(Stop::never());
    let mut diagrams = Diagrams::new(&budget);
    assert_eq!(diagrams.solution(Diagram::FALSE), None);
    let one = of_table(&mut diagrams, 0b0100_0000_0000_1000);
    let solution = diagrams.solution(one).expect("there is one");
    let cube = diagrams.cube(solution).expect("it is small");
    assert_eq!(diagrams.and(cube, one), Ok(cube));
}

#[test]
fn a_spent_budget_ends_the_work() {
    let stop = Stop::never();
    stop.cancel();
    let budget = Budget::until(stop);
    let mut diagrams = Diagrams::new(&budget);
    let mut results = (0..STEPS_BETWEEN_QUESTIONS).map(|_| diagrams.literal(0));
    // Also where the only node that is asked for exists.
    assert!(results.any(|result| result == Err(FiniteReason::Interrupted)));
}

#[test]
fn equal_nodes_have_one_number_while_the_table_grows() {
    let constant = Node { variable: u32::MAX, low: 0, high: 0 };
    let mut table = NodeTable::new(vec![constant, Node { low: 1, high: 1, ..constant }]);
    let node = |index: u32| Node { variable: index % 7, low: index / 7, high: index };
    let numbers: Vec<_> = (0..5000).map(|index| table.number(node(index))).collect();
    assert_eq!(table.len(), 5002);
    for (index, number) in (0..).zip(&numbers) {
        assert_eq!(table.number(node(index)), *number);
        assert_eq!(number.map(|number| table.get(number)), Some(node(index)));
    }
}

#[test]
fn a_cache_forgets_but_never_confuses() {
    let mut cache = ResultCache::new();
    for index in 0..10_000 {
        cache.insert(index % 3, index, index / 2, index);
    }
    cache.fit(20_000, 1 << 10);
    cache.fit(20_000, 1 << 20);
    let known = |index: u32| cache.get(index % 3, index, index / 2);
    assert!((0..10_000).all(|index| known(index).is_none_or(|result| result == index)));
    assert!((0..10_000).any(|index| known(index).is_some()));
    assert_eq!(cache.get(1, 0, 0), None);
    // So many that some are looked for where another one with the same left operand is.
    let never =
        |index: u32| (10_000..15_000).all(|other| cache.get(index % 3, index, other).is_none());
    assert!((9_500..10_000).all(never));
}

#[test]
fn tables_grow_up_to_the_limit_on_memory_and_not_beyond() {
    let max_memory = 1 << 20;
    let budget = Budget { max_memory, ..Budget::until(Stop::never()) };
    let mut diagrams = Diagrams::new(&budget);
    let number = |number: u32| (0..20).map(move |bit| (bit, number >> bit & 1 == 1));
    let full = (0..1 << 20).find_map(|own| diagrams.cube(number(own)).err());
    assert_eq!(full, Some(FiniteReason::MaxMemory(max_memory)));
    assert!((max_memory / 8..=max_memory).contains(&diagrams.memory()), "{}", diagrams.memory());
}
