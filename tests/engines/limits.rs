//! Bounds and limits: what was stopped, refused or only seen in part is never safe.

use std::time::Duration;

use rmlcut::budget::{Budget, Stop};
use rmlcut::finite;
use rmlcut::finite::{Deadlocks, ENGINES, EngineError, FiniteOutcome, Question, Silent, Symmetry};
use rmlcut::protocol::Protocol;

use crate::engines::{EXPLICIT, SAT, ask, budget, protocol, size, verdict};

const COUNTER: &str = "
    variable c: int
    relation bad
    init c = 0
    init ~bad
    action step { c := c + 1 }
    action fail { require c = 9; bad := true }
    safety [good] ~bad
";

fn within<'a>(protocol: &'a Protocol, window: (i64, i64)) -> Question<'a> {
    Question { window: Some(window), ..Question::new(protocol, size_of(protocol)) }
}

fn size_of(protocol: &Protocol) -> rmlcut::protocol::Size {
    protocol.signature.sized_sorts().map(|sort| (sort, 2)).collect()
}

#[test]
fn leaving_the_range_is_a_bound() {
    let protocol = protocol(COUNTER);
    for engine in [EXPLICIT, SAT] {
        let small = ask(engine, &within(&protocol, (0, 4))).expect("an answer");
        assert_eq!(verdict(&small), "unknown: no violation within int 0..4");
        let large = ask(engine, &within(&protocol, (0, 9))).expect("an answer");
        assert_eq!(verdict(&large), "unsafe in 10");
    }
}

#[test]
fn staying_inside_the_range_is_none() {
    let protocol = protocol(&COUNTER.replace("{ c := c + 1 }", "{ require c < 4; c := c + 1 }"));
    for engine in [EXPLICIT, SAT] {
        let inside = ask(engine, &within(&protocol, (0, 4))).expect("an answer");
        assert_eq!(verdict(&inside), "safe");
        let outside = ask(engine, &within(&protocol, (0, 3))).expect("an answer");
        assert_eq!(verdict(&outside), "unknown: no violation within int 0..3");
    }
}

#[test]
fn integers_that_start_anywhere_are_a_bound() {
    let free = protocol("variable c: int\nrelation bad\ninit ~bad\nsafety [good] ~bad\n");
    let bounded =
        protocol("variable c: int\nrelation bad\ninit ~bad\ninit c < 3\nsafety [good] ~bad\n");
    let fixed =
        protocol("variable c: int\nrelation bad\ninit ~bad\ninit c = 3\nsafety [good] ~bad\n");
    for engine in [EXPLICIT, SAT] {
        for open in [&free, &bounded] {
            let outcome = ask(engine, &within(open, (0, 4))).expect("an answer");
            assert_eq!(verdict(&outcome), "unknown: no violation within int 0..4");
        }
        assert_eq!(verdict(&ask(engine, &within(&fixed, (0, 4))).expect("an answer")), "safe");
        let error = ask(engine, &within(&fixed, (0, 2))).expect_err("it starts outside");
        assert_eq!(error.to_string(), "`c` starts at 3, outside int 0..2");
    }
}

#[test]
fn choices_and_parameters_outside_the_range_are_a_bound() {
    let bodies = ["action any { c := * }", "action any(k: int) { require k < 3; c := k }"];
    for action in bodies {
        let text = format!("variable c: int\ninit c = 0\n{action}\nsafety [small] c < 3\n");
        let safe = format!("variable c: int\ninit c = 0\n{action}\nsafety [all] c < 3 | c >= 3\n");
        let (text, safe) = (protocol(&text), protocol(&safe));
        for engine in [EXPLICIT, SAT] {
            let outcome = ask(engine, &within(&safe, (0, 4))).expect("an answer");
            assert_eq!(verdict(&outcome), "unknown: no violation within int 0..4", "{action}");
            let outcome = ask(engine, &within(&text, (0, 4))).expect("an answer");
            assert_ne!(verdict(&outcome), "safe", "{action}");
        }
    }
}

