//! The whole report, as text, round by round and as JSON, and how to ask for it.

use std::process::{Command, Output};

use rmlcut::analysis::analyse;
use rmlcut::report::json::analysis::json;
use rmlcut::report::text::analysis::text;
use rmlcut::report::text::show::Detail;

use crate::analysis::{analysed, report};

const LOCK: &str = "sort node
rigid relation before(node, node)
axiom before(X, Y) & before(Y, X) -> X = Y
axiom before(X, Y) & before(Y, Z) -> before(X, Z)
axiom before(X, Y) | before(Y, X)
relation grant(node)
relation crit(node)
relation free
action lend(n: node) { require free; free := false; grant(n) := true }
action enter(n: node) { require grant(n) & (forall M. before(n, M)); crit(n) := true }
action leave(n: node) { require crit(n); crit(n) := false; free := true }
action idle(n: node) { require ~crit(n); grant(n) := false }
safety [one] crit(N1) & crit(N2) -> N1 = N2
";

#[test]
fn results() {
    let expected = "\
before is a total order of node

safety one
  violated by N1: node, N2: node
  when crit(N1) & crit(N2) & N1 != N2
  S = {crit(*), grant(*), free}
  A = {enter(*), leave(*), lend(*)}
  3 clauses, 3 of 4 actions, after 5 rounds
  elements: node=2 + others
  crit(*)
    violates one
    needed by leave(*): require crit(n)
    set by enter(*)
  grant(*)
    needed by enter(*): require grant(n)
    set by lend(*)
  free
    needed by lend(*): require free
    set by leave(*)
";
    assert_eq!(report(LOCK), expected);
}

#[test]
fn rounds() {
    let (protocol, facts) = analysed(LOCK);
    let report = text(&protocol, &facts, Detail::Steps);
    let expected = "\
action enter(n: node)
  guard grant(n)
  update crit(n) := true
";
    assert!(report.contains(expected), "{report}");
    let expected = "  \
  start
    crit(N1)
    crit(N2)
  round 1
    enter(N1) sets crit(N1)
      needs grant(N1): require grant(n)
    enter(N2) sets crit(N2)
      needs grant(N2): require grant(n)
  round 2
    lend(N1) sets grant(N1)
      needs free: require free
    lend(N2) sets grant(N2)
  round 3
    leave(*) sets free
      needs crit(*): require crit(n)
  round 4
    enter(*) sets crit(*)
      needs grant(*): require grant(n)
  round 5
    lend(*) sets grant(*)
  S = {crit(*), grant(*), free}
";
    assert!(report.contains(expected), "{report}");
}

/// A clause that nothing sets says so; a long set is broken between its members.
#[test]
fn nothing_sets_it() {
    let text = report(
        "sort node
         relation first_long_name(node)
         relation second_long_name(node)
         relation third_long_name(node)
         relation fourth_and_longest_name(node)
         relation bad
         action go(n: node) {
           require first_long_name(n) & second_long_name(n)
           require third_long_name(n) & ~fourth_and_longest_name(n)
           bad := true
         }
         safety ~bad",
    );
    let broken = "  \
  S = {bad, first_long_name(*), second_long_name(*), third_long_name(*),
       ~fourth_and_longest_name(*)}\n";
    assert!(text.contains("  violated by no particular element\n"), "{text}");
    assert!(text.contains(broken), "{text}");
    let unset = "  ~fourth_and_longest_name(*)
    needed by go(*): require ~fourth_and_longest_name(n)
    set by no action, only at the start\n";
    assert!(text.contains(unset), "{text}");
}

#[test]
fn data_for_programs() {
    let (protocol, facts) = analysed(LOCK);
    assert_eq!(facts, analyse(&protocol));
    let data = json(&protocol, &facts);
    let property = &data["properties"][0];
    let clauses: Vec<&str> =
        property["S"].as_array().unwrap().iter().filter_map(|it| it["clause"].as_str()).collect();
    assert_eq!(clauses, ["crit(*)", "grant(*)", "free"]);
    assert_eq!(property["A"], serde_json::json!(["enter(*)", "leave(*)", "lend(*)"]));
    assert_eq!(property["S"][2]["needed_by"][0]["invocation"], "lend(*)");
    assert_eq!(property["rounds"][1]["invocations"][0]["sets"], "crit(N1)");
    assert_eq!(data["rigid"]["orders"][0]["relation"], "before");
    assert_eq!(data["actions"][3]["updates"][0]["update"], "grant(n) := false");
}

fn show(arguments: &[&str], protocol: &str) -> Output {
    let folder = tempfile::tempdir().expect("there is room for a folder");
    let file = folder.path().join("lock.rml");
    std::fs::write(&file, protocol).expect("the folder can be written");
    let mut command = Command::new(env!("CARGO_BIN_EXE_rmlcut"));
    let command = command.args(["show", "analysis"]).args(arguments).arg(&file);
    command.output().expect("the program starts")
}

#[test]
fn the_program_shows_it() {
    let plain = show(&[], LOCK);
    let verbose = show(&["--verbose"], LOCK);
    let (plain_text, verbose_text) =
        (String::from_utf8(plain.stdout).unwrap(), String::from_utf8(verbose.stdout).unwrap());
    assert_eq!((plain.status.code(), verbose.status.code()), (Some(0), Some(0)));
    assert_eq!(plain_text, report(LOCK));
    assert!(!plain_text.contains("round 1\n") && verbose_text.contains("round 1\n"));
    let data = show(&["--format", "json"], LOCK).stdout;
    let data: serde_json::Value = serde_json::from_slice(&data).unwrap();
    assert_eq!(data["analysis"]["protocol"], "lock");
    let refused = show(&[], "sort node\nsafety nothing(N)\n");
    assert_eq!((refused.status.code(), refused.stdout.is_empty()), (Some(64), true));
}
