//! The same trace with one thing changed: not a run, or no trace of this protocol.

use serde_json::{Value, json};

use crate::replay::{LOCK, ReplayProgram, lock_trace};

/// A change of a trace.
type Edit = fn(&mut Value);

/// Each with the verdict and the words about it.
const NOT_RUNS: [(Edit, &str, &str); 10] = [
    (
        |trace| trace["states"][2]["at"]["#map"][1][1] = json!("node0"),
        "step 2 leads to another state",
        "2. take(node1) leads to another state:\n   at(node1) is node1, the trace says node0\n",
    ),
    (
        |trace| trace["states"][1]["free"] = json!(false),
        "step 1 leads to another state",
        "   free is true, the trace says false\n",
    ),
    (
        |trace| drop(trace["states"].as_array_mut().map(|states| states.remove(1))),
        "step 1 is not possible",
        "1. take(node1) is not possible: `require free & next(first, n)` fails (",
    ),
    (
        |trace| trace["states"][2]["mbt::actionTaken"] = json!("release"),
        "step 2 is not possible",
        "2. release(node1) is not possible: `require holds(n)` fails (",
    ),
    (
        |trace| trace["states"][2]["mbt::nondetPicks"]["n"]["value"] = json!("node0"),
        "step 2 is not possible",
        ":15:24)\n      first is node0\n      next(node0, node0) is false\n",
    ),
    (
        |trace| trace["states"][2]["next"] = json!({ "#set": [] }),
        "step 2 changes `next`, which never changes",
        "",
    ),
    (
        |trace| trace["states"][1]["first"] = json!("node1"),
        "step 1 changes `first`, which never changes",
        "",
    ),
    (
        |trace| trace["states"][0]["holds"] = json!({ "#set": ["node0", "node1"] }),
        "the first state does not satisfy the initial condition",
        "fails: init [held] forall N: node. holds(N) <-> N = first\n",
    ),
    (
        |trace| {
            for state in trace["states"].as_array_mut().expect("states") {
                state["next"] = json!({ "#set": [] });
            }
        },
        "the instance does not satisfy the axioms",
        "fails: axiom [begins] exists N: node. next(first, N)\n",
    ),
    (
        |trace| {
            let states = trace["states"].as_array_mut().expect("states");
            let last = states[2].clone();
            states.push(last);
            for state in states {
                let state = state.as_object_mut().expect("a state");
                state.remove("mbt::actionTaken");
                state.insert("turns".to_owned(), json!(0));
            }
        },
        "step 1 leads to another state",
        "turns is 1, the trace says 0\n",
    ),
];

#[test]
fn what_is_not_a_run_is_reported() {
    let protocol = ReplayProgram::new(LOCK);
    for (edit, verdict, details) in NOT_RUNS {
        let mut trace = lock_trace();
        edit(&mut trace);
        let (output, code) = protocol.answer(&trace);
        let expected = format!("not a run at node=2: {verdict}\n");
        assert!(output.starts_with(&expected), "{expected}{output}");
        assert!(output.contains(details), "{details}{output}");
        assert_eq!(code, Some(2), "{verdict}");
    }
}

