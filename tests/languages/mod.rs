//! Other languages: what their files mean, that they survive translation both ways, and that their
//! twins of our protocols are the same protocols.

// A helper that cannot do its part fails the test.
#![allow(clippy::panic)]

mod constructs;
mod enumerations;
mod equivalence;
mod exports;
mod lemmas;
mod original;
mod program;
mod round_trips;
mod traces;
mod twins;

use std::fs;
use std::path::{Path, PathBuf};

use rmlcut::pipeline::read_protocol;
use rmlcut::protocol::Protocol;
use rmlcut::report::text::diagnostics::{Colour, render};
use rmlcut::source::SourceFile;

/// Every file below a folder with an extension, in order.
pub(crate) fn files(below: &str, extension: &str) -> Vec<PathBuf> {
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join(below)];
    let mut found = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("the folder is readable") {
            let path = entry.expect("the folder is readable").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|found| found == extension) {
                found.push(path);
            }
        }
    }
    found.sort();
    assert!(!found.is_empty(), "no files in {below}");
    found
}

fn source(path: &Path) -> SourceFile {
    let text = fs::read_to_string(path).expect("the file is readable");
    SourceFile::new(path.display().to_string(), text)
}

fn read(source: &SourceFile) -> Protocol {
    match read_protocol(source) {
        Ok((protocol, _)) => protocol,
        Err(messages) => {
            panic!("{}\n{}", render(source, &messages, Colour::Never), source.text())
        }
    }
}

/// The messages about a text that must be refused.
fn refused(source: &SourceFile) -> String {
    match read_protocol(source) {
        Ok(_) => panic!("{} is accepted", source.name()),
        Err(messages) => render(source, &messages, Colour::Never),
    }
}