#[test]
fn quantifiers_over_int_are_refused() {
    let text = "variable c: int\ninit c = 0\naction go { require forall I: int. I < c; c := 1 }\n\
                safety [fine] c = c\n";
    let protocol = protocol(text);
    let error = ask(EXPLICIT, &within(&protocol, (0, 4))).expect_err("refused");
    assert!(error.to_string().contains("quantifies over int"), "{error}");
    let question = Question::new(&protocol, size_of(&protocol));
    assert_eq!(ask(EXPLICIT, &question), Err(EngineError::NoWindow));
}

fn subsets() -> Protocol {
    protocol(
        "sort node\nrelation s(node)\ninit ~s(X)\naction flip(n: node) { s(n) := ~s(n) }\n\
         safety [all] s(X) | ~s(X)\n",
    )
}

#[test]
fn what_was_stopped_is_unknown() {
    let protocol = subsets();
    let question = Question::new(&protocol, size(&protocol, "node=12"));
    let question = Question { symmetry: Symmetry::Distinguished, ..question };
    let run = |budget: &Budget| {
        finite::check(ENGINES[EXPLICIT], &question, budget, &Silent).expect("an answer")
    };
    assert_eq!(verdict(&run(&budget(1))), "safe");
    let few = run(&Budget { max_states: 100, ..budget(1) });
    assert!(verdict(&few).starts_with("unknown: the limit of"), "{few:?}");
    let little = run(&Budget { max_memory: 1 << 14, ..budget(1) });
    assert!(verdict(&little).starts_with("unknown: the memory limit"), "{little:?}");
    let late = run(&Budget { stop: Stop::never().within(Duration::ZERO), ..budget(1) });
    assert_eq!(verdict(&late), "unknown: the time limit was reached");
    let stopped = budget(2);
    stopped.stop.cancel();
    assert_eq!(verdict(&run(&stopped)), "unknown: interrupted");
}

#[test]
fn a_solver_that_is_stopped_shows_nothing() {
    let protocol = subsets();
    let question = Question::new(&protocol, size(&protocol, "node=12"));
    let late = Budget { stop: Stop::never().within(Duration::ZERO), ..budget(1) };
    let outcome = finite::check(ENGINES[SAT], &question, &late, &Silent).expect("an answer");
    assert_eq!(verdict(&outcome), "unknown: the time limit was reached");
    let stopped = budget(1);
    stopped.stop.cancel();
    let outcome = finite::check(ENGINES[SAT], &question, &stopped, &Silent).expect("an answer");
    assert_eq!(verdict(&outcome), "unknown: interrupted");
}

#[test]
fn a_thousand_elements_that_are_alike_are_not_renamed_in_every_way() {
    let still = "sort node\nrelation r(node)\ninit ~r(N)\n\
                 action a(n: node) { require false; r(n) := true }\nsafety ~r(N)\n";
    let protocol = protocol(still);
    let question = Question::new(&protocol, size(&protocol, "node=1000"));
    assert_eq!(verdict(&ask(EXPLICIT, &question).expect("an answer")), "safe");
}

