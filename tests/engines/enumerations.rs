//! Enumerations in every engine: twins with one relation for each element have as many states,
//! elements are never renamed, and codes that no element has are never reached.

use std::path::Path;

use rmlcut::finite::{FiniteOutcome, Question, Symmetry};
use rmlcut::protocol::{Protocol, Size};

use crate::engines::{EXPLICIT, SAT, SYMBOLIC, ask, protocol, size, verdict, visited};
use crate::languages::files;

const ENGINES: [usize; 3] = [EXPLICIT, SAT, SYMBOLIC];

/// Whatever engine and symmetry: this is the answer at this size.
fn always(text: &str, at: &str, expected: &str) {
    let protocol = protocol(text);
    for engine in ENGINES {
        for symmetry in [Symmetry::Reduced, Symmetry::Distinguished] {
            let at = if at.is_empty() { Size::new() } else { size(&protocol, at) };
            let question = Question { symmetry, ..Question::new(&protocol, at) };
            let outcome = ask(engine, &question).expect("an answer");
            assert_eq!(verdict(&outcome), expected, "engine {engine}, {symmetry:?}\n{text}");
        }
    }
}

const COMMIT: &str = "
    sort rm
    sort status = { working, prepared, committed, aborted, forgotten }
    function state(rm): status
    init state(R) = working
    action prepare(r: rm) { require state(r) = working; state(r) := prepared }
    action commit(r: rm) {
      require state(r) = prepared & forall S. state(S) = prepared | state(S) = committed
      state(r) := committed
    }
    action abort(r: rm) {
      require state(r) = working | state(r) = prepared
      require forall S. state(S) != committed
      state(r) := aborted
    }
    action forget(r: rm) { require state(r) = aborted; state(r) := forgotten }
    safety ~(state(R) = committed & state(S) = aborted)
";

const COMMIT_BY_RELATIONS: &str = "
    sort rm
    relation working(rm)
    relation prepared(rm)
    relation committed(rm)
    relation aborted(rm)
    relation forgotten(rm)
    init working(R) & ~prepared(R) & ~committed(R) & ~aborted(R) & ~forgotten(R)
    action prepare(r: rm) { require working(r); working(r) := false; prepared(r) := true }
    action commit(r: rm) {
      require prepared(r) & forall S. prepared(S) | committed(S)
      prepared(r) := false
      committed(r) := true
    }
    action abort(r: rm) {
      require working(r) | prepared(r)
      require forall S. ~committed(S)
      working(r) := false
      prepared(r) := false
      aborted(r) := true
    }
    action forget(r: rm) { require aborted(r); aborted(r) := false; forgotten(r) := true }
    safety ~(committed(R) & aborted(S))
";

#[test]
fn a_function_into_an_enumeration_has_the_states_of_its_relations() {
    let (one, other) = (protocol(COMMIT), protocol(COMMIT_BY_RELATIONS));
    for at in ["rm=1", "rm=2", "rm=3", "rm=4"] {
        for symmetry in [Symmetry::Reduced, Symmetry::Distinguished] {
            let counts = |protocol| {
                let question = Question { symmetry, ..Question::new(protocol, size(protocol, at)) };
                let counts = visited(&question);
                (counts.states, counts.transitions, counts.depth)
            };
            assert_eq!(counts(&one), counts(&other), "{at}, {symmetry:?}");
        }
        let all = |protocol| match ask(SYMBOLIC, &Question::new(protocol, size(protocol, at))) {
            Ok(FiniteOutcome::Safe(coverage)) => coverage.total,
            other => panic!("{other:?}"),
        };
        assert_eq!(all(&one), all(&other), "{at}");
    }
}

/// Protocols of the corpus whose states are enumerations, beside the same with relations: the same
/// reachable states and steps.
#[test]
fn the_corpus_has_the_states_of_its_relational_twins() {
    for twin in files("tests/relational", "rml") {
        let name = twin.file_name().expect("a file");
        let corpus = files("protocols", "rml");
        let corpus =
            corpus.iter().find(|own| own.file_name() == Some(name)).expect("in the corpus");
        let (corpus, twin) = (read(corpus), read(&twin));
        let enumerated = |protocol: &Protocol| {
            protocol.signature.sorts().count() - protocol.signature.sized_sorts().count()
        };
        assert!(enumerated(&corpus) > 0 && enumerated(&twin) == 0, "{}", name.display());
        assert_same_states(&corpus, &twin, &name.display().to_string());
    }
    let pair = ["enumeration", "relations"].map(|name| format!("tests/six_states/{name}.rml"));
    let [one, other] = pair.map(|path| read(&Path::new(env!("CARGO_MANIFEST_DIR")).join(path)));
    assert_same_states(&one, &other, "six states");
}

fn assert_same_states(one: &Protocol, other: &Protocol, name: &str) {
    for at in 1..=2 {
        let found = |protocol: &Protocol| {
            let size = protocol.signature.sized_sorts().map(|sort| (sort, at)).collect();
            let outcome = ask(EXPLICIT, &Question::new(protocol, size)).expect("an answer");
            let counts = match &outcome {
                FiniteOutcome::Safe(coverage) => coverage.visited,
                FiniteOutcome::Unsafe(..) | FiniteOutcome::Unknown(..) => None,
            };
            let counts = counts.map(|own| (own.states, own.transitions, own.depth));
            (verdict(&outcome), counts)
        };
        assert_eq!(found(one), found(other), "{name} at {at}");
    }
}

