//! `reach` lines, sweeps over sizes, and violations without the elements that do not matter.

use std::collections::BTreeSet;
use std::fs;
use std::process::{Command, Output};

use rmlcut::budget::{Budget, Stop};
use rmlcut::certificate::digest;
use rmlcut::coverage::{CheckedRun, at_small_sizes};
use rmlcut::finite::question::request::{FiniteRequest, explore};
use rmlcut::finite::{Deadlocks, FiniteOutcome, Silent, Slicing, Symmetry};
use rmlcut::pipeline::read_protocol;
use rmlcut::protocol::{Protocol, State, print_protocol, successors};
use rmlcut::source::SourceFile;

const LOCK: &str = include_str!("accepted/reach_of_an_unknown_action.rml");

/// The lock without its `reach` line, with these lines instead.
fn lock(lines: &str) -> String {
    LOCK.replace("reach take, drop\n", lines)
}

fn read(text: &str) -> Protocol {
    read_protocol(&SourceFile::new("lock.rml", text)).expect("it is legal").0
}

fn only_run(text: &str) -> (Protocol, CheckedRun) {
    let protocol = read(text);
    assert_eq!(protocol.expected_runs.len(), 1);
    let run = at_small_sizes(&protocol, &protocol.expected_runs[0], &Stop::never());
    let run = run.expect("some size was looked at");
    (protocol, run)
}

fn steps(protocol: &Protocol, run: &CheckedRun) -> Vec<String> {
    let run = run.run.as_ref().expect("there is a run");
    assert_eq!(run.replay(protocol), Ok(()));
    let name = |action: usize| protocol.actions[action].name.to_string();
    run.steps.iter().map(|step| name(step.invocation.action)).collect()
}

#[test]
fn the_shortest_run_is_found() {
    let (protocol, run) = only_run(&lock("reach exists N. holds(N)\n"));
    assert_eq!(steps(&protocol, &run), ["take"]);
    let (protocol, run) = only_run(&lock("reach free\n"));
    assert_eq!(steps(&protocol, &run), [""; 0], "it holds at the start");
}

#[test]
fn actions_happen_in_the_order_of_the_line_with_others_between_them() {
    let (protocol, run) = only_run(&lock("reach take, take\n"));
    assert_eq!(steps(&protocol, &run), ["take", "drop", "take"]);
    let (protocol, run) = only_run(&lock("reach drop, exists N. holds(N), free\n"));
    assert_eq!(steps(&protocol, &run), ["take", "drop", "take", "drop"]);
}

#[test]
fn what_needs_more_elements_is_found_at_the_size_that_has_them() {
    let two = "relation seen(node)\ninit ~seen(N)\naction see(n: node) { seen(n) := true }\n\
               reach [two] exists N, M. N != M & seen(N) & seen(M)\n";
    let (protocol, run) = only_run(&lock(two));
    assert_eq!(steps(&protocol, &run).len(), 2);
    assert!(run.explored.size.values().all(|count| *count == 2));
}

#[test]
fn what_no_small_size_reaches_is_not_reached() {
    let (_, run) = only_run(&lock("reach exists N, M. N != M & holds(N) & holds(M)\n"));
    assert!(run.run.is_none() && run.is_unreached_goal());
    assert!(run.looked.is_some_and(|looked| looked.is_complete()));
}

/// Every state that is reachable by executing actions one by one.
fn reachable(protocol: &Protocol, initial: &State) -> BTreeSet<State> {
    let mut seen = BTreeSet::from([initial.clone()]);
    let mut open = vec![initial.clone()];
    while let Some(state) = open.pop() {
        let next = (0..protocol.actions.len()).flat_map(|action| {
            successors(protocol, &state, action).expect("every step has a value")
        });
        for (_, next) in next.collect::<Vec<_>>() {
            if seen.insert(next.state.clone()) {
                open.push(next.state);
            }
        }
    }
    seen
}

