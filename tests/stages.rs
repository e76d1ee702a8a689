//! What every stage makes of every protocol of the corpus, against `snapshots/<stage>/<protocol>`.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use rmlcut::pipeline::{Detail, STAGES, Stage};
use rmlcut::report::diagnostics::{Colour, render};
use rmlcut::source::SourceFile;

#[test]
fn every_stage_says_the_same_of_every_protocol() {
    for stage in STAGES {
        for path in protocols() {
            let text = fs::read_to_string(folder("protocols").join(&path));
            check(stage, &path, &text.expect("the protocol is readable"));
        }
    }
}

#[test]
fn every_snapshot_belongs_to_a_protocol() {
    let wanted: BTreeSet<String> =
        protocols().iter().map(|path| path.replace(".rml", ".snap")).collect();
    for stage in STAGES {
        assert_eq!(below(&folder("snapshots").join(stage.name)), wanted, "{}", stage.name);
    }
}

/// The protocols of the corpus, by path.
fn protocols() -> BTreeSet<String> {
    let mut found = below(&folder("protocols"));
    found.retain(|path| path.ends_with(".rml"));
    found
}

fn check(stage: &Stage, path: &str, text: &str) {
    let source = SourceFile::new(path, text);
    let shown = (stage.show)(&source, Detail::Results)
        .map_err(|diagnostics| render(&source, &diagnostics, Colour::Never));
    let shown = shown.expect("the corpus is right");
    let (family, file) = path.rsplit_once('/').expect("every protocol belongs to a family");
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(folder("snapshots").join(stage.name).join(family));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    let name = file.trim_end_matches(".rml");
    settings.bind(|| insta::assert_snapshot!(name, shown.text));
}

fn folder(below: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(below)
}

/// The files below a folder, by path.
fn below(root: &Path) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("the folder is readable") {
            let path = entry.expect("the folder is readable").path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let path = path.strip_prefix(root).expect("the file is below the folder");
                found.insert(path.to_string_lossy().replace('\\', "/"));
            }
        }
    }
    found
}
