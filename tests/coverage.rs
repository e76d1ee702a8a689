//! Never a hollow `safe`: what a protocol is never seen to do stands under the verdict, and with
//! `--strict` in the exit code. Each hollow protocol has a twin that differs in one word.

use std::fs;
use std::process::Command;

use rmlcut::budget::Stop;
use rmlcut::coverage::{Exercise, exercise};
use rmlcut::elaborate::certificate::elaborate_certificate;
use rmlcut::frontend::parse_certificate;
use rmlcut::pipeline::read_protocol;
use rmlcut::protocol::Protocol;
use rmlcut::report;
use rmlcut::source::SourceFile;
use serde_json::{Value, json};
use tempfile::TempDir;

/// Nothing ever arms it.
const HOLLOW: &str = "sort node\nrelation holds(node)\nrelation free\nrelation armed\n\
    init ~holds(N)\ninit free\ninit ~armed\n\
    action take(n: node) { require free; free := false; holds(n) := true; armed := false }\n\
    action drop(n: node) { require holds(n) & armed; holds(n) := false; free := true }\n\
    safety [one_holder] holds(N1) & holds(N2) -> N1 = N2\n\
    safety [busy] armed & holds(N) -> ~free\n";

fn sound() -> String {
    HOLLOW.replace("armed := false", "armed := true")
}

/// The output and the exit code of the program on a protocol in a file.
fn run(text: &str, arguments: &[&str]) -> (String, Option<i32>) {
    let folder = TempDir::new().expect("there is room");
    fs::write(folder.path().join("test.rml"), text).expect("there is room");
    fs::write(
        folder.path().join("test.cut"),
        "invariant {\n  [one_holder] holds(N1) & holds(N2) -> N1 = N2\n  \
         [busy] holds(N) -> ~free\n}\n",
    )
    .expect("there is room");
    let mut command = Command::new(env!("CARGO_BIN_EXE_rmlcut"));
    let output = command.current_dir(folder.path()).args(arguments).output();
    let output = output.expect("the program starts");
    (String::from_utf8(output.stdout).expect("text"), output.status.code())
}

fn seen(text: &str) -> (Protocol, Exercise) {
    let (protocol, _) = read_protocol(&SourceFile::new("test.rml", text)).expect("it is right");
    let exercise = exercise(&protocol, None, &Stop::never()).expect("there are states");
    (protocol, exercise)
}

fn lines(text: &str) -> Vec<String> {
    let (protocol, exercise) = seen(text);
    report::text::coverage::coverage_notes(&protocol, &exercise)
}

#[test]
fn coverage_is_reported_below_the_verdict() {
    let under = "safe\ncoverage     never possible at any size up to node=3: drop\n\
                 coverage     premise never holds at any size up to node=3: [busy]\n";
    for command in [&["synth", "test.rml"][..], &["check", "test.rml", "--rebase"]] {
        let (text, code) = run(HOLLOW, command);
        assert!(text.starts_with(under), "{text}");
        assert_eq!(code, Some(0));
        let (_, code) = run(HOLLOW, &[command, &["--strict"]].concat());
        assert_eq!(code, Some(2));
        let (text, code) = run(&sound(), &[command, &["--strict"]].concat());
        assert!(text.starts_with("safe\n") && !text.contains("coverage"), "{text}");
        assert_eq!(code, Some(0));
    }
}

#[test]
fn programs_get_a_field() {
    for command in [&["synth", "test.rml"][..], &["check", "test.rml", "--rebase"]] {
        let arguments = [command, &["--format", "json"]].concat();
        let of = |text: &str| -> Value {
            let (text, _) = run(text, &arguments);
            serde_json::from_str::<Value>(&text).expect("JSON")["coverage"].clone()
        };
        let hollow = json!({
            "never_possible": ["drop"], "premise_never_holds": ["busy"], "complete": true,
            "up_to": { "node": 3 }, "cutoff_sizes": [], "int": null, "sizes": 3, "exhausted": 3,
        });
        assert_eq!(of(HOLLOW), hollow);
        let sound = of(&sound());
        assert_eq!(
            (&sound["never_possible"], &sound["premise_never_holds"]),
            (&json!([]), &json!([]))
        );
    }
}

#[test]
fn lint_names_each_once_and_its_place() {
    let (text, code) = run(HOLLOW, &["show", "lint", "test.rml", "--strict"]);
    assert_eq!(
        text,
        "9:8: warning[RML0706]: `drop` is never possible at any size up to node=3\n\
         11:1: warning[RML0707]: the premise of `busy` never holds at any size up to node=3\n"
    );
    assert_eq!(code, Some(2));
    assert_eq!(run(HOLLOW, &["show", "lint", "test.rml"]).1, Some(0));
    let (text, code) = run(&sound(), &["show", "lint", "test.rml", "--strict"]);
    assert_eq!((&*text, code), ("nothing is suspicious\n", Some(0)));
}

#[test]
fn explore_reports_coverage_at_its_size() {
    let (text, _) = run(HOLLOW, &["explore", "test.rml", "--size", "node=2"]);
    let said = "never possible at this size: drop\npremise never holds at this size: [busy]\n";
    assert!(text.ends_with(said), "{text}");
    let (text, _) = run(&sound(), &["explore", "test.rml", "--size", "node=2"]);
    assert!(!text.contains("never"), "{text}");
}