#[test]
fn the_search_agrees_with_executing_actions() {
    let goals = ["exists N. holds(N) & free", "exists N. holds(N)", "forall N. ~holds(N) & ~free"];
    for goal in goals {
        let (protocol, run) = only_run(&lock(&format!("reach {goal}\n")));
        let (_, start) = only_run(&lock("reach free\n"));
        let initial = start.run.expect("a run").initial;
        let rmlcut::protocol::RunPart::Holds(formula) = &protocol.expected_runs[0].parts[1] else {
            panic!("a formula")
        };
        let holds = |state: &State| {
            rmlcut::logic::evaluate_formula(state, &Default::default(), formula) == Ok(true)
        };
        let by_hand = reachable(&protocol, &initial).iter().any(holds);
        assert_eq!(run.run.is_some(), by_hand, "{goal}");
    }
}

#[test]
fn lines_about_runs_change_no_digest_and_read_back() {
    let (with, without) = (read(&lock("reach [r] take, free\n")), read(&lock("")));
    assert_eq!(digest(&with), digest(&without));
    assert!(print_protocol(&with).ends_with("reach [r] take, free\n"));
    let again = read(&print_protocol(&with));
    assert_eq!(print_protocol(&again), print_protocol(&with));
}

fn rmlcut(arguments: &[&str], text: &str) -> (String, Option<i32>) {
    let folder = tempfile::TempDir::new().expect("there is room");
    let file = folder.path().join("lock.rml");
    fs::write(&file, text).expect("there is room");
    let mut command = Command::new(env!("CARGO_BIN_EXE_rmlcut"));
    command.arg(arguments[0]).arg(&file).args(&arguments[1..]);
    let Output { stdout, stderr, status } = command.output().expect("the program starts");
    let words = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).expect("text");
    (words(&stdout) + &words(&stderr), status.code())
}

#[test]
fn a_missing_run_is_reported_beside_the_verdict() {
    let text = lock("reach [two] exists N, M. N != M & holds(N) & holds(M)\n");
    let (words, code) = rmlcut(&["explore", "--size", "node=2"], &text);
    assert!(words.starts_with("safe at node=2\n"), "{words}");
    assert!(words.contains("reach [two]: not reached at any size up to node=3"), "{words}");
    assert_eq!(code, Some(0));
    assert_eq!(rmlcut(&["explore", "--strict"], &text).1, Some(2));
    let (words, code) = rmlcut(&["synth", "--strict"], &text);
    assert!(words.contains("runs         reach [two]: not reached at any size"), "{words}");
    assert_eq!(code, Some(2));
    let (words, code) = rmlcut(&["synth", "--strict"], &lock("reach take, drop\n"));
    let found =
        "runs         reach take, drop: reached in 2 steps at node=1: take(node0), drop(node0)";
    assert!(words.contains(found), "{words}");
    assert_eq!(code, Some(0));
}

#[test]
fn a_sweep_shows_a_run_at_the_smallest_size() {
    let text = lock("reach [all] forall N. holds(N)\nreach [first] take\n");
    let (words, _) = rmlcut(&["explore", "--up-to", "node=3"], &text);
    assert!(words.contains("reach [all]: reached in 1 step at node=1\n"), "{words}");
    assert!(words.contains("reach [first]: reached in 1 step at node=1\n"), "{words}");
    let (words, _) = rmlcut(&["explore", "--size", "node=2"], &text);
    assert!(words.contains("reach [first]: reached in 1 step at node=2\n"), "{words}");
}

#[test]
fn runs_are_in_the_json() {
    let text = lock("reach [again] take, drop, take\n");
    let (words, _) = rmlcut(&["explore", "--format", "json"], &text);
    let document: serde_json::Value = serde_json::from_str(&words).expect("JSON");
    let run = &document["traces"][0];
    assert_eq!(run["name"], "reach [again]");
    assert_eq!(run["outcome"], "reachable");
    assert_eq!(run["run"]["steps"].as_array().map(Vec::len), Some(3));
}

const BROKEN: &str = "sort node\nsort key\nrelation asked(node, key)\nrelation holds(node, key)\n\
    init ~asked(N, K) & ~holds(N, K)\n\
    action ask(n: node, k: key) { asked(n, k) := true }\n\
    action take(n: node, k: key) { require asked(n, k); holds(n, k) := true }\n\
    safety [one] holds(N, K) & holds(M, K) -> N = M\n";

