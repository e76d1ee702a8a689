//! Searches that are cut short by what only large instances or unlucky moments bring about: none of
//! them shows that anything is safe.

use super::engine::Experience;
use super::explicit::explore_into;
use super::explicit::state_store::Store;
use super::sat::invariant::is_proof;
use super::{
    Deadlocks, Engine, EngineError, EngineSearch, FiniteOutcome, FiniteReason, GroundSystem,
    Progress, Question, Silent, Symmetry, check,
};
use crate::budget::{Budget, Stop};
use crate::pipeline::read_protocol;
use crate::source::SourceFile;

/// The explicit engine in circumstances that large instances or unlucky moments bring about.
enum Hindered {
    /// A shard holds less than so many states.
    Cramped(usize),
    /// The user stops it just before it begins.
    Interrupted,
}

impl Engine for Hindered {
    fn name(&self) -> &'static str {
        "hindered"
    }

    fn search(
        &self,
        system: &mut GroundSystem,
        deadlocks: Deadlocks,
        _: &mut Experience,
        budget: &Budget,
        progress: &dyn Progress,
    ) -> Result<EngineSearch, EngineError> {
        let words = system.layout.words();
        let store = match self {
            Hindered::Cramped(limit) => Store::with_limit(words, *limit),
            Hindered::Interrupted => {
                budget.stop.cancel();
                Store::new(words)
            }
        };
        Ok(explore_into(store, system, deadlocks, budget, progress)?.search)
    }
}

/// What a hindered engine says about a protocol with eight nodes, each found apart.
fn outcome(hindered: &Hindered, max_memory: u64, text: &str) -> FiniteOutcome {
    let protocol = read_protocol(&SourceFile::new("eight.rml", text)).expect("it is right").0;
    let size = protocol.signature.sorts().map(|sort| (sort, 8)).collect();
    let mut question = Question::new(&protocol, size);
    question.symmetry = Symmetry::Labelled;
    let max_states = 1 << 20;
    let budget = Budget { max_states, max_memory, ..Budget::until(Stop::never()) };
    check(hindered, &question, &budget, &Silent).expect("it is not too large")
}

/// One initial state, and 255 others.
const GROWING: &str = "sort node\nrelation p(node)\ninit ~p(N)\n\
    action set(n: node) { p(n) := true }\nsafety p(N) -> p(N)\n";

/// 6561 initial states and no other.
const WIDE: &str = "sort node\nrelation p(node)\nrelation q(node)\ninit p(N) | q(N)\n\
    safety p(N) | q(N)\n";

#[test]
fn a_store_with_room_is_enough() {
    for text in [GROWING, WIDE] {
        let found = outcome(&Hindered::Cramped(1 << 20), 1 << 30, text);
        assert!(matches!(found, FiniteOutcome::Safe(..)), "{found:?}");
    }
}

#[test]
fn a_full_store_shows_nothing() {
    for text in [GROWING, WIDE] {
        let found = outcome(&Hindered::Cramped(2), 1 << 30, text);
        assert!(
            matches!(found, FiniteOutcome::Unknown(FiniteReason::MaxStates(_), _)),
            "{found:?}"
        );
    }
}

#[test]
fn initial_states_that_were_not_listed_are_not_all() {
    let found = outcome(&Hindered::Interrupted, 1 << 30, WIDE);
    assert!(matches!(found, FiniteOutcome::Unknown(FiniteReason::Interrupted, _)), "{found:?}");
}

#[test]
fn initial_states_that_take_too_much_memory_are_not_all_listed() {
    let found = outcome(&Hindered::Cramped(1 << 20), 1 << 16, WIDE);
    let stopped = matches!(
        &found,
        FiniteOutcome::Unknown(FiniteReason::MaxMemory(_), coverage)
            if coverage.visited.is_some_and(|counts| counts.states < 6561)
    );
    assert!(stopped, "{found:?}");
}

/// Puts proofs to the check that IC3's have to pass, and says nothing about the protocol.
struct Proofs;

impl Engine for Proofs {
    fn name(&self) -> &'static str {
        "proofs"
    }

    fn search(
        &self,
        system: &mut GroundSystem,
        _: Deadlocks,
        _: &mut Experience,
        budget: &Budget,
        _: &dyn Progress,
    ) -> Result<EngineSearch, EngineError> {
        let bad = !system.claims[0].holds;
        let read = system.circuit.support([bad]);
        let [broken] = read[..] else { panic!("the property reads one bit: {read:?}") };
        let bits = system.layout.used_bits();
        let other = *bits.iter().find(|bit| **bit != broken).expect("two bits");
        let accepts = |cubes: &[Vec<(u32, bool)>]| is_proof(system, bad, cubes, budget);
        assert_eq!(accepts(&[vec![(broken, true)]]), Ok(true));
        assert_eq!(accepts(&[]), Ok(false), "excludes no bad state");
        assert_eq!(accepts(&[vec![(broken, true)], vec![(other, true)]]), Ok(false), "not kept");
        assert_eq!(
            accepts(&[vec![(broken, true)], vec![(other, false)]]),
            Ok(false),
            "not initial"
        );
        Err(EngineError::Bug("all proofs were tried".to_owned()))
    }
}

#[test]
fn a_wrong_proof_is_refused() {
    let text = "relation broken\nrelation done\ninit ~broken\ninit ~done\n\
        action finish { done := true }\naction idle { require broken; broken := true }\n\
        safety ~broken\n";
    let protocol = read_protocol(&SourceFile::new("proofs.rml", text)).expect("it is right").0;
    let question = Question::new(&protocol, protocol.sizes(|_| 1));
    let tried = check(&Proofs, &question, &Budget::until(Stop::never()), &Silent);
    assert_eq!(tried, Err(EngineError::Bug("all proofs were tried".to_owned())));
}
