//! What a trace leaves open: the picks of havocs, arguments, and integers outside a range.

use serde_json::{Value, json};

use crate::replay::ReplayProgram;

fn states(states: &[Value]) -> Value {
    json!({ "states": states })
}

#[test]
fn a_havoc_picks_what_the_next_state_has() {
    // Far too many tables to try them all.
    let text = "sort node\nrelation r(node, node)\nvariable c: int\ninit ~r(N, M) & c = 0\n\
                action any { r(*, *) := *; c := *; require c > 4 }\nsafety [none] ~r(N, N)\n";
    let protocol = ReplayProgram::new(text);
    let pair = |one: &str, other: &str| json!({ "#tup": [one, other] });
    let after = json!({ "#set": [pair("node0", "node0"), pair("node1", "node8")] });
    let before = json!({ "r": { "#set": [] }, "c": 0 });
    let trace = states(&[before.clone(), json!({ "r": after, "c": 5 })]);
    let verdict = ("a run at node=9: [none] fails after 1 step".to_owned(), Some(1));
    assert_eq!(protocol.verdict(&trace), verdict);
    let trace = states(&[before, json!({ "r": after, "c": 4 })]);
    let verdict = ("not a run at node=9: step 1 is not possible".to_owned(), Some(2));
    assert_eq!(protocol.verdict(&trace), verdict);
}

#[test]
fn a_pick_that_is_overwritten_is_searched_for() {
    let text = "sort node\nvariable x: node\nvariable was: node\ninit x = was\n\
                action go { x := *; require x != was; was := x; x := * }\n\
                safety [stays] x = was\n";
    let protocol = ReplayProgram::new(text);
    let state = |x: &str, was: &str| json!({ "x": x, "was": was });
    let size = |mut trace: Value| {
        trace["#meta"] = json!({ "size": { "node": 3 } });
        trace
    };
    let trace = size(states(&[state("node0", "node0"), state("node1", "node2")]));
    let verdict = ("a run at node=3: [stays] fails after 1 step".to_owned(), Some(1));
    assert_eq!(protocol.verdict(&trace), verdict);
    let trace = size(states(&[state("node0", "node0"), state("node1", "node0")]));
    let verdict = ("not a run at node=3: step 1 leads to another state".to_owned(), Some(2));
    assert_eq!(protocol.verdict(&trace), verdict);
}

#[test]
fn a_hopeless_argument_does_not_use_up_the_search() {
    let text = "sort node\nrelation e(node, node)\ninit ~e(X, Y)\n\
                action any(x: node) { e(x, x) := *; e(X, Y) := *; e(x, x) := false }\n\
                safety [empty] ~e(X, Y)\n";
    let protocol = ReplayProgram::new(text);
    let pairs: Vec<Value> = (0..5)
        .map(|number| json!({ "#tup": [format!("node{number}"), format!("node{number}")] }))
        .collect();
    let mut trace = states(&[json!({ "e": { "#set": [] } }), json!({ "e": { "#set": pairs } })]);
    trace["#meta"] = json!({ "size": { "node": 10 } });
    let verdict = ("a run at node=10: [empty] fails after 1 step".to_owned(), Some(1));
    assert_eq!(protocol.verdict(&trace), verdict);
}

#[test]
fn what_cannot_be_searched_is_unknown() {
    let text = "sort node\nrelation r(node, node)\nrelation done\ninit ~r(N, M) & ~done\n\
                action any { r(*, *) := *; require forall N. r(N, N); done := true\n\
                r(N, M) := false }\nsafety [open] ~done\n";
    let protocol = ReplayProgram::new(text);
    let mut trace = states(&[
        json!({ "r": { "#set": [] }, "done": false }),
        json!({ "r": { "#set": [] }, "done": true }),
    ]);
    trace["#meta"] = json!({ "size": { "node": 2 } });
    let verdict = ("a run at node=2: [open] fails after 1 step".to_owned(), Some(1));
    assert_eq!(protocol.verdict(&trace), verdict);
    trace["states"][1]["done"] = json!(false);
    trace["#meta"] = json!({ "size": { "node": 5 } });
    let (verdict, code) = protocol.verdict(&trace);
    let expected = "unknown at node=5: whether step 1 is possible cannot be decided: \
                    its havocs have too many possible choices";
    assert_eq!((verdict.as_str(), code), (expected, Some(2)));
}

