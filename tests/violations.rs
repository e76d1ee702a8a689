//! Violations at the edges: in initial states of many nodes, one step after them, and of lemmas.

use std::fs;
use std::process::Command;

use serde_json::Value;
use tempfile::TempDir;

/// The output and the exit code of a command on a protocol in a file.
fn run(text: &str, arguments: &[&str]) -> (String, Option<i32>) {
    let folder = TempDir::new().expect("there is room");
    fs::write(folder.path().join("test.rml"), text).expect("there is room");
    let mut command = Command::new(env!("CARGO_BIN_EXE_rmlcut"));
    command.current_dir(folder.path()).arg(arguments[0]).arg("test.rml").args(&arguments[1..]);
    let output = command.output().expect("the program starts");
    (String::from_utf8(output.stdout).expect("text"), output.status.code())
}

/// `on(A) & on(B) & … -> A = B | A = C | …`: fewer than so many nodes are on.
fn fewer_than(count: usize) -> String {
    let names: Vec<String> = (1..=count).map(|number| format!("N{number}")).collect();
    let on: Vec<String> = names.iter().map(|name| format!("on({name})")).collect();
    let mut same = Vec::new();
    for (position, one) in names.iter().enumerate() {
        same.extend(names[..position].iter().map(|other| format!("{other} = {one}")));
    }
    format!("{} -> {}", on.join(" & "), same.join(" | "))
}

#[test]
fn an_initial_state_of_seven_nodes_is_a_violation() {
    let start = |init: &str, count: usize| {
        format!(
            "sort node\nrelation on(node)\nrelation off(node)\ninit {init}\n\
             action cool(n: node) {{ require on(n); on(n) := false; off(n) := true }}\n\
             safety [few] {}\n",
            fewer_than(count)
        )
    };
    let (text, code) = run(&start("on(N) -> ~off(N)", 7), &["synth", "--timeout", "60"]);
    assert!(text.starts_with("unsafe: [few] fails initially at node=7\n"), "{text}");
    assert_eq!(code, Some(1));
    let (text, code) = run(&start("~on(N)", 2), &["synth", "--timeout", "60"]);
    assert!(text.starts_with("safe\n"), "{text}");
    assert_eq!(code, Some(0));
}

#[test]
fn so_is_one_step_after_it() {
    let stepping = |guard: &str, count: usize| {
        let few = fewer_than(count);
        format!(
            "sort node\nrelation on(node)\ninit {few}\n\
             action flip(n: node) {{ require {guard}; on(n) := * }}\nsafety [few] {few}\n"
        )
    };
    let (text, code) = run(&stepping("true", 7), &["synth", "--timeout", "60"]);
    assert!(text.starts_with("unsafe: [few] fails after 1 step at node=7\n"), "{text}");
    assert_eq!(code, Some(1));
    let (text, code) = run(&stepping("on(n)", 2), &["synth", "--timeout", "60"]);
    assert!(text.starts_with("safe\n"), "{text}");
    assert_eq!(code, Some(0));
}

#[test]
fn more_initial_states_than_can_be_visited_are_left_to_the_solver() {
    // The violation takes two steps, and a size of two has 2^32 initial states.
    let open = |property: &str| {
        format!(
            "sort node\nrelation r(node, node, node, node, node)\nrelation armed\nrelation bad\n\
             init ~armed & ~bad\naction arm(n: node, m: node) {{\n  \
             require n != m & r(n, m, n, m, n)\n  armed := true\n}}\n\
             action go {{ require armed; bad := true }}\nsafety [good] {property}\n"
        )
    };
    let (text, code) = run(&open("~bad"), &["synth", "--timeout", "60"]);
    assert!(text.starts_with("unsafe: [good] fails after 2 steps at node=2\n"), "{text}");
    assert_eq!(code, Some(1));
    let (text, code) = run(&open("bad -> armed"), &["synth", "--timeout", "60"]);
    assert!(text.starts_with("safe\n"), "{text}");
    assert_eq!(code, Some(0));
}

const LOCK: &str = "sort node\nrelation holds(node)\nrelation free\ninit ~holds(N)\ninit free\n\
    action take(n: node) { require free; free := false; holds(n) := true }\n\
    action give(n: node) { require holds(n); holds(n) := false; free := true }\n\
    safety [one] holds(N1) & holds(N2) -> N1 = N2\n";

