//! Results of earlier runs: used only where nothing that decides them has changed.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::Command;

use super::{Folder, LOCK, PROOF, Run, broken, kept, without};

const CHECK: [&str; 5] = ["check", "lock.rml", "lock.cut", "--cache", "kept"];

fn is_cached(run: &Run) -> bool {
    run.remarks.contains("cached: the result of an earlier run, in kept\n")
}

#[test]
fn an_unchanged_file_is_not_checked_again() {
    let folder = Folder::new(&[("lock.rml", LOCK), ("lock.cut", PROOF)]);
    let first = folder.run(&CHECK);
    assert!(!is_cached(&first) && first.out.starts_with("safe\n"), "{}", first.remarks);
    let second = folder.run(&CHECK);
    assert!(is_cached(&second), "{}", second.remarks);
    assert_eq!((&second.out, second.code), (&first.out, Some(0)));
    let [entry] = kept(&folder.path("kept")).try_into().expect("one entry");
    // The verdict of a folder says so too.
    let run = folder.run(&["check", ".", "--cache", "kept"]);
    assert_eq!(run.out, "safe: 1 file: 1 safe\n  ./lock.rml  safe\n", "another name, another run");
    let run = folder.run(&["check", ".", "--cache", "kept"]);
    assert_eq!(run.out, "safe: 1 file: 1 safe; 1 cached\n  ./lock.rml  safe (cached)\n");
    let json = |arguments: &[&str]| -> serde_json::Value {
        serde_json::from_str(&folder.run(arguments).out).expect("JSON")
    };
    let arguments = [&CHECK[..], &["--format", "json"]].concat();
    assert_eq!(json(&arguments)["cached"], false);
    assert_eq!(json(&arguments)["cached"], true);
    assert_eq!(
        json(&["check", ".", "--cache", "kept", "--format", "json"])["files"][0]["cached"],
        true
    );
    assert!(entry.exists());
}

#[test]
fn whatever_decides_a_verdict_is_part_of_the_key() {
    let folder = Folder::new(&[("lock.rml", LOCK), ("lock.cut", PROOF)]);
    let fresh = |arguments: &[&str]| {
        let run = folder.run(&[&CHECK[..], arguments].concat());
        assert!(!is_cached(&run), "{arguments:?}");
        let run = folder.run(&[&CHECK[..], arguments].concat());
        assert!(is_cached(&run), "{arguments:?}: {}", run.out);
    };
    fresh(&[]);
    fresh(&["--strict"]);
    fresh(&["--residual", "2"]);
    fresh(&["--timeout", "20"]);
    fresh(&["--rlimit", "1000000000"]);
    fresh(&["--safety", "one"]);
    folder.write("lock.cut", &format!("# the same\n{PROOF}"));
    fresh(&[]);
    folder.write("lock.rml", &format!("# the same\n{LOCK}"));
    fresh(&[]);
    // A protocol that is not safe any more is not safe.
    folder.write("lock.rml", &broken());
    let run = folder.run(&CHECK);
    assert!(!is_cached(&run) && run.code == Some(64), "{}", run.out);
}

#[test]
fn only_complete_verdicts_are_kept() {
    let folder = Folder::new(&[("lock.rml", LOCK), ("lock.cut", &without("one"))]);
    assert_eq!(folder.run(&CHECK).code, Some(2));
    assert!(kept(&folder.path("kept")).is_empty(), "unproved");
    folder.write("lock.cut", PROOF);
    for limit in ["--total", "--timeout"] {
        let run = folder.run(&[&CHECK[..], &[limit, "0"]].concat());
        assert_eq!(run.code, Some(2), "{}", run.out);
        assert!(kept(&folder.path("kept")).is_empty(), "out of time");
    }
    assert_eq!(
        folder.run(&["synth", "lock.rml", "--timeout", "0", "--cache", "kept"]).code,
        Some(2)
    );
    assert_eq!(
        folder.run(&[&CHECK[..], &["--no-finite", "--only", "start"]].concat()).code,
        Some(64)
    );
    folder.write("lock.rml", "sort");
    assert_eq!(folder.run(&CHECK).code, Some(64));
    assert!(kept(&folder.path("kept")).is_empty());
    // A violation is complete.
    folder.write("lock.rml", &broken());
    let synth = ["synth", "lock.rml", "--cache", "kept"];
    let (first, second) = (folder.run(&synth), folder.run(&synth));
    assert!(!is_cached(&first) && is_cached(&second), "{}", second.remarks);
    assert_eq!((&second.out, second.code), (&first.out, Some(1)));
}