#[test]
fn missing_integers_are_unknown_and_never_impossible() {
    let text = "variable c: int\nvariable d: int\ninit c = 0 & d = 0\n\
                action add(n: int) { require n > 0; c := c + n; d := *; require d > c; d := 0 }\n\
                safety [small] c < 3\n";
    let protocol = ReplayProgram::new(text);
    let state = |c: i64| json!({ "c": c, "d": 0 });
    let mut trace = states(&[state(0), state(1)]);
    let (verdict, code) = protocol.verdict(&trace);
    assert!(verdict.starts_with("unknown at the only size: whether step 1"), "{verdict}");
    assert_eq!(code, Some(2));
    let text = text.replace("d := *; require d > c; d := 0", "d := 0");
    let protocol = ReplayProgram::new(&text);
    assert_eq!(protocol.verdict(&trace).1, Some(0), "1 is an integer of the states");
    trace = states(&[state(1), state(3)]);
    trace["states"][0]["c"] = json!(0);
    trace["states"][1]["c"] = json!(-3);
    let (verdict, code) = protocol.verdict(&trace);
    assert!(
        verdict.ends_with("an argument is an integer that the trace does not give"),
        "{verdict}"
    );
    assert_eq!(code, Some(2));
    trace["states"][1]["mbt::actionTaken"] = json!("add");
    trace["states"][1]["mbt::nondetPicks"] = json!({ "n": 3 });
    let verdict = ("not a run at the only size: step 1 leads to another state".to_owned(), Some(2));
    assert_eq!(protocol.verdict(&trace), verdict);
    trace["states"][1]["c"] = json!(3);
    let verdict = ("a run at the only size: [small] fails after 1 step".to_owned(), Some(1));
    assert_eq!(protocol.verdict(&trace), verdict);
}

const QUEUE: &str = "relation seen(int)\nvariable c: int\ninit c = 0\n\
                     action step { require ~seen(c); seen(c) := true; c := c + 1 }\n\
                     safety [small] c < 2\n";

#[test]
fn outside_the_range_nothing_is_known() {
    let protocol = ReplayProgram::new(QUEUE);
    let state = |seen: &[i64], c: i64| json!({ "seen": { "#set": seen }, "c": c });
    let mut trace = states(&[state(&[], 0), state(&[0], 1), state(&[0, 1], 2)]);
    let verdict = ("a run at the only size: [small] fails after 2 steps".to_owned(), Some(1));
    assert_eq!(protocol.verdict(&trace), verdict);
    trace["states"] = json!([state(&[], 0), state(&[0], 1), state(&[0], 2)]);
    let (verdict, code) = protocol.verdict(&trace);
    assert!(verdict.ends_with("a value outside the integer window is needed"), "{verdict}");
    assert_eq!(code, Some(2));
    trace["#meta"] = json!({ "int": [0, 4] });
    let verdict = "not a run at the only size: step 2 leads to another state".to_owned();
    assert_eq!(protocol.verdict(&trace), (verdict, Some(2)));
    trace["#meta"] = json!({ "int": [1, 4] });
    assert!(protocol.refusal(&trace.to_string()).contains("0 is outside 1..4"));
}

#[test]
fn a_quantifier_over_integers_is_never_evaluated() {
    let text = format!("{QUEUE}safety [below] seen(X) -> X < c\n");
    let protocol = ReplayProgram::new(&text);
    let trace = states(&[json!({ "seen": { "#set": [3] }, "c": 0 })]);
    let (verdict, code) = protocol.verdict(&trace);
    let expected = "unknown at the only size: [below] cannot be evaluated initially: \
                    a quantifier over int cannot be evaluated over a window";
    assert_eq!((verdict.as_str(), code), (expected, Some(2)));
}
