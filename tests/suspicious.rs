//! Legal and suspicious protocols: each file of `tests/suspicious` gets the warnings of its
//! snapshot, its twin of the same name in `tests/unsuspicious` gets none, and neither does the
//! corpus.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use rmlcut::diagnostic::{Diagnostic, Severity};
use rmlcut::pipeline::{findings, read_process, read_protocol};
use rmlcut::report::text::diagnostics::{Colour, render};
use rmlcut::source::SourceFile;

#[test]
fn every_suspicion_is_reported_as_in_its_snapshot() {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(folder("snapshots/suspicious"));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    for path in files("tests/suspicious") {
        let source = source(&path);
        let warnings = warnings(&source);
        assert!(!warnings.is_empty(), "{}", source.name());
        let text = render(&source, &warnings, Colour::Never);
        settings.bind(|| insta::assert_snapshot!(snapshot(&path), text));
    }
}

#[test]
fn every_suspicion_has_an_innocent_twin() {
    let names = |below| files(below).iter().map(|path| name(path)).collect::<BTreeSet<_>>();
    assert_eq!(names("tests/suspicious"), names("tests/unsuspicious"));
    for path in files("tests/unsuspicious") {
        let source = source(&path);
        assert_eq!(render(&source, &warnings(&source), Colour::Never), "", "{}", source.name());
    }
}

#[test]
fn the_corpus_raises_no_suspicion() {
    // Sketches are protocols only once they are completed.
    for path in
        files("protocols").iter().filter(|path| !path.starts_with(folder("protocols/sketches")))
    {
        let source = source(path);
        let mut warnings = warnings(&source);
        warnings.retain(|message| message.severity != Severity::Note);
        warnings.retain(|message| !MEANT.contains(&(&*name(path), message.code.0)));
        assert_eq!(render(&source, &warnings, Colour::Never), "", "{}", source.name());
    }
}

/// Traps for checkers that are about symbols which never change or may start in any way, and models
/// that are wrong in just this way.
const MEANT: &[(&str, &str)] = &[
    ("trap_bounded_int.rml", "RML0607"),
    ("trap_bounded_int.rml", "RML0705"),
    ("trap_bounded_int.rml", "RML0706"),
    ("trap_dropped_init.rml", "RML0607"),
    // As published: the first leader does not hear the second one.
    ("object_tracker_published.mer", "MER0203"),
    // On their way to the last version.
    ("serializer_first.mer", "MER0201"),
    ("serializer_first.mer", "MER0202"),
    ("serializer_first.mer", "MER0203"),
    ("serializer_first.mer", "MER0205"),
    ("serializer_second.mer", "MER0201"),
    ("serializer_second.mer", "MER0202"),
    ("serializer_second.mer", "MER0205"),
    // Reactions on a second leader, which the printed phase-compatibility wants: there is none.
    ("lock_service.mer", "MER0204"),
    ("robot_flocking.mer", "MER0204"),
    // More winners than the other handlers expect.
    ("lock_service_two_leaders.mer", "MER0203"),
    ("robot_flocking_two_leaders.mer", "MER0203"),
    // One that does not enter, and a third group of followers, take six processes and more.
    ("sats_landing_five_enter.mer", "MER0201"),
    ("object_tracker_three_leaders.mer", "MER0201"),
    // Four values, one for each election.
    ("data_four_elections.mer", "MER0201"),
    ("data_four_elections.mer", "MER0202"),
];

fn warnings(source: &SourceFile) -> Vec<Diagnostic> {
    let (protocol, mut warnings) = read_protocol(source).expect("the protocol is legal");
    warnings.extend(findings(&protocol, read_process(source).as_ref()));
    warnings
}

/// The protocols below a folder, by path.
fn files(below: &str) -> Vec<PathBuf> {
    let mut folders = vec![folder(below)];
    let mut found = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("the folder is readable") {
            let path = entry.expect("the folder is readable").path();
            if path.is_dir() {
                folders.push(path);
            } else if LANGUAGES
                .iter()
                .any(|end| path.extension().is_some_and(|found| found == *end))
            {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

const LANGUAGES: [&str; 5] = ["rml", "ivy", "pyv", "mer", "ch"];

fn name(path: &Path) -> String {
    path.file_name().expect("a file has a name").to_string_lossy().into_owned()
}

/// The name of a file's snapshot: the language stands at its end, unless it is our own.
fn snapshot(path: &Path) -> String {
    let name = name(path);
    name.strip_suffix(".rml").map_or_else(|| name.replace('.', "_"), str::to_owned)
}

fn source(path: &Path) -> SourceFile {
    let text = fs::read_to_string(path).expect("the file is readable");
    SourceFile::new(name(path), text)
}

fn folder(below: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(below)
}
