//! Traces that are runs: as we write them, and as other tools do.

use serde_json::{Value, json};

use crate::replay::{LOCK, ReplayProgram, lock_trace, text};

#[test]
fn a_run_is_shown_step_by_step() {
    let (output, code) = ReplayProgram::new(LOCK).answer(&lock_trace());
    let expected = "\
a run at node=2: [one] fails after 2 steps

instance:
   next(node0, node1)
   first = node0
initially:
   holds(node0)
   at(node0) = node0
   at(node1) = node0
   turns = 0
1. release(node0)
   - holds(node0)
   + free
   - turns = 0
   + turns = 1
2. take(node1)
   + holds(node1)
   - at(node1) = node0
   + at(node1) = node1
fails after 2 steps: [one] free -> ~holds(N) for N = node1
";
    assert_eq!((output.as_str(), code), (expected, Some(1)));
}

#[test]
fn a_run_without_violation_is_one_too() {
    let protocol = ReplayProgram::new(LOCK);
    let mut trace = lock_trace();
    trace["states"].as_array_mut().expect("states").pop();
    let verdict = protocol.verdict(&trace);
    assert_eq!(verdict, ("a run at node=2: nothing fails in 1 step".to_owned(), Some(0)));
    trace["states"].as_array_mut().expect("states").pop();
    let verdict = protocol.verdict(&trace);
    assert_eq!(verdict, ("a run at node=2: nothing fails initially".to_owned(), Some(0)));
}

#[test]
fn every_property_is_named_where_it_fails_first() {
    let mut trace = lock_trace();
    // The lock goes round once more: both properties fail, one of them in three states.
    let mut again = trace["states"][2].clone();
    again["holds"] = json!({ "#set": [] });
    again["turns"] = json!(2);
    again["mbt::actionTaken"] = json!("release");
    let mut forgotten = trace["states"][2].clone();
    forgotten["mbt::actionTaken"] = json!("forget");
    forgotten["at"] = json!({ "#map": [["node0", "node0"], ["node1", "node0"]] });
    let states = trace["states"].as_array_mut().expect("states");
    again["at"] = forgotten["at"].clone();
    states.extend([forgotten, again]);
    let (output, code) = ReplayProgram::new(LOCK).answer(&trace);
    assert!(output.starts_with("a run at node=2: [one] fails after 2 steps\n"), "{output}");
    assert!(
        output.ends_with(
            "fails after 4 steps: [fair] turns < 2\n\
             fails after 2 steps: [one] free -> ~holds(N) for N = node1, and in 1 later state\n"
        ),
        "{output}"
    );
    assert_eq!(code, Some(1));
}

/// Plain integers, names of its own, nothing about actions, constants in the first state only, a
/// relation as a map, and variables that the protocol does not have.
fn foreign() -> Value {
    let at = |second: &str| json!({ "#map": [["left", "left"], ["right", second]] });
    json!({
        "#meta": { "varTypes": { "free": "Bool" }, "timestamp": 7 },
        "params": ["next", "first"],
        "vars": ["holds", "free", "at", "turns", "clock"],
        "loop": null,
        "states": [
            {
                "#info": [], "next": { "#set": [{ "#tup": ["left", "right"] }] }, "first": "left",
                "holds": { "#map": [["left", true], ["right", false]] }, "free": false,
                "at": at("left"), "turns": 0, "clock": 0.5,
            },
            { "holds": { "#set": [] }, "free": true, "at": at("left"), "turns": 1, "clock": null },
            {
                "holds": { "#set": [{ "#tup": ["right"] }] }, "free": true, "at": at("right"),
                "turns": 1, "clock": { "hours": 1 },
            },
        ],
    })
}