#[test]
fn premises_are_found_in_implications_and_clauses() {
    let premise = |property: &str| {
        let text = format!(
            "sort s\nrelation p(s)\nrelation q(s)\nrelation r(s)\nsafety [it] {property}\n"
        );
        let (protocol, _) = read_protocol(&SourceFile::new("test.rml", &*text)).expect("right");
        let names = &protocol.signature;
        protocol.properties[0].premise().map(|own| rmlcut::logic::print_formula(names, &own))
    };
    let some = |text: &str| Some(text.to_owned());
    assert_eq!(premise("p(X) & q(X) -> r(X)"), some("exists X: s. p(X) & q(X)"));
    assert_eq!(premise("~p(X) | r(X) | ~q(X)"), some("exists X: s. p(X) & q(X)"));
    assert_eq!(premise("~(p(X) & q(X)) | r(X)"), some("exists X: s. p(X) & q(X)"));
    assert_eq!(premise("p(X) -> q(Y) -> r(X)"), some("exists X: s, Y: s. p(X) & q(Y)"));
    assert_eq!(premise("p(X) -> ~q(X)"), some("exists X: s. p(X)"));
    // What these deny is the violation.
    for property in ["~p(X)", "~p(X) | ~q(X)", "~(p(X) & q(X))", "p(X) & q(X) -> false"] {
        assert_eq!(premise(property), None, "{property}");
    }
    for property in ["p(X)", "p(X) | q(X)", "p(X) <-> q(X)"] {
        assert_eq!(premise(property), None, "{property}");
    }
}

/// An action that is possible where there are so many nodes.
fn needing(count: usize) -> String {
    let names: Vec<String> = (1..=count).map(|number| format!("n{number}")).collect();
    let params: Vec<String> = names.iter().map(|name| format!("{name}: node")).collect();
    let mut apart = Vec::new();
    for (position, one) in names.iter().enumerate() {
        apart.extend(names[..position].iter().map(|other| format!("{other} != {one}")));
    }
    let (params, apart) = (params.join(", "), apart.join(" & "));
    format!(
        "sort node\nrelation on(node)\ninit ~on(N)\naction flip(n: node) {{ on(n) := ~on(n) }}\n\
         action all({params}) {{ require {apart}; on(n1) := true }}\nsafety [fine] on(N) -> on(N)\n"
    )
}

#[test]
fn what_needs_four_elements_is_never_seen_up_to_three() {
    assert_eq!(lines(&needing(3)), [""; 0]);
    assert_eq!(lines(&needing(4)), ["never possible at any size up to node=3: all"]);
}

#[test]
fn a_search_that_was_cut_short_is_reported() {
    // A counter runs out of every range, so no size is searched to the end.
    let counter = |limit: i64| {
        format!(
            "sort node\nrelation done\nvariable count: int\ninit ~done\ninit count = 0\n\
             action tick(n: node) {{ count := count + 1 }}\n\
             action finish {{ require count = {limit}; done := true }}\nsafety done -> count >= 0\n"
        )
    };
    assert_eq!(lines(&counter(3)), [""; 0]);
    let searched = "with 0 of 3 sizes up to node=3 (int -1..4) searched to the end";
    assert_eq!(
        lines(&counter(9)),
        [
            format!("possible in no state that was seen, {searched}: finish"),
            format!("premise holds in no state that was seen, {searched}: [safety1]"),
        ]
    );
}

#[test]
fn an_action_that_is_there_to_be_impossible_is_not_missed() {
    let checked = |property: &str| {
        format!(
            "sort node\nrelation on(node)\nrelation error\ninit ~on(N)\ninit ~error\n\
             action flip(n: node) {{ on(n) := true }}\n\
             action fail(n: node) {{ require on(n) & ~on(n); error := true }}\nsafety {property}\n"
        )
    };
    assert_eq!(lines(&checked("~error")), [""; 0]);
    assert_eq!(
        lines(&checked("on(N) -> ~error")),
        ["never possible at any size up to node=3: fail"]
    );
}

#[test]
fn many_sorts_and_many_states_are_not_waited_for() {
    let sorts =
        "abcdefgh".chars().map(|name| format!("sort {name}\nrelation r{name}({name}, {name})\n"));
    let text = sorts.collect::<String>()
        + "relation never\ninit ~never\naction step(x: a, y: b) { ra(x, x) := true; rb(y, y) := * }\n\
           action stuck { require never; never := false }\nsafety never -> ra(X, X)\n";
    let (protocol, exercise) = seen(&text);
    assert_eq!((exercise.looked.sizes, exercise.looked.is_complete()), (6561, false));
    assert_eq!(exercise.idle.len() + exercise.unmet.len(), 2);
    let line = rmlcut::coverage::idle(&protocol, &exercise.looked);
    assert!(line.starts_with("possible in no state that was seen, with "), "{line}");
}

#[test]
fn cutoff_instances_are_searched_whatever_their_size() {
    // Whether it proves anything does not matter here.
    let four = "case four for fine {\n  params a: node\n  violators N = a\n  cut node = { w, x, y, z }\n  sim node(n) := w\n  \
                lockstep flip stutter\n  lockstep all stutter\n}\n";
    let looked = |text: &str| {
        let (protocol, _) = read_protocol(&SourceFile::new("test.rml", text)).expect("right");
        let parsed = parse_certificate(&SourceFile::new("test.cut", four));
        let elaborated = elaborate_certificate(&protocol, &parsed.file);
        let certificate = elaborated.certificate.expect("the certificate is right");
        let exercise = exercise(&protocol, Some(&certificate), &Stop::never());
        report::text::coverage::coverage_notes(&protocol, &exercise.expect("there are states"))
    };
    assert_eq!(looked(&needing(4)), [""; 0]);
    assert_eq!(looked(&needing(5)), ["never possible at any size up to node=3 and at node=4: all"]);
}
