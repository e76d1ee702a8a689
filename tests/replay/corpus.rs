//! What `rmlcut explore --format itf` writes about the broken protocols reads back as a run with the
//! same violation, and loses it with its last state.

use std::process::Command;

use serde_json::Value;

use crate::replay::{ReplayProgram, text};
use crate::support::corpus::{self, Expectation};

#[test]
fn what_explore_writes_is_a_run_with_the_same_violation() {
    let mut replayed = 0;
    for entry in corpus::entries() {
        let expectation = entry.header().expect("a header").expectation;
        let Expectation::Unsafe { size, integers, .. } = &expectation else { continue };
        let program = ReplayProgram::new(&entry.text);
        let sizes: Vec<String> =
            size.iter().map(|(sort, count)| format!("{sort}={count}")).collect();
        let mut explore = Command::new(env!("CARGO_BIN_EXE_rmlcut"));
        explore.arg("explore").arg(&program.protocol).args(["--format", "itf"]);
        explore.args(["--size", &sizes.join(",")]);
        explore.args(integers.map(|(low, high)| format!("--int={low}..{high}")));
        let written = explore.output().expect("the program starts");
        let (trace, found) = (text(&written.stdout), text(&written.stderr));
        let found = found.lines().last().expect("a verdict");
        let expected = found.replacen("unsafe at", "a run at", 1);
        assert_ne!(found, expected, "{}", entry.path);

        let output = program.replay(trace, &[]);
        assert_eq!(text(&output.stdout).lines().next(), Some(&*expected), "{}", entry.path);
        assert_eq!((output.status.code(), text(&output.stderr)), (Some(1), ""), "{}", entry.path);

        let mut shorter: Value = serde_json::from_str(trace).expect("JSON");
        shorter["states"].as_array_mut().expect("states").pop();
        let (verdict, code) = program.verdict(&shorter);
        assert!(verdict.starts_with("a run at ") && verdict.contains("nothing fails"), "{verdict}");
        assert_eq!(code, Some(0), "{}", entry.path);
        replayed += 1;
    }
    assert!(replayed > 30, "{replayed}");
}
