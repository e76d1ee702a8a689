//! Other languages mean what their twins say: each file of `tests/ivy` and `tests/mypyvy` reads as
//! the very protocol of the `.rml` file of the same name.

// A helper that cannot do its part fails the test.
#![allow(clippy::panic)]

use std::fs;
use std::path::{Path, PathBuf};

use rmlcut::pipeline::read_protocol;
use rmlcut::protocol::{Protocol, print_protocol};
use rmlcut::report::diagnostics::{Colour, render};
use rmlcut::source::SourceFile;

fn files(below: &str, extension: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(below);
    let entries = fs::read_dir(folder).expect("the folder is readable");
    let mut found: Vec<PathBuf> = entries
        .map(|entry| entry.expect("the folder is readable").path())
        .filter(|path| path.extension().is_some_and(|found| found == extension))
        .collect();
    found.sort();
    found
}

fn read(path: &Path) -> Protocol {
    let text = fs::read_to_string(path).expect("the file is readable");
    let source = SourceFile::new(path.display().to_string(), text);
    match read_protocol(&source) {
        Ok((protocol, _)) => protocol,
        Err(diagnostics) => panic!("{}", render(&source, &diagnostics, Colour::Never)),
    }
}

/// Compares every file of a language with its twin.
fn compare(below: &str, extension: &str) {
    let files = files(below, extension);
    assert!(!files.is_empty(), "no files in {below}");
    for path in files {
        let meant = print_protocol(&read(&path.with_extension("rml")));
        let found = print_protocol(&read(&path));
        assert!(meant == found, "{}\nmeans\n{found}\nand not\n{meant}", path.display());
    }
}

#[test]
fn ivy_means_what_its_twins_say() {
    compare("tests/ivy", "ivy");
}

#[test]
fn mypyvy_means_what_its_twins_say() {
    compare("tests/mypyvy", "pyv");
}