#[test]
fn traces_of_other_tools_are_read() {
    let output = ReplayProgram::new(LOCK).replay(&foreign().to_string(), &[]);
    let answer = text(&output.stdout);
    assert!(
        answer.starts_with(
            "a run at node=2: [one] fails after 2 steps\n\
             no size given; the mentioned elements are used for node\n\
             node0 is called \"left\"\nnode1 is called \"right\"\n\n"
        ),
        "{answer}"
    );
    assert!(answer.contains("\n1. release(node0)\n") && answer.contains("\n2. take(node1)\n"));
    assert_eq!(output.status.code(), Some(1));
    let warnings = text(&output.stderr);
    assert!(
        warnings.contains("warning[RML0201]: the protocol has no symbol `clock`"),
        "{warnings}"
    );
    assert_eq!(warnings.matches("warning").count(), 1, "once: {warnings}");
}

#[test]
fn a_loop_is_ignored_with_a_note() {
    let mut trace = lock_trace();
    trace["loop"] = json!(1);
    let output = ReplayProgram::new(LOCK).replay(&trace.to_string(), &[]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("`loop` is ignored"), "{output:?}");
}

#[test]
fn our_names_keep_their_numbers_beside_others() {
    let text = "sort node\nrelation on(node)\naction flip(n: node) { on(n) := true }\n\
                safety [off] on(N) -> ~on(N)\n";
    let trace = json!({ "states": [{ "on": { "#set": ["x", "node0", "node2", "node01"] } }] });
    let (output, code) = ReplayProgram::new(text).answer(&trace);
    assert!(output.starts_with("a run at node=4: [off] fails initially\n"), "{output}");
    assert!(output.contains("node1 is called \"x\"\nnode3 is called \"node01\"\n"), "{output}");
    assert_eq!(code, Some(1));
}

#[test]
fn unmentioned_elements_are_counted_where_the_size_is_given() {
    let text = "sort node\nrelation on(node)\ninit ~on(N)\n\
                action flip { require forall N. ~on(N); on(N) := true }\n\
                safety [small] on(N) & on(M) -> N = M\n";
    let protocol = ReplayProgram::new(text);
    let all = json!({ "#set": ["node0", "node1", "node2"] });
    let mut trace = json!({ "states": [{ "on": { "#set": [] } }, { "on": all }] });
    let verdict = ("a run at node=3: [small] fails after 1 step".to_owned(), Some(1));
    assert_eq!(protocol.verdict(&trace), verdict);
    trace["#meta"] = json!({ "size": { "node": 4 } });
    let verdict = ("not a run at node=4: step 1 leads to another state".to_owned(), Some(2));
    assert_eq!(protocol.verdict(&trace), verdict);
}

#[test]
fn a_trace_is_read_from_standard_input() {
    let output = ReplayProgram::new(LOCK).piped(&lock_trace().to_string());
    assert!(text(&output.stdout).starts_with("a run at node=2: [one] fails after 2 steps\n"));
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn json_has_the_same_facts_as_the_text() {
    let protocol = ReplayProgram::new(LOCK);
    let document = |trace: &Value| -> Value {
        let output = protocol.replay(&trace.to_string(), &["--format", "json"]);
        serde_json::from_str(text(&output.stdout)).expect("JSON")
    };
    let found = document(&lock_trace());
    assert_eq!(found["verdict"], "violation");
    assert_eq!(found["summary"], "a run at node=2: [one] fails after 2 steps");
    assert_eq!(found["size"], json!({ "node": 2 }));
    assert_eq!(found["failures"][0]["elements"], json!({ "N": "node1" }));
    assert_eq!(found["failures"][0]["after"], 2);
    assert_eq!(found["run"]["steps"][1]["action"], "take");
    let mut wrong = lock_trace();
    wrong["states"][2]["turns"] = json!(5);
    let found = document(&wrong);
    assert_eq!(found["verdict"], "not a run");
    assert_eq!((&found["flaw"]["kind"], &found["flaw"]["step"]), (&json!("elsewhere"), &json!(2)));
    assert_eq!(found["failures"], Value::Null);
    wrong["states"][2]["turns"] = json!("many");
    assert_eq!(document(&wrong)["diagnostics"][0]["code"], "RML0301");
}
