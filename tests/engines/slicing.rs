//! Slicing keeps what is read and what the claims mention, and never fixes what it leaves out.

use rmlcut::finite::{FiniteOutcome, Question, Slicing};
use rmlcut::protocol::{Protocol, Size};

use crate::engines::{EXPLICIT, SAT, ask, protocol, size, verdict};

fn sliced<'a>(protocol: &'a Protocol, text: &str) -> Question<'a> {
    Question { slicing: Slicing::Sliced, ..Question::new(protocol, size(protocol, text)) }
}

fn left_out(protocol: &Protocol, question: &Question<'_>) -> Vec<String> {
    match ask(EXPLICIT, question).expect("an answer") {
        FiniteOutcome::Safe(coverage)
        | FiniteOutcome::Unsafe(_, coverage)
        | FiniteOutcome::Unknown(_, coverage) => {
            let name = |id| protocol.signature.symbol(id).name.to_string();
            coverage.left_out.into_iter().map(name).collect()
        }
    }
}

#[test]
fn what_a_property_reads_is_kept() {
    let protocol = protocol(
        "sort node\nrelation won(node)\nrelation log(node)\ninit ~won(N)\n\
         action win(n: node) { won(n) := true; log(n) := true }\n\
         safety [one] won(N) & won(M) -> N = M\n",
    );
    let question = sliced(&protocol, "node=2");
    assert_eq!(left_out(&protocol, &question), ["log"]);
    for engine in [EXPLICIT, SAT] {
        assert_eq!(verdict(&ask(engine, &question).expect("an answer")), "unsafe in 2");
    }
}

#[test]
fn what_is_left_out_has_no_value() {
    let text = "sort node\nrelation r(node)\nrelation s(node)\nrelation bad\n\
                init s(N) -> r(N)\ninit ~bad\n\
                action go(n: node) { require s(n); bad := true }\n\
                safety [good] ~bad\n";
    let protocol = protocol(text);
    let question = sliced(&protocol, "node=1");
    assert_eq!(left_out(&protocol, &question), ["r"]);
    for engine in [EXPLICIT, SAT] {
        let outcome = ask(engine, &question).expect("an answer");
        assert_eq!(verdict(&outcome), "unsafe in 1");
        let FiniteOutcome::Unsafe(violation, _) = outcome else { panic!("unsafe") };
        assert_eq!(violation.trace.replay(&protocol), Ok(()), "the trace is one of the whole");
    }
}

#[test]
fn what_is_left_out_still_constrains_the_start() {
    let text = "sort node\nrigid relation never(node)\naxiom ~never(N)\nrelation r(node)\n\
                relation bad\ninit r(N) -> never(N)\ninit bad -> exists N. r(N)\n\
                action stay { require bad; bad := true }\nsafety [good] ~bad\n";
    let protocol = protocol(text);
    let question = sliced(&protocol, "node=2");
    assert_eq!(left_out(&protocol, &question), ["never", "r"]);
    for engine in [EXPLICIT, SAT] {
        assert_eq!(verdict(&ask(engine, &question).expect("an answer")), "safe");
    }
}

#[test]
fn integers_that_are_left_out_need_no_range() {
    let text = "sort node\nvariable last: int\nrelation on(node)\ninit last = 100\ninit ~on(N)\n\
                action flip(n: node) { on(n) := true; last := 7 }\n\
                safety [some_off] ~(on(N) & on(M) & N != M)\n";
    let protocol = protocol(text);
    let question = sliced(&protocol, "node=2");
    assert_eq!(left_out(&protocol, &question), ["last"]);
    for engine in [EXPLICIT, SAT] {
        let outcome = ask(engine, &question).expect("an answer");
        assert_eq!(verdict(&outcome), "unsafe in 2");
    }
    let whole = Question { slicing: Slicing::Whole, ..question };
    assert!(ask(EXPLICIT, &whole).is_err(), "the whole needs a range");
}

#[test]
fn only_the_allowed_actions_count() {
    let text = "sort node\nrelation a(node)\nrelation b(node)\nrelation bad\n\
                init ~a(N)\ninit ~bad\n\
                action harmless(n: node) { a(n) := true }\n\
                action harmful(n: node) { require b(n); bad := true }\n\
                safety [good] ~bad\n";
    let protocol = protocol(text);
    let mut question = sliced(&protocol, "node=2");
    assert_eq!(verdict(&ask(EXPLICIT, &question).expect("an answer")), "unsafe in 1");
    question.actions = vec![0];
    assert_eq!(left_out(&protocol, &question), ["a", "b"]);
    assert_eq!(verdict(&ask(EXPLICIT, &question).expect("an answer")), "safe");
}

#[test]
fn an_unread_value_may_be_picked_from_all_integers() {
    let text = "
        variable number: int
        relation bad
        init ~bad
        action fail { number := *; bad := true }
        safety [good] ~bad
    ";
    let protocol = protocol(text);
    for engine in [EXPLICIT, SAT] {
        let question =
            Question { slicing: Slicing::Sliced, ..Question::new(&protocol, Size::new()) };
        assert_eq!(verdict(&ask(engine, &question).expect("an answer")), "unsafe in 1");
    }
}
