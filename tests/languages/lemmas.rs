//! `--safety` selects the property, `--lemmas` uses the other lines as lemmas.

use rmlcut::pipeline::read_protocol;
use rmlcut::protocol::{PropertyKind, Protocol};
use rmlcut::source::{Lemmas, Reading, SourceFile};

use super::{read, refused};

const IVY: &str = "#lang ivy1.7\ntype node\nrelation p(N:node)\nrelation q(N:node)\n\
                   after init {\n  p(N) := false;\n  q(N) := false\n}\n\
                   action a(n:node) = {\n  q(n) := true;\n  p(n) := true\n}\nexport a\n\
                   invariant [goal] p(X) -> q(X)\n\
                   invariant [1000] q(X) -> p(X)\n\
                   invariant [witness] p(X) -> exists Y. q(Y)\n";

fn reading(text: &str, property: Option<&str>, lemmas: Lemmas) -> SourceFile {
    let property = property.map(Into::into);
    SourceFile::new("t.ivy", text).read_as(Reading { property, lemmas })
}

fn properties(protocol: &Protocol) -> Vec<(String, PropertyKind)> {
    protocol.properties.iter().map(|p| (p.name.to_string(), p.kind)).collect()
}

#[test]
fn without_a_choice_every_invariant_is_a_property() {
    let found = properties(&read(&SourceFile::new("t.ivy", IVY)));
    let safety = |name: &str| (name.to_owned(), PropertyKind::Safety);
    assert_eq!(found, [safety("goal"), safety("invariant_1000"), safety("witness")]);
}

#[test]
fn one_line_is_the_property_and_the_others_are_lemmas() {
    let source = reading(IVY, Some("goal"), Lemmas::Used);
    let found = properties(&read(&source));
    let lemma = |name: &str| (name.to_owned(), PropertyKind::Lemma);
    let goal = ("goal".to_owned(), PropertyKind::Safety);
    assert_eq!(found, [goal, lemma("invariant_1000"), lemma("witness")]);
}

/// What stands under `exists` is no violator, in whichever language it is written.
#[test]
fn only_the_outermost_universal_variables_are_violators() {
    let ivy = "#lang ivy1.7\ntype node\ntype quorum\nrelation member(N:node, Q:quorum)\n\
               relation vote(N:node)\n\
               relation chosen(X:node) = exists Q. forall N. member(N, Q) -> vote(N) & N = X\n\
               after init { vote(N) := false }\naction a(n:node) = { vote(n) := true }\nexport a\n\
               invariant [one] chosen(X) & chosen(Y) -> X = Y\n";
    let mypyvy = "sort node\nmutable relation held(node)\ninit !held(N)\n\
                  transition t(n: node)\n  modifies held\n  \
                  (forall N. new(held(N)) <-> held(N) | N = n)\n\
                  safety [some] held(X) -> exists N. held(N) & N != X\n";
    for (name, text, violators) in [
        ("t.ivy", ivy, vec!["X", "Y", "Q", "Q_1"]),
        ("t.pyv", mypyvy, vec!["X"]),
        ("t.rml", "sort a\nrelation p(a)\nsafety exists X. p(X)\n", vec![]),
        ("t.rml", "sort a\nrelation p(a)\nrelation q\nsafety q <-> forall X. p(X)\n", vec![]),
    ] {
        let protocol = read(&SourceFile::new(name, text));
        let found: Vec<&str> = protocol.properties[0].vars.iter().map(|v| &*v.name).collect();
        assert_eq!(found, violators, "{text}");
    }
}

#[test]
fn one_line_is_the_property_and_the_others_are_nothing() {
    let source = reading(IVY, Some("goal"), Lemmas::Unused);
    assert_eq!(properties(&read(&source)), [("goal".to_owned(), PropertyKind::Safety)]);
    let (_, notes) = read_protocol(&source).expect("it is accepted");
    assert!(notes.iter().any(|note| note.message.contains("not used")), "{notes:?}");
}

#[test]
fn a_numeric_label_can_be_chosen_as_it_is_written() {
    let source = reading(IVY, Some("1000"), Lemmas::Unused);
    let found = properties(&read(&source));
    assert_eq!(found, [("invariant_1000".to_owned(), PropertyKind::Safety)]);
}

#[test]
fn an_unknown_label_is_refused_with_those_there_are() {
    let message = refused(&reading(IVY, Some("gaol"), Lemmas::Unused));
    assert!(message.contains("no line is labelled `gaol`"), "{message}");
    assert!(message.contains("`goal`"), "{message}");
}
