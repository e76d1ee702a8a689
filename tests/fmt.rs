//! `rmlcut fmt` as its user sees it: what it prints, what it writes and what it leaves alone.

use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use rmlcut::pipeline::{Formatted, Spelling, format_as};
use rmlcut::source::SourceFile;
use serde_json::Value;
use tempfile::TempDir;

const UGLY: &str = "type node;relation r : node   # who\ninit ¬r(N)\n";
const CANONICAL: &str = "sort node\nrelation r(node)  # who\ninit ~r(N)\n";

struct Desk {
    folder: TempDir,
}

impl Desk {
    fn new() -> Self {
        Desk { folder: TempDir::new().expect("there is room") }
    }

    fn file(&self, text: &str) -> PathBuf {
        let path = self.folder.path().join("protocol.rml");
        fs::write(&path, text).expect("there is room");
        path
    }

    fn files(&self) -> usize {
        fs::read_dir(self.folder.path()).expect("the folder is readable").count()
    }
}

fn fmt(arguments: &[&str], file: &PathBuf) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_rmlcut"));
    command.arg("fmt").args(arguments).arg(file).output().expect("the program starts")
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("the program writes text")
}

#[test]
fn prints_and_leaves_the_file_alone() {
    let desk = Desk::new();
    let file = desk.file(UGLY);
    let output = fmt(&[], &file);
    assert_eq!((text(&output.stdout), output.status.code()), (CANONICAL, Some(0)));
    assert_eq!(fs::read_to_string(&file).expect("still there"), UGLY);
}

#[test]
fn checks_without_writing() {
    let desk = Desk::new();
    let output = fmt(&["--check"], &desk.file(UGLY));
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stdout).ends_with("protocol.rml is not in canonical form\n"));
    let output = fmt(&["--check"], &desk.file(CANONICAL));
    assert_eq!((text(&output.stdout), output.status.code()), ("", Some(0)));
}

#[test]
fn replaces_the_file_and_leaves_nothing_behind() {
    let desk = Desk::new();
    let file = desk.file(UGLY);
    let output = fmt(&["--write"], &file);
    assert_eq!((text(&output.stdout), output.status.code()), ("", Some(0)));
    assert_eq!(fs::read_to_string(&file).expect("still there"), CANONICAL);
    assert_eq!(desk.files(), 1);
}

#[cfg(unix)]
#[test]
fn replaces_the_file_behind_a_link_and_keeps_its_permissions() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let desk = Desk::new();
    let file = desk.file(UGLY);
    fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).expect("it is ours");
    let link = desk.folder.path().join("link.rml");
    symlink(&file, &link).expect("there is room");
    assert_eq!(fmt(&["--write"], &link).status.code(), Some(0));
    assert!(fs::symlink_metadata(&link).expect("still there").is_symlink());
    assert_eq!(fs::read_to_string(&file).expect("still there"), CANONICAL);
    let mode = fs::metadata(&file).expect("still there").permissions().mode();
    assert_eq!(mode & 0o777, 0o640);
}

#[test]
fn refuses_what_it_cannot_read_and_writes_nothing() {
    let desk = Desk::new();
    let file = desk.file("sort node\nrelation r(\n");
    for arguments in [[].as_slice(), &["--check"], &["--write"]] {
        let output = fmt(arguments, &file);
        assert_eq!(output.status.code(), Some(64), "{arguments:?}");
        assert!(output.stdout.is_empty());
        assert!(text(&output.stderr).contains("protocol.rml:2:11"));
    }
    assert_eq!(fs::read_to_string(&file).expect("still there"), "sort node\nrelation r(\n");
    assert_eq!(fmt(&["--check", "--write"], &file).status.code(), Some(64));
}

#[test]
fn formats_what_makes_no_sense() {
    let desk = Desk::new();
    let output = fmt(&[], &desk.file("axiom   unknown(X)\n"));
    assert_eq!((text(&output.stdout), output.status.code()), ("axiom unknown(X)\n", Some(0)));
}

#[test]
fn translates_other_languages_and_rewrites_none() {
    let desk = Desk::new();
    let ivy = "#lang ivy1.7\ntype node\nrelation r(N:node)\n";
    let file = desk.folder.path().join("protocol.ivy");
    fs::write(&file, ivy).expect("there is room");
    let output = fmt(&[], &file);
    // Nothing changes it.
    let expected = "sort node\nrigid relation r(node)\n";
    assert_eq!((text(&output.stdout), output.status.code()), (expected, Some(0)));
    for arguments in [["--check"], ["--write"]] {
        let output = fmt(&arguments, &file);
        assert_eq!(output.status.code(), Some(64));
        assert!(text(&output.stderr).contains("this file is written in Ivy"));
    }
    assert_eq!(fs::read_to_string(&file).expect("still there"), ivy);
}

