//! Instances and states up to renaming are counted as mathematics counts them.

use rmlcut::finite::{Question, Symmetry};

use crate::engines::{EXPLICIT, ask, protocol, size, visited};

/// The instances of a protocol that has only rigid symbols.
fn instances(declarations: &str, text: &str) -> u64 {
    let protocol = protocol(&format!("sort node\n{declarations}\nrelation any\ninit ~any\n"));
    visited(&Question::new(&protocol, size(&protocol, text))).instances
}

#[test]
fn structures_are_counted_up_to_renaming() {
    let graph = "rigid relation e(node, node)\naxiom ~e(X, X)\naxiom e(X, Y) -> e(Y, X)";
    let tournament = "rigid relation e(node, node)\naxiom ~e(X, X)\n\
                      axiom X != Y -> (e(X, Y) <-> ~e(Y, X))";
    let order = "rigid relation e(node, node)\naxiom e(X, Y) | e(Y, X)\n\
                 axiom e(X, Y) & e(Y, X) -> X = Y\naxiom e(X, Y) & e(Y, Z) -> e(X, Z)";
    let partial = "rigid relation e(node, node)\naxiom e(X, X)\n\
                   axiom e(X, Y) & e(Y, X) -> X = Y\naxiom e(X, Y) & e(Y, Z) -> e(X, Z)";
    let known: [(&str, &str, &[u64]); 7] = [
        ("undirected graphs", graph, &[1, 2, 4, 11, 34]),
        ("tournaments", tournament, &[1, 1, 2, 4, 12]),
        ("total orders", order, &[1, 1, 1, 1, 1, 1]),
        ("partial orders", partial, &[1, 2, 5, 16]),
        ("relations", "rigid relation e(node, node)", &[2, 10, 104]),
        ("functions", "rigid function f(node): node", &[1, 3, 7, 19, 47]),
        ("subsets with a point", "rigid relation s(node)\nconstant c: node", &[2, 4, 6, 8]),
    ];
    for (name, declarations, counts) in known {
        for (elements, count) in (1..).zip(counts) {
            let found = instances(declarations, &format!("node={elements}"));
            assert_eq!(found, *count, "{name} on {elements} elements");
        }
    }
}

/// A protocol that reaches every interpretation of a mutable symbol.
fn anything(declaration: &str, action: &str) -> String {
    format!("sort node\n{declaration}\naction any(n: node, m: node) {{ {action} }}\n")
}

#[test]
fn states_are_counted_up_to_renaming() {
    let set = anything("relation s(node)\ninit ~s(X)", "s(n) := ~s(n)");
    let relation = anything("relation e(node, node)\ninit ~e(X, Y)", "e(n, m) := ~e(n, m)");
    let function = anything("function f(node): node\ninit f(X) = X", "f(n) := m");
    let known: [(&str, &str, &[u64], &[u64]); 3] = [
        ("subsets", &set, &[2, 3, 4, 5, 6], &[2, 4, 8, 16, 32]),
        ("relations", &relation, &[2, 10, 104, 3044], &[2, 16, 512, 65536]),
        ("functions", &function, &[1, 3, 7, 19, 47], &[1, 4, 27, 256, 3125]),
    ];
    for (name, text, reduced, all) in known {
        let protocol = protocol(text);
        for (elements, (reduced, all)) in (1..).zip(reduced.iter().zip(all)) {
            let question = Question::new(&protocol, size(&protocol, &format!("node={elements}")));
            assert_eq!(visited(&question).states, *reduced, "{name} on {elements}, reduced");
            let every = Question { symmetry: Symmetry::Distinguished, ..question };
            assert_eq!(visited(&every).states, *all, "{name} on {elements}");
        }
    }
}

