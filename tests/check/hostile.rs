//! Certificates that are wrong, broken off, enormous or malicious: a message and a place, soon, and
//! never a panic.

use std::time::{Duration, Instant};

use rmlcut::diagnostic::Diagnostic;
use rmlcut::pipeline::{Origin, read_certificate};
use rmlcut::protocol::Protocol;
use rmlcut::source::SourceFile;

use super::program::{Desk, with_header};
use super::protocol;
use super::verdicts::{LOCK, TWO};

fn read(user: &Protocol, text: &str) -> Result<(), Vec<Diagnostic>> {
    let source = SourceFile::new("lock.cut", text);
    read_certificate(user, &source, Origin::AnyText).map(|_| ())
}

/// The first error, with the text it points at.
fn refusal(user: &Protocol, text: &str) -> (String, String) {
    let messages = read(user, text).expect_err("this is no certificate");
    let error = messages.iter().find(|message| message.is_error()).expect("an error");
    let span = error.primary.span;
    let end = span.end.min(text.len());
    (error.message.clone(), text[span.start.min(end)..end].to_owned())
}

#[test]
#[allow(clippy::too_many_lines)] // a table
fn mistakes_are_named_where_they_are() {
    let user = protocol(LOCK);
    let wrong = |from: &str, to: &str| {
        assert!(TWO.contains(from), "{from}");
        refusal(&user, &TWO.replace(from, to))
    };
    let mut others = Vec::new();
    for (from, to, message, place) in [
        ("for one", "for two", "there is no property named `two`", "two"),
        ("a: node", "a: nodes", "there is no sort named `nodes`", "nodes"),
        ("a: node", "free: node", "`free` already means something here", "free"),
        ("M = b\n", "M = c\n", "`c` is not a parameter", "c"),
        (", M = b\n", "\n", "`M` needs exactly one violator", "violators N = a"),
        ("N = a,", "N = a, Q = a,", "`Q` is not a variable of the property", "Q"),
        ("select a != b", "select a != N", "`N` is not bound", "N"),
        ("select a != b", "select held_C(na)", "`held_C` may not be read here", "held_C"),
        ("{ na, nb }", "{ na, na }", "`na` is listed twice", "na"),
        ("cut node", "cut int", "there is no sort named `int`", "int"),
        (
            "if n = a",
            "if held(n)",
            "`held` can change: only rigid symbols and parameters may be read here",
            "held",
        ),
        (
            "na if n = a",
            "sim(n) if n = a",
            "a map may not be defined by a map",
            "sim(n) if n = a else nb",
        ),
        ("na if n = a else nb", "a", "expected a `node_C`, found a `node`", "a"),
        ("start free := free", "start fre := free", "there is no symbol named `fre`", "fre"),
        (
            "start free := free",
            "rigid free := free",
            "`free` can change: define it under `start`",
            "free",
        ),
        ("start free := free", "start free(x) := free", "`free` has 0 arguments, not 1", "free"),
        ("[held]", "[free]", "two clauses are named `free`", "free"),
        ("free_L -> free_C", "free -> free_C", "`free` is ambiguous: `L` or `C`?", "free"),
        ("free_L -> free_C", "free_L' -> free_C", "`free_L'` may not be read here", "free_L'"),
        ("held_C(sim(N))", "held_C(N)", "", "N"),
        ("lockstep give(n) do give(sim(n))\n", "", "no answer to the action `give`", "two"),
        (
            "lockstep give(n) do give(sim(n))",
            "lockstep get stutter\n  lockstep give stutter",
            "there is no action named `get`",
            "get",
        ),
        (
            "do give(sim(n))",
            "{ when free_L stutter }",
            "the last alternative must be unconditional: add `otherwise …`",
            "when free_L stutter",
        ),
        ("do give(sim(n))", "do give(sim(n), na)", "`give` has 1 parameters, not 2", "give"),
        ("do give(sim(n))", "do give(n)", "expected a `node_C`, found a `node`", "n"),
        ("do give(sim(n))", "do give(sim(n)) with w := na", "`give` picks no `w`", "w"),
        (
            "lockstep give(n)",
            "lockstep take(m) stutter\n  lockstep give(n)",
            "`take` has two answers",
            "take",
        ),
    ] {
        let (said, at) = wrong(from, to);
        let right = if message.is_empty() { !said.is_empty() } else { said == message };
        if !right || at != place {
            others.push(format!("{to}: said `{said}` at `{at}`"));
        }
    }
    assert!(others.is_empty(), "{others:#?}");
}

#[test]
fn a_truncated_text_is_refused_with_a_message() {
    let user = protocol(LOCK);
    let text = with_header(LOCK, TWO);
    for (end, _) in text.char_indices() {
        let broken = &text[..end];
        match read(&user, broken) {
            Ok(()) => assert_eq!(broken.trim_end(), text.trim_end()),
            Err(messages) => assert!(messages.iter().any(Diagnostic::is_error), "{broken}"),
        }
    }
}

