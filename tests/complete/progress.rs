//! What must stay possible: kept traces, goals, effective assignments.

use std::time::Duration;

use rmlcut::budget::Stop;
use rmlcut::complete::{CompleteError, CompleteRequest};
use rmlcut::pipeline::{complete, repair};
use rmlcut::source::SourceFile;

use super::{completed, fillings, lock, refused, request, words};

/// One node takes and drops the lock, then the other takes it.
const HANDOVER: &str = r##"{ "#meta": { "size": { "node": 2 } }, "states": [
  { "free": true, "holds": { "#set": [] } },
  { "free": false, "holds": { "#set": ["node_0"] }, "mbt::actionTaken": "take" },
  { "free": true, "holds": { "#set": [] }, "mbt::actionTaken": "drop" },
  { "free": false, "holds": { "#set": ["node_1"] } }
] }"##;

/// Both hold the lock after two steps, which no completion with one of these guards does.
const BOTH: &str = r##"{ "#meta": { "size": { "node": 2 } }, "states": [
  { "free": true, "holds": { "#set": [] } },
  { "free": false, "holds": { "#set": ["node_0"] } },
  { "free": false, "holds": { "#set": ["node_0", "node_1"] } }
] }"##;

fn keeping(trace: &str, answers: usize) -> CompleteRequest {
    CompleteRequest { keep: vec![SourceFile::new("run.itf.json", trace)], ..request(answers) }
}

#[test]
fn a_kept_trace_stays_a_run() {
    // Once taken, a lock that is marked as used is never free again: safe, and no handover.
    let text = "sort node\nrelation free\nrelation holds(node)\ninit free & ~holds(N)\n\
        action take(n: node) {\n  require free\n  free := false\n  holds(n) := true\n}\n\
        action drop(n: node) {\n  require holds(n)\n  holds(n) := false\n  free := ??{false, true}\n}\n\
        safety [one] holds(N) & holds(M) -> N = M\nreach drop\n";
    assert_eq!(fillings(&completed(text, 1)), ["false"]);
    let source = SourceFile::new("sketch.rml", text);
    let answer = complete(&source, &keeping(HANDOVER, 1));
    let answer = answer.map_err(|error| words(&source, &error)).expect("it is a sketch");
    assert_eq!(fillings(&answer), ["true"]);
    assert!(answer.completions[0].is_safe());
}

#[test]
fn a_kept_trace_that_no_completion_has_is_refused_at_its_step() {
    let source = SourceFile::new("sketch.rml", lock("??{free, free & ~holds(n)}"));
    let error = complete(&source, &keeping(BOTH, 1)).err().expect("it is refused");
    let words = words(&source, &error);
    assert!(
        words.contains("no completion has a run with step 2 of this trace after those before"),
        "{words}"
    );
    assert!(words.contains("run.itf.json:4:3"), "{words}");
    let elsewhere = HANDOVER.replace("\"free\": true, \"holds\": { \"#set\": [] } },\n  { \"free\": false, \"holds\": { \"#set\": [\"node_0\"]", "\"free\": false, \"holds\": { \"#set\": [] } },\n  { \"free\": false, \"holds\": { \"#set\": [\"node_0\"]");
    let error = complete(&source, &keeping(&elsewhere, 1)).err().expect("it is refused");
    let words = super::words(&source, &error);
    assert!(words.contains("no completion begins in the first state of this trace"), "{words}");
}

#[test]
fn a_kept_trace_rules_out_repairs() {
    let source = SourceFile::new("lock.rml", lock("true").replace("  require true\n", ""));
    let answer = repair(&source, &keeping(HANDOVER, 2)).unwrap_or_else(|_| panic!("it is unsafe"));
    assert!(!answer.repairs.is_empty());
    let error = repair(&source, &keeping("{ \"states\": [] }", 1)).err();
    assert!(matches!(error, Some(CompleteError::Trace(..))), "an empty trace is refused");
}

#[test]
fn a_goal_that_no_completion_reaches_is_refused() {
    let text = lock("??{true, free}")
        .replace("reach take", "reach exists N. holds(N) & free\nreach take")
        .replace("??{true, free}", "??{free, free & ~holds(n)}");
    let words = refused(&text);
    assert!(words.contains("no completion reaches this at the sizes tried"), "{words}");
    assert!(words.contains("reach exists N. holds(N) & free"), "{words}");
}

#[test]
fn a_wrong_argument_is_replaced() {
    let text = "sort node\nrelation token(node)\ninit token(N) & token(M) -> N = M\n\
        action pass(n: node, m: node) {\n  require token(n)\n  token(m) := false\n  token(m) := true\n}\n\
        safety [one] token(N) & token(M) -> N = M\n";
    let source = SourceFile::new("pass.rml", text);
    let request = CompleteRequest { most_edits: 1, ..request(6) };
    let answer = repair(&source, &request).unwrap_or_else(|_| panic!("it is unsafe"));
    let fixed = |own: &rmlcut::complete::Repair| {
        own.diff.iter().any(|line| line.trim_end() == "+   token(n) := false")
            && own.diff.iter().any(|line| line.trim_end() == "-   token(m) := false")
    };
    let diffs: Vec<_> = answer.repairs.iter().map(|own| own.diff.clone()).collect();
    assert!(answer.repairs.iter().any(fixed), "{diffs:?}");
}

/// Two assignments of one symbol: each of them must still do something.
#[test]
fn every_assignment_stays_effective() {
    let text = "sort node\nrelation sent(node, node)\nrelation gone(node)\ninit ~sent(N, M) & ~gone(N)\n\
        action send(n: node, m: node) {\n  require ~gone(n)\n  require n != m\n  sent(n, m) := true\n  sent(m, n) := true\n}\n\
        action leave(n: node) {\n  gone(n) := true\n}\n\
        safety [quiet] gone(N) -> ~sent(N, M)\n";
    let source = SourceFile::new("send.rml", text);
    let answer = repair(&source, &request(3)).unwrap_or_else(|_| panic!("it is unsafe"));
    for own in &answer.repairs {
        let send = own.completion.text.split("action leave").next().expect("the first action");
        assert!(send.contains("sent(n, m) := true"), "{send}");
        assert!(send.contains("sent(m, n) := true"), "{send}");
    }
}

#[test]
fn states_that_were_not_counted_are_not_reported() {
    let broken = lock("true").replace("  require true\n", "");
    let source = SourceFile::new("lock.rml", broken.as_str());
    let stopped = CompleteRequest { stop: Stop::never().within(Duration::ZERO), ..request(1) };
    let answer = repair(&source, &stopped).unwrap_or_else(|_| panic!("it is unsafe"));
    assert!(answer.repairs.iter().all(|own| own.states.is_none()));
}

#[test]
fn a_goal_that_needs_three_nodes_is_not_refuted_by_two() {
    let text = "sort node\nrelation seen(node)\ninit ~seen(N)\n\
        action see(n: node) {\n  require ??{seen(n), ~seen(n)}\n  seen(n) := true\n}\n\
        safety [trivial] seen(N) -> seen(N)\n\
        reach exists A, B, C. A != B & B != C & A != C & seen(A) & seen(B) & seen(C)\n";
    assert_eq!(fillings(&completed(text, 1)), ["~seen(n)"]);
}