#[test]
fn a_false_lemma_is_the_same_in_explore_and_synth() {
    let text = format!("{LOCK}lemma [idle] ~holds(N)\n");
    let (explored, code) = run(&text, &["explore", "--size", "node=1"]);
    let first = "unproved at node=1: lemma [idle] fails after 1 step\n";
    assert!(explored.starts_with(first), "{explored}");
    assert_eq!(code, Some(2));
    let means = "every lemma of the protocol has to be proved, and this one is false";
    assert!(explored.contains(means), "{explored}");
    assert!(explored.ends_with("\nno safety property fails at this size\n"), "{explored}");
    let (proved, code) = run(&text, &["synth", "--timeout", "60"]);
    let first = "unproved: lemma [idle] fails after 1 step at node=1\n";
    assert!(proved.starts_with(first) && proved.contains(means), "{proved}");
    assert_eq!(code, Some(2));
    let (json, _) = run(&text, &["explore", "--size", "node=1", "--format", "json"]);
    let json: Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(json["verdict"], "unproved");
    assert_eq!(json["violation"]["what"]["property"], "idle");
    let (explored, code) =
        run(&text, &["explore", "--size", "node=1", "--property", "idle", "--engine", "sat"]);
    assert!(explored.starts_with("unproved at node=1: lemma [idle] fails"), "{explored}");
    assert_eq!(code, Some(2));
}

#[test]
fn a_failing_safety_property_is_reported_before_a_lemma() {
    let text = format!("{LOCK}lemma [idle] ~holds(N)\n").replace("require holds(n); ", "");
    let (explored, code) = run(&text, &["explore", "--size", "node=2"]);
    assert!(explored.starts_with("unsafe at node=2: [one] fails after 3 steps\n"), "{explored}");
    assert!(explored.contains("\nfails: [one] "), "{explored}");
    assert_eq!(code, Some(1));
    let (proved, code) = run(&text, &["synth", "--timeout", "60"]);
    assert!(proved.starts_with("unsafe: [one] fails after 3 steps at node=2\n"), "{proved}");
    assert_eq!(code, Some(1));
    let true_lemma = format!("{LOCK}lemma [calm] free -> ~holds(N)\n");
    let (explored, code) = run(&true_lemma, &["explore", "--size", "node=2"]);
    assert!(explored.starts_with("safe at node=2\n"), "{explored}");
    assert_eq!(code, Some(0));
}

/// A counter; `{property}` holds beside a property that is violated unless `{guard}` prevents it.
fn counter(guard: &str, property: &str) -> String {
    format!(
        "sort node\nvariable c: int\nrelation got(node)\ninit c = 0\ninit ~got(N)\n\
         action draw(n: node) {{ require {guard}; c := c + 1; got(n) := true }}\n\
         safety [few] got(N) & got(M) -> N = M\nsafety [all] {property}\n"
    )
}

#[test]
fn a_property_about_all_integers_does_not_end_the_search_for_others() {
    let about_all = "forall I: int. I > c -> exists J: int. J > I";
    let (text, code) = run(&counter("true", about_all), &["synth", "--timeout", "30"]);
    assert!(text.starts_with("unsafe: [few] fails after 2 steps at node=2\n"), "{text}");
    assert_eq!(code, Some(1));
    let once = counter("forall N. ~got(N)", about_all);
    let (text, code) = run(&once, &["synth", "--timeout", "30"]);
    assert!(text.starts_with("safe\n"), "{text}");
    let said = "not searched for violations of [all]: it quantifies over int, and no range of \
                integers stands for all of ℤ\n";
    assert!(text.contains(said), "{text}");
    assert!(!text.contains("no state was looked at"), "{text}");
    assert_eq!(code, Some(0));
    let (text, _) = run(&counter("true", "c >= 0"), &["synth", "--timeout", "30"]);
    assert!(!text.contains("not searched"), "{text}");
}

#[test]
fn a_guard_about_all_integers_ends_every_search_and_the_reason_is_given() {
    let guarded = counter("forall I: int. I > c -> I > 0", "c >= 0");
    let (text, code) = run(&guarded, &["synth", "--timeout", "5"]);
    assert!(text.starts_with("unproved: "), "{text}");
    assert!(text.contains("not searched for violations: an action quantifies over int"), "{text}");
    assert!(!text.contains("rmlcut explore PROTOCOL"), "{text}");
    assert_eq!(code, Some(2));
}
