//! What every stage makes of every protocol of the corpus, against `snapshots/<stage>/<protocol>`.

// A helper that cannot do its part fails the test.
#![allow(clippy::panic)]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use rmlcut::diagnostic::Diagnostic;
use rmlcut::pipeline::{STAGES, Stage, StageError, StageRun};
use rmlcut::report::text::diagnostics::{Colour, render};
use rmlcut::report::text::show::{Detail, text};
use rmlcut::source::SourceFile;

#[test]
fn every_stage_matches_its_snapshot_for_every_protocol() {
    for stage in STAGES {
        for path in protocols(stage) {
            let shown = shown(stage, &path);
            if stage.has_snapshots {
                check(stage, &path, &shown);
            }
        }
    }
}

#[test]
fn every_snapshot_belongs_to_a_protocol() {
    for stage in STAGES.iter().filter(|stage| stage.has_snapshots) {
        let wanted = protocols(stage);
        let wanted: BTreeSet<String> =
            wanted.iter().map(|path| path.replace(".rml", ".snap")).collect();
        assert_eq!(below(&folder("snapshots").join(stage.name)), wanted, "{}", stage.name);
    }
}

/// The protocols of the corpus that a stage can be shown of, by path.
fn protocols(stage: &Stage) -> BTreeSet<String> {
    let all = below(&folder("protocols"));
    let mut found = all.clone();
    found.retain(|path| path.ends_with(".rml"));
    match stage.run {
        StageRun::OfProtocol(_) | StageRun::OfEither(_) => {}
        // RML has no processes.
        StageRun::OfProcess(_) => found.clear(),
        // Such a stage compares; what it says of the corpus has a test of its own.
        StageRun::OfProtocols(_) => found.clear(),
        StageRun::OfCertificate(_) => {
            found.retain(|path| all.contains(&path.replace(".rml", ".cut")));
        }
    }
    found
}

/// What a stage shows of a protocol of the corpus.
fn shown(stage: &Stage, path: &str) -> String {
    let source = read(path);
    let complain = |source: &SourceFile, messages: &[Diagnostic]| -> ! {
        panic!("{path}: {}", render(source, messages, Colour::Never))
    };
    match stage.run {
        StageRun::OfProtocol(run) | StageRun::OfProcess(run) => match run(&source) {
            Ok(output) => text(&source, &output, Detail::Results),
            Err(messages) => complain(&source, &messages),
        },
        StageRun::OfProtocols(_) => panic!("{path}: {} is about several protocols", stage.name),
        StageRun::OfEither(run) => {
            let beside = path.replace(".rml", ".cut");
            let is_there = folder("protocols").join(&beside).exists();
            let certificate = is_there.then(|| read(&beside));
            match run(&source, certificate.as_ref()) {
                Ok(output) => text(&source, &output, Detail::Results),
                Err(_) => panic!("{path}: {} shows nothing", stage.name),
            }
        }
        StageRun::OfCertificate(run) => {
            let certificate = read(&path.replace(".rml", ".cut"));
            match run(&source, &certificate) {
                Ok(output) => text(&source, &output, Detail::Results),
                Err(StageError::Protocol(_, messages)) => complain(&source, &messages),
                Err(StageError::Certificate(messages)) => complain(&certificate, &messages),
                Err(StageError::Judge(error)) => panic!("{path}: {error}"),
            }
        }
    }
}

fn read(path: &str) -> SourceFile {
    let text = fs::read_to_string(folder("protocols").join(path)).expect("the text is readable");
    SourceFile::new(path, text)
}

fn check(stage: &Stage, path: &str, shown: &str) {
    let (family, file) = path.rsplit_once('/').expect("every protocol belongs to a family");
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(folder("snapshots").join(stage.name).join(family));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    let name = file.trim_end_matches(".rml");
    settings.bind(|| insta::assert_snapshot!(name, shown));
}

fn folder(below: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(below)
}

/// The files below a folder, by path.
fn below(root: &Path) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        // A stage that nothing of the corpus reaches has no folder.
        for entry in fs::read_dir(folder).into_iter().flatten() {
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
