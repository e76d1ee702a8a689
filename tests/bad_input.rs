//! Whatever is in a file, the program answers soon, in words, with the right exit code; and strange
//! but harmless files are read.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};
use std::time::{Duration, Instant};

use tempfile::TempDir;

/// Far more than any of these takes, far less than minutes, even on a busy machine.
const SOON: Duration = Duration::from_secs(60);

const PROTOCOL: &str = "sort node\nrelation free\n\naction take(n: node) {\n  require free & n = n\n  \
                        free := false\n}\n\nsafety free | ~free\n";

fn rmlcut(arguments: &[&str], file: &Path) -> Output {
    let start = Instant::now();
    let output = Command::new(env!("CARGO_BIN_EXE_rmlcut")).args(arguments).arg(file).output();
    assert!(start.elapsed() < SOON, "{arguments:?} took {:?}", start.elapsed());
    output.expect("the program starts")
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("the program writes text")
}

fn shown(bytes: impl AsRef<[u8]>) -> Output {
    let folder = TempDir::new().expect("there is room");
    let file = folder.path().join("input.rml");
    fs::write(&file, bytes).expect("there is room");
    rmlcut(&["show", "protocol"], &file)
}

/// The program refuses these bytes with 64 and a message that contains the words.
fn refused(bytes: impl AsRef<[u8]>, words: &str) {
    let output = shown(bytes);
    let remarks = text(&output.stderr);
    assert_eq!(output.status.code(), Some(64), "{remarks}");
    assert!(remarks.contains(words), "`{words}` is not in: {remarks}");
    assert!(remarks.len() < 100_000, "{} bytes of messages", remarks.len());
    assert!(output.stdout.is_empty());
}

/// The program reads these bytes as it reads the text.
fn read_like(bytes: impl AsRef<[u8]>, like: &str) {
    let folder = TempDir::new().expect("there is room");
    let [file, twin] = ["input.rml", "twin.rml"].map(|name| folder.path().join(name));
    fs::write(&file, bytes).expect("there is room");
    fs::write(&twin, like).expect("there is room");
    for arguments in [["show", "protocol"].as_slice(), &["fmt"]] {
        let (output, expected) = (rmlcut(arguments, &file), rmlcut(arguments, &twin));
        assert_eq!(text(&output.stderr).replace("input.rml", "twin.rml"), text(&expected.stderr));
        assert_eq!(text(&output.stdout), text(&expected.stdout));
        assert_eq!((output.status.code(), expected.status.code()), (Some(0), Some(0)));
    }
}

#[test]
fn nothing_to_read() {
    refused("", "declares nothing");
    refused(" \n\n# only words\n", "declares nothing");
}

#[test]
fn ten_megabytes_on_a_line() {
    refused("x".repeat(10_000_000), "longer than 1 MB");
    refused(" ".repeat(10_000_000), "declares nothing");
    refused(format!("axiom {}p\n", "p & ".repeat(2_500_000)), "longer than 1 MB");
    refused(format!("axiom {}p\n", "p = ".repeat(200_000)), "comparisons do not chain");
    let comment = "x".repeat(10_000_000);
    let output = shown(format!("{PROTOCOL}#{comment}"));
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
}

#[test]
fn many_meaningless_lines() {
    refused("garbage here\n".repeat(500_000), "expected a declaration");
    refused("}\n".repeat(500_000), "unmatched `");
}

#[test]
fn bytes_that_are_no_text() {
    refused(b"sort node\nsort \xff\n", "input.rml:2:6: this is not text: byte 0xff");
    refused(b"sort node\xe2\x88", "input.rml:1:10: this is not text");
    refused(b"sort node\0\n", "expected");
}

#[test]
fn line_ends_and_marks_of_other_systems() {
    read_like(PROTOCOL.replace('\n', "\r\n"), PROTOCOL);
    read_like(PROTOCOL.replace('\n', "\r"), PROTOCOL);
    read_like(format!("\u{feff}{PROTOCOL}"), PROTOCOL);
    read_like(PROTOCOL.replace(' ', "\t"), PROTOCOL);
    read_like(PROTOCOL.trim_end(), PROTOCOL);
}

#[test]
fn nesting_beyond_reason() {
    let deep = "nested more than 200 levels deep";
    let around = |open: &str, close: &str, times: usize| {
        format!("sort node\nrelation p\ninit {}p{}\n", open.repeat(times), close.repeat(times))
    };
    refused(around("(", ")", 100_000), deep);
    refused(around("(", "", 100_000), deep);
    refused(around("~", "", 100_000), deep);
    refused(around("p -> ", "", 100_000), deep);
    refused(around("forall X. ", "", 50_000), deep);
    refused(around("~forall X. p & ", "", 50_000), deep);
    refused(around("p if p else ", "", 50_000), deep);
    refused(around("p(", ")", 100_000), deep);
    refused(around("1 + ", "", 100_000), deep);
    refused(format!("action a {{\n{}", "if p {\n".repeat(100_000)), deep);
    refused(format!("action a {{\nif p {{ }}{}\n}}\n", " else if p { }".repeat(50_000)), deep);
    refused(around("p", ")", 100_000), "unmatched `");
}

#[test]
fn nesting_within_reason_is_no_trap() {
    let protocol = |formula: &str| {
        format!("sort node\nfunction f(node): node\nrelation p(node)\nsafety {formula}\n")
    };
    let mixed = format!("{}p(N){}", "(~(p(N) -> ".repeat(45), "))".repeat(45));
    read_like(protocol(&mixed), &protocol(&mixed));
    let terms = format!("p({}N{})", "f(".repeat(150), ")".repeat(150));
    read_like(protocol(&terms), &protocol(&terms));
    let groups = format!("{}p(N){}", "(".repeat(150), ")".repeat(150));
    read_like(protocol(&groups), &protocol("p(N)"));
    let open = format!("{}p(N){}", "(p(N) & ".repeat(150), ")".repeat(149));
    refused(protocol(&open), "never closed");
}

