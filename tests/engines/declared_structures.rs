//! Declared structures have exactly the instances that their axioms have, and each is made once.

use rmlcut::budget::{Budget, Stop};
use rmlcut::finite::{Question, Symmetry, reachable};
use rmlcut::logic::{VariableAssignment, evaluate_formula};
use rmlcut::pipeline::read_protocol;
use rmlcut::protocol::{Protocol, Size, print_protocol, sizes_up_to};
use rmlcut::source::SourceFile;

use crate::engines::{protocol, size, visited};

/// The declarations of each structure, and other rigid symbols that stand beside it.
const DECLARED: &[(&str, &str)] = &[
    ("sort node\norder le on node", "node=5"),
    ("sort node\nring btw on node", "node=5"),
    ("sort node\ntree above on node", "node=5"),
    ("sort node\nquorums quorum of node", "node=3 quorum=3"),
    ("sort node\nquorums reading, writing of node by reads, writes", "node=3 reading=2 writing=2"),
    ("sort node\norder le on node\nsuccessor next on node", "node=4"),
    // Several on different sorts, and constants and functions that see them.
    (
        "sort node, id\norder le on id\nring btw on node\nrigid function idn(node): id\n\
      axiom idn(X) = idn(Y) -> X = Y",
        "node=3 id=3",
    ),
    ("sort node\nring btw on node\nconstant first: node\nrigid relation up(node)", "node=4"),
    (
        "sort node\ntree above on node\nconstant leaf: node\naxiom above(leaf, X) -> X = leaf",
        "node=4",
    ),
    (
        "sort node\nquorums quorum of node\nrigid relation up(node)\nconstant first: quorum",
        "node=3 quorum=2",
    ),
    // The members of quorums may have a structure: the elements are named by the first.
    ("sort node\nring btw on node\nquorums quorum of node", "node=3 quorum=2"),
    ("sort node\nquorums quorum of node\norder le on node", "node=3 quorum=3"),
    (
        "sort node\nquorums fast of node by in_fast\nquorums slow of node by in_slow",
        "node=2 fast=2 slow=2",
    ),
    // With axioms that exclude some.
    (
        "sort node\norder le on node\nconstant low: node\nconstant high: node\n\
      axiom le(low, X) & le(X, high)",
        "node=4",
    ),
    ("sort node\nquorums quorum of node\naxiom exists X. ~member(X, Q)", "node=3 quorum=3"),
];

/// The same protocol without the record of its structures.
fn written_out(text: &str) -> Protocol {
    let source = SourceFile::new("test.rml", print_protocol(&protocol(text)));
    let read = read_protocol(&source).expect("the canonical text is accepted").0;
    assert!(read.signature.structures().is_empty());
    read
}

fn text(declarations: &str) -> String {
    format!("{declarations}\nrelation any\ninit ~any\naction flip {{ any := ~any }}\n")
}

fn all_sizes(protocol: &Protocol, largest: &str) -> Vec<Size> {
    sizes_up_to(Size::new(), size(protocol, largest)).into_iter().collect()
}

fn instances(protocol: &Protocol, size: &Size) -> u64 {
    let question = Question::new(protocol, size.clone());
    match rmlcut::finite::check(
        rmlcut::finite::ENGINES[0],
        &question,
        &Budget::until(Stop::never()),
        &rmlcut::finite::Silent,
    ) {
        Ok(rmlcut::finite::FiniteOutcome::Unknown(..)) => 0,
        _ => visited(&question).instances,
    }
}

/// Instances up to renaming are told apart by a canonical form, so equal numbers of models are
/// equal sets of models.
#[test]
fn structures_have_the_instances_of_their_axioms() {
    for (declarations, largest) in DECLARED {
        let text = text(declarations);
        let (declared, written) = (protocol(&text), written_out(&text));
        for size in all_sizes(&declared, largest) {
            let made = instances(&declared, &size);
            assert_eq!(made, instances(&written, &size), "{declarations} at {size:?}");
            let question = Question::new(&declared, size.clone());
            let found = reachable(&question, &Budget::until(Stop::never()));
            let Ok(found) = found.expect("small enough") else { continue };
            assert_eq!(found.instances.len() as u64, made, "{declarations} at {size:?}");
            for state in found.instances.iter().flat_map(|own| own.states()) {
                for axiom in &declared.axioms {
                    let holds =
                        evaluate_formula(&state, &VariableAssignment::new(), &axiom.formula);
                    assert_eq!(holds, Ok(true), "{declarations} at {size:?}: {:?}", axiom.label);
                }
            }
        }
    }
}

