//! The choice of the engine: visiting while states are few, sets where they are many.

use rmlcut::budget::{Budget, Stop};
use rmlcut::finite::{EngineError, FiniteOutcome, FiniteReason, Question, Silent, check_with_any};

use crate::engines::{budget, protocol, size, verdict};

/// Every element has two independent flags: `4^n` states, and none can be reduced by symmetry when
/// it is switched off.
const FLAGS: &str = "
sort node
relation left(node)
relation right(node)
init ~left(N)
init ~right(N)
action set_left(n: node) { left(n) := true }
action clear_left(n: node) { left(n) := false }
action set_right(n: node) { right(n) := true }
action clear_right(n: node) { right(n) := false }
safety [apart] ~(left(N) & right(N) & ~left(N))
";

fn ask(
    text: &str,
    sizes: &str,
    budget: &Budget,
) -> Result<(&'static str, FiniteOutcome), EngineError> {
    let protocol = protocol(text);
    let mut question = Question::new(&protocol, size(&protocol, sizes));
    question.symmetry = rmlcut::finite::Symmetry::Distinguished;
    check_with_any(&question, budget, &Silent)
}

#[test]
fn few_states_are_visited_and_many_are_held_as_sets() {
    let (engine, outcome) = ask(FLAGS, "node=3", &budget(1)).expect("an answer");
    assert_eq!((engine, verdict(&outcome).as_str()), ("explicit", "safe"));
    let (engine, outcome) = ask(FLAGS, "node=30", &budget(1)).expect("an answer");
    assert_eq!((engine, verdict(&outcome).as_str()), ("symbolic", "safe"));
    let FiniteOutcome::Safe(coverage) = outcome else { panic!("it is safe") };
    let states = coverage.total.expect("they are counted").to_string();
    assert_eq!(states, (1_u128 << 60).to_string());
}

#[test]
fn many_initial_states_are_no_obstacle() {
    let free = FLAGS.replace("init ~left(N)\ninit ~right(N)\n", "");
    let (engine, outcome) = ask(&free, "node=40", &budget(1)).expect("an answer");
    assert_eq!((engine, verdict(&outcome).as_str()), ("symbolic", "safe"));
}

#[test]
fn a_violation_among_many_states_is_a_short_run() {
    let text = FLAGS.replace("~(left(N) & right(N) & ~left(N))", "~(left(N) & right(N))");
    let (_, outcome) = ask(&text, "node=30", &budget(1)).expect("an answer");
    let FiniteOutcome::Unsafe(violation, _) = outcome else { panic!("it is unsafe") };
    assert_eq!(violation.trace.steps.len(), 2);
}

#[test]
fn limits_of_the_whole_search_are_kept() {
    let few = Budget { max_states: 100, ..budget(1) };
    let (_, outcome) = ask(FLAGS, "node=30", &few).expect("an answer");
    assert!(matches!(outcome, FiniteOutcome::Unknown(FiniteReason::MaxStates(100), _)));
    let stop = Stop::never();
    stop.cancel();
    let stopped = Budget { max_memory: 1 << 30, ..Budget::until(stop) };
    let (_, outcome) = ask(FLAGS, "node=30", &stopped).expect("an answer");
    assert!(matches!(outcome, FiniteOutcome::Unknown(FiniteReason::Interrupted, _)));
}
