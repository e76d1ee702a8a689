//! Backward coverability against the exploration of small systems.

use rmlcut::budget::Stop;
use rmlcut::finite::Random;
use rmlcut::process::counters::CounterSystem;
use rmlcut::process::local::local_states;
use rmlcut::process::{EventKind, Participants, Process, Role};
use rmlcut::synthesis::counters::covered;

use super::build::{RECEIVE, SEND, at_most, event, process, random};

/// The least number of processes that violate something: by counters, and by exploring up to five.
fn least(process: &Process) -> (Option<usize>, Option<usize>) {
    let locals = local_states(process, 100).expect("few local states");
    let minimal = covered(process, &locals, &Stop::never()).expect("few configurations");
    let initial = minimal.iter().filter(|states| states.iter().all(|state| *state == 0));
    let system = CounterSystem { process, locals: &locals };
    let violated = |size: &usize| {
        let reached = system.reachable(*size, 100_000).expect("a small system");
        reached.iter().any(|states| {
            let states = states.iter().map(|state| &locals.states[*state]);
            !process.specifications.iter().all(|own| own.requirement.holds(states.clone()))
        })
    };
    (initial.map(Vec::len).min(), (1..=5).find(violated))
}

#[test]
fn the_least_size_is_the_one_that_exploration_finds() {
    let mut source = Random(18);
    let (mut safe, mut unsafe_from_two) = (0, 0);
    for case in 0..600 {
        let process = random(&mut source);
        let (counted, explored) = least(&process);
        assert_eq!(counted.filter(|size| *size <= 5), explored, "case {case}: {process:?}");
        safe += usize::from(counted.is_none());
        unsafe_from_two += usize::from(counted.is_some_and(|size| size > 1));
    }
    assert!(safe > 100 && unsafe_from_two > 100, "{safe} safe, {unsafe_from_two} unsafe from two");
}

#[test]
fn a_third_process_is_needed() {
    // Start sends to Target; who is at Target and Side changes places on the same message.
    let mut bounce = process(&["Start", "Target", "Side"]);
    let paths = [(SEND, 0, 1), (RECEIVE, 0, 0), (RECEIVE, 1, 2), (RECEIVE, 2, 1)];
    event(&mut bounce, EventKind::Broadcast, &paths);
    at_most(&mut bounce, 1, 1);
    assert_eq!(least(&bounce), (Some(3), Some(3)));
}

#[test]
fn winners_are_as_many_as_there_can_be() {
    let mut elect = process(&["Candidate", "Leader", "Replica"]);
    let participants = Participants::All;
    let partition = EventKind::Partition { participants, winners: 2 };
    event(&mut elect, partition, &[(Role::Win, 0, 1), (Role::Lose, 0, 2)]);
    at_most(&mut elect, 1, 1);
    assert_eq!(least(&elect), (Some(2), Some(2)));
    elect.specifications.clear();
    at_most(&mut elect, 2, 1);
    assert_eq!(least(&elect), (None, None));
    // A loser needs two winners.
    elect.specifications.clear();
    at_most(&mut elect, 0, 2);
    assert_eq!(least(&elect), (Some(3), Some(3)));
}
