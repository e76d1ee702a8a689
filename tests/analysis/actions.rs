//! Facts about actions: what they read, what they undo, where they quantify.

use rmlcut::analysis::{ViolationShape, analyse, analyse_violation, violation};
use rmlcut::logic::{Formula, Quantifier, Term};
use rmlcut::protocol::{
    Choice, ChoiceId, Command, Protocol, Sort, StepFormula, StepSymbol, StepVar,
};
use rmlcut::report::text::analysis::text;
use rmlcut::report::text::show::Detail;

use crate::analysis::analysed;

fn action(protocol: &Protocol, index: usize) -> &str {
    &protocol.actions[index].name
}

#[test]
fn reads_and_writes() {
    let (protocol, facts) = analysed(
        "sort node
         rigid relation link(node, node)
         relation a(node)
         relation b(node)
         relation c(node)
         relation d(node)
         variable at: node
         action go(n: node) { require a(n) & link(n, n); if b(n) { c(at) := d(n) } }
         safety ~c(N)",
    );
    let names = |symbols: std::collections::BTreeSet<_>| -> Vec<String> {
        symbols.into_iter().map(|it| protocol.signature.symbol(it).name.to_string()).collect()
    };
    let footprint = &facts.footprints[0];
    assert_eq!(names(footprint.reads()), ["a", "b", "d", "at"]);
    assert_eq!(names(footprint.writes()), ["c"]);
    assert_eq!(names(footprint.rigid.clone()), ["link"]);
}

/// A message that is consumed, and a number that is used up; not what is only set.
#[test]
fn consumption() {
    let (protocol, facts) = analysed(
        "sort node, number
         relation msg(node)
         relation used(number)
         relation got(node)
         action send(n: node, i: number) { require ~used(i); used(i) := true; msg(n) := true }
         action receive(n: node) { require msg(n); msg(n) := false; got(n) := true }
         action look(n: node) { require msg(n) & got(n) }
         action shake(n: node) { got(n) := * }
         safety ~got(N)",
    );
    let pairs: Vec<(&str, &str, String)> = facts
        .consumptions
        .iter()
        .map(|it| {
            let symbol = facts.footprints[it.needer].guards[it.guard].atom.symbol;
            let symbol = protocol.signature.symbol(symbol).name.to_string();
            (action(&protocol, it.consumer), action(&protocol, it.needer), symbol)
        })
        .collect();
    assert_eq!(
        pairs,
        [
            ("send", "send", "used".to_owned()),
            ("receive", "receive", "msg".to_owned()),
            ("receive", "look", "msg".to_owned()),
        ]
    );
}

/// Quantifiers count by their force; a condition may be needed either way.
#[test]
fn quantifiers_in_guards() {
    let (protocol, facts) = analysed(
        "sort node, quorum
         rigid relation member(node, quorum)
         relation a(node)
         action one(q: quorum) { require member(N, q) -> a(N) }
         action two { require ~(forall N. a(N)) }
         action three(n: node) { if exists M. a(M) { a(n) := true } }
         action four(n: node) { require a(n); a(N) := false }
         safety ~a(N)",
    );
    let found: Vec<(&str, Quantifier, &str)> = facts
        .quantified_guards
        .iter()
        .map(|it| (action(&protocol, it.action), it.quantifier, &*it.vars[0].name))
        .collect();
    assert_eq!(
        found,
        [
            ("one", Quantifier::Forall, "N"),
            ("two", Quantifier::Exists, "N"),
            ("three", Quantifier::Exists, "M"),
            ("three", Quantifier::Forall, "M"),
        ]
    );
}

/// Violators that coincide are one element, and then `r(n, n)` can be what is violated.
#[test]
fn violators_that_coincide() {
    let (protocol, facts) = analysed(
        "sort node
         relation r(node, node)
         action go(n: node) { r(n, n) := true }
         safety ~r(A, B)",
    );
    let property = &protocol.properties[0];
    let pair = [(property.vars[0].clone(), property.vars[1].clone())];
    let distinct = violation(&protocol.signature, property, &ViolationShape::Distinct);
    let merged = violation(&protocol.signature, property, &ViolationShape::Coinciding(&pair));
    assert_eq!((distinct.violators.len(), merged.violators.len()), (2, 1));
    let actions = |violation| {
        analyse_violation(&protocol, &facts.footprints, violation).relevance.actions().count()
    };
    assert_eq!((actions(distinct), actions(merged)), (0, 1));
}

/// What never changes in a violation: the conjuncts without mutable symbols.
#[test]
fn rigid_part_of_a_violation() {
    let (protocol, facts) = analysed(
        "sort node
         rigid relation inside(node)
         relation a(node)
         safety a(N) & ~inside(M) -> N = M | a(M)",
    );
    let rigid: Vec<String> = facts.properties[0]
        .violation
        .rigid
        .iter()
        .map(|formula| rmlcut::logic::print_formula(&protocol.signature, formula))
        .collect();
    assert_eq!(rigid, ["~inside(M)", "N != M"]);
}

/// A relation between two states: its targets become anything, what it reads before is needed.
#[test]
fn relations_between_states() {
    let (mut protocol, _) = analysed(
        "sort node
         relation a(node)
         relation b(node)
         relation c(node)
         action go(n: node) { require c(n) }
         safety ~a(N)",
    );
    let symbol = |name| protocol.signature.find_symbol(name).expect("declared above");
    let (a, b) = (symbol("a"), symbol("b"));
    let node = Sort::Declared(protocol.signature.find_sort("node").expect("declared above"));
    let var = StepVar::new("X", node);
    let at = |symbol| Formula::holds(symbol, vec![Term::var(var.clone())]);
    let new = at(StepSymbol::Post(a));
    let body: StepFormula = Formula::iff(new, at(StepSymbol::Pre(b)));
    let relate = Command::Relate(
        vec![(a, ChoiceId(0))],
        Formula::forall(vec![var.clone()], body),
        protocol.actions[0].span,
    );
    protocol.actions[0].body.push(relate);
    let choice = Choice { name: "a".into(), params: vec![node], result: None };
    protocol.actions[0].choices.push(choice);
    let report = text(&protocol, &analyse(&protocol), Detail::Results);
    assert!(report.contains("S = {a(N), c(*), b(*) = *}\n  A = {go(*)}\n"), "{report}");
}