#[test]
fn reads_the_standard_input() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_rmlcut"))
        .args(["fmt", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    child.stdin.take().expect("piped").write_all(UGLY.as_bytes()).expect("the program reads");
    let output = child.wait_with_output().expect("the program ends");
    assert_eq!((text(&output.stdout), output.status.code()), (CANONICAL, Some(0)));
}

#[test]
fn writes_json() {
    let desk = Desk::new();
    let output = fmt(&["--format", "json"], &desk.file(UGLY));
    let value: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!((&value["canonical"], &value["text"]), (&Value::Bool(false), &CANONICAL.into()));
    let output = fmt(&["--format", "json"], &desk.file("sort\n"));
    let value: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(value["diagnostics"][0]["place"]["column"], 5);
    assert_eq!(output.status.code(), Some(64));
}

fn modern(text: &str) -> String {
    match format_as(&SourceFile::new("old.rml", text), Spelling::Modern) {
        Ok(Formatted::Canonical(text) | Formatted::Translated { text, .. }) => text,
        Err(messages) => format!("{messages:#?}"),
    }
}

const ORDER: &str = "axiom le(A, A)\naxiom le(K, L) & le(L, M) -> le(K, M)\n\
                     axiom [anti] ~le(X, Y) | ~le(Y, X) | Y = X\naxiom forall Y, X. le(Y, X) | le(X, Y)\n";
const RING: &str = "axiom btw(X, Y, Z) -> btw(Y, Z, X)\naxiom btw(W, X, Y) & btw(W, Y, Z) -> btw(W, X, Z)\n\
                    axiom ~(btw(X, Y, Z) & btw(X, Z, Y))\n\
                    axiom X != Y & Y != Z & X != Z -> btw(X, Z, Y) | btw(X, Y, Z)\n";
const REST: &str = "relation up(node)\ninit up(N)\naction fail(n: node) {\n  up(n) := false\n}\n\
                    safety up(N) | ~up(N)\n";

#[test]
fn modern_texts_declare_what_axioms_say() {
    let cases = [
        ("type node, id\nimmutable relation le(id, id)\n", ORDER, "order le on id"),
        ("sort node\nrigid relation btw(node, node, node)\n", RING, "ring btw on node"),
        (
            "sort node, quorum\nrigid relation member(node, quorum)\n",
            "axiom forall Q, P. exists X. member(X, P) & member(X, Q)\n",
            "quorums quorum of node",
        ),
        (
            "sort node, r, w\nrigid relation reads(node, r)\nrigid relation writes(node, w)\n",
            "axiom forall W, R. exists N. writes(N, W) & reads(N, R)\n",
            "quorums r, w of node by reads, writes",
        ),
    ];
    for (declarations, axioms, line) in cases {
        let text = modern(&format!("{declarations}{axioms}{REST}"));
        assert!(text.lines().any(|own| own == line), "{line}: {text}");
        assert!(!text.contains("axiom") && !text.contains("rigid"), "{text}");
        assert_eq!(modern(&text), text, "it stays as it is");
    }
}

/// A sort has one structure: the axioms of another one stay.
#[test]
fn modern_texts_declare_one_structure_of_a_sort() {
    let second = ORDER.replace("le(", "before(").replace("[anti] ", "");
    let text = modern(&format!(
        "sort node, id\nrigid relation le(id, id)\n{ORDER}\
         rigid relation before(id, id)\n{second}{REST}"
    ));
    let declared = text.lines().filter(|line| line.starts_with("order ")).count();
    let kept = text.lines().filter(|line| line.starts_with("axiom")).count();
    assert_eq!((declared, kept), (1, ORDER.lines().count()), "{text}");
}

#[test]
fn modern_texts_keep_axioms_that_say_something_else() {
    let order = "sort node, id\nrigid relation le(id, id)\n";
    let missing: Vec<&str> = ORDER.lines().skip(2).collect();
    for (declarations, axioms) in [
        // Not transitive; a strict order; a partial one; more than an order.
        (order, missing.join("\n") + "\n"),
        (order, "axiom ~le(X, X)\n".to_owned() + ORDER),
        (order, ORDER.replace("forall Y, X. le(Y, X) | le(X, Y)", "le(X, X)")),
        (
            "sort node, quorum\nrigid relation member(node, quorum)\n",
            "axiom forall Q: quorum. exists N. member(N, Q)\n".to_owned(),
        ),
    ] {
        let text = modern(&format!("{declarations}{axioms}{REST}"));
        let kept = text.lines().filter(|line| line.starts_with("axiom")).count();
        let strict = axioms.starts_with("axiom ~le");
        // The axioms of an order stay an order, whatever else is said of it.
        assert_eq!(kept, if strict { 1 } else { axioms.lines().count() }, "{text}");
    }
}