#[test]
fn a_damaged_or_foreign_entry_is_ignored() {
    let folder = Folder::new(&[("lock.rml", LOCK), ("lock.cut", PROOF)]);
    folder.run(&CHECK);
    let [entry] = kept(&folder.path("kept")).try_into().expect("one entry");
    let whole = fs::read_to_string(&entry).expect("it is text");
    let half = &whole[..whole.len() / 2];
    let (first, rest) = whole.split_once('\n').expect("two lines");
    let damaged = [
        String::new(),
        half.to_owned(),
        first.to_owned(),
        format!("{first}\n"),
        format!("{first}\n{}", rest.replacen("safe", "SAFE", 1)),
        format!("{first}\n{rest} "),
        format!("rmlcut result 2{}\n{rest}", &first["rmlcut result 1".len()..]),
        rest.to_owned(),
        "\u{0}\u{1}".repeat(1000),
    ];
    for text in damaged {
        fs::write(&entry, &text).expect("there is room");
        let run = folder.run(&CHECK);
        assert!(!is_cached(&run) && run.code == Some(0), "{text:?}");
        assert_eq!(fs::read_to_string(&entry).expect("text"), whole, "it is written again");
    }
    // A folder in its place cannot be read, nor replaced; the verdict is the same.
    fs::remove_file(&entry).expect("it is there");
    fs::create_dir(&entry).expect("there is room");
    let run = folder.run(&CHECK);
    assert_eq!(run.code, Some(0));
    assert!(run.remarks.contains("warning: not cached: "), "{}", run.remarks);
    fs::remove_dir(&entry).expect("it is empty");
    // The entry of another protocol under this name.
    folder.write("lock.rml", &broken());
    folder.run(&["synth", "lock.rml", "--cache", "kept"]);
    let [other] = kept(&folder.path("kept")).try_into().expect("one entry");
    folder.write("lock.rml", LOCK);
    fs::rename(other, &entry).expect("there is room");
    let run = folder.run(&CHECK);
    assert!(!is_cached(&run) && run.out.starts_with("safe\n"), "{}", run.out);
}

#[test]
fn another_program_has_its_own_entries() {
    let folder = Folder::new(&[("lock.rml", LOCK), ("lock.cut", PROOF)]);
    folder.run(&CHECK);
    let mut bytes = fs::read(env!("CARGO_BIN_EXE_rmlcut")).expect("the program");
    // What follows an executable's last section changes nothing but its digest.
    bytes.push(0);
    let other = folder.path("rmlcut");
    fs::write(&other, bytes).expect("there is room");
    fs::set_permissions(&other, fs::Permissions::from_mode(0o755)).expect("it is ours");
    let output = Command::new(&other).args(CHECK).current_dir(folder.0.path()).output();
    let run = Run::new(&output.expect("it starts"));
    assert!(!is_cached(&run) && run.out.starts_with("safe\n"), "{}{}", run.out, run.remarks);
    assert_eq!(kept(&folder.path("kept")).len(), 2);
    // Another solver than the one inside the program is not covered by its digest.
    let output = folder.command(&CHECK).env("RMLCUT_Z3_LIBRARY", "/nowhere").output();
    let run = Run::new(&output.expect("it starts"));
    assert_eq!(run.code, Some(3));
}