#[test]
fn structures_are_counted_as_mathematics_counts_them() {
    let known: [(&str, &[u64]); 3] = [
        ("order le on node", &[1, 1, 1, 1, 1, 1]),
        ("ring btw on node", &[1, 1, 1, 1, 1, 1]),
        ("tree above on node", &[1, 1, 2, 4, 9, 20]),
    ];
    for (declaration, counts) in known {
        let protocol = protocol(&text(&format!("sort node\n{declaration}")));
        for (elements, count) in (1..).zip(counts) {
            let found = instances(&protocol, &size(&protocol, &format!("node={elements}")));
            assert_eq!(found, *count, "{declaration} on {elements} elements");
        }
    }
}

/// Elements that are told apart have all labelled structures: 24 orders of 4 elements, 6 rings.
#[test]
fn labelled_structures_are_all_there() {
    for (declaration, elements, count) in
        [("order le on node", 4, 24), ("ring btw on node", 4, 6), ("tree above on node", 3, 9)]
    {
        let protocol = protocol(&text(&format!("sort node\n{declaration}")));
        let question = Question {
            symmetry: Symmetry::Labelled,
            ..Question::new(&protocol, size(&protocol, &format!("node={elements}")))
        };
        assert_eq!(visited(&question).instances, count, "{declaration}");
    }
}

/// Each of these is unsafe in some instance only.
#[test]
fn no_instance_is_missing() {
    let found = |text: &str, largest: &str| {
        let protocol = protocol(text);
        all_sizes(&protocol, largest).into_iter().any(|size| {
            let question = Question::new(&protocol, size);
            let answer = rmlcut::finite::check(
                rmlcut::finite::ENGINES[0],
                &question,
                &Budget::until(Stop::never()),
                &rmlcut::finite::Silent,
            );
            matches!(answer, Ok(rmlcut::finite::FiniteOutcome::Unsafe(..)))
        })
    };
    let bad = "relation bad\ninit ~bad\naction look { require GUARD\n bad := true }\nsafety ~bad\n";
    for (declarations, guard, largest) in [
        // One element.
        ("sort node\nring btw on node", "forall X: node, Y: node. X = Y", "node=2"),
        ("sort node\norder le on node", "forall X: node, Y: node. le(X, Y)", "node=2"),
        // The first of an order need not be the member of a quorum.
        (
            "sort node\norder le on node\nquorums quorum of node",
            "exists X: node, Y: node, Q: quorum. X != Y & le(X, Y) & ~member(X, Q) & member(Y, Q)",
            "node=2 quorum=1",
        ),
        // Elements with names are ordered either way.
        ("sort node\nsort mode = { low, high }\norder le on mode", "~le(low, high)", "node=1"),
        ("sort node\nsort mode = { low, high }\norder le on mode", "~le(high, low)", "node=1"),
        // A star and a path.
        (
            "sort node\ntree above on node",
            "exists X: node, Y: node, Z: node. ~above(X, Y) & ~above(Y, X) & above(Z, X) & Z != X",
            "node=3",
        ),
        (
            "sort node\ntree above on node",
            "exists X: node, Y: node, Z: node. above(X, Y) & above(Y, Z) & X != Y & Y != Z",
            "node=3",
        ),
        // Sets of two families need not meet within one.
        (
            "sort node\nquorums reading, writing of node by reads, writes",
            "exists R: reading, S: reading. forall N. ~reads(N, R) | ~reads(N, S)",
            "node=2 reading=2 writing=1",
        ),
        // Three sets that meet pairwise and not all at once.
        (
            "sort node\nquorums quorum of node",
            "exists P: quorum, Q: quorum, R: quorum. forall N. ~member(N, P) | ~member(N, Q) | ~member(N, R)",
            "node=3 quorum=3",
        ),
        // An enumeration has names already.
        (
            "sort node\nconstant a: node\nconstant b: node\naxiom a != b\naxiom X = a | X = b\n\
          order le on node",
            "le(b, a)",
            "node=2",
        ),
    ] {
        let text = format!("{declarations}\n{}", bad.replace("GUARD", guard));
        assert!(found(&text, largest), "{text}");
    }
}
