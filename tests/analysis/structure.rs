//! Rigid symbols are recognised by what the axioms entail, and not when an axiom is missing.

use rmlcut::analysis::{OrderKind, RigidStructure};
use rmlcut::protocol::Protocol;

use crate::analysis::analysed;

fn structure(declarations: &str, axioms: &[&str]) -> (Protocol, RigidStructure) {
    let axioms: Vec<String> = axioms.iter().map(|axiom| format!("axiom {axiom}")).collect();
    let text = format!("{declarations}\n{}\nrelation r\nsafety r", axioms.join("\n"));
    let (protocol, facts) = analysed(&text);
    (protocol, facts.structure)
}

/// Recognised with all axioms, and with none left out.
#[track_caller]
fn needs_every_axiom(
    declarations: &str,
    axioms: &[&str],
    recognised: impl Fn(&RigidStructure) -> bool,
) {
    assert!(recognised(&structure(declarations, axioms).1), "with all axioms");
    for missing in 0..axioms.len() {
        let mut fewer = axioms.to_vec();
        let axiom = fewer.remove(missing);
        assert!(!recognised(&structure(declarations, &fewer).1), "without {axiom}");
    }
}

const RELATION: &str = "sort item\nrigid relation before(item, item)";

#[test]
fn total_orders() {
    let axioms = [
        "before(X, Y) & before(Y, X) -> X = Y",
        "before(X, Y) & before(Y, Z) -> before(X, Z)",
        "before(X, Y) | before(Y, X)",
    ];
    needs_every_axiom(RELATION, &axioms, |found| {
        found.orders.iter().any(|order| order.kind == OrderKind::Reflexive)
    });
}

/// The same order, written in other words: contraposed, and with what it does not need.
#[test]
fn total_orders_by_equivalent_axioms() {
    let axioms = [
        "~before(X, Y) -> before(Y, X)",
        "X != Y -> ~(before(Y, X) & before(X, Y))",
        "forall A, B, C. ~(before(A, B) & before(B, C) & ~before(A, C))",
        "before(X, X)",
    ];
    let (_, found) = structure(RELATION, &axioms);
    assert_eq!(found.orders.len(), 1);
    assert_eq!(found.orders[0].kind, OrderKind::Reflexive);
}

#[test]
fn strict_orders() {
    let axioms = [
        "~before(X, X)",
        "before(X, Y) & before(Y, Z) -> before(X, Z)",
        "X != Y -> before(X, Y) | before(Y, X)",
    ];
    needs_every_axiom(RELATION, &axioms, |found| {
        found.orders.iter().any(|order| order.kind == OrderKind::Strict)
    });
}

/// Total, antisymmetric, and yet no order: rock, paper and scissors beat each other in a circle.
#[test]
fn tournaments_are_not_orders() {
    let axioms = ["before(X, Y) | before(Y, X)", "before(X, Y) & before(Y, X) -> X = Y"];
    assert_eq!(structure(RELATION, &axioms).1.orders, []);
}

const TERNARY: &str = "sort place\nrigid relation between(place, place, place)";

#[test]
fn cyclic_orders() {
    let axioms = [
        "between(X, Y, Z) -> between(Y, Z, X)",
        "between(X, Y, Z) -> ~between(X, Z, Y)",
        "between(W, X, Y) & between(W, Y, Z) -> between(W, X, Z)",
        "X != Y & Y != Z & X != Z -> between(X, Y, Z) | between(X, Z, Y)",
    ];
    needs_every_axiom(TERNARY, &axioms, |found| found.cyclic_orders.len() == 1);
}

#[test]
fn injections() {
    let declarations = "sort node, name\nrigid function called(node): name";
    needs_every_axiom(declarations, &["called(X) = called(Y) -> X = Y"], |found| {
        found.injections.len() == 1
    });
    let twisted = ["X != Y -> called(Y) != called(X)"];
    assert_eq!(structure(declarations, &twisted).1.injections.len(), 1);
    let pairs = "sort node, name\nrigid function called(node, node): name";
    let whole = ["called(X, Y) = called(Z, W) -> X = Z & Y = W"];
    assert_eq!(structure(pairs, &whole).1.injections.len(), 1);
    let half = ["called(X, Y) = called(Z, W) -> X = Z"];
    assert_eq!(structure(pairs, &half).1.injections.len(), 0);
}

/// Injective because it has an inverse: the law follows from axioms about another symbol too.
#[test]
fn injections_by_inverse() {
    let declarations =
        "sort node, name\nrigid function called(node): name\nrigid function owner(name): node";
    let (protocol, found) = structure(declarations, &["owner(called(X)) = X"]);
    let names: Vec<&str> =
        found.injections.iter().map(|it| &*protocol.signature.symbol(*it).name).collect();
    assert_eq!(names, ["called"]);
}

#[test]
fn intersecting_quorums() {
    let declarations = "sort node, quorum\nrigid relation member(node, quorum)";
    let axiom = "forall P: quorum, Q: quorum. exists N. member(N, P) & member(N, Q)";
    needs_every_axiom(declarations, &[axiom], |found| found.intersections.len() == 1);
    let (_, found) = structure(declarations, &[axiom]);
    assert_eq!((found.intersections[0].first.member, found.intersections.len()), (0, 1));
    let weaker = ["forall P: quorum. exists N. member(N, P)"];
    assert_eq!(structure(declarations, &weaker).1.intersections, []);
}

/// Sets of two kinds, with the arguments the other way round; neither kind meets itself.
#[test]
fn quorums_of_two_kinds() {
    let declarations = "sort node, reads, writes
         rigid relation read(reads, node)
         rigid relation write(writes, node)";
    let axiom = "forall R: reads, W: writes. exists N. read(R, N) & write(W, N)";
    let (protocol, found) = structure(declarations, &[axiom]);
    let [meeting] = found.intersections.as_slice() else { panic!("{found:?}") };
    let name = |symbol| protocol.signature.symbol(symbol).name.to_string();
    assert_eq!((name(meeting.first.relation), meeting.first.member), ("read".to_owned(), 1));
    assert_eq!((name(meeting.second.relation), meeting.second.member), ("write".to_owned(), 1));
}

/// The second element is no end of the order, although it is one where there are only two.
#[test]
fn ends_of_orders() {
    let declarations =
        "sort item\nrigid relation before(item, item)\nconstant zero: item\nconstant one: item";
    let axioms = [
        "before(X, Y) & before(Y, X) -> X = Y",
        "before(X, Y) & before(Y, Z) -> before(X, Z)",
        "before(X, Y) | before(Y, X)",
        "before(zero, X)",
        "one != zero",
        "X != zero -> before(one, X)",
    ];
    let (protocol, found) = structure(declarations, &axioms);
    let [end] = found.extremes.as_slice() else { panic!("{found:?}") };
    assert_eq!(&*protocol.signature.symbol(end.constant).name, "zero");
}

/// From axioms that no instance satisfies everything would follow.
#[test]
fn nothing_follows_from_contradictions() {
    let (_, found) = structure(RELATION, &["before(X, X)", "~before(X, X)"]);
    assert_eq!(found, RigidStructure::default());
}

/// Mutable symbols have no axioms.
#[test]
fn mutable_symbols_are_not_rigid() {
    let (_, found) = structure("sort item\nrelation before(item, item)", &[]);
    assert_eq!(found, RigidStructure::default());
}
