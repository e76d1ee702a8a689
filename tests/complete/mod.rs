//! `rmlcut complete` and `rmlcut repair`: holes, traps, messages, formats and exit codes.

mod answers;
mod mercury;
mod messages;
mod progress;
mod repairs;

use std::fs;
use std::process::Command;
use std::time::Duration;

use rmlcut::budget::Stop;
use rmlcut::complete::{
    CompleteAnswer, CompleteEnding, CompleteError, CompleteRequest, Learning, RepairEnding,
};
use rmlcut::pipeline::{complete, read_protocol, repair};
use rmlcut::report::text::diagnostics::{Colour, render};
use rmlcut::source::SourceFile;

use crate::check::schema::assert_fits;

fn request(answers: usize) -> CompleteRequest {
    CompleteRequest {
        stop: Stop::never().within(Duration::from_secs(120)),
        proof_time: Duration::from_secs(40),
        answers,
        threads: 1,
        most_edits: 2,
        keep: Vec::new(),
        learning: Learning::Clauses,
        seed: 0,
    }
}

fn completed(text: &str, answers: usize) -> CompleteAnswer {
    let source = SourceFile::new("sketch.rml", text);
    let answer = complete(&source, &request(answers));
    answer.map_err(|error| words(&source, &error)).expect("it is a sketch")
}

fn words(source: &SourceFile, error: &CompleteError) -> String {
    match error {
        CompleteError::Text(messages) => render(source, messages, Colour::Never),
        CompleteError::Trace(trace, messages) => render(trace, messages, Colour::Never),
        CompleteError::Judge(error) => error.to_string(),
    }
}

/// What the holes of the best completion became.
fn fillings(answer: &CompleteAnswer) -> Vec<String> {
    let first = answer.completions.first().expect("there is a completion");
    first.fillings.iter().map(|own| own.text.clone()).collect()
}

fn refused(text: &str) -> String {
    let source = SourceFile::new("sketch.rml", text);
    let error = complete(&source, &request(1)).err().expect("it is refused");
    words(&source, &error)
}

const LOCK: &str = "sort node\nrelation free\nrelation holds(node)\ninit free & ~holds(N)\n\
    action take(n: node) {\n  require GUARD\n  free := false\n  holds(n) := true\n}\n\
    action drop(n: node) {\n  require holds(n)\n  holds(n) := false\n  free := true\n}\n\
    safety [one] holds(N) & holds(M) -> N = M\nreach take, drop, take\n";

fn lock(guard: &str) -> String {
    LOCK.replace("GUARD", guard)
}

#[test]
fn a_guard_is_found_and_proved() {
    for guard in ["??", "??g{true, holds(n), free}", "??t[free, holds(n)]"] {
        let answer = completed(&lock(guard), 1);
        let first = answer.completions.first().expect("there is one");
        assert!(first.is_safe(), "{guard}");
        assert!(read_protocol(&SourceFile::new("lock.rml", first.text.as_str())).is_ok());
        assert!(!first.text.contains("??"), "{}", first.text);
    }
    assert_eq!(fillings(&completed(&lock("??g{true, holds(n), free}"), 1)), ["free"]);
}

#[test]
fn what_cannot_be_completed_is_explained() {
    let answer = completed(&lock("??{true, ~free}"), 1);
    let CompleteEnding::NoMore(reasons) = &answer.ending else { panic!("all are excluded") };
    assert!(answer.completions.is_empty() && !reasons.is_empty());
    assert!(reasons.len() <= 2, "a run excludes one, the line about runs the other");
}

#[test]
fn an_action_may_become_possible_without_a_new_state() {
    let text = "sort node\nrelation up(node)\nrelation down\ninit ~up(N) & ~down\n\
        action start(n: node) {\n  up(n) := true\n}\n\
        action ping(n: node) {\n  require ??{down, up(n)}\n  up(n) := true\n}\n\
        safety [calm] ~down\nreach ping\n";
    assert_eq!(fillings(&completed(text, 1)), ["up(n)"]);
}

