//! Folders, the formats of continuous integration, and the cache, as a workflow uses them.

#![cfg(unix)]

mod cache;
mod formats;

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use tempfile::TempDir;

/// A lock, and its certificate.
const LOCK: &str = "sort node\nrelation held(node)\nrelation free\ninit ~held(N)\ninit free\n\
    action take(n: node) { require free; free := false; held(n) := true }\n\
    action give(n: node) { require held(n); free := true; held(n) := false }\n\
    safety [one] held(N1) & held(N2) -> N1 = N2\n";
const PROOF: &str = "certificate 1 for lock\n\
    sha256 f699dff54b2d55b13b7e3d6a0a2d0c03dc15250a94f691705b9257c59a74a144\n\n\
    invariant {\n  [one] held(N1) & held(N2) -> N1 = N2\n  [two] ~(held(N) & free)\n}\n";

/// The certificate without one of its clauses.
fn without(clause: &str) -> String {
    let lines = PROOF.lines().filter(|line| !line.starts_with(&format!("  [{clause}]")));
    lines.map(|line| format!("{line}\n")).collect()
}

/// The same where `take` leaves the lock free.
fn broken() -> String {
    LOCK.replace("free := false; ", "")
}

/// Nothing takes longer than this, beside other tests and without optimisation.
const MARGIN: Duration = Duration::from_secs(120);

struct Folder(TempDir);

impl Folder {
    fn new(files: &[(&str, &str)]) -> Self {
        let folder = Folder(TempDir::new().expect("there is room"));
        for (name, text) in files {
            folder.write(name, text);
        }
        folder
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("there is room");
        fs::write(path, text).expect("there is room");
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_rmlcut"));
        command.args(arguments).current_dir(self.0.path()).env_remove("RMLCUT_Z3_LIBRARY");
        command
    }

    fn run(&self, arguments: &[&str]) -> Run {
        Run::new(&self.command(arguments).output().expect("the program starts"))
    }
}

/// What a run wrote, and how it ended.
struct Run {
    out: String,
    remarks: String,
    code: Option<i32>,
}

impl Run {
    fn new(output: &Output) -> Self {
        let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).expect("text");
        Run { out: text(&output.stdout), remarks: text(&output.stderr), code: output.status.code() }
    }
}

#[test]
fn a_folder_is_checked_in_order_and_the_worst_file_decides() {
    let folder = Folder::new(&[
        ("b/lock.rml", LOCK),
        ("b/lock.cut", PROOF),
        ("a/lock.rml", LOCK),
        ("a/lock.cut", PROOF),
        ("a/notes.txt", "not a protocol"),
        ("a/.hidden.rml", "sort"),
        (".git/lock.rml", "sort"),
    ]);
    let run = folder.run(&["check", "."]);
    let expected = "safe: 2 files: 2 safe\n  ./a/lock.rml  safe\n  ./b/lock.rml  safe\n";
    assert_eq!((run.out.as_str(), run.code), (expected, Some(0)), "{}", run.remarks);
    assert_eq!(run.remarks, "");
    // A certificate that proves nothing.
    folder.write("b/lock.cut", &without("two"));
    let run = folder.run(&["check", "."]);
    assert!(run.out.starts_with("unproved: 2 files: 1 safe, 1 unproved\n"), "{}", run.out);
    assert!(run.out.contains("  ./b/lock.rml  unproved: 1 gap\n"), "{}", run.out);
    assert_eq!(run.code, Some(2));
    // A certificate without a protocol is a mistake, and outranks it.
    folder.write("c/gone.cut", PROOF);
    let run = folder.run(&["check", "."]);
    assert!(run.out.contains("./c/gone.cut  no protocol of this name"), "{}", run.out);
    assert_eq!(run.code, Some(64));
}

#[test]
fn a_protocol_without_a_certificate_is_not_passed_over_in_silence() {
    let folder = Folder::new(&[("lock.rml", LOCK), ("lock.cut", PROOF), ("new.rml", LOCK)]);
    let run = folder.run(&["check", "."]);
    assert!(run.out.contains("./new.rml   unproved: no certificate beside"), "{}", run.out);
    assert_eq!(run.code, Some(2));
    let run = folder.run(&["check", ".", "--skip-missing"]);
    assert_eq!(
        (run.out.as_str(), run.code),
        ("safe: 1 file: 1 safe\n  ./lock.rml  safe\n", Some(0))
    );
}

