//! Processes that go to the limits of the meaning: stale sets, crashes between the parts of an
//! agreement, sets with crashed members, fewer proposers than values, broadcasts that block for
//! ever. The interpreter and the lowered protocol agree on each, and so do verdicts and searches.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use rmlcut::finite::FiniteOutcome;
use rmlcut::pipeline::read_protocol;
use rmlcut::source::SourceFile;

use super::meaning::compare;
use super::{explore, protocol};

fn files() -> Vec<(PathBuf, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/mercury/hostile");
    let paths = fs::read_dir(root).expect("the folder is readable");
    let mut paths: Vec<PathBuf> = paths.map(|item| item.expect("readable").path()).collect();
    paths.sort();
    assert!(paths.len() >= 30);
    let text = |path: &PathBuf| fs::read_to_string(path).expect("a process is text");
    paths.iter().map(|path| (path.clone(), text(path))).collect()
}

#[test]
fn hostile_processes_mean_what_the_reference_says() {
    for (path, text) in files() {
        for processes in 1..=3 {
            compare(&path.to_string_lossy(), &text, processes, 1);
        }
    }
}

#[test]
fn hostile_processes_are_judged_as_small_instances_show() {
    for (path, text) in files() {
        let protocol = protocol("hostile.mer", &text);
        let is_unsafe =
            |processes: &u32| matches!(explore(&protocol, *processes), FiniteOutcome::Unsafe(..));
        let least = (1..=4).find(is_unsafe);
        let mut command = Command::new(env!("CARGO_BIN_EXE_rmlcut"));
        let output = command.arg("synth").arg(&path).output().expect("the program runs");
        let output = String::from_utf8(output.stdout).expect("text");
        let verdict = output.lines().next().unwrap_or_default();
        match least {
            Some(least) => {
                assert!(verdict.starts_with("unsafe"), "{}: {verdict}", path.display());
                assert!(verdict.ends_with(&format!("process={least}")), "{verdict}");
            }
            None => assert_eq!(verdict, "safe", "{}", path.display()),
        }
    }
}

/// From how many processes on each of them is unsafe, worked out by hand; the others are safe.
const UNSAFE_FROM: &[(&str, u32)] = &[
    ("blocked_while_resting", 3),
    ("counted_twice", 3),
    ("environment_overflows", 2),
    ("hears_itself", 3),
    ("meets_itself", 4),
    ("negative", 2),
    ("payload_leaves", 2),
    ("same_process_twice", 1),
    ("sender_remembered", 3),
    ("three_choices", 3),
];

/// The files whose verdict was worked out: those, and these.
const SAFE: &[&str] = &[
    "counted_once",
    "crash_at_rest",
    "dead_code",
    "environment_alone",
    "environment_rests",
    "more_winners_than_members",
    "outsider_chooses",
    "passive_participant",
    "proposer_crashes",
    "swap",
    "two_values",
    "winners_of_winners",
];

#[test]
fn hostile_processes_are_as_safe_as_worked_out_by_hand() {
    let mut seen = 0;
    for (path, text) in files() {
        let name = path.file_stem().expect("a file has a name").to_string_lossy().into_owned();
        let stated = UNSAFE_FROM.iter().find(|(other, _)| *other == name).map(|(_, least)| *least);
        if stated.is_none() && !SAFE.contains(&&*name) {
            continue;
        }
        let protocol = protocol("hostile.mer", &text);
        let is_unsafe =
            |processes: &u32| matches!(explore(&protocol, *processes), FiniteOutcome::Unsafe(..));
        assert_eq!((1..=4).find(is_unsafe), stated, "{name}");
        seen += 1;
    }
    assert_eq!(seen, UNSAFE_FROM.len() + SAFE.len());
}

/// A keeper that is given back more keys than it has.
const KEEPER: &str = "
process Visitor
safety [one] atmost(1, {Inside})
actions
  env rz back : unit
initial location Outside
  on _ do sendrz(back)
location Inside
environment Keeper
variables
  int[0,1] keys := 1
initial location Open
  on recv(back) do keys := keys + 1
";

#[test]
fn a_written_environment_owes_its_ranges() {
    match explore(&protocol("keeper.mer", KEEPER), 1) {
        FiniteOutcome::Unsafe(violation, _) => assert_eq!(violation.trace.steps.len(), 1),
        other => panic!("{other:?}"),
    }
    let with_room = KEEPER.replace("int[0,1] keys := 1", "int[0,2] keys := 1");
    assert!(matches!(explore(&protocol("room.mer", &with_room), 1), FiniteOutcome::Unsafe(..)));
    let kept = KEEPER.replace("keys := keys + 1", "keys := 1");
    assert!(matches!(explore(&protocol("kept.mer", &kept), 1), FiniteOutcome::Safe(_)));
}

#[test]
fn no_message_names_a_relation_of_the_lowered_protocol() {
    for (path, text) in files() {
        let source = SourceFile::new("hostile.mer", text);
        let (_, warnings) = read_protocol(&source).expect("a process");
        assert!(warnings.is_empty(), "{}: {warnings:?}", path.display());
    }
}