#[test]
fn a_hole_after_an_assignment_reads_the_new_value() {
    let text = "sort node\nrelation on\nrelation done(node)\ninit ~on & ~done(N)\n\
        action go(n: node) {\n  on := true\n  require ??{~on, on}\n  done(n) := true\n}\n\
        safety [trivial] done(N) -> on\nreach go\n";
    assert_eq!(fillings(&completed(text, 1)), ["on"]);
}

#[test]
fn equal_names_are_one_hole_also_across_actions() {
    let text = "sort node\nrelation a\nrelation b\nrelation x(node)\nrelation y(node)\n\
        init ~a & b & ~x(N) & ~y(N)\n\
        action one(n: node) {\n  require ??g{a, b}\n  x(n) := true\n}\n\
        action two(n: node) {\n  require ??g\n  y(n) := true\n}\n\
        safety [trivial] x(N) -> b\nreach two\n";
    let answer = completed(text, 1);
    assert_eq!((answer.holes, fillings(&answer)), (1, vec!["b".to_owned()]));
    assert_eq!(answer.completions[0].text.matches("require b").count(), 2);
}

#[test]
fn a_violation_at_a_larger_size_excludes_a_completion() {
    let text = "sort node\nrelation in(node)\nrelation first(node)\ninit ~in(N) & ~first(N)\n\
        action join(n: node) {\n  require ??{true, forall M. ~in(M)}\n  in(n) := true\n}\n\
        safety [few] in(A) & in(B) & in(C) & in(D) ->\n    A = B | A = C | A = D | B = C | B = D | C = D\n\
        reach join\n";
    let text =
        text.replace(" in(", " inside(").replace("~in(", "~inside(").replace("(in(", "(inside(");
    let answer = completed(&text, 1);
    assert_eq!(fillings(&answer), ["forall M. ~inside(M)"]);
    assert!(answer.sizes.iter().any(|size| size.values().any(|count| *count > 3)));
}

#[test]
fn several_answers_behave_differently() {
    let text = lock("??g{free, free & free, free & ~holds(n), free & n = n}");
    let answer = completed(&text, 5);
    assert_eq!(answer.completions.len(), 1, "all of them behave alike");
    assert!(matches!(answer.ending, CompleteEnding::NoMore(_)));
}

#[test]
fn wrong_holes_are_refused_all_at_once() {
    let text = "sort node\nrelation free\nrelation holds(node)\ninit ??\n\
        action take(n: node) {\n  require ??g{free, holds(n)} & ??{} & ??[free, free, free, free, free]\n\
          holds(??g) := true\n}\nsafety [one] holds(N) -> ??\n";
    let words = refused(text);
    for wanted in [
        "a hole is only allowed in an action",
        "this hole has no alternatives",
        "a table has one to 4 conditions",
        "`??g` is a different hole here",
    ] {
        assert!(words.contains(wanted), "{wanted} is not in\n{words}");
    }
    assert!(refused(&lock("free")).contains("there is no `??` in this file"));
    assert!(refused(&lock("??{free, hols(n)}")).contains("did you mean `holds`?"));
    let no_term = "sort node\nrelation r(node)\ninit ~r(N)\naction a {\n  r(??) := true\n}\n\
        safety [s] r(N) -> r(N)\n";
    assert!(refused(no_term).contains("nothing in scope here has the sort `node`"));
}

#[test]
fn every_other_command_refuses_a_sketch() {
    let folder = tempfile::TempDir::new().expect("there is room");
    let file = folder.path().join("sketch.rml");
    fs::write(&file, lock("??")).expect("there is room");
    for arguments in [
        &["synth"][..],
        &["explore"],
        &["show", "protocol"],
        &["repair"],
        &["export", "--to", "ivy"],
    ] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_rmlcut"));
        let output = command.args(arguments).arg(&file).output().expect("the program starts");
        let words = String::from_utf8_lossy(&output.stderr);
        assert!(words.contains("`rmlcut complete`"), "{arguments:?}: {words}");
        assert_eq!(output.status.code(), Some(64), "{arguments:?}");
    }
    let mut command = Command::new(env!("CARGO_BIN_EXE_rmlcut"));
    let output = command.arg("fmt").arg(&file).output().expect("the program starts");
    assert!(String::from_utf8_lossy(&output.stdout).contains("require ??\n"));
}

