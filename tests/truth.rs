//! What the headers and tables of the corpus say is true: the stated counts are found, the broken
//! protocols are unsafe at the stated size in as many steps as stated, and at no smaller size.

use crate::support::corpus::{self, Entry, Expectation, Size};
use crate::support::tables::{COUNTS, link, readme, rows, sizes};
use rmlcut::budget::{Budget, Stop};
use rmlcut::finite;
use rmlcut::finite::{ENGINES, FiniteOutcome, FiniteReason, Question, Silent, Symmetry};
use rmlcut::pipeline::read_protocol;
use rmlcut::protocol::Protocol;
use rmlcut::source::SourceFile;

fn protocol(entry: &Entry) -> Protocol {
    let source = SourceFile::new(entry.path.as_str(), entry.text.as_str());
    read_protocol(&source).expect("the corpus is accepted").0
}

/// What the explicit engine says about one size, visiting every state.
fn explore(protocol: &Protocol, size: &Size, integers: Option<(i64, i64)>) -> FiniteOutcome {
    let sort = |name: &str| protocol.signature.find_sort(name).expect("a sort of the protocol");
    let size = size.iter().map(|(name, count)| (sort(name), *count as _)).collect();
    let mut question = Question::new(protocol, size);
    question.symmetry = Symmetry::Distinguished;
    question.window = integers;
    let budget = Budget {
        max_states: 1 << 24,
        max_memory: 1 << 30,
        threads: 2,
        ..Budget::until(Stop::never())
    };
    finite::check(ENGINES[0], &question, &budget, &Silent).expect("an answer")
}

/// Instances, states and depth, if nothing was violated.
fn counts(outcome: &FiniteOutcome) -> Option<[u64; 3]> {
    match outcome {
        FiniteOutcome::Safe(coverage)
        | FiniteOutcome::Unknown(FiniteReason::Window(..), coverage) => {
            let visited = coverage.visited?;
            Some([coverage.instances, visited.states, visited.depth])
        }
        FiniteOutcome::Unsafe(..) | FiniteOutcome::Unknown(..) => None,
    }
}

/// Every size with one element less of one sort.
fn smaller(size: &Size) -> Vec<Size> {
    let shrink = |index: usize| {
        let mut smaller = size.clone();
        smaller[index].1 -= 1;
        smaller
    };
    (0..size.len()).map(shrink).filter(|size| size.iter().all(|(_, count)| *count > 0)).collect()
}

#[test]
fn the_counts_are_found() {
    let entries = corpus::entries();
    for row in rows(&readme(), &COUNTS) {
        let path = link(&row[0]).expect("a link");
        let entry = entries.iter().find(|entry| entry.path == path).expect("a protocol");
        let (size, integers) = sizes(&row[1]).expect("sizes");
        let stated = [2, 3, 4].map(|cell| row[cell].parse::<u64>().expect("a number"));
        let found = explore(&protocol(entry), &size, integers);
        assert_eq!(counts(&found), Some(stated), "{path} at {}: {found:?}", row[1]);
    }
}

#[test]
fn the_broken_are_unsafe_as_stated_and_not_before() {
    for entry in corpus::entries() {
        let expectation = entry.header().expect("a header").expectation;
        let Expectation::Unsafe { size, integers, steps } = &expectation else { continue };
        let protocol = protocol(&entry);
        match explore(&protocol, size, *integers) {
            FiniteOutcome::Unsafe(violation, _) => {
                let found = violation.trace.steps.len();
                assert!(steps.is_none_or(|steps| steps == found), "{}: {found} steps", entry.path);
            }
            other => panic!("{}, {expectation}: {other:?}", entry.path),
        }
        for size in smaller(size) {
            let outcome = explore(&protocol, &size, *integers);
            assert!(!matches!(outcome, FiniteOutcome::Unsafe(..)), "{} at {size:?}", entry.path);
        }
    }
}

#[test]
fn a_wrong_claim_is_noticed() {
    let entries = corpus::entries();
    let trip = entries.iter().find(|entry| entry.path == "broken/trip.rml").expect("the smallest");
    let protocol = protocol(trip);
    let at = |nodes: usize| explore(&protocol, &vec![("node".into(), nodes)], None);
    assert_eq!(counts(&at(2)), Some([1, 1, 0]));
    assert!(counts(&at(3)).is_none(), "a violation is no count");
    assert!(!matches!(at(2), FiniteOutcome::Unsafe(..)), "and a count is no violation");
}