#[test]
fn what_is_wrong_with_a_protocol_comes_before_its_missing_certificate() {
    let wrong = "sort node\nrelation held(nod)\nsafety held(N)\n";
    let folder = Folder::new(&[("lock.rml", LOCK), ("lock.cut", PROOF), ("new.rml", wrong)]);
    let run = folder.run(&["check", "."]);
    assert!(run.out.starts_with("refused: 2 files: 1 safe, 1 refused\n"), "{}", run.out);
    assert!(run.out.contains("./new.rml   refused: 2:15: unknown sort `nod`"), "{}", run.out);
    assert!(run.remarks.contains("./new.rml:2:15"), "{}", run.remarks);
    assert_eq!(run.code, Some(64));
    for format in ["json", "sarif", "junit", "github"] {
        let run = folder.run(&["check", ".", "--format", format]);
        assert!(run.out.contains("unknown sort `nod`"), "{format}: {}", run.out);
        assert!(!run.out.contains("no certificate"), "{format}: {}", run.out);
        assert_eq!(run.code, Some(64), "{format}");
    }
    // As `synth` says it.
    let line = |run: &Run| run.out.lines().find(|line| line.contains("new.rml")).map(str::to_owned);
    assert_eq!(line(&folder.run(&["synth", "."])), line(&run));
    assert_eq!(folder.run(&["check", ".", "--skip-missing"]).code, Some(0));
}

#[test]
fn a_certificate_belongs_to_the_first_language_of_a_name() {
    let ivy = "#lang ivy1.7\ntype node\nrelation held(N:node)\nafter init { held(N) := false }\n\
        action take(n:node) = { held(n) := held(n) }\nexport take\ninvariant [one] ~held(N)\n";
    let folder = Folder::new(&[("lock.ivy", ivy), ("lock.rml", LOCK), ("lock.cut", PROOF)]);
    let run = folder.run(&["check", "."]);
    assert!(run.out.contains("./lock.ivy  unproved: no certificate"), "{}", run.out);
    assert!(run.out.contains("./lock.rml  safe\n"), "{}", run.out);
    let run = folder.run(&["synth", "."]);
    let expected = "safe: 2 files: 2 safe\n  ./lock.ivy  safe\n  ./lock.rml  safe\n";
    assert_eq!((run.out.as_str(), run.code), (expected, Some(0)), "{}", run.remarks);
}

#[test]
fn every_protocol_of_a_folder_is_searched() {
    let folder = Folder::new(&[("bad.rml", &broken()), ("good.rml", LOCK), ("wrong.rml", "sort")]);
    let run = folder.run(&["synth", "."]);
    let rows: Vec<&str> = run.out.lines().collect();
    assert_eq!(rows[0], "refused: 3 files: 1 safe, 1 unsafe, 1 refused");
    assert_eq!(rows[1], "  ./bad.rml    unsafe: [one] fails after 2 steps at node=2");
    assert_eq!(rows[2], "  ./good.rml   safe");
    assert!(rows[3].starts_with("  ./wrong.rml  refused: 1:"), "{}", rows[3]);
    assert_eq!((rows.len(), run.code), (4, Some(64)));
    assert!(run.remarks.contains("wrong.rml:1:"), "{}", run.remarks);
    fs::remove_file(folder.path("wrong.rml")).expect("it is there");
    assert_eq!(folder.run(&["synth", "."]).code, Some(1), "a violation outranks a proof");
    let json: serde_json::Value =
        serde_json::from_str(&folder.run(&["synth", ".", "--format", "json"]).out).expect("JSON");
    assert_eq!(json["verdict"], "unsafe");
    assert_eq!(json["files"][0]["findings"][0]["region"]["line"], 8);
    assert_eq!(json["files"][1]["verdict"], "safe");
}

#[test]
fn links_are_not_followed_in_circles() {
    let folder = Folder::new(&[("lock.rml", LOCK), ("lock.cut", PROOF)]);
    symlink(".", folder.path("down")).expect("there is room");
    symlink("self.rml", folder.path("self.rml")).expect("there is room");
    symlink("nowhere", folder.path("dangling.rml")).expect("there is room");
    for name in ["self.cut", "dangling.cut"] {
        folder.write(name, PROOF);
    }
    let run = folder.run(&["check", "."]);
    assert!(run.out.starts_with("failed: 3 files: 1 safe, 2 failed\n"), "{}", run.out);
    assert_eq!(run.code, Some(3), "{}", run.remarks);
    // A link to a file is a file.
    let other = Folder::new(&[]);
    symlink(folder.path("lock.rml"), other.path("lock.rml")).expect("there is room");
    symlink(folder.path("lock.cut"), other.path("lock.cut")).expect("there is room");
    assert_eq!(other.run(&["check", "."]).code, Some(0));
}