#[test]
fn reserved_names() {
    refused("sort node\nsort node\nrelation p(node)\nsafety p(N)\n", "node");
    refused("sort node\nrelation if(node)\nsafety p(N)\n", "`if` is a keyword");
    refused("sort node\nrelation p(nod)\nsafety p(N)\n", "unknown sort `nod`");
    refused("sort node\naction a {\n  require true\n\nsafety true\n", "this block is never closed");
}

#[test]
fn ten_thousand_actions() {
    let action = |index| {
        format!("\naction take_{index}(n: node) {{\n  require free & n = n\n  free := false\n}}\n")
    };
    let actions: String = (0..10_000).map(action).collect();
    let protocol = format!("sort node\nrelation free\n{actions}\nsafety free | ~free\n");
    read_like(&protocol, &protocol);
    let wrong = protocol.replace("free := false", "free = false");
    refused(wrong, "the rest of this file was not checked");
}

#[test]
fn files_that_cannot_be_read() {
    let folder = TempDir::new().expect("there is room");
    for path in [folder.path().join("missing.rml"), folder.path().to_owned()] {
        for arguments in [["show", "surface"].as_slice(), &["fmt"], &["fmt", "--write"]] {
            let output = rmlcut(arguments, &path);
            assert_eq!(output.status.code(), Some(3), "{}", text(&output.stderr));
            assert!(text(&output.stderr).contains("cannot read"), "{}", text(&output.stderr));
        }
    }
}

/// A protocol with such an initial condition.
fn starting(condition: &str) -> String {
    format!(
        "sort node\nrelation p(node)\nrelation q\ninit {condition}\n\
         action a(n: node) {{ p(n) := true }}\nsafety q | ~q\n"
    )
}

#[test]
fn quantifiers_that_cannot_be_written_out() {
    let side_by_side: Vec<String> = (0..60).map(|number| format!("p(A{number})")).collect();
    let nested = |words: &str| {
        let open: String =
            (0..60).map(|number| format!("({words} X{number}: node. p(X{number}) | ")).collect();
        format!("{open}q{}", ")".repeat(60))
    };
    let conditions = [side_by_side.join(" | "), nested("forall"), nested("exists")];
    for condition in conditions {
        let folder = TempDir::new().expect("there is room");
        let file = folder.path().join("input.rml");
        fs::write(&file, starting(&condition)).expect("there is room");
        let output = rmlcut(&["explore", "--size", "node=2"], &file);
        let remarks = text(&output.stderr);
        assert_eq!(output.status.code(), Some(64), "{remarks}");
        assert!(remarks.contains("when quantifiers are written out"), "{remarks}");
        let output = rmlcut(&["synth", "--timeout", "1"], &file);
        assert!(matches!(output.status.code(), Some(0 | 2)), "{}", text(&output.stderr));
    }
}

#[test]
fn choices_beyond_counting() {
    let folder = TempDir::new().expect("there is room");
    let file = folder.path().join("input.rml");
    let protocol = "sort node\nrelation p(node, node, node, node, node)\nrelation q\ninit q\n\
                    action a { p(*, *, *, *, *) := * }\nsafety q | ~q\n";
    fs::write(&file, protocol).expect("there is room");
    let output = rmlcut(&["synth", "--timeout", "1"], &file);
    assert!(matches!(output.status.code(), Some(0 | 2)), "{}", text(&output.stderr));
}

#[test]
fn statements_that_wrap_what_came_before_them() {
    let conditions = "if p(n) { q := true }\n".repeat(3_000);
    let places = "p(n) := true; p(m) := false\n".repeat(1_500);
    for body in [conditions, places] {
        refused(
            format!(
                "sort node\nrelation p(node)\nrelation q\ninit p(N) & ~q\n\
                 action a(n: node, m: node) {{ {body} }}\nsafety q | ~q\n"
            ),
            "the transition formula of `a` would be too large",
        );
    }
    // A hundred of them are nothing special.
    let output = shown(format!(
        "relation p\nrelation q\naction a {{ {} }}\nsafety q | ~q\n",
        "if p { q := true }\n".repeat(100)
    ));
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
}

#[test]
fn a_name_of_two_lines_is_written_on_one() {
    let folder = TempDir::new().expect("there is room");
    let file = folder.path().join("two\n::error::lines.rml");
    fs::write(&file, "sort node\nrelation p(nod)\nsafety p(N)\n").expect("there is room");
    let output = rmlcut(&["show", "protocol"], &file);
    let remarks = text(&output.stderr);
    assert!(remarks.contains("two\\n::error::lines.rml:2:12"), "{remarks}");
    assert!(remarks.lines().all(|line| !line.starts_with("::")), "{remarks}");
    let missing = folder.path().join("none\n::error::here.rml");
    let output = rmlcut(&["show", "protocol"], &missing);
    let remarks = text(&output.stderr);
    assert!(remarks.starts_with("error: cannot read "), "{remarks}");
    assert!(remarks.contains("none\\n::error::here.rml: "), "{remarks}");
    assert_eq!(remarks.lines().count(), 1, "{remarks}");
    fs::write(&missing, b"sort \xff").expect("there is room");
    let output = rmlcut(&["show", "protocol"], &missing);
    let remarks = text(&output.stderr);
    assert!(remarks.contains("none\\n::error::here.rml:1:6: this is not text"), "{remarks}");
}
