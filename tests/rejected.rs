//! Wrong protocols and their messages: each file of `tests/rejected` is refused in the words of its
//! snapshot, and its twin of the same name in `tests/accepted` is not.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use rmlcut::pipeline::read_protocol;
use rmlcut::report::text::diagnostics::{Colour, render};
use rmlcut::source::SourceFile;

#[test]
fn every_wrong_file_is_refused_as_in_its_snapshot() {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(folder("snapshots/rejected"));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    for name in names("tests/rejected") {
        let source = source("tests/rejected", &name);
        let diagnostics = read_protocol(&source).expect_err(&name);
        assert!(diagnostics.iter().any(rmlcut::diagnostic::Diagnostic::is_error), "{name}");
        let text = render(&source, &diagnostics, Colour::Never);
        settings.bind(|| insta::assert_snapshot!(snapshot(&name), text));
    }
}

#[test]
fn every_wrong_file_has_a_right_twin() {
    assert_eq!(names("tests/rejected"), names("tests/accepted"));
    for name in names("tests/accepted") {
        let source = source("tests/accepted", &name);
        if let Err(diagnostics) = read_protocol(&source) {
            panic!("{name}:\n{}", render(&source, &diagnostics, Colour::Never));
        }
    }
}

#[test]
fn no_message_has_lost_its_file() {
    let wanted: BTreeSet<String> =
        names("tests/rejected").iter().map(|name| snapshot(name)).collect();
    assert_eq!(stems("snapshots/rejected", "snap"), wanted);
}

/// Codes that no protocol text can bring about: certificates and other languages can.
const NOT_FROM_PROTOCOLS: &[&str] = &["RML0308", "RML0309"];

/// Where codes are given.
const CODES: &[&str] = &[
    "src/elaborate/codes.rs",
    "src/lint/mod.rs",
    "src/frontend/ivy/parse/unsupported.rs",
    "src/frontend/mypyvy/codes.rs",
    "src/frontend/mercury/codes.rs",
    "src/frontend/machines/codes.rs",
];

#[test]
fn every_code_is_given_once_and_shown_somewhere() {
    let mut shown = String::new();
    for below in ["snapshots/rejected", "snapshots/suspicious"] {
        for entry in fs::read_dir(folder(below)).expect("the folder is readable") {
            let path = entry.expect("the folder is readable").path();
            shown += &fs::read_to_string(path).expect("the snapshot is readable");
        }
    }
    let mut seen = BTreeSet::new();
    for file in CODES {
        let text = fs::read_to_string(folder(file)).expect("the file is readable");
        for code in text.split("Code(\"").skip(1).filter_map(|rest| rest.split('"').next()) {
            assert!(seen.insert(code.to_owned()), "{code} is given twice");
            // Certificates and traces have tests of their own.
            let elsewhere = NOT_FROM_PROTOCOLS.contains(&code)
                || code.starts_with("CUT")
                || code.starts_with("ITF");
            assert!(elsewhere || shown.contains(code), "no snapshot shows {code}");
        }
    }
    assert!(seen.len() > 30, "the table of codes was found");
}

#[test]
fn colours_are_for_terminals_only() {
    let source = source("tests/rejected", "many_mistakes.rml");
    let diagnostics = read_protocol(&source).expect_err("the file is wrong");
    assert!(!render(&source, &diagnostics, Colour::Never).contains('\u{1b}'));
    assert!(render(&source, &diagnostics, Colour::Always).contains('\u{1b}'));
}

#[test]
fn places_in_very_long_lines_are_right() {
    let many = " & p".repeat(5_000);
    let source = SourceFile::new("long.rml", format!("relation p\nsafety p{many} & q{many}\n"));
    let diagnostics = read_protocol(&source).expect_err("`q` is unknown");
    let text = render(&source, &diagnostics, Colour::Never);
    assert!(text.contains("long.rml:2:20012"), "{text}");
    assert!(text.len() < 1_000, "{text}");
}

/// Every file of a folder in any language, by name.
fn names(below: &str) -> BTreeSet<String> {
    let named = |extension: &&str| {
        let files = stems(below, extension).into_iter();
        files.map(|stem| format!("{stem}.{extension}")).collect::<Vec<_>>()
    };
    ["rml", "ivy", "pyv", "mer", "ch"].iter().flat_map(named).collect()
}

/// The name of a file's snapshot: the language stands at its end, unless it is our own.
fn snapshot(name: &str) -> String {
    name.strip_suffix(".rml").map_or_else(|| name.replace('.', "_"), str::to_owned)
}

fn stems(below: &str, extension: &str) -> BTreeSet<String> {
    let entries = fs::read_dir(folder(below)).expect("the folder is readable");
    let paths = entries.map(|entry| entry.expect("the folder is readable").path());
    let wanted = paths.filter(|path| path.extension().is_some_and(|found| found == extension));
    wanted.filter_map(|path| Some(path.file_stem()?.to_str()?.to_owned())).collect()
}

fn source(below: &str, name: &str) -> SourceFile {
    let text = fs::read_to_string(folder(below).join(name)).expect("the file is readable");
    SourceFile::new(name, text)
}

fn folder(below: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(below)
}
