//! Sorts whose elements are fixed: they have one size everywhere, and their elements have names.

use std::fs;
use std::process::{Command, Output};

use rmlcut::protocol::Protocol;
use rmlcut::source::SourceFile;
use serde_json::Value as Json;
use tempfile::TempDir;

use super::read;

/// A protocol with an enumeration, in Ivy; `again` leads to a status.
fn ivy(again: &str) -> String {
    format!(
        "#lang ivy1.7\ntype node\ntype status = {{idle, busy, finished}}\n\
         function st(N:node) : status\nafter init {{ st(N) := idle }}\n\
         action start(n:node) = {{ require st(n) = idle & forall M. st(M) ~= busy; \
         st(n) := busy }}\n\
         action finish(n:node) = {{ require st(n) = busy; st(n) := finished }}\n\
         action again(n:node) = {{ require st(n) = finished; st(n) := {again} }}\n\
         export start\nexport finish\nexport again\n\
         invariant [one] st(N) = busy & st(M) = busy -> N = M\n"
    )
}

fn run(name: &str, text: &str, arguments: &[&str]) -> (String, String, Option<i32>) {
    let folder = TempDir::new().expect("there is room");
    let path = folder.path().join(name);
    fs::write(&path, text).expect("there is room");
    let mut command = Command::new(env!("CARGO_BIN_EXE_rmlcut"));
    command.arg(arguments[0]).arg(&path).args(&arguments[1..]);
    let Output { status, stdout, stderr } = command.output().expect("the program starts");
    let text = |bytes| String::from_utf8(bytes).expect("the program writes text");
    (text(stdout), text(stderr), status.code())
}

/// The fixed size of the sort called `status`.
fn fixed(name: &str, text: &str) -> Option<u32> {
    let protocol: Protocol = read(&SourceFile::new(name, text));
    let sort = protocol.signature.find_sort("status").expect("it is declared");
    protocol.fixed_size(sort)
}

#[test]
fn axioms_fix_the_size_in_every_language() {
    assert_eq!(fixed("t.ivy", &ivy("idle")), Some(3));
    let mypyvy = "sort status\nimmutable constant a: status\nimmutable constant b: status\n\
                  mutable constant c: status\naxiom a != b\naxiom X = a | b = X\n\
                  init c = a\ntransition t()\n  modifies c\n  new(c) = b\nsafety c = a | c = b\n";
    assert_eq!(fixed("t.pyv", mypyvy), Some(2));
    let rml = "sort status\nconstant a: status\nconstant b: status\nvariable c: status\n\
               axiom a != b & forall X: status. X = a | X = b\ninit c = a\n\
               action t() {\n  c := b\n}\nsafety c = a | c = b\n";
    assert_eq!(fixed("t.rml", rml), Some(2));
    let weaker = [
        // Two names for one element.
        ("a != b & forall", "forall"),
        // A third element.
        ("X = a | X = b", "X = a | X = b | X != a"),
        ("forall X: status. X = a | X = b", "forall X: status, Y: status. X = a | X = b | Y = a"),
    ];
    for (axiom, instead) in weaker {
        assert!(rml.contains(axiom));
        assert_eq!(fixed("t.rml", &rml.replace(axiom, instead)), None, "{instead}");
    }
    let changing = rml.replace("constant b", "variable b").replace("axiom", "init");
    assert_eq!(fixed("t.rml", &changing), None);
}

#[test]
fn every_search_takes_the_fixed_size() {
    let (text, _, code) = run("t.ivy", &ivy("idle"), &["explore"]);
    assert!(text.starts_with("safe at node=2\n"), "{text}");
    assert!(text.contains("default size 2 used for node (set with --size)\n"), "{text}");
    assert_eq!(code, Some(0));
    let (text, _, _) = run("t.ivy", &ivy("busy"), &["synth"]);
    assert!(text.starts_with("unsafe: [one] fails after 4 steps at node=2\n"), "{text}");
    assert!(!text.contains("status="), "{text}");
    for other in ["status=2", "status=3", "status=4"] {
        let (_, message, code) = run("t.ivy", &ivy("idle"), &["explore", "--size", other]);
        assert!(message.contains("`status` is an enumeration"), "{message}");
        assert_eq!(code, Some(64));
    }
}