#[test]
fn a_stopped_search_reports_what_it_saw() {
    let protocol = subsets();
    let mut question = Question::new(&protocol, size(&protocol, "node=12"));
    question.symmetry = Symmetry::Distinguished;
    let budget = Budget { max_states: 100, ..budget(1) };
    match finite::check(ENGINES[EXPLICIT], &question, &budget, &Silent) {
        Ok(FiniteOutcome::Unknown(_, coverage)) => {
            let visited = coverage.visited.expect("counts");
            assert!(visited.states >= 100 && visited.depth >= 2, "{visited:?}");
            assert_eq!(coverage.instances, 0);
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn what_would_not_fit_is_refused_with_an_estimate() {
    let wide = protocol(
        "sort node\nrelation r(node, node, node, node)\ninit ~r(X, Y, Z, W)\n\
                         safety [fine] r(X, X, X, X) -> r(X, X, X, X) | r(X, Y, X, Y)\n",
    );
    let error = ask(EXPLICIT, &Question::new(&wide, size(&wide, "node=100"))).expect_err("refused");
    assert_eq!(error.to_string(), "a state of this size takes 100000000 bits; 65536 is the limit");
    let open = protocol(
        "sort node\nrelation r(node, node)\nrelation bad\ninit ~bad\n\
                         safety [good] ~bad\n",
    );
    let question = Question::new(&open, size(&open, "node=8"));
    let error = ask(EXPLICIT, &question).expect_err("refused");
    assert!(error.to_string().contains("at least 2^64 initial states"), "{error}");
    assert_eq!(verdict(&ask(SAT, &question).expect("a solver needs no list")), "safe");
    let rigid = protocol(
        "sort node\nrigid relation r(node, node)\nrelation bad\ninit ~bad\n\
                          safety [good] ~bad\n",
    );
    let error = ask(SAT, &Question::new(&rigid, size(&rigid, "node=6"))).expect_err("refused");
    assert!(error.to_string().contains("at least 95443717 instances"), "{error}");
}

#[test]
fn instances_that_are_too_many_are_refused() {
    let some = protocol(
        "sort node\nrigid relation r(node, node)\nrigid relation s\n\
         axiom s | exists X: node, Y: node. r(X, Y)\n\
         relation bad\ninit ~bad\nsafety [good] ~bad\n",
    );
    let question = Question::new(&some, size(&some, "node=4"));
    let question = Question { symmetry: Symmetry::Labelled, ..question };
    let error = ask(EXPLICIT, &question).expect_err("refused");
    assert!(matches!(error, EngineError::TooManyInstances { .. }), "{error}");
}

#[test]
fn a_pick_from_a_sort_of_one_leaves_the_next_pick_alone() {
    let protocol = protocol(
        "sort key\nvariable at: key\nrelation p\ninit ~p\n\
         action pick { at := *; p := * }\nsafety [never] ~p\n",
    );
    let question = Question::new(&protocol, size(&protocol, "key=1"));
    for engine in [EXPLICIT, SAT] {
        assert_eq!(verdict(&ask(engine, &question).expect("an answer")), "unsafe in 1");
    }
}

#[test]
fn deadlocks_are_found_on_request() {
    let text = "sort node\nrelation used(node)\ninit ~used(X)\n\
                action take(n: node) { require ~used(n); used(n) := true }\n\
                safety [fine] used(X) | ~used(X)\n";
    let protocol = protocol(text);
    let mut question = Question::new(&protocol, size(&protocol, "node=3"));
    for engine in [EXPLICIT, SAT] {
        question.deadlocks = Deadlocks::Ignored;
        assert_eq!(verdict(&ask(engine, &question).expect("an answer")), "safe");
        question.deadlocks = Deadlocks::Reported;
        assert_eq!(verdict(&ask(engine, &question).expect("an answer")), "unsafe in 3");
    }
}

#[test]
fn a_choice_that_makes_an_action_possible_is_no_deadlock() {
    let text = "sort node\nvariable at: node\naction move { at := *; require at = at }\n\
                action never { at := *; require at != at }\nsafety [fine] at = at\n";
    let protocol = protocol(text);
    let mut question = Question::new(&protocol, size(&protocol, "node=2"));
    question.deadlocks = Deadlocks::Reported;
    for engine in [EXPLICIT, SAT] {
        question.actions = vec![0, 1];
        assert_eq!(verdict(&ask(engine, &question).expect("an answer")), "safe");
        question.actions = vec![1];
        assert_eq!(verdict(&ask(engine, &question).expect("an answer")), "unsafe in 0");
    }
}

/// The cells of five bits take a byte each, which is more than are numbered for renaming.
#[test]
fn a_state_with_too_many_bits_to_rename_is_no_mistake() {
    let protocol = protocol(
        "sort key, node\nfunction f(key, key): node\nrelation bad\ninit ~bad\n\
         action fail { bad := true }\nsafety [good] ~bad\n",
    );
    let question = Question::new(&protocol, size(&protocol, "key=91 node=32"));
    let error = ask(EXPLICIT, &question).expect_err("f may start as anything");
    assert!(matches!(error, EngineError::TooManyInitialStates { .. }), "{error}");
}
