//! Exports preserve the meaning of the protocol: our own front ends read those to Ivy and mypyvy back as the
//! same protocol, and those to TLA+ have every part that TLC needs.

use std::path::{Path, PathBuf};

use rmlcut::export::{ExportLanguage, LANGUAGES};
use rmlcut::pipeline::{ExportFailure, ExportRequest, export};
use rmlcut::protocol::{Command, PropertyKind, Protocol};
use rmlcut::source::{Lemmas, Reading, SourceFile};

use super::equivalence::{assert_same, counts, is_safe};
use super::{files, read, source};

fn language(word: &str) -> &'static ExportLanguage {
    LANGUAGES.iter().find(|language| language.word == word).expect("a language")
}

/// The text and the configuration; `Err` with what the language cannot say.
fn written(
    source: &SourceFile,
    certificate: Option<&SourceFile>,
    word: &str,
) -> Result<(String, Option<String>), String> {
    match export(source, certificate, language(word), &ExportRequest::default()) {
        Ok((exported, _)) => Ok((exported.text, exported.configuration)),
        Err(ExportFailure::Unsayable(error)) => Err(error.to_string()),
        Err(_) => panic!("{} is a protocol", source.name()),
    }
}

/// Reads an export; all of its invariants are kept.
fn again(word: &str, name: &str, text: String) -> Protocol {
    let reading = Reading { property: None, lemmas: Lemmas::Used };
    read(&SourceFile::new(format!("{name}.{word}"), text).read_as(reading))
}

fn has_relations(protocol: &Protocol) -> bool {
    fn any(commands: &[Command]) -> bool {
        commands.iter().any(|command| match command {
            Command::Relate(..) => true,
            Command::If(_, then, otherwise, _) => any(then) || any(otherwise),
            Command::Require(..) | Command::Assign(_) | Command::Together(..) => false,
        })
    }
    protocol.actions.iter().any(|action| any(&action.body))
}

/// Exports every protocol of a folder, reads it back and compares; how many there were.
fn compare(below: &str, extension: &str, word: &str) -> usize {
    let mut compared = 0;
    // The broken protocols differ from the others in little.
    let is_broken = |path: &PathBuf| path.iter().any(|part| part == "broken");
    for path in files(below, extension).into_iter().filter(|path| !is_broken(path)) {
        let source = source(&path);
        let protocol = read(&source);
        let Ok((text, _)) = written(&source, None, word) else { continue };
        let found = again(word, &protocol.name, text);
        let name = format!("{} in {word}", path.display());
        // Copies of what is related are new symbols.
        if has_relations(&protocol) && word == "ivy" {
            assert!(!has_relations(&found), "{name}");
            continue;
        }
        let declared = |protocol: &Protocol| protocol.signature.symbols().count();
        if declared(&found) > declared(&protocol) {
            // A value that is picked and read twice has a symbol of its own there.
            let last = found.signature.symbols().last();
            assert!(last.is_some_and(|(_, symbol)| symbol.name.starts_with("any_")), "{name}");
            continue;
        }
        if has_relations(&protocol) == has_relations(&found) {
            assert_same(&name, &protocol, &found);
        } else {
            // All symbols change at once there; where no order of assignments will do, a formula
            // stays, and only the states can be compared.
            // Two of everything and the elements of an enumeration are too many to choose from.
            let signature = &protocol.signature;
            let largest = if signature.sized_sorts().eq(signature.sorts()) { 2 } else { 1 };
            for size in 1..=largest {
                let (one, other) = (counts(&protocol, size), counts(&found, size));
                assert_eq!((one.states, one.depth), (other.states, other.depth), "{name}");
            }
        }
        compared += 1;
    }
    compared
}

#[test]
fn the_corpus_survives_ivy() {
    assert!(compare("protocols", "rml", "ivy") > 25);
}

#[test]
fn the_corpus_survives_mypyvy() {
    assert!(compare("protocols", "rml", "pyv") > 25);
}

#[test]
fn every_construct_survives_both() {
    for word in ["ivy", "pyv"] {
        assert!(compare("tests/ivy", "ivy", word) > 8, "{word}");
        assert!(compare("tests/mypyvy", "pyv", word) > 2, "{word}");
    }
}