#[test]
fn what_is_no_folder_of_protocols_is_one_line() {
    let folder = Folder::new(&[("notes.txt", ""), ("some/lock.rml", LOCK)]);
    fs::create_dir(folder.path("empty")).expect("there is room");
    for (arguments, code, words) in [
        (&["check", "empty"][..], 64, "there is no protocol (.rml, .ivy"),
        (&["synth", "empty"], 64, "there is no protocol (.rml, .ivy"),
        (&["synth", "gone"], 3, "cannot read gone"),
        (&["check", "some", "--watch"], 64, "--watch is for one file, and some is a folder"),
        (&["check", "some", "x.cut"], 64, "a certificate is for one file"),
        (&["synth", "some", "-o", "x.cut"], 64, "--output is for one file"),
        (&["synth", "some", "--report", "x.html"], 64, "--report is for one file"),
        (&["check", "some", "--cache", "notes.txt"], 0, ""),
        (&["synth", "some", "--cache", "notes.txt"], 3, "--cache notes.txt: "),
        (&["check", "some", "--cache", "c", "--solver", "both"], 64, "results of Z3 only"),
        (&["show", "lint", "some/lock.rml", "--format", "sarif"], 64, "formats of `check`"),
        (&["check", "some/lock.rml", "--watch", "--format", "junit"], 64, "--watch is for people"),
    ] {
        let run = folder.run(arguments);
        if words.is_empty() {
            // Without a certificate there is nothing to keep.
            assert_eq!(run.code, Some(2), "{arguments:?}");
            continue;
        }
        assert_eq!(run.code, Some(code), "{arguments:?}: {}", run.remarks);
        assert!(run.remarks.contains(words), "{arguments:?}: {}", run.remarks);
        assert_eq!(run.remarks.lines().count(), 1, "{arguments:?}: {}", run.remarks);
    }
}

/// So many pigeons do not fit into one hole less: true, and too hard for any solver.
fn hard() -> String {
    let at = |pigeon: usize, hole: usize| format!("r(p{pigeon}, h{hole})");
    let (mut text, mut clauses) = ("sort p\nsort h\nrelation r(p, h)\n".to_owned(), Vec::new());
    for pigeon in 0..13 {
        text.push_str(&format!("constant p{pigeon}: p\n"));
        let holes: Vec<String> = (1..13).map(|hole| at(pigeon, hole)).collect();
        clauses.push(format!("({})", holes.join(" | ")));
    }
    let mut shared = Vec::new();
    for hole in 1..13 {
        text.push_str(&format!("constant h{hole}: h\n"));
        for (one, other) in (0..13).flat_map(|one| (0..one).map(move |other| (one, other))) {
            shared.push(format!("{} & {}", at(one, hole), at(other, hole)));
        }
    }
    text.push_str("action put(x: p, y: h) { r(x, y) := true }\n");
    text + &format!("safety [fits] {} -> {}\n", clauses.join(" & "), shared.join(" | "))
}

#[test]
fn an_interrupted_folder_keeps_what_it_has() {
    let folder = Folder::new(&[("a.rml", LOCK), ("b.rml", &hard()), ("c.rml", LOCK)]);
    let child = folder
        .command(&["synth", ".", "--timeout", "600", "--cache", "kept", "--format", "json"])
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let start = Instant::now();
    while kept(&folder.path("kept")).is_empty() && start.elapsed() < MARGIN {
        thread::sleep(Duration::from_millis(50));
    }
    // The first file is finished; the second one never ends.
    thread::sleep(Duration::from_millis(500));
    kill(Pid::from_raw(child.id().cast_signed()), Signal::SIGINT).expect("it runs");
    let output = child.wait_with_output().map(|output| Run::new(&output));
    let run = output.expect("it ends");
    assert!(start.elapsed() < MARGIN, "it took {:?}", start.elapsed());
    let json: serde_json::Value = serde_json::from_str(&run.out).expect("JSON");
    let verdicts: Vec<_> = (0..3).map(|file| json["files"][file]["verdict"].clone()).collect();
    assert_eq!(verdicts, ["safe", "not run", "not run"]);
    assert_eq!(json["summary"], "not run: 3 files: 1 safe, 2 not run");
    assert_eq!(run.code, Some(2));
    assert_eq!(kept(&folder.path("kept")).len(), 1, "nothing else is kept");
}

/// The entries of a cache.
fn kept(folder: &Path) -> Vec<PathBuf> {
    let Ok(listed) = fs::read_dir(folder) else { return Vec::new() };
    let paths = listed.flatten().map(|entry| entry.path());
    let mut paths: Vec<_> =
        paths.filter(|path| path.extension().is_some_and(|own| own == "result")).collect();
    paths.sort();
    paths
}
