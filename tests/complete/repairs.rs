//! Edits of every kind, and repairs that are none.

use rmlcut::complete::{CompleteRequest, Repair, RepairAnswer};
use rmlcut::pipeline::repair;
use rmlcut::source::SourceFile;

use super::{request, words};

fn repaired(text: &str, answers: usize) -> RepairAnswer {
    let source = SourceFile::new("broken.rml", text);
    let request = CompleteRequest { most_edits: 1, ..request(answers) };
    let answer = repair(&source, &request);
    answer.map_err(|error| words(&source, &error)).expect("it can be read")
}

fn has_line(own: &Repair, wanted: &str) -> bool {
    own.diff.iter().any(|line| line.trim_end() == wanted)
}

fn diffs(answer: &RepairAnswer) -> String {
    let diffs = answer.repairs.iter().map(|own| own.diff.join("\n"));
    diffs.collect::<Vec<_>>().join("\n\n")
}

#[test]
fn a_guard_about_every_element_is_found() {
    let text = "sort node\nrelation done(node)\nrelation gone(node)\ninit ~done(N) & ~gone(N)\n\
        action finish(n: node) {\n  done(n) := true\n}\n\
        action leave(n: node) {\n  require done(n)\n  gone(n) := true\n}\n\
        safety [all] gone(N) -> done(M)\n";
    let answer = repaired(text, 1);
    let first = answer.repairs.first().expect("there is one");
    assert!(
        first.completion.is_safe() && first.completion.text.contains("done(X)"),
        "{}",
        diffs(&answer)
    );
}

#[test]
fn a_guard_about_the_value_of_a_function_is_found() {
    let text = "sort node\nsort state = { idle, busy, lost }\nfunction at(node): state\n\
        relation used(node)\ninit at(N) = idle & ~used(N)\n\
        action start(n: node) {\n  require at(n) = idle\n  at(n) := busy\n}\n\
        action lose(n: node) {\n  at(n) := lost\n}\n\
        action use(n: node) {\n  used(n) := true\n}\n\
        action back(n: node) {\n  require at(n) = busy & ~used(n)\n  at(n) := idle\n}\n\
        safety [started] used(N) -> at(N) = busy | at(N) = lost\n";
    let answer = repaired(text, 3);
    let wanted = |own: &Repair| has_line(own, "+   require at(n) = busy");
    assert!(answer.repairs.iter().any(wanted), "{}", diffs(&answer));
}

#[test]
fn a_repair_does_not_leave_an_action_to_one_element() {
    let text = "sort node\nrelation token(node)\ninit token(N) & token(M) -> N = M\n\
        action pass(n: node, m: node) {\n  require token(n)\n  token(m) := true\n}\n\
        safety [one] token(N) & token(M) -> N = M\n";
    let answer = repaired(text, 4);
    assert!(!answer.repairs.is_empty());
    let useless =
        |own: &Repair| has_line(own, "+   require n = m") || has_line(own, "+   require token(m)");
    assert!(!answer.repairs.iter().any(useless), "{}", diffs(&answer));
}

#[test]
fn an_update_of_all_elements_may_become_one_of_a_parameter() {
    let text = "sort node\nrelation asked(node, node)\nrelation allowed(node, node)\n\
        relation got(node, node)\ninit ~asked(N, M) & ~allowed(N, M) & ~got(N, M)\n\
        action ask(n: node, m: node) {\n  asked(n, m) := true\n  allowed(m, *) := true\n}\n\
        action answer(m: node, n: node) {\n  require allowed(m, n)\n  got(n, m) := true\n}\n\
        safety [asked] got(N, M) -> asked(N, M)\n";
    let answer = repaired(text, 3);
    let wanted = |own: &Repair| {
        has_line(own, "+   allowed(m, n) := true") && has_line(own, "-   allowed(m, *) := true")
    };
    assert!(answer.repairs.iter().any(wanted), "{}", diffs(&answer));
}

/// What is left out may be missed only where no property is about it.
#[test]
fn a_statement_may_be_left_out() {
    let text = "sort node\nrelation free\nrelation holds(node)\nrelation seen(node)\nrelation noted\n\
        init free & ~holds(N) & ~seen(N) & ~noted\n\
        action take(n: node) {\n  require free\n  free := false\n  holds(n) := true\n}\n\
        action drop(n: node) {\n  require holds(n)\n  holds(n) := false\n  free := true\n}\n\
        action look(n: node) {\n  require holds(n)\n  seen(n) := true\n  noted := true\n  free := true\n}\n\
        safety [one] holds(N) & holds(M) -> N = M\n";
    let answer = repaired(text, 9);
    let look = |own: &Repair| {
        let look = own.completion.text.split("action look").nth(1).expect("the action is there");
        !look.contains("free := true") && look.contains("noted := true")
    };
    assert!(answer.repairs.iter().any(look), "{}", diffs(&answer));
    let keeps = |own: &Repair| own.completion.text.contains("holds(n) := true");
    assert!(answer.repairs.iter().all(keeps), "{}", diffs(&answer));
}

/// Whoever leads only until now never leads: the property would be about nothing.
#[test]
fn a_repair_leaves_the_property_something_to_be_about() {
    let text = "sort node, time\norder le on time\nvariable now: time\nvariable chosen: node\n\
        relation leads(node, time)\ninit ~leads(N, T)\n\
        action tick(t: time) {\n  require le(now, t)\n  now := t\n}\n\
        action lead(n: node, t: time) {\n  leads(n, t) := true\n}\n\
        safety [one] leads(N, T) & leads(M, S) & ~le(T, now) & ~le(S, now) -> N = M\n";
    let answer = repaired(text, 5);
    let has = |wanted: &str| answer.repairs.iter().any(|own| has_line(own, wanted));
    assert!(has("+   require n = chosen"), "{}", diffs(&answer));
    for vacuous in ["+   require t = now", "+   require le(t, now)"] {
        assert!(!has(vacuous), "{}", diffs(&answer));
    }
}
