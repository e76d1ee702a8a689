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
    let message = refused(&SourceFile::new("t.ivy", IVY));
    assert!(message.contains("exists"), "the universal rule says which quantifier:\n{message}");
    let universal: String = IVY
        .lines()
        .filter(|line| !line.contains("witness"))
        .map(|line| format!("{line}\n"))
        .collect();
    let found = properties(&read(&SourceFile::new("t.ivy", universal)));
    let safety = |name: &str| (name.to_owned(), PropertyKind::Safety);
    assert_eq!(found, [safety("goal"), safety("invariant_1000")]);
}

#[test]
fn one_line_is_the_property_and_the_others_are_lemmas_where_they_can_be() {
    let source = reading(IVY, Some("goal"), Lemmas::Used);
    let found = properties(&read(&source));
    let lemma = ("invariant_1000".to_owned(), PropertyKind::Lemma);
    assert_eq!(found, [("goal".to_owned(), PropertyKind::Safety), lemma]);
    let (_, notes) = read_protocol(&source).expect("it is accepted");
    assert!(notes.iter().any(|note| note.message.contains("lemma")), "{notes:?}");
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
