//! `fmt --to rml`: a file of another language, written in ours and read again, is the same protocol.

use rmlcut::pipeline::{Formatted, format};
use rmlcut::protocol::print_protocol;
use rmlcut::report::text::diagnostics::{Colour, render};
use rmlcut::source::SourceFile;

use super::equivalence::assert_same;
use super::{files, read, source};

fn translated(source: &SourceFile) -> Result<String, String> {
    match format(source) {
        Ok(Formatted::Translated { text, .. }) => Ok(text),
        Ok(Formatted::Canonical(_)) => panic!("{} is in our own language", source.name()),
        Err(messages) => Err(render(source, &messages, Colour::Never)),
    }
}

#[test]
fn translations_are_the_same_protocols() {
    let folders = [("tests/ivy", "ivy"), ("tests/mypyvy", "pyv"), ("protocols", "ivy")];
    let mut translations = 0;
    for (below, extension) in folders {
        for path in files(below, extension) {
            let source = source(&path);
            let Ok(text) = translated(&source) else { continue };
            translations += 1;
            let name = path.display().to_string();
            let meant = read(&source);
            let mut found =
                read(&SourceFile::new(path.with_extension("rml").display().to_string(), text));
            // The runs that a file of mypyvy expects are read beside its protocol.
            found.expected_runs.clone_from(&meant.expected_runs);
            assert_eq!(print_protocol(&meant), print_protocol(&found), "{name}");
            assert_same(&name, &meant, &found);
        }
    }
    assert!(translations > 20, "{translations}");
}

#[test]
fn a_translation_is_canonical() {
    for path in files("protocols", "pyv") {
        let text = translated(&source(&path)).expect("the twins have assignments only");
        let again = format(&SourceFile::new("again.rml", text.as_str()));
        match again {
            Ok(Formatted::Canonical(again)) => assert_eq!(text, again, "{}", path.display()),
            _ => panic!("{} is not ours after translation", path.display()),
        }
    }
}

#[test]
fn what_stays_a_formula_is_refused_with_the_reason() {
    let text = "sort node\nmutable relation p(node)\ninit !p(N)\n\
                transition t()\n  modifies p\n  new(p(X)) -> !p(X)\n\
                safety [s] p(X) -> p(X)\n";
    let source = SourceFile::new("formula.pyv", text);
    assert_eq!(read(&source).actions.len(), 1);
    let refusal = translated(&source).expect_err("RML cannot say it");
    for part in ["RML0009", "formula.pyv:4", "assignments only", "export --to pyv"] {
        assert!(refusal.contains(part), "{part} is not in\n{refusal}");
    }
    let twin = text.replace("new(p(X)) -> !p(X)", "new(p(X)) <-> !p(X)");
    assert!(translated(&SourceFile::new("assigned.pyv", twin)).is_ok());
}
