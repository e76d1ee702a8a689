//! Runs in the words of the process: who wins, what is decided, who sends to whom; as text and JSON.

use std::path::Path;
use std::process::Command;

use serde_json::Value;

fn output(arguments: &[&str]) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut command = Command::new(env!("CARGO_BIN_EXE_rmlcut"));
    let output = command.current_dir(root).args(arguments).output().expect("the program runs");
    String::from_utf8(output.stdout).expect("text")
}

const SATS: &str = "protocols/agreement/broken/sats_landing_prose.mer";

#[test]
fn steps_say_who_wins_and_who_loses() {
    let text = output(&["explore", SATS, "--size", "process=3"]);
    for header in [
        "\n1. enter: process0, process1, process2 win\n",
        "\n2. side: process0, process1 win; process2 loses\n",
        "\n3. left: process0 wins; process1 loses\n",
        "\n4. to_base: from process0 to all\n",
        // The members of a set that was built by messages.
        "\n6. approach: process0 wins\n",
    ] {
        assert!(text.contains(header), "{header}{text}");
    }
    assert!(!text.contains("at_"), "no lowered relation is shown:\n{text}");
}

#[test]
fn steps_say_what_is_decided_and_what_the_environment_does() {
    let file = "protocols/agreement/broken/two_valued_consensus.mer";
    let text = output(&["explore", file, "--size", "process=2"]);
    for header in [
        "\n1. suggest[2]: from the environment to process0\n",
        "\n2. settle: decided 1, proposed by process1; 2, proposed by process0\n",
    ] {
        assert!(text.contains(header), "{header}{text}");
    }
}

#[test]
fn json_has_the_same_words() {
    let text = output(&["explore", SATS, "--size", "process=3"]);
    let json = output(&["explore", SATS, "--size", "process=3", "--format", "json"]);
    let json: Value = serde_json::from_str(&json).expect("JSON");
    let steps = json["violation"]["steps"].as_array().expect("steps");
    assert_eq!(steps.len(), 10);
    let mut in_words = String::new();
    for (number, step) in (1..).zip(steps) {
        let words = &step["words"];
        in_words.push_str(&format!("{number}. {}\n", words["summary"].as_str().expect("words")));
        for moved in words["moves"].as_array().expect("moves") {
            let part = |name: &str| moved[name].as_str().expect("words").to_owned();
            in_words.push_str(&format!("   {}: {}\n", part("process"), part("change")));
        }
    }
    assert!(text.contains(&in_words), "{in_words}\n{text}");
    let summary = json["violation"]["summary"].as_str().expect("a summary");
    assert!(text.contains(summary), "{summary}\n{text}");
}

#[test]
fn a_replay_is_in_the_same_words() {
    let folder = tempfile::tempdir().expect("a folder");
    let trace = folder.path().join("trace.itf.json");
    let itf = output(&["explore", SATS, "--size", "process=3", "--format", "itf"]);
    std::fs::write(&trace, itf).expect("written");
    let explored = output(&["explore", SATS, "--size", "process=3"]);
    let replayed = output(&["replay", SATS, trace.to_str().expect("a path")]);
    let start = explored.find("initially").expect("a run");
    let end = explored.find("fails: ").expect("a failure");
    assert!(replayed.contains(&explored[start..end]), "{replayed}");
}

#[test]
fn a_protocol_without_processes_has_no_such_words() {
    let file = "protocols/broken/trip.rml";
    let json = output(&["explore", file, "--size", "node=3", "--format", "json"]);
    assert!(json.contains("\"steps\"") && !json.contains("\"words\""), "{json}");
}
