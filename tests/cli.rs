//! Promises of the program as a whole: its exit codes, and where its words go.

use std::io::Read;
use std::process::{Command, Output, Stdio};

fn rmlcut(arguments: &[&str]) -> Output {
    program().args(arguments).output().expect("the program starts")
}

/// The program, started elsewhere and without help in finding its libraries.
fn program() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_rmlcut"));
    command.current_dir(std::env::temp_dir()).env_remove("LD_LIBRARY_PATH");
    command
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("the program writes text")
}

#[test]
fn the_version_names_the_solver() {
    let output = rmlcut(&["--version"]);
    let expected = format!("rmlcut {} (Z3 5.3.2.0)\n", env!("CARGO_PKG_VERSION"));
    assert_eq!((text(&output.stdout), output.status.code()), (expected.as_str(), Some(0)));
    assert_eq!(text(&output.stderr), "");
}

#[test]
fn help_is_an_answer_and_wrong_usage_an_error() {
    let help = rmlcut(&["--help"]);
    assert!(text(&help.stdout).contains("Usage: rmlcut") && help.stderr.is_empty());
    assert_eq!(help.status.code(), Some(0));
    for wrong in [&["frobnicate"][..], &["--frobnicate"], &["completions"], &[]] {
        let output = rmlcut(wrong);
        assert_eq!(output.status.code(), Some(64), "{wrong:?}");
        assert!(output.stdout.is_empty() && !output.stderr.is_empty(), "{wrong:?}");
    }
}

#[test]
fn every_command_teaches_by_example() {
    let help = rmlcut(&["--help"]);
    let (_, commands) = text(&help.stdout).split_once("Commands:\n").expect("there are commands");
    let (commands, _) = commands.split_once("\n\n").expect("the list ends");
    let names = commands.lines().filter_map(|line| line.split_whitespace().next());
    let names: Vec<&str> = names.filter(|name| *name != "help").collect();
    assert!(names.len() > 3, "{commands}");
    for name in names {
        let help = rmlcut(&["help", name]);
        assert!(text(&help.stdout).contains("Example"), "`rmlcut help {name}` has no example");
        assert!(text(&help.stdout).contains(&format!("  rmlcut {name} ")), "{name}");
    }
}

#[test]
fn reading_takes_time_in_proportion() {
    let output = rmlcut(&["bench", "--stage", "protocol", "--repeat", "1", "--format", "json"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let value: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    // Ten times the input: 10 if linear, 100 if quadratic; machines are busy at times.
    let ratio = value["ratio"].as_f64().expect("a number");
    assert!(ratio < 40.0, "{value}");
    assert_eq!(rmlcut(&["bench", "--stage", "frobnicate"]).status.code(), Some(64));
}

#[test]
fn completions_are_for_known_shells() {
    let known = rmlcut(&["completions", "bash"]);
    assert_eq!(known.status.code(), Some(0));
    assert!(text(&known.stdout).contains("complete -F _rmlcut"));
    let unknown = rmlcut(&["completions", "abacus"]);
    assert_eq!(unknown.status.code(), Some(64));
    assert!(text(&unknown.stderr).contains("abacus"));
}

#[test]
fn a_reader_that_leaves_early_is_no_failure() {
    let mut child = program()
        .args(["completions", "zsh"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    drop(child.stdout.take());
    let mut remarks = String::new();
    child.stderr.take().expect("piped").read_to_string(&mut remarks).expect("text");
    assert_eq!(remarks, "");
    assert_eq!(child.wait().expect("the program ends").code(), Some(0));
}