#[test]
fn an_enumeration_is_not_residual() {
    let (text, _, code) = run("t.ivy", &ivy("idle"), &["synth", "--prefer", "cutoff"]);
    assert!(text.starts_with("safe\n"), "{text}");
    assert!(text.contains("exhausted: 1 size"), "{text}");
    assert!(!text.contains("residual"), "{text}");
    assert_eq!(code, Some(0));
}

/// Safe where the two constants differ; nothing says that they do.
#[test]
fn constants_that_may_be_equal_fix_nothing() {
    let text = "sort node\nsort status\nconstant a: status\nconstant b: status\n\
                relation bad(node)\naxiom forall X: status. X = a | X = b\ninit ~bad(N)\n\
                action fail(n: node) {\n  require a = b\n  bad(n) := true\n}\n\
                safety [intact] ~bad(N)\n";
    let (printed, _, code) = run("t.rml", text, &["synth", "--timeout", "20"]);
    assert!(printed.starts_with("unsafe: [intact] fails after 1 step"), "{printed}");
    assert_eq!(code, Some(1));
    let distinct = text.replace("axiom", "axiom a != b\naxiom");
    let (printed, _, code) = run("t.rml", &distinct, &["synth", "--timeout", "20"]);
    assert!(printed.starts_with("safe\n"), "{printed}");
    assert_eq!(code, Some(0));
}

#[test]
fn traces_call_elements_by_their_names() {
    let (text, _, code) = run("t.ivy", &ivy("busy"), &["explore"]);
    assert_eq!(code, Some(1));
    assert!(text.contains("+ st(node1) = busy"), "{text}");
    assert!(!text.contains("status0"), "{text}");
    let (json, _, _) = run("t.ivy", &ivy("busy"), &["explore", "--format", "json"]);
    assert!(json.contains("\"finished\"") && !json.contains("status0"), "{json}");
    let (itf, _, _) = run("t.ivy", &ivy("busy"), &["explore", "--format", "itf"]);
    let document: Json = serde_json::from_str(&itf).expect("it is JSON");
    assert_eq!(document["states"][0]["idle"], Json::Null);
    assert_eq!(document["states"][0]["st"]["#map"][0][1], "idle");
    assert_eq!(document["#meta"]["size"]["status"], Json::Null);
    assert!(!itf.contains("status0"), "{itf}");
}

#[test]
fn a_named_trace_replays() {
    let (itf, _, _) = run("t.ivy", &ivy("busy"), &["explore", "--format", "itf"]);
    let folder = TempDir::new().expect("there is room");
    let path = folder.path().join("t.itf.json");
    fs::write(&path, &itf).expect("there is room");
    let path = path.to_str().expect("a plain path");
    let (text, _, _) = run("t.ivy", &ivy("busy"), &["replay", path]);
    assert!(text.starts_with("a run at node=2: [one] fails"), "{text}");
    assert!(!text.contains("is called") && !text.contains("status0"), "{text}");
    // The elements have no other names: neither a number nor something unknown.
    for other in ["status2", "rest"] {
        fs::write(path, itf.replace("\"idle\"", &format!("\"{other}\""))).expect("there is room");
        let (_, message, code) = run("t.ivy", &ivy("busy"), &["replay", path]);
        assert!(message.contains(&format!("there is no element `{other}`")), "{message}");
        assert!(message.contains("the elements are idle, busy, finished"), "{message}");
        assert_eq!(code, Some(64));
    }
    let sized = itf.replace("\"node\": 2", "\"node\": 2,\n      \"status\": 4");
    assert_ne!(sized, itf);
    fs::write(path, sized).expect("there is room");
    let (_, message, _) = run("t.ivy", &ivy("busy"), &["replay", path]);
    assert!(message.contains("`status` is an enumeration of another size"), "{message}");
}
