//! A step that is not possible: which condition fails, where it is written, and for which values.

use serde_json::{Value, json};

use crate::replay::{LOCK, ReplayProgram, lock_trace, text};

fn two(before: Value, after: Value) -> Value {
    json!({ "#meta": { "size": { "node": 2 } }, "states": [before, after] })
}

#[test]
fn the_condition_that_fails_is_shown_with_its_values() {
    let text = "sort node\nrelation on(node)\nvariable at: node\nvariable left: int\n\
                init on(N) & left = 1\n\
                action go(n: node) {\n  left := left - 1\n\
                \x20 require on(n) & left > 0 & ~(exists M. on(M) & M != n)\n  at := n\n}\n\
                safety [fine] left < 2\n";
    let protocol = ReplayProgram::new(text);
    let state =
        |left: i64| json!({ "on": { "#set": ["node0", "node1"] }, "at": "node0", "left": left });
    let (output, code) = protocol.answer(&two(state(1), state(0)));
    assert_eq!(code, Some(2), "{output}");
    // One place, though two invocations fit; `on(n)` holds, so it is not among the values, and
    // `left` is as the statement before left it.
    let expected = "1. go(node0) is not possible: \
                    `require on(n) & 0 < left & ~exists M: node. on(M) & M != n` fails (";
    assert!(output.contains(expected), "{output}");
    let values = ":8:3)\n      left is 0\n      M is node1\n      on(node1) is true\n      \
                  n is node0\n      it fails for 1 other invocation as well\n";
    assert!(output.contains(values), "{output}");
}

#[test]
fn every_condition_is_shown_once_where_the_step_is_unspecified() {
    let mut trace = lock_trace();
    let states = trace["states"].as_array_mut().expect("states");
    states.truncate(2);
    states[1] = states[0].clone();
    states[1].as_object_mut().map(|state| state.remove("mbt::actionTaken"));
    states[1]["turns"] = json!(7);
    // `forget` would be possible; without it nothing is but `release`, whose guard is what fails.
    let fewer: Vec<&str> = LOCK.lines().filter(|line| !line.contains("forget")).collect();
    let stuck = fewer.join("\n").replace("require holds(n)", "require ~holds(first)");
    let (output, code) = ReplayProgram::new(&stuck).answer(&trace);
    assert_eq!(code, Some(2), "{output}");
    assert!(
        output.contains("1. none of 4 invocations that fit the trace is possible\n"),
        "{output}"
    );
    for expected in [
        "   release(node0) is not possible: `require ~holds(first)` fails (",
        "      holds(node0) is true\n      it fails for 1 other invocation as well\n",
        "   take(node0) is not possible: `require free & next(first, n)` fails (",
        "      free is false\n",
    ] {
        assert!(output.contains(expected), "{expected}\n{output}");
    }
}

#[test]
fn choices_that_were_tried_are_counted() {
    let text = "sort node\nvariable x: node\nvariable was: node\ninit x = was\n\
                action go { x := *; require x != x; x := was }\nsafety [stays] x = was\n";
    let state = json!({ "x": "node0", "was": "node0" });
    let (output, _) = ReplayProgram::new(text).answer(&two(state.clone(), state));
    let expected = "      3 choices of its havocs were tried; this is the first\n";
    assert!(output.contains(expected), "{output}");
}

#[test]
fn json_has_the_condition_with_its_place_and_values() {
    let mut trace = lock_trace();
    trace["states"][2]["mbt::nondetPicks"]["n"]["value"] = json!("node0");
    let output = ReplayProgram::new(LOCK).replay(&trace.to_string(), &["--format", "json"]);
    let found: Value = serde_json::from_str(text(&output.stdout)).expect("JSON");
    let refused = &found["flaw"]["refused"][0];
    assert_eq!(found["flaw"]["invocation"], "take(node0)");
    assert_eq!((&refused["invocations"], &refused["choices"]), (&json!(1), &json!(1)));
    let condition = &refused["condition"];
    assert_eq!(condition["text"], "require free & next(first, n)");
    assert_eq!((&condition["line"], &condition["column"]), (&json!(15), &json!(24)));
    let values = json!([
        { "part": "first", "value": "node0" },
        { "part": "next(node0, node0)", "value": "false" },
    ]);
    assert_eq!(condition["values"], values);
}

#[test]
fn a_relation_between_two_states_fails_with_values_of_both() {
    let text = "sort node\nmutable relation on(node)\ninit forall N. on(N)\n\
                transition grow(n: node)\n  modifies on\n  \
                forall M. on(M) -> new(on(M)) | M = n\n\
                safety [all] forall N. on(N)\n";
    let protocol = ReplayProgram::named("test.pyv", text);
    let state = |on: &[&str]| json!({ "on": { "#set": on } });
    let mut trace = two(state(&["node0", "node1"]), state(&["node0"]));
    trace["states"][1]["mbt::actionTaken"] = json!("grow");
    trace["states"][1]["mbt::nondetPicks"] = json!({ "n": "node0" });
    let (output, code) = protocol.answer(&trace);
    assert_eq!(code, Some(2), "{output}");
    let values = "test.pyv:4:12)\n      M is node1\n      on(node1) is true\n      \
                  new(on)(node1) is false\n      n is node0\n";
    assert!(output.contains(values), "{output}");
    trace["states"][1]["mbt::nondetPicks"] = json!({ "n": "node1" });
    assert_eq!(protocol.answer(&trace).1, Some(1), "the twin is a run that violates [all]");
}
