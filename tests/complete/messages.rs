//! Every message about sketches and repairs, as it is rendered.

use rmlcut::pipeline::repair;
use rmlcut::source::SourceFile;

use super::{lock, refused, request, run, words};

/// A sketch and everything that is said about it.
const CASES: &[(&str, &str)] = &[
    (
        "hole_in_init",
        "sort node\nrelation r(node)\ninit ??\naction a(n: node) {\n  r(n) := true\n}\nsafety [s] r(N)\n",
    ),
    (
        "hole_in_axiom",
        "sort node\nrigid relation r(node)\naxiom ??\naction a(n: node) {\n  require r(n)\n}\nsafety [s] r(N)\n",
    ),
    (
        "hole_in_safety",
        "sort node\nrelation r(node)\ninit ~r(N)\naction a(n: node) {\n  r(n) := true\n}\nsafety [s] r(N) -> ??\n",
    ),
    (
        "hole_in_lemma",
        "sort node\nrelation r(node)\ninit ~r(N)\naction a(n: node) {\n  r(n) := true\n}\nsafety [s] r(N)\nlemma [l] ??\n",
    ),
    (
        "hole_in_definition",
        "sort node\nrelation r(node)\ndefine d := ??\ninit ~r(N)\naction a(n: node) {\n  r(n) := true\n}\nsafety [s] d\n",
    ),
    (
        "hole_in_reach",
        "sort node\nrelation r(node)\ninit ~r(N)\naction a(n: node) {\n  r(n) := true\n}\nsafety [s] r(N)\nreach ??\n",
    ),
    (
        "two_kinds",
        "sort node\nrelation r(node)\ninit ~r(N)\naction a(n: node) {\n  require ??g\n  r(??g) := true\n}\nsafety [s] r(N)\n",
    ),
    (
        "two_sorts",
        "sort node, key\nrelation r(node)\nrelation k(key)\ninit ~r(N) & ~k(K)\naction a(n: node, x: key) {\n  r(??g) := true\n  k(??g) := true\n}\nsafety [s] r(N)\n",
    ),
    (
        "two_lists",
        "sort node\nrelation r(node)\ninit ~r(N)\naction a(n: node) {\n  require ??g{r(n), true}\n  require ??g{true, r(n)}\n}\nsafety [s] r(N)\n",
    ),
    (
        "list_and_table",
        "sort node\nrelation r(node)\ninit ~r(N)\naction a(n: node) {\n  require ??g{r(n)}\n  r(n) := ??g[r(n)]\n}\nsafety [s] r(N)\n",
    ),
    (
        "wrong_alternative_and_elsewhere",
        "sort node\nrelation r(node)\ninit ~r(N)\naction a(n: node) {\n  require ??{r(n), r(m)}\n  r(n) := true\n}\nsafety [s] r(N) -> q(N)\n",
    ),
    (
        "two_scopes",
        "sort node\nrelation r(node)\ninit ~r(N)\naction a(n: node) {\n  require ??g{r(n), true}\n}\naction b(m: node) {\n  require ??g\n  r(m) := true\n}\nsafety [s] r(N)\n",
    ),
    (
        "wrong_sort",
        "sort node, key\nrelation r(node)\ninit ~r(N)\naction a(n: node, x: key) {\n  r(??{n, x}) := true\n}\nsafety [s] r(N)\n",
    ),
    (
        "not_a_formula",
        "sort node\nrelation r(node)\ninit ~r(N)\naction a(n: node) {\n  require ??{r(n), n}\n}\nsafety [s] r(N)\n",
    ),
    (
        "out_of_scope",
        "sort node\nrelation r(node)\ninit ~r(N)\naction a(n: node) {\n  require ??{r(n), r(m)}\n}\nsafety [s] r(N)\n",
    ),
    (
        "empty_list",
        "sort node\nrelation r(node)\ninit ~r(N)\naction a(n: node) {\n  require ??{}\n}\nsafety [s] r(N)\n",
    ),
    (
        "large_table",
        "sort node\nrelation r(node)\nrelation f\ninit ~r(N)\naction a(n: node) {\n  require ??[f, f, f, f, r(n)]\n}\nsafety [s] r(N)\n",
    ),
    (
        "no_term",
        "sort node\nrelation r(node)\ninit ~r(N)\naction a {\n  r(??) := true\n}\nsafety [s] r(N)\n",
    ),
    (
        "unknown_action",
        "sort node\nrelation r(node)\ninit ~r(N)\naction take(n: node) {\n  require ??\n  r(n) := true\n}\nsafety [s] r(N) -> r(N)\nreach tke\n",
    ),
    (
        "unreachable_goal",
        "sort node\nrelation r(node)\nrelation f\ninit ~r(N) & ~f\naction take(n: node) {\n  require ??{true, ~r(n)}\n  r(n) := true\n}\nsafety [s] r(N) -> r(N)\nreach f\n",
    ),
    (
        "no_hole",
        "sort node\nrelation r(node)\ninit ~r(N)\naction a(n: node) {\n  r(n) := true\n}\nsafety [s] r(N) -> r(N)\n",
    ),
];

#[test]
fn every_message_has_a_place_and_a_hint() {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("snapshots");
    settings.set_prepend_module_to_snapshot(false);
    for (name, text) in CASES {
        let words = refused(text);
        assert!(words.contains("sketch.rml:") || *name == "no_hole", "{name}: {words}");
        assert!(words.contains("hint: ") || words.contains("help: "), "{name}: {words}");
        settings.bind(|| insta::assert_snapshot!(*name, words));
    }
}

#[test]
fn a_sketch_is_not_repaired() {
    let (words, code) = run("repair", &lock("??"), &["--format", "json"]);
    assert!(words.contains("`rmlcut complete`"), "{words}");
    assert_eq!(code, Some(64));
}

#[test]
fn more_than_two_to_the_64_completions_are_printed_as_a_power() {
    let holes = "  require ??[free, holds(n)] | ??[free, holds(n)] | ??[free, ~free]\n".repeat(6);
    let text = lock("free").replacen("  require free\n", &format!("{holes}  require free\n"), 1);
    let (words, _) = run("complete", &text, &["--timeout", "20", "--proof-timeout", "1"]);
    assert!(words.contains("search       2^72 completions"), "{words}");
}

#[test]
fn holes_and_other_languages_are_refused_by_repair_with_a_hint() {
    let said = |name: &str, text: &str| {
        let source = SourceFile::new(name, text);
        let error = repair(&source, &request(1)).err().expect("it is refused");
        words(&source, &error)
    };
    let holes = said("sketch.rml", &lock("??"));
    for wanted in [
        "error[RML0806]: a sketch cannot be repaired",
        " --> sketch.rml:6:11",
        "  require ??\n",
        "= help: `rmlcut complete` fills its holes",
    ] {
        assert!(holes.contains(wanted), "{wanted} is not in\n{holes}");
    }
    let other = said("lock.ivy", "#lang ivy1.7\ntype node\n");
    assert!(other.contains("error[RML0807]: "), "{other}");
}

/// A counter that grows: neither a violation nor a proof is known at once.
#[test]
fn a_protocol_that_is_not_known_to_be_unsafe_is_left_alone() {
    let text = "sort node\nvariable x: int\ninit x = 0\naction up(n: node) {\n  x := x + 1\n}\n\
        safety [small] x < 1000\n";
    let (words, code) = run("repair", text, &["--timeout", "4"]);
    assert_eq!(
        (&words[..], code),
        ("gave up: no violation of this protocol is known, and no proof either\n", Some(2))
    );
}