#[test]
fn many_interchangeable_elements_are_counted_exactly() {
    let set = anything("relation s(node)\ninit ~s(X)", "s(n) := ~s(n)");
    let colours = anything(
        "relation s(node)\nrelation t(node)\ninit ~s(X)\ninit ~t(X)",
        "if n = m { s(n) := ~s(n) } else { t(n) := ~t(n) }",
    );
    let function = anything("function f(node): node\ninit f(X) = X", "f(n) := m");
    let graph = anything(
        "relation e(node, node)\ninit ~e(X, Y)",
        "require n != m; e(n, m) := ~e(n, m); e(m, n) := e(n, m)",
    );
    let known = [
        ("subsets", set, vec![(5, 6), (8, 9), (12, 13)]),
        ("four colours", colours, vec![(5, 56), (10, 286)]),
        ("functions", function, vec![(5, 47), (6, 130), (7, 343)]),
        ("graphs", graph, vec![(5, 34), (6, 156)]),
    ];
    for (name, text, counts) in known {
        let protocol = protocol(&text);
        for (elements, states) in counts {
            let question = Question::new(&protocol, size(&protocol, &format!("node={elements}")));
            assert_eq!(visited(&question).states, states, "{name} on {elements}");
        }
    }
    let tables = protocol(
        "sort node\nsort key\nrelation r(node, key)\ninit ~r(X, Y)\n\
         action flip(n: node, k: key) { r(n, k) := ~r(n, k) }\nsafety r(X, Y) -> r(X, Y)",
    );
    for (square, states) in [("node=3 key=3", 36), ("node=4 key=3", 87), ("node=4 key=4", 317)] {
        let question = Question::new(&tables, size(&tables, square));
        assert_eq!(visited(&question).states, states, "{square}");
    }
}

#[test]
fn rigid_structure_limits_renaming() {
    let ordered = "
        sort node
        rigid relation le(node, node)
        axiom le(X, Y) | le(Y, X)
        axiom le(X, Y) & le(Y, X) -> X = Y
        axiom le(X, Y) & le(Y, Z) -> le(X, Z)
        relation s(node)
        init ~s(X)
        action flip(n: node) { s(n) := ~s(n) }
    ";
    let protocol = protocol(ordered);
    for (elements, states) in [("node=4", 16), ("node=5", 32)] {
        let question = Question::new(&protocol, size(&protocol, elements));
        assert_eq!(visited(&question).states, states, "an order leaves nothing to rename");
    }
    // All four look alike, and yet only the four rotations keep the ring.
    let ring = "
        sort node
        rigid function next(node): node
        axiom next(next(next(next(X)))) = X
        axiom next(next(X)) != X
        relation s(node)
        init ~s(X)
        action flip(n: node) { s(n) := ~s(n) }
    ";
    let protocol = crate::engines::protocol(ring);
    let question = Question::new(&protocol, size(&protocol, "node=4"));
    assert_eq!(visited(&question).states, 6, "necklaces of four beads in two colours");
}

#[test]
fn a_size_without_instances_is_not_safe() {
    let no_instance = "sort node\nrigid relation r(node)\n\
                       axiom exists X. exists Y. X != Y & r(X)\nrelation bad\ninit ~bad\n\
                       safety [good] ~bad\n";
    let no_start = "sort node\nrelation bad\ninit bad & ~bad\nsafety [good] ~bad\n";
    for (text, words) in [(no_instance, "no instance"), (no_start, "no initial state")] {
        let protocol = protocol(text);
        let question = Question::new(&protocol, size(&protocol, "node=1"));
        let found = crate::engines::verdict(&ask(EXPLICIT, &question).expect("an answer"));
        assert!(found.starts_with(&format!("unknown: {words}")), "{found}");
        assert_eq!(
            crate::engines::verdict(&ask(crate::engines::SAT, &question).expect("an answer")),
            found
        );
    }
    let protocol = protocol(no_instance);
    let question = Question::new(&protocol, size(&protocol, "node=2"));
    assert_eq!(crate::engines::verdict(&ask(EXPLICIT, &question).expect("an answer")), "safe");
}