#[test]
fn a_sweep_stops_at_the_smallest_violation() {
    let (words, code) = rmlcut(&["explore", "--up-to", "node=3,key=2"], BROKEN);
    assert!(words.starts_with("unsafe at node=2, key=1: [one] fails after 4 steps"), "{words}");
    assert!(words.contains("\n  node=1, key=1: safe, "), "{words}");
    assert_eq!(code, Some(1));
    let safe = BROKEN.replace("require asked(n, k)", "require asked(n, k) & ~holds(N, k)");
    let (words, code) = rmlcut(&["explore", "--up-to", "node=3"], &safe);
    assert!(words.starts_with("safe at every size up to node=3, key=2\n"), "{words}");
    assert_eq!(code, Some(0));
    let (words, code) = rmlcut(&["explore", "--up-to", "node=3", "--max-states", "20"], &safe);
    assert!(words.starts_with("unknown up to node=3, key=2: not every size"), "{words}");
    assert_eq!(code, Some(2));
    let (words, _) = rmlcut(&["explore", "--up-to", "node=2", "--format", "json"], BROKEN);
    let document: serde_json::Value = serde_json::from_str(&words).expect("JSON");
    assert_eq!(document["verdict"], "unsafe");
    assert!(document["sweep"]["searched"].as_array().is_some_and(|sizes| sizes.len() >= 2));
}

#[test]
fn wrong_sweeps_are_refused() {
    for (up_to, words) in [
        ("nod=2", "--up-to: there is no sort `nod`; the sorts are `node`, `key`"),
        ("node=0", "`node` must have between 1 and 1000 elements"),
        ("int=4", "--up-to: `int` has no size"),
        ("node=2,node=3", "--up-to: the size of `node` is given twice"),
        ("node=1000,key=1000", "--up-to: 1000000 sizes to search; 4096 is the limit"),
    ] {
        let (message, code) = rmlcut(&["explore", "--up-to", up_to], BROKEN);
        assert!(message.contains(words), "{message}");
        assert_eq!(code, Some(64));
    }
    let both = ["explore", "--up-to", "node=2", "--size", "node=2"];
    assert!(rmlcut(&both, BROKEN).0.contains("the size of `node` is given twice"));
}

#[test]
fn a_violation_is_shown_without_elements_that_do_not_matter() {
    let size = ["explore", "--size", "node=4,key=3"];
    let (words, code) = rmlcut(&size, BROKEN);
    assert!(words.starts_with("unsafe at node=2, key=1: [one] fails"), "{words}");
    assert!(words.contains("found at node=4, key=3"), "{words}");
    assert_eq!(code, Some(1));
    let (words, _) = rmlcut(&["explore", "--size", "node=4,key=3", "--no-shrink"], BROKEN);
    assert!(words.starts_with("unsafe at node=4, key=3: [one] fails"), "{words}");
}

#[test]
fn every_shrunk_violation_is_a_violation() {
    let texts = [
        BROKEN.to_owned(),
        // The constant and the function keep what they name.
        BROKEN.replace(
            "relation asked",
            "constant first: node\nfunction at(key): node\nrelation asked",
        ) + "safety [first] ~holds(first, K) | at(K) = at(K)\n",
    ];
    for text in texts {
        let protocol = read(&text);
        let request = FiniteRequest {
            sizes: vec![("node".to_owned(), 3), ("key".to_owned(), 2)],
            window: None,
            properties: Vec::new(),
            engine: None,
            deadlocks: Deadlocks::Ignored,
            symmetry: Symmetry::Reduced,
            slicing: Slicing::Whole,
            budget: Budget { max_states: 100_000, ..Budget::until(Stop::never()) },
            patience: u64::MAX,
        };
        let explored = explore(&protocol, &request, &Silent).expect("it can be explored");
        let explored = explored.shrunk(&protocol);
        let FiniteOutcome::Unsafe(violation, _) = &explored.outcome else { panic!("a violation") };
        let (_, property) = protocol.property("one").expect("the property");
        assert!(violation.trace.violates(&protocol, property));
        let sorts = protocol.signature.sorts();
        let counts: Vec<u32> = sorts.map(|sort| violation.trace.count(sort)).collect();
        assert_eq!(counts, [2, 1]);
    }
}
