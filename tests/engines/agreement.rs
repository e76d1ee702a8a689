//! Every engine gives the same answer on every instance of the corpus, with and without symmetry
//! and slicing, on one thread and on several.

use rmlcut::finite;
use rmlcut::finite::{ENGINES, FiniteOutcome, Question, Silent, Slicing, Symmetry};

use crate::engines::{EXPLICIT, SAT, SYMBOLIC, ask, budget, protocol, verdict};
use crate::support::corpus::{self, Entry, Expectation};
use crate::support::tables::{COUNTS, link, readme, rows, sizes};

/// How many states an instance may have to be looked at again and again; `RMLCUT_SLOW=1` allows
/// more.
fn largest() -> u64 {
    if std::env::var_os("RMLCUT_SLOW").is_some() { 3000 } else { 400 }
}

/// An instance of the corpus: a protocol, a size and the range of integers.
type Instance = (Entry, corpus::Size, Option<(i64, i64)>);

/// The listed sizes of the corpus that are small, and those at which broken protocols fail.
fn instances() -> Vec<Instance> {
    let entries = corpus::entries();
    let mut instances = Vec::new();
    for row in rows(&readme(), &COUNTS) {
        let path = link(&row[0]).expect("a link");
        let entry = entries.iter().find(|entry| entry.path == path).expect("a protocol");
        let (size, integers) = sizes(&row[1]).expect("sizes");
        if row[3].parse::<u64>().expect("a number") <= largest() {
            instances.push((entry.clone(), size, integers));
        }
    }
    for entry in entries {
        if let Ok(Expectation::Unsafe { size, integers, .. }) =
            entry.header().map(|header| header.expectation)
        {
            instances.push((entry, size, integers));
        }
    }
    assert!(instances.len() > 60, "the corpus is there");
    instances
}

fn for_every_instance(check: impl Fn(&str, &Question<'_>)) {
    for (entry, size, integers) in instances() {
        let protocol = protocol(&entry.text);
        let sort = |name: &str| protocol.signature.find_sort(name).expect("a sort");
        let count = |count: usize| u32::try_from(count).expect("a small size");
        let sized = size.iter().map(|(name, elements)| (sort(name), count(*elements))).collect();
        let mut question = Question::new(&protocol, sized);
        question.window = integers;
        check(&format!("{} at {size:?}", entry.path), &question);
    }
}

#[test]
fn both_engines_agree() {
    for_every_instance(|name, question| {
        let explicit = ask(EXPLICIT, question).expect("an answer");
        let sat = ask(SAT, question).expect("an answer");
        assert_eq!(verdict(&explicit), verdict(&sat), "{name}");
    });
}

#[test]
fn diagrams_hold_exactly_the_states_that_are_visited() {
    for_every_instance(|name, question| {
        let question = Question { symmetry: Symmetry::Distinguished, ..question.clone() };
        let visited = ask(EXPLICIT, &question).expect("an answer");
        let held = ask(SYMBOLIC, &question).expect("an answer");
        assert_eq!(verdict(&visited), verdict(&held), "{name}");
        if let (FiniteOutcome::Safe(visited), FiniteOutcome::Safe(held)) = (visited, held) {
            let states = visited.visited.expect("states are visited").states;
            let total = held.total.expect("states are counted");
            assert_eq!(total.to_string(), states.to_string(), "{name}");
            assert_eq!(visited.unseen, held.unseen, "{name}");
        }
    });
}

#[test]
fn symmetry_and_slicing_change_no_verdict() {
    for_every_instance(|name, question| {
        let plain = Question { symmetry: Symmetry::Distinguished, ..question.clone() };
        let expected = verdict(&ask(EXPLICIT, &plain).expect("an answer"));
        for symmetry in [Symmetry::Reduced, Symmetry::Distinguished, Symmetry::Labelled] {
            for slicing in [Slicing::Whole, Slicing::Sliced] {
                let question = Question { symmetry, slicing, ..question.clone() };
                let found = verdict(&ask(EXPLICIT, &question).expect("an answer"));
                assert_eq!(found, expected, "{name}, {symmetry:?}, {slicing:?}");
            }
        }
        let sliced = Question { slicing: Slicing::Sliced, ..plain };
        assert_eq!(verdict(&ask(SAT, &sliced).expect("an answer")), expected, "{name}, sliced");
    });
}

#[test]
fn threads_change_nothing_at_all() {
    for_every_instance(|name, question| {
        let run = |threads| {
            finite::check(ENGINES[EXPLICIT], question, &budget(threads), &Silent)
                .expect("an answer")
        };
        let one = run(1);
        for threads in [2, 3] {
            assert_eq!(run(threads), one, "{name} on {threads} threads");
        }
    });
}

#[test]
fn threads_change_nothing_where_levels_are_wide() {
    let entry = corpus::entries().into_iter().find(|entry| entry.path == "coherence/german.rml");
    let protocol = protocol(&entry.expect("a protocol of the corpus").text);
    let mut question = Question::new(&protocol, crate::engines::size(&protocol, "client=3"));
    question.symmetry = Symmetry::Distinguished;
    let run = |threads| {
        finite::check(ENGINES[EXPLICIT], &question, &budget(threads), &Silent).expect("an answer")
    };
    let one = run(1);
    assert!(matches!(&one, FiniteOutcome::Safe(coverage)
        if coverage.visited.is_some_and(|counts| counts.states == 28647)));
    assert_eq!(run(2), one);
}
