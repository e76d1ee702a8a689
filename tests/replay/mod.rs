//! `rmlcut replay`: runs are reported with what they violate; everything else is refused.
//!
//! `runs` has traces that are runs, of our own and in the style of other tools, `twins` the same
//! traces with one thing changed, `choices` what steps leave open, `refusals` why a step is not possible, `corpus` what `explore` writes.

mod choices;
mod corpus;
mod refusals;
mod runs;
mod twins;

use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};
use tempfile::TempDir;

const LOCK: &str = "
sort node
rigid relation next(node, node)
constant first: node
axiom [begins] exists N. next(first, N)
relation holds(node)
relation free
function at(node): node
variable turns: int
init [held] holds(N) <-> N = first
init ~free
init at(N) = first
init turns = 0
action release(n: node) { require holds(n); holds(n) := false; free := true; turns := turns + 1 }
action take(n: node) { require free & next(first, n); holds(n) := true; at(n) := n }
action forget(n: node) { at(n) := * }
safety [fair] turns < 2
safety [one] free -> ~holds(N)
";

/// The first node gives the lock away and a second one takes it; no node observes that it is free.
fn lock_trace() -> Value {
    let next = json!({ "#set": [{ "#tup": ["node0", "node1"] }] });
    let at = |second: &str| json!({ "#map": [["node0", "node0"], ["node1", second]] });
    let picked = |node: &str| json!({ "n": { "tag": "Some", "value": node } });
    json!({
        "#meta": { "size": { "node": 2 } },
        "vars": ["next", "first", "holds", "free", "at", "turns"],
        "states": [
            {
                "next": next, "first": "node0", "holds": { "#set": ["node0"] }, "free": false,
                "at": at("node0"), "turns": { "#bigint": "0" },
                "mbt::actionTaken": "init", "mbt::nondetPicks": {},
            },
            {
                "next": next, "first": "node0", "holds": { "#set": [] }, "free": true,
                "at": at("node0"), "turns": { "#bigint": "1" },
                "mbt::actionTaken": "release", "mbt::nondetPicks": picked("node0"),
            },
            {
                "next": next, "first": "node0", "holds": { "#set": ["node1"] }, "free": true,
                "at": at("node1"), "turns": { "#bigint": "1" },
                "mbt::actionTaken": "take", "mbt::nondetPicks": picked("node1"),
            },
        ],
    })
}

/// A protocol and a trace in a folder of their own.
struct ReplayProgram {
    folder: TempDir,
    protocol: PathBuf,
}

impl ReplayProgram {
    fn new(protocol: &str) -> Self {
        ReplayProgram::named("test.rml", protocol)
    }

    /// With a name, which says the language of the protocol.
    fn named(name: &str, protocol: &str) -> Self {
        let folder = TempDir::new().expect("there is room");
        let file = folder.path().join(name);
        fs::write(&file, protocol).expect("there is room");
        ReplayProgram { folder, protocol: file }
    }

    fn replay(&self, trace: &str, arguments: &[&str]) -> Output {
        let file = self.folder.path().join("trace.itf.json");
        fs::write(&file, trace).expect("there is room");
        let mut command = Command::new(env!("CARGO_BIN_EXE_rmlcut"));
        command.arg("replay").arg(&self.protocol).arg(&file).args(arguments);
        command.output().expect("the program starts")
    }

    /// Standard output and the exit code.
    fn answer(&self, trace: &Value) -> (String, Option<i32>) {
        let output = self.replay(&trace.to_string(), &[]);
        (text(&output.stdout).to_owned(), output.status.code())
    }

    /// The first line and the exit code.
    fn verdict(&self, trace: &Value) -> (String, Option<i32>) {
        let (output, code) = self.answer(trace);
        (output.lines().next().unwrap_or_default().to_owned(), code)
    }

    /// The messages of a refusal; nothing is on standard output.
    fn refusal(&self, trace: &str) -> String {
        let output = self.replay(trace, &[]);
        assert_eq!(output.status.code(), Some(64), "{trace}\n{}", text(&output.stdout));
        assert_eq!(text(&output.stdout), "", "{trace}");
        text(&output.stderr).to_owned()
    }

    /// The answer to a trace on the standard input.
    fn piped(&self, trace: &str) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_rmlcut"));
        command.arg("replay").arg(&self.protocol).arg("-");
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the program starts");
        let mut input = child.stdin.take().expect("a pipe");
        input.write_all(trace.as_bytes()).expect("the program reads");
        drop(input);
        child.wait_with_output().expect("the program ends")
    }
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("the program writes text")
}
