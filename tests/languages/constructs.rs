//! Every construct means the same as its twin: each file of `tests/ivy` and `tests/mypyvy` reads as
//! the very protocol of the `.rml` file of the same name.

use rmlcut::protocol::print_protocol;
use rmlcut::source::SourceFile;

use super::{files, read, refused, source};

/// Compares every file of a language with its twin.
fn compare(below: &str, extension: &str) {
    for path in files(below, extension) {
        let meant = print_protocol(&read(&source(&path.with_extension("rml"))));
        let found = print_protocol(&read(&source(&path)));
        assert!(meant == found, "{}\nmeans\n{found}\nand not\n{meant}", path.display());
    }
}

#[test]
fn ivy_constructs_equal_their_twins() {
    compare("tests/ivy", "ivy");
}

#[test]
fn mypyvy_constructs_equal_their_twins() {
    compare("tests/mypyvy", "pyv");
}

#[test]
fn a_formula_about_two_states_reads_arguments_where_they_are_written() {
    let spellings = [
        ("older", "", "(r(old(c)) | old(r(n))) & (r(X) & r(Y) -> X = Y) & c = n"),
        ("let", "", "(let x = c in new(r(x)) | r(n)) & new(r(X) & r(Y) -> X = Y) & new(c) = n"),
        (
            "an argument",
            "twostate definition d(x: node) = new(r(x))\n",
            "(d(c) | r(n)) & (new(r(X)) & new(r(Y)) -> X = Y) & new(c) = n",
        ),
        ("primes", "", "(let x = c in r'(x) | r(n)) & (r'(X) & r'(Y) -> X = Y) & c' = n"),
    ];
    for (name, definition, formula) in spellings {
        let text = format!(
            "sort node\nmutable constant c: node\nmutable relation r(node)\ninit !r(X)\n\
             {definition}transition t(n: node)\n  modifies c, r\n  {formula}\n\
             safety r(X) -> X = c\n"
        );
        let found = print_protocol(&read(&SourceFile::new("t.pyv", text)));
        let meant = "modify c, r so that (new(r)(c) | r(n)) & \
                     (forall X: node, Y: node. new(r)(X) & new(r)(Y) -> X = Y) & new(c) = n";
        assert!(found.contains(meant), "{name}: {found}");
    }
}

#[test]
fn what_a_conditional_of_ivy_includes_depends_on_the_version() {
    let text = |version: &str, value: &str| {
        let text = format!(
            "#lang ivy{version}\ntype node\nrelation p(N:node)\nrelation q(N:node)\nrelation c\n\
             init ~p(N) & ~q(N) & ~c\naction go(n:node) = {{\n  p(N) := {value}\n}}\nexport go\n\
             conjecture p(N) -> p(N)\n"
        );
        SourceFile::new("t.ivy", text)
    };
    let apart = "p(N) | (q(N) if c else p(n))";
    for version in ["1.7", "1.8", "2.0"] {
        let meant = print_protocol(&read(&text(version, apart)));
        let found = print_protocol(&read(&text(version, "p(N) | q(N) if c else p(n)")));
        assert_eq!(found, meant, "{version}");
    }
    for version in ["1.1", "1.5", "1.6", "0.9", "1", ""] {
        for value in ["p(N) | q(N) if c else p(n)", "~q(N) if c else p(n)", "q(n) if c else c & c"]
        {
            let said = refused(&text(version, value));
            assert!(said.contains("ambiguous before Ivy 1.7"), "{version}, {value}: {said}");
        }
        for value in [apart, "q(N) if c else p(n)", "q(N) if c & p(N) else (c & c)"] {
            read(&text(version, value));
        }
    }
}