#[test]
fn what_is_no_trace_of_the_protocol_is_refused() {
    let twins: [(Edit, &str); 21] = [
        (|trace| remove(&mut trace["states"][1], "free"), "`free` has no value in this state"),
        (|trace| remove(&mut trace["states"][0], "first"), "`first` has no value in this state"),
        (
            |trace| drop(trace["states"][1]["at"]["#map"].as_array_mut().map(Vec::pop)),
            "`at(node1)` has no value",
        ),
        (
            |trace| trace["states"][1]["at"]["#map"][1][0] = json!("node0"),
            "the value of `at` is given twice here",
        ),
        (|trace| trace["states"][1]["first"] = json!("node2"), "there is no `node2`: `node` has 2"),
        (|trace| trace["states"][1]["first"] = json!("third"), "there is no `third`: `node` has 2"),
        (
            |trace| trace["states"][1]["first"] = json!(1),
            "an element of `node`, as a string, found",
        ),
        (
            |trace| trace["states"][1]["free"] = json!("yes"),
            "expected a truth value, found a string",
        ),
        (
            |trace| trace["states"][1]["turns"] = json!(0.5),
            "expected an integer, found a number that",
        ),
        (
            |trace| trace["states"][1]["turns"] = json!({ "#bigint": "9223372036854775808" }),
            "expected an integer, found a number that is not a 64-bit integer",
        ),
        (|trace| trace["states"][1]["holds"] = json!(["node0"]), "`holds` is a set of"),
        (|trace| trace["states"][1]["at"] = json!({ "#set": [] }), "`at` is a map from"),
        (|trace| trace["states"][1]["next"]["#set"][0] = json!("node0"), "`next` has 2 arguments"),
        (
            |trace| trace["states"][1]["mbt::actionTaken"] = json!("relaese"),
            "there is no action `relaese`",
        ),
        (|trace| trace["states"][1]["mbt::nondetPicks"]["m"] = json!("node0"), "no parameter `m`"),
        (|trace| trace["#meta"]["size"]["nod"] = json!(2), "unknown sort `nod`"),
        (|trace| trace["#meta"]["size"]["node"] = json!(0), "between 1 and 65536 elements"),
        (
            |trace| trace["#meta"]["size"]["node"] = json!(4_000_000_000_u64),
            "between 1 and 65536 elements",
        ),
        (|trace| trace["states"] = json!([]), "a trace has at least one state"),
        (|trace| remove(trace, "states"), "`states` must be given here"),
        (|trace| trace["states"][1] = json!(null), "a state is an object"),
    ];
    let protocol = ReplayProgram::new(LOCK);
    for (edit, words) in twins {
        let mut trace = lock_trace();
        edit(&mut trace);
        let refusal = protocol.refusal(&format!("{trace:#}"));
        assert!(refusal.contains(words), "{words}\n{refusal}");
        assert!(refusal.contains("trace.itf.json:"), "a place: {refusal}");
    }
}

fn remove(value: &mut Value, key: &str) {
    assert!(value.as_object_mut().and_then(|object| object.remove(key)).is_some(), "{key}");
}

#[test]
fn all_mistakes_come_at_once_each_with_its_place() {
    let trace =
        "{ \"states\": [\n  { \"on\": { \"#set\": [1] },\n    \"at\": \"node0\" },\n  {} ] }";
    let protocol = "sort node\nrelation on(node)\nvariable at: int\nvariable to: node\n\
                    action go { to := * }\nsafety [fine] at < 1 & on(N) -> to = N\n";
    let refusal = ReplayProgram::new(protocol).refusal(trace);
    for place in ["2:22", "3:11", "2:3", "4:3"] {
        assert!(refusal.contains(&format!("trace.itf.json:{place}\n")), "{place}\n{refusal}");
    }
    assert_eq!(refusal.matches("error[").count(), 6, "{refusal}");
}

#[test]
fn texts_that_are_no_json_are_refused() {
    let protocol = ReplayProgram::new(LOCK);
    let whole = format!("{:#}", lock_trace());
    let half = protocol.refusal(&whole[..whole.len() / 2]);
    assert!(half.contains("error[RML0001]"), "{half}");
    let twice = whole.replacen("\"free\":", "\"turns\":", 1);
    assert!(protocol.refusal(&twice).contains("`turns` is given twice"));
    assert!(protocol.refusal("\n").contains("there is no trace: the file is empty"));
    assert!(protocol.refusal("[]").contains("a trace is an object"));
    let deep = format!("{{\"x\":{}", "[".repeat(100_000));
    assert!(protocol.refusal(&deep).contains("nested more than 64 levels deep"));
}

#[test]
fn hostile_sizes_are_refused_before_anything_is_built() {
    let protocol = ReplayProgram::new(LOCK);
    let mut trace = lock_trace();
    remove(&mut trace, "#meta");
    trace["states"][0]["first"] = json!("node4000000000");
    assert!(protocol.refusal(&trace.to_string()).contains("at most 65536 elements"));
    trace["states"][0]["first"] = json!("node99999999999999999999999999");
    assert!(protocol.refusal(&trace.to_string()).contains("at most 65536 elements"));
    let mut trace = lock_trace();
    trace["#meta"]["size"]["node"] = json!(60_000);
    assert!(protocol.refusal(&trace.to_string()).contains("the limit of 2097152 values"));
    for range in [json!([i64::MIN, i64::MAX]), json!([0, 70_000]), json!([1, 0]), json!([1])] {
        trace["#meta"] = json!({ "size": { "node": 2 }, "int": range });
        let refusal = protocol.refusal(&trace.to_string());
        assert_eq!(refusal.matches("error[").count(), 1, "{refusal}");
    }
    // As many mistakes as there are states, and not as many messages.
    let states = vec![json!({}); 10_000];
    let refusal = protocol.refusal(&json!({ "states": states }).to_string());
    assert_eq!(refusal.matches("error[").count(), 100);
    assert!(refusal.contains("the rest of this file was not checked"));
}