/// Ivy negates a whole conditional where the negation stands in front of it.
#[test]
fn a_negation_in_a_conditional_stays_there() {
    let text = "sort node\nrelation p(node)\nrelation q(node)\nrelation r(node, node)\n\
                init ~p(N) if q(N) else p(N)\n\
                action go(n: node) {\n  require (~p(n) if q(n) else ~q(n))\n  r(N, N) := ~p(N)\n\
                  p(n) := (~q(n) if p(n) else q(n))\n}\n\
                safety [s] (~p(N) if r(N, N) else p(N)) | q(N)\n";
    let source = SourceFile::new("c.rml", text);
    let protocol = read(&source);
    for word in ["ivy", "pyv"] {
        let (text, _) = written(&source, None, word).expect("the language can say it");
        assert_same(word, &protocol, &again(word, "c", text));
    }
}

/// What is picked once and read twice, or assigned to several places, stays one value.
#[test]
fn what_an_action_picks_stays_one_value() {
    let cases = [
        ("q(X) := *; s(X) := q(X)", "s(N) <-> q(N)"),
        ("v := *; w := v", "v = w"),
        ("q(X) := *; r(X, Y) := q(X); q(X) := false", "r(X, Y) -> r(X, Z)"),
        ("q(X) := *; r(n, n) := q(n); s(X) := q(X)", "s(N) <-> q(N)"),
        ("q(X) := *; s(X) := ~q(X); q(X) := false", "~q(X)"),
        ("q(n) := *; require q(n); q(n) := false", "~q(N)"),
        ("if p { q(n) := *; require ~q(n) | s(n) }; q(n) := ~q(n)", "~s(N)"),
    ];
    for (body, safety) in cases {
        let body = body.replace("; ", "\n  ").replace("{ ", "{\n").replace(" }", "\n}");
        let text = format!(
            "sort node\nrelation p\nrelation q(node)\nrelation r(node, node)\nrelation s(node)\n\
             variable v: node\nvariable w: node\ninit ~q(N) & ~r(N, M) & ~s(N) & v = w\n\
             action go(n: node) {{\n  {body}\n}}\nsafety [one] {safety}\n"
        );
        let source = SourceFile::new("picks.rml", text);
        let protocol = read(&source);
        let (text, _) = written(&source, None, "pyv").expect("mypyvy can say it");
        let found = again("pyv", "picks", text.clone());
        for size in 1..=2 {
            let (safe, again) = (is_safe(&protocol, size), is_safe(&found, size));
            assert_eq!(safe, again, "{body} at {size}: {text}");
        }
    }
}

#[test]
fn a_formula_about_two_states_becomes_statements_with_the_same_runs() {
    let text = "sort node\nmutable relation p(node)\ninit !p(N)\n\
                transition t(n: node)\n  modifies p\n\
                  !p(n) & (new(p(X)) -> p(X) | X = n)\n\
                safety [s] p(X) & p(Y) -> X = Y\n";
    let source = SourceFile::new("t.pyv", text);
    let protocol = read(&source);
    assert!(has_relations(&protocol));
    let (text, _) = written(&source, None, "ivy").expect("Ivy can say it");
    let found = again("ivy", "t", text);
    // The copy tells states apart that differ only in the past.
    assert!(counts(&found, 2).states >= counts(&protocol, 2).states);
    let (text, _) = written(&source, None, "pyv").expect("mypyvy can say it");
    assert_same("t.pyv", &protocol, &again("pyv", "t", text));
}

fn corpus(path: &str) -> SourceFile {
    source(&Path::new(env!("CARGO_MANIFEST_DIR")).join("protocols").join(path))
}

#[test]
fn lemmas_of_a_certificate_are_written_as_invariants() {
    let protocol = corpus("storage/basic_kv.rml");
    let certificate = corpus("storage/basic_kv.cut");
    for word in ["ivy", "pyv"] {
        let (bare, _) = written(&protocol, None, word).expect("it can be written");
        let (text, _) = written(&protocol, Some(&certificate), word).expect("it can be written");
        let lines = |text: &str| text.lines().filter(|line| line.starts_with("invariant")).count();
        assert!(lines(&text) > lines(&bare), "{text}");
        let found = again(word, "basic_kv", text);
        assert!(found.properties.len() > 1);
        let lemmas = found.properties.iter().filter(|found| found.kind == PropertyKind::Lemma);
        // Ivy has one word for both.
        assert_eq!(lemmas.count() > 0, word == "pyv");
    }
}