fn run(command: &str, text: &str, more: &[&str]) -> (String, Option<i32>) {
    let folder = tempfile::TempDir::new().expect("there is room");
    let file = folder.path().join("lock.rml");
    fs::write(&file, text).expect("there is room");
    let mut program = Command::new(env!("CARGO_BIN_EXE_rmlcut"));
    let output = program.arg(command).arg(&file).args(more).output().expect("the program starts");
    (String::from_utf8_lossy(&output.stdout).into_owned(), output.status.code())
}

#[test]
fn the_first_line_and_the_exit_code_say_the_same() {
    let (words, code) = run("complete", &lock("??g{true, free}"), &[]);
    assert!(words.starts_with("completed: safe\nholes        1 of 1\n"), "{words}");
    assert!(words.contains("  ??g        free   in `take`, line 6\n"), "{words}");
    assert!(
        words.contains("search       2 completions; 2 tried: safety 1, reach 0, dead 0"),
        "{words}"
    );
    assert_eq!(code, Some(0));
    let (words, code) = run("complete", &lock("??{true, ~free}"), &[]);
    assert!(words.starts_with("no completion\n"), "{words}");
    assert_eq!(code, Some(1));
    let (words, code) = run("complete", &lock("??{free, true}"), &["--timeout", "0"]);
    assert!(words.starts_with("gave up: "), "{words}");
    assert_eq!(code, Some(2));
    let (words, _) = run("complete", &lock("??g{true, free}"), &["--format", "json"]);
    let document: serde_json::Value = serde_json::from_str(&words).expect("JSON");
    assert_eq!(document["summary"], "completed: safe");
    assert_eq!(document["found"][0]["holes"][0]["text"], "free");
    assert_fits("complete.schema.json", &document);
}

#[test]
fn a_guard_is_repaired() {
    let broken = lock("true").replace("  require true\n", "");
    let (words, code) = run("repair", &broken, &["--max-edits", "1"]);
    assert!(words.starts_with("repaired: safe\n"), "{words}");
    assert!(words.contains("+   require free\n"), "{words}");
    assert!(words.contains("the run it prevents, at node=2:"), "{words}");
    assert_eq!(code, Some(0));
    let (words, _) = run("repair", &broken, &["--max-edits", "1", "--format", "json"]);
    let document: serde_json::Value = serde_json::from_str(&words).expect("JSON");
    assert_eq!(document["summary"], "repaired: safe");
    assert_fits("complete.schema.json", &document);
}

#[test]
fn what_is_safe_is_not_repaired() {
    let (words, code) = run("repair", &lock("free"), &[]);
    assert_eq!((&words[..], code), ("already safe\n", Some(0)));
}

/// An upgrade that leaves other copies: a repair that clears at once what the upgrade has set keeps
/// every action possible, and is useless.
#[test]
fn a_repair_does_not_undo_what_an_action_does() {
    let text = "sort cache\nrelation shared(cache)\nrelation modified(cache)\n\
        init shared(C) & ~modified(C)\n\
        action upgrade(c: cache) {\n  require shared(c)\n  shared(c) := false\n  modified(c) := true\n}\n\
        action flush(c: cache) {\n  require modified(c)\n  modified(c) := false\n  shared(c) := true\n}\n\
        safety [exclusive] modified(C) & modified(D) -> C = D\n";
    let source = SourceFile::new("cache.rml", text);
    let answer = repair(&source, &request(3)).unwrap_or_else(|_| panic!("it can be repaired"));
    assert!(matches!(answer.ending, RepairEnding::Searched(_)));
    assert!(!answer.repairs.is_empty());
    for own in &answer.repairs {
        let text = &own.completion.text;
        let upgrade = text.split("action upgrade").nth(1).and_then(|rest| rest.split('}').next());
        let upgrade = upgrade.expect("the action is there");
        assert!(upgrade.contains("modified(c) := true"), "{text}");
        assert!(!upgrade.contains("modified(c) := false"), "{text}");
    }
}
