//! The program on files of other languages, as users see it: exit codes, texts and files.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

use tempfile::TempDir;

const LOCK: &str = "sort node\nmutable relation held(node)\ninit !held(N)\n\
    transition take(n: node)\n  modifies held\n\
      (forall N. !held(N)) & (forall N. new(held(N)) <-> held(N) | N = n)\n\
    safety [one] held(N) & held(M) -> N = M\n";

/// A file in a folder of its own.
struct File {
    folder: TempDir,
    path: PathBuf,
}

impl File {
    fn new(name: &str, text: &str) -> Self {
        let folder = TempDir::new().expect("there is room");
        let path = folder.path().join(name);
        fs::write(&path, text).expect("there is room");
        File { folder, path }
    }

    fn run(&self, arguments: &[&str]) -> (String, String, Option<i32>) {
        let mut command = Command::new(env!("CARGO_BIN_EXE_rmlcut"));
        command.arg(arguments[0]).arg(&self.path).args(&arguments[1..]);
        let Output { status, stdout, stderr } = command.output().expect("the program starts");
        let text = |bytes| String::from_utf8(bytes).expect("the program writes text");
        (text(stdout), text(stderr), status.code())
    }
}

#[test]
fn traces_decide_how_explore_ends() {
    for (trace, code, words) in [
        ("sat trace {\n  take\n}\n", 0, "trace at line 8: reachable at node=2, as the text says"),
        ("unsat trace {\n  take\n  take\n}\n", 0, "not reachable at node=2, as the text says"),
        ("unsat trace {\n  take\n}\n", 1, "although the text says that it is not"),
        ("sat trace {\n  take\n  take\n}\n", 2, "the text says that it is at some size"),
    ] {
        let file = File::new("lock.pyv", &format!("{LOCK}{trace}"));
        let (output, _, status) = file.run(&["explore", "--size", "node=2"]);
        assert_eq!(status, Some(code), "{output}");
        assert!(output.starts_with("safe at node=2\n") && output.contains(words), "{output}");
        let (json, _, status) = file.run(&["explore", "--size", "node=2", "--format", "json"]);
        let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
        assert_eq!(status, Some(code));
        assert_eq!(json["traces"][0]["line"], 8);
    }
}

#[test]
fn a_text_without_properties_may_still_ask_for_runs() {
    let text = LOCK.lines().filter(|line| !line.starts_with("safety"));
    let text: String = text.map(|line| format!("{line}\n")).collect();
    let file = File::new("lock.pyv", &format!("{text}sat trace {{\n  take\n}}\n"));
    let (output, _, status) = file.run(&["explore"]);
    assert_eq!(status, Some(0), "{output}");
    assert!(output.starts_with("trace at line 7: reachable"), "{output}");
    let without = File::new("lock.pyv", &text);
    let (_, message, status) = without.run(&["explore"]);
    assert_eq!(status, Some(64));
    assert!(message.contains("there is no `safety` line"), "{message}");
}

#[test]
fn translation_is_selected_by_an_option() {
    let file = File::new("lock.pyv", LOCK);
    let (output, _, status) = file.run(&["fmt", "--to", "rml"]);
    assert_eq!(status, Some(0));
    assert!(output.contains("action take(n: node) {"), "{output}");
    let (_, message, status) = file.run(&["fmt", "--to", "rml", "--check"]);
    assert_eq!(status, Some(64));
    assert!(message.contains("written in mypyvy"), "{message}");
    let (_, _, status) = file.run(&["fmt", "--to", "cobol"]);
    assert_eq!(status, Some(64));
}

#[test]
fn an_export_to_tla_has_a_configuration_beside_it() {
    let file = File::new("lock.pyv", LOCK);
    let module = file.folder.path().join("Lock.tla");
    let target = module.display().to_string();
    let arguments = ["export", "--to", "tla", "--size", "node=3", "-o", &target];
    let (_, message, status) = file.run(&arguments);
    assert_eq!(status, Some(0), "{message}");
    let text = fs::read_to_string(&module).expect("the module was written");
    assert!(text.starts_with("---- MODULE Lock ----"), "{text}");
    let configuration = fs::read_to_string(module.with_extension("cfg"));
    let configuration = configuration.expect("the configuration was written");
    assert!(configuration.contains("node = {node_1, node_2, node_3}"), "{configuration}");
    let (_, message, status) = file.run(&["export", "--to", "tla", "--size", "nodes=3"]);
    assert_eq!(status, Some(64));
    assert!(message.contains("no sort is called `nodes`"), "{message}");
}