#[test]
fn shuffled_words_never_crash_the_reader() {
    let user = protocol(LOCK);
    let text = with_header(LOCK, TWO);
    let words: Vec<&str> = text.split_inclusive(' ').collect();
    for index in 0..words.len() {
        for other in [index + 1, index + 7, words.len() / 2] {
            let mut shuffled = words.clone();
            shuffled.swap(index, other % words.len());
            let _ = read(&user, &shuffled.concat());
        }
        let without: String = words
            .iter()
            .enumerate()
            .filter(|(at, _)| *at != index)
            .map(|(_, word)| *word)
            .collect();
        let _ = read(&user, &without);
    }
}

/// Reads a certificate that must be refused, or may be accepted, within a few seconds.
fn soon(text: &str) -> Result<(), Vec<Diagnostic>> {
    let user = protocol(LOCK);
    let start = Instant::now();
    let read = read(&user, text);
    assert!(start.elapsed() < Duration::from_secs(60), "{:?}", start.elapsed());
    read
}

#[test]
fn enormous_texts_are_answered_soon() {
    let many = |line: fn(usize) -> String| (0..5_000).map(line).collect::<String>();
    let clauses = many(|n| format!("  gamma [c{n}] free_L -> free_C\n"));
    assert!(soon(&TWO.replace("  gamma [free]", &format!("{clauses}  gamma [free]"))).is_ok());
    let lemmas = many(|n| format!("lemma [l{n}] held(N) -> held(N)\n"));
    assert!(soon(&format!("{lemmas}{TWO}")).is_ok());
    let elements: Vec<String> = (0..5_000).map(|n| format!("n{n}")).collect();
    let elements = elements.join(", ");
    let refused = soon(&TWO.replace("{ na, nb }", &format!("{{ na, nb, {elements} }}")));
    let messages = refused.expect_err("no cutoff is so large");
    assert_eq!(messages[0].message, "`node` has 5002 elements; 1000 is the limit");
    let deep = format!("{}free_L{}", "(".repeat(100_000), ")".repeat(100_000));
    assert!(soon(&TWO.replace("free_L ->", &format!("{deep} ->"))).is_err());
    let long = vec!["free_L"; 50_000].join(" & ");
    assert!(soon(&TWO.replace("free_L ->", &format!("{long} ->"))).is_ok());
    assert!(soon(&"case ".repeat(100_000)).is_err());
    assert!(soon(&"{".repeat(1_000_000)).is_err());
    assert!(soon("certificate 99999999999999999999 for lock\nsha256 00").is_err());
}

#[test]
fn what_is_no_text_is_refused_and_left_alone() {
    let desk = Desk::new(LOCK, TWO);
    std::fs::write(desk.path("lock.cut"), b"case \xff\xfe for one").expect("writable");
    let output =
        desk.command().args(["check", "lock.rml", "lock.cut"]).output().expect("it starts");
    assert_eq!(output.status.code(), Some(64));
    let words = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(words.contains("lock.cut:1:6: this is not text"), "{words}");
    assert_eq!(std::fs::read(desk.path("lock.cut")).expect("there"), b"case \xff\xfe for one");
    let output =
        desk.command().args(["check", "lock.rml", "none.cut"]).output().expect("it starts");
    assert_eq!(output.status.code(), Some(3));
}

#[test]
fn quantifiers_over_a_thousand_elements_are_not_multiplied_out() {
    let elements: Vec<String> = (0..998).map(|n| format!("n{n}")).collect();
    let elements = format!("{{ na, nb, {} }}", elements.join(", "));
    let nested = "  gamma [deep] forall A: node_C. exists B: node_C. forall D: node_C. \
                  held_C(A) | A = B | B = D | ~held_C(D)\n  gamma [free]";
    let desk =
        Desk::new(LOCK, &TWO.replace("{ na, nb }", &elements).replace("  gamma [free]", nested));
    let start = Instant::now();
    let mut command = desk.command();
    command.args(["check", "lock.rml", "lock.cut", "--no-finite", "--timeout", "1"]);
    let output = command.output().expect("it starts");
    assert!(start.elapsed() < Duration::from_secs(100), "{:?}", start.elapsed());
    assert_eq!(output.status.code(), Some(2), "{}", String::from_utf8_lossy(&output.stderr));
}

/// The protocol is another text: no message about a certificate points at a place in it.
#[test]
fn messages_about_history_point_into_the_certificate() {
    let user = protocol(LOCK);
    for (line, message, place) in [
        ("history relation held(node)", "the protocol already has a `held`", "held"),
        ("history relation n(node)\nhistory after take { n(n) := true }", "`n`", "take"),
        (
            "history relation h(node)\nhistory after take { h(free) := true }",
            "expected a term",
            "free",
        ),
        ("history after take { held(n, n) := true }", "`held`", "held"),
    ] {
        let text = format!("{line}\n{TWO}");
        let messages = read(&user, &text).expect_err("this is no certificate");
        let error = messages.iter().find(|own| own.is_error()).expect("an error");
        assert!(error.message.contains(message), "{line}: {}", error.message);
        let span = error.primary.span;
        assert!(text[span.start..span.end].contains(place), "{line}: {span:?}");
        for label in &error.secondary {
            assert!(label.span.start > 0 && label.span.end <= text.len(), "{line}: {label:?}");
        }
    }
}