fn read(path: &Path) -> Protocol {
    protocol(&std::fs::read_to_string(path).expect("the file is there"))
}

/// The last of the elements is chosen; a renaming could make it the first.
#[test]
fn elements_are_never_renamed() {
    let chosen = |claim: &str| {
        format!(
            "sort mode = {{ off, on, stuck }}\nrelation chosen(mode)\ninit ~chosen(M)\n\
             action choose(m: mode) {{ require forall M. ~chosen(M); chosen(m) := true }}\n\
             safety {claim}\n"
        )
    };
    for element in ["off", "on", "stuck"] {
        always(&chosen(&format!("~chosen({element})")), "", "unsafe in 1");
    }
    always(&chosen("chosen(M) & chosen(N) -> M = N"), "", "safe");
    let rigid = |element: &str| {
        format!(
            "sort mode = {{ off, on, stuck }}\nrigid relation special(mode)\n\
             axiom exists M. special(M)\naxiom special(M) & special(N) -> M = N\nrelation bad\n\
             init ~bad\naction fail() {{ require special({element}); bad := true }}\nsafety ~bad\n"
        )
    };
    for element in ["off", "on", "stuck"] {
        always(&rigid(element), "", "unsafe in 1");
    }
    let marked = |element: &str| {
        format!(
            "sort node\nsort mode = {{ off, on, stuck }}\nrigid function mark(node): mode\n\
             relation bad\ninit ~bad\n\
             action fail(n: node) {{ require mark(n) = {element}; bad := true }}\nsafety ~bad\n"
        )
    };
    for element in ["off", "on", "stuck"] {
        always(&marked(element), "node=2", "unsafe in 1");
    }
}

/// Three elements take two bits: the fourth code is nobody's.
#[test]
fn only_elements_are_values() {
    let text = |init: &str, value: &str| {
        format!(
            "sort node\nsort mode = {{ off, on, stuck }}\nfunction state(node): mode\n\
             variable last: mode\nrelation bad\ninit ~bad\n{init}\n\
             action change(n: node) {{ state(n) := {value}; last := state(n) }}\n\
             action fail(n: node) {{\n\
             require state(n) != off & state(n) != on & state(n) != stuck\nbad := true\n}}\n\
             action vanish() {{ require forall M. M != last; bad := true }}\n\
             safety ~bad\nsafety last = off | last = on | last = stuck\n"
        )
    };
    for init in ["init state(N) = off & last = off", "", "init state(N) != off"] {
        for value in ["*", "on if state(n) = off else last", "stuck"] {
            always(&text(init, value), "node=2", "safe");
        }
    }
    let everywhere = text("init state(N) = off & last = off", "*");
    let counted =
        everywhere.replace("action fail", "action rest(n: node) { last := * }\naction fail");
    let protocol = protocol(&counted);
    let every = Question {
        symmetry: Symmetry::Distinguished,
        ..Question::new(&protocol, size(&protocol, "node=2"))
    };
    assert_eq!(visited(&every).states, 27, "every value of two functions and a variable");
}

#[test]
fn one_element_is_no_choice() {
    let text = "
        sort node
        sort only = { it }
        function what(node): only
        relation seen(only)
        variable last: only
        init ~seen(X)
        action see(n: node) { what(n) := *; seen(what(n)) := true; last := * }
        safety what(N) = it & what(N) = what(M) & last = it
        safety seen(X) -> X = it
    ";
    always(text, "node=2", "safe");
    always(&text.replace("seen(X) -> X = it", "~seen(it)"), "node=2", "unsafe in 1");
    // `it` is an element and no variable: this says something of one element only.
    always(&text.replace("seen(X) -> X = it", "exists X. ~seen(X)"), "node=2", "unsafe in 1");
}

#[test]
fn quantifiers_and_functions_range_over_all_elements() {
    let text = |guard: &str| {
        format!(
            "sort node\nsort mode = {{ off, on, stuck }}\nfunction owner(mode): node\n\
             constant first: node\nrelation bad\ninit owner(M) = first & ~bad\n\
             action give(m: mode, n: node) {{ owner(m) := n }}\n\
             action fail() {{ require {guard}; bad := true }}\nsafety ~bad\n"
        )
    };
    always(&text("forall M. owner(M) != first"), "node=2", "unsafe in 4");
    always(&text("exists M. owner(M) != first"), "node=2", "unsafe in 2");
    always(&text("owner(off) = first & owner(stuck) != first"), "node=2", "unsafe in 2");
    always(&text("forall M. owner(M) != first"), "node=1", "safe");
    always(&text("off = on"), "node=1", "safe");
    always(&text("off != on"), "node=1", "unsafe in 1");
    always(
        &text("exists M, N. M != N & M != on & N != on & off != M & off != N"),
        "node=1",
        "safe",
    );
}