#[test]
fn an_invariant_that_was_found_is_written_as_invariants() {
    let protocol = SourceFile::new(
        "t.rml",
        "sort node\nrelation p(node)\nrelation q(node)\ninit ~p(N)\ninit ~q(N)\n\
         action a(n: node) {\n  q(n) := true\n}\n\
         action b(n: node) {\n  require q(n)\n  p(n) := true\n}\n\
         action c(n: node) {\n  require p(n)\n  require q(n)\n  q(n) := true\n}\n\
         safety [s] p(N) -> q(N)\n",
    );
    let digest = "0".repeat(64);
    let certificate = SourceFile::new(
        "t.cut",
        format!(
            "certificate 1 for t\nsha256 {digest}\nrmlcut 0.1.0\n\n\
             invariant {{\n  [i] p(N) -> q(N)\n}}\n"
        ),
    );
    for word in ["ivy", "pyv", "tla"] {
        let (text, _) = written(&protocol, Some(&certificate), word).expect("it can be written");
        let named = text.lines().any(|line| line.contains("[i]") || line.starts_with("i =="));
        assert!(named, "{word}\n{text}");
    }
}

#[test]
fn tla_has_every_part_and_a_configuration_for_the_cutoff() {
    let protocol = corpus("commit/two_phase_commit.rml");
    let certificate = corpus("commit/two_phase_commit.cut");
    let (text, configuration) =
        written(&protocol, Some(&certificate), "tla").expect("TLA+ can say it");
    assert!(text.starts_with("---- MODULE two_phase_commit ----\n"), "{text}");
    assert!(text.ends_with("====\n"), "{text}");
    for part in ["CONSTANTS node", "VARIABLES alive, ", "Init ==", "Next ==", "agreement =="] {
        assert_eq!(text.matches(&format!("\n{part}")).count(), 1, "{part}\n{text}");
    }
    for action in &read(&protocol).actions {
        assert!(text.contains(&format!("\n{}", action.name)), "{}", action.name);
    }
    let configuration = configuration.expect("TLC needs one");
    for part in [
        "  node = {node_1, node_2, node_3}\n",
        "INIT Init\n",
        "NEXT Next\n",
        "INVARIANT agreement\n",
    ] {
        assert!(configuration.contains(part), "{part}\n{configuration}");
    }
}

#[test]
fn tla_is_balanced_and_leaves_no_variable_out() {
    for path in files("protocols", "rml") {
        let source = source(&path);
        let (text, _) = written(&source, None, "tla").expect("TLA+ can say it");
        for (open, close) in [('(', ')'), ('[', ']'), ('{', '}')] {
            let count = |wanted| text.chars().filter(|found| *found == wanted).count();
            assert_eq!(count(open), count(close), "{open}{close} in {}", path.display());
        }
        let protocol = read(&source);
        let mut steps = text.split("\n\n").filter(|part| part.contains(") ==\n"));
        let complete = |part: &str| {
            let changed = part.matches("' = ").count();
            let same = part.split("UNCHANGED <<").nth(1).map_or(0, |rest| {
                rest.split(">>").next().map_or(0, |names| names.split(", ").count())
            });
            changed + same == protocol.signature.symbols().count()
        };
        assert!(steps.all(complete), "{}", path.display());
    }
}

#[test]
fn names_that_ivy_takes_for_its_own_are_written_otherwise() {
    let text = "sort node\nvariable c: node\nvariable old_c: node\nvariable new_c: node\n\
                variable c__d: node\naction a(n__m: node) {\n  old_c := c\n  new_c := c__d\n  \
                c__d := n__m\n}\nsafety [s] c = c__d -> old_c = new_c | c = c__d\n";
    let source = SourceFile::new("t.rml", text);
    let (ivy, _) = written(&source, None, "ivy").expect("Ivy can say it");
    read(&SourceFile::new("t.ivy", ivy.clone()));
    for name in ["individual old_c", "individual new_c", "__"] {
        assert!(!ivy.contains(name), "{ivy}");
    }
}

#[test]
fn what_a_language_cannot_express_is_refused() {
    let text = "sort node\nrelation p(node, node)\naction a {\n  p(N, N) := *\n}\n\
                safety [s] p(X, Y) -> p(X, Y)\n";
    let source = SourceFile::new("t.rml", text);
    let refusal = written(&source, None, "ivy").expect_err("Ivy has no diagonal havoc");
    assert!(refusal.contains("Ivy cannot say"), "{refusal}");
    assert!(written(&source, None, "pyv").is_ok());
}
