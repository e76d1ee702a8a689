//! Every change that a message about a wrong or suspicious protocol offers: made, it takes the
//! message away.

use std::fs;
use std::path::{Path, PathBuf};

use rmlcut::diagnostic::Diagnostic;
use rmlcut::pipeline::{findings, read_process, read_protocol};
use rmlcut::source::SourceFile;

/// What an editor shows of a text.
fn messages(source: &SourceFile) -> Vec<Diagnostic> {
    match read_protocol(source) {
        Ok((protocol, mut messages)) => {
            messages.extend(findings(&protocol, read_process(source).as_ref()));
            messages
        }
        Err(messages) => messages,
    }
}

fn files() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let listed = ["rejected", "suspicious"].map(|folder| {
        let entries = fs::read_dir(root.join(folder)).expect("the folder is readable");
        entries.map(|entry| entry.expect("the folder is readable").path())
    });
    let mut files: Vec<PathBuf> = listed.into_iter().flatten().collect();
    files.retain(|path| path.extension().is_some());
    files.sort();
    files
}

#[test]
fn every_change_takes_its_message_away() {
    let (mut offered, mut wrong) = (0, Vec::new());
    for path in files() {
        let name = path.file_name().and_then(|name| name.to_str()).expect("a name").to_owned();
        let text = fs::read_to_string(&path).expect("the file is readable");
        let before = messages(&SourceFile::new(name.as_str(), text.as_str()));
        for message in &before {
            let edits: Vec<_> = message
                .fixes
                .iter()
                .filter_map(|fix| fix.edit(message.primary.span, &text))
                .collect();
            offered += usize::from(!edits.is_empty());
            for edit in edits {
                let mut mended = text.clone();
                mended.replace_range(edit.span.start..edit.span.end, &edit.text);
                let after = messages(&SourceFile::new(name.as_str(), mended.as_str()));
                let same = |all: &[Diagnostic], at: Option<usize>| {
                    let same = all.iter().filter(|own| own.message == message.message);
                    same.filter(|own| at.is_none_or(|at| own.primary.span.start == at)).count()
                };
                // Only the first of several in a line may be reported.
                let is_there = same(&after, Some(message.primary.span.start)) > 0;
                if is_there && same(&after, None) >= same(&before, None) {
                    let shown = &text[edit.span.start..edit.span.end];
                    wrong
                        .push(format!("{name}: {}: `{shown}` to `{}`", message.message, edit.text));
                }
            }
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
    assert!(offered > 100, "{offered} messages have changes");
}

#[test]
fn a_new_name_that_is_in_use_is_not_offered() {
    let text = "sort node\nrelation Held(node)\nrelation held(node)\nsafety Held(N) -> held(N)\n";
    let capital = messages(&SourceFile::new("lock.rml", text));
    let fixes = |all: &[Diagnostic], text: &str| {
        let edit = |own: &Diagnostic| own.fixes.first()?.edit(own.primary.span, text);
        all.iter().find(|own| own.message.contains("capital")).and_then(edit)
    };
    assert_eq!(fixes(&capital, text), None);
    let text = "sort node\nrelation Held(node) # Held\nsafety Held(N) -> N = Held_by\n";
    let edit = fixes(&messages(&SourceFile::new("lock.rml", text)), text).expect("a change");
    assert_eq!(edit.text, "held(node) # Held\nsafety held");
}
