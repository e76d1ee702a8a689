//! The public `.ch` files, which are not part of this project: proved for any number of processes, or
//! refused with the message they deserve. Set `RMLCUT_MERCURY_ARTIFACT` to their folder.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use rmlcut::finite::FiniteOutcome;
use rmlcut::pipeline::read_protocol;
use rmlcut::report::text::diagnostics::{Colour, render};
use rmlcut::source::SourceFile;

use super::explore;

#[test]
fn the_public_files_are_read_or_refused_with_a_reason() {
    let Some(folder) = std::env::var_os("RMLCUT_MERCURY_ARTIFACT").map(PathBuf::from) else {
        return;
    };
    let items = fs::read_dir(&folder).expect("the folder is readable");
    let mut paths: Vec<PathBuf> = items.map(|item| item.expect("readable").path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "ch"));
    paths.sort();
    assert!(!paths.is_empty(), "no `.ch` file in {}", folder.display());
    for path in paths {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let source = SourceFile::new(&*name, fs::read_to_string(&path).expect("text"));
        match read_protocol(&source) {
            Ok((protocol, _)) => {
                for processes in 1..=3 {
                    let outcome = explore(&protocol, processes);
                    assert!(matches!(outcome, FiniteOutcome::Safe(_)), "{name} with {processes}");
                }
                let mut synth = Command::new(env!("CARGO_BIN_EXE_rmlcut"));
                synth.args(["synth", "-o", "/dev/null", "--timeout", "600"]).arg(&path);
                let said = synth.output().expect("the program runs").stdout;
                let said = String::from_utf8_lossy(&said).into_owned();
                assert_eq!(said.lines().next(), Some("safe"), "{name}: {said}");
            }
            Err(messages) => {
                let text = render(&source, &messages, Colour::Never);
                assert!(text.contains("sID"), "{name} uses a sender that does not exist:\n{text}");
                assert!(text.contains("declared"), "the declared actions are a hint:\n{text}");
            }
        }
    }
}

/// A file in the artifact's spelling that uses the sender of an action it never declares.
const UNDECLARED: &str = "
machine Store
variables int[1,2] v
actions env rz read : unit; env rz readDone : int[1,2];
initial location Start
  on recv(read) do rend(readDone, v, doRead.sID);
safety atmost(1, {Start})
";

#[test]
fn the_sender_of_an_undeclared_action_is_named_with_the_declared_ones() {
    let source = SourceFile::new("store.ch", UNDECLARED);
    let messages = read_protocol(&source).expect_err("refused");
    let text = render(&source, &messages, Colour::Never);
    assert!(text.contains("`doRead`"), "{text}");
    assert!(text.contains("store.ch:6:38"), "{text}");
    assert!(text.contains("`read`") && text.contains("`readDone`"), "{text}");
}
