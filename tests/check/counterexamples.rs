//! Counterexamples that a person can use: small, named, played through, with the reason.

use rmlcut::explain::{Explanation, Fact, MoveOutcome, explain};
use rmlcut::judge::Judgement;
use rmlcut::protocol::Protocol;
use rmlcut::report;
use rmlcut::smt::Standing;

use super::verdicts::{HEADER, LOCK, TWO, judged};
use super::{certificate, protocol};

/// The explanation of the one refuted obligation of this title.
fn explained(user: &Protocol, body: &str, title: &str) -> Explanation {
    let certificate = certificate(user, &format!("{HEADER}{body}"));
    let judgement: Judgement = judged(user, body);
    let judged = judgement.obligations().find(|judged| judged.obligation.title() == title);
    let judged = judged.unwrap_or_else(|| panic!("no obligation is called {title}"));
    let model = judged.discharge.counter_model();
    let model = model.unwrap_or_else(|| panic!("{title} is not refuted"));
    explain(&certificate, &judged.obligation, model)
}

fn fact(text: &str, holds: bool) -> Fact {
    Fact { text: text.to_owned(), holds }
}

#[test]
fn a_lost_clause_names_the_elements_and_the_facts() {
    let user = protocol(LOCK);
    let lost = TWO.replace("do give(sim(n))", "stutter");
    let explanation = explained(&user, &lost, "two: step give / keeps free");
    assert_eq!(explanation.standing, Standing::Evaluated);
    assert_eq!(explanation.sizes, [("node".to_owned(), 2)]);
    assert_eq!(explanation.large.len(), 1, "{:?}", explanation.large);
    assert_eq!(explanation.failing.what, "gamma free");
    assert_eq!(explanation.failing.facts, [fact("free_L", true), fact("free_C", false)]);
    assert_eq!(explanation.suggestions, ["C stutters while L gains `free_L`: let C answer"]);
    let step = explanation.step.expect("a step");
    assert!(step.action.starts_with("give(n = ") && step.moves.is_empty(), "{step:?}");
    assert!(step.changes.contains(&"+ free_L".to_owned()), "{step:?}");
}

#[test]
fn a_disabled_move_names_the_guard() {
    let user = protocol(LOCK);
    let weak = TWO.replace("  gamma [free] free_L -> free_C\n", "");
    let explanation = explained(&user, &weak, "two: step take / enabled 1");
    assert_eq!(explanation.failing.what, "the guard of take in C");
    assert_eq!(explanation.failing.formula, "free");
    assert_eq!(explanation.failing.facts, [fact("free_C", false)]);
    assert_eq!(explanation.step.expect("a step").moves[0].outcome, MoveOutcome::Impossible);
    assert!(explanation.suggestions[0].contains("add a clause that carries it from L to C"));
}

#[test]
fn the_guard_after_a_havoc_is_judged_with_the_named_choice() {
    let user = protocol(
        "sort node\nvariable w: node\nrelation blocked(node)\nrelation crit(node)\n\
         init ~blocked(N) & ~crit(N)\n\
         action enter(n: node) {\n  w := *\n  require w != n & ~blocked(n)\n  crit(n) := true\n  \
         blocked(w) := true\n}\nsafety [one] crit(N) & crit(M) -> N = M",
    );
    let case = "case two for one {\n  params a: node, b: node\n  violators N = a, M = b\n  \
         select a != b\n  cut node = { na, nb }\n  sim node(n) := na if n = a else nb\n  \
         gamma [crit] crit_L(N) -> crit_C(sim(N))\n  gamma [free] blocked_C(sim(N)) -> blocked_L(N)\n  \
         lockstep enter(n) do enter(sim(n)) with w := sim(any_w)\n}\n";
    let explanation = explained(&user, case, "two: step enter / enabled 1");
    assert_eq!(explanation.failing.formula, "w != n");
    assert_eq!(explanation.failing.facts, [fact("w_C = nb", true)]);
}

#[test]
fn an_uncovered_violation_shows_which_elements_coincide() {
    let user =
        protocol("sort node\nrelation bad(node)\nsafety [none] ~(bad(N) & bad(M))\ninit ~bad(N)");
    let case = "case two for none {\n  params a: node, b: node\n  violators N = a, M = b\n  \
         select a != b\n  cut node = { na, nb }\n  sim node(n) := na if n = a else nb\n}\n";
    let explanation = explained(&user, case, "cover none");
    assert_eq!(explanation.cutoff, None);
    assert_eq!(explanation.suggestions, ["here N = M: add a case for it, or a weaker `select`"]);
}

#[test]
fn a_property_without_a_case_is_reported() {
    let user = protocol(LOCK);
    let case = TWO.replace("case two for one", "lemma [calm] free -> ~held(N)\ncase two for one");
    let explanation = explained(&user, &case, "cover calm");
    let hint = "`calm` has no case: add one, or rank lemmas before it from which it follows";
    assert_eq!(explanation.suggestions, [hint]);
    assert!(explanation.elements.is_empty(), "{explanation:?}");
    let text = report::text::check::counterexample::text(&explanation);
    assert!(text.lines().all(|line| line.chars().count() <= 100), "{text}");
}

/// Epochs in order, and a relation that has nothing to do with anything.
const EPOCHS: &str = "\
sort node, epoch
rigid relation le(epoch, epoch)
rigid relation near(node, node)
axiom [total] le(X, Y) | le(Y, X)
axiom [order] le(X, Y) & le(Y, X) -> X = Y
axiom [chain] le(X, Y) & le(Y, Z) -> le(X, Z)
axiom [near] near(X, X)
function ep(node): epoch
relation held(node)
init ~held(N)
action take(n: node, e: epoch) { require ~le(e, ep(n)); ep(n) := e; held(n) := true }
safety [one] held(N) & held(M) -> N = M
";

#[test]
fn only_relevant_facts_are_shown() {
    let user = protocol(EPOCHS);
    let case = "case two for one {\n  params a: node, b: node\n  violators N = a, M = b\n  \
         select a != b\n  cut node = { x, y }\n  sim node(n) := x if n = a else y\n  \
         rigid near(m, n) := true\n  start ep(n) := ep(a)\n  \
         gamma [held] held_L(N) -> held_C(sim(N))\n  \
         lockstep take(n, e) do take(sim(n), e)\n}\n";
    let explanation = explained(&user, case, "two: step take / enabled 1");
    let facts = explanation.large.iter().chain(explanation.cutoff.iter().flatten());
    let order: Vec<&String> = facts.clone().filter(|fact| fact.starts_with("le_L(")).collect();
    assert!(!order.is_empty(), "{explanation:?}");
    for epoch in ["epoch0", "epoch1", "epoch2"] {
        assert!(
            !order.iter().any(|fact| **fact == format!("le_L({epoch}, {epoch})")),
            "{explanation:?}"
        );
    }
    assert!(facts.clone().all(|fact| !fact.starts_with("near")), "{explanation:?}");
    assert!(
        explanation.suggestions[0].starts_with("nothing says enough about `ep_C`"),
        "{explanation:?}"
    );
    // The axiom that the definition breaks, and nothing else.
    let wrong = case.replace("near(m, n) := true", "near(m, n) := false");
    let explanation = explained(&user, &wrong, "two: rigid near");
    assert_eq!(
        (explanation.large.as_slice(), explanation.cutoff.as_deref()),
        (&[][..], Some(&[][..]))
    );
    assert_eq!(explanation.suggestions, ["this is about definitions: look at `rigid near`"]);
}

#[test]
fn a_consumed_message_asks_for_a_refill() {
    let user = protocol(
        "sort node\nrelation sent(node)\nrelation got(node)\ninit ~sent(N) & ~got(N)\n\
         action send(n: node) { sent(n) := true }\n\
         action take(n: node) { require sent(n); sent(n) := false; got(n) := true }\n\
         safety [few] got(N) & got(M) -> N = M",
    );
    let case = "case two for few {\n  params a: node, b: node\n  violators N = a, M = b\n  \
         cut node = { all }\n  gamma [sent] sent_L(N) -> sent_C(sim(N))\n  \
         gamma [got] got_L(N) -> got_C(sim(N))\n  lockstep send(n) do send(sim(n))\n  \
         lockstep take(n) do take(sim(n))\n}\n";
    let explanation = explained(&user, case, "two: step take / keeps sent");
    assert!(
        explanation.suggestions[0].contains("add a refill step to the answer"),
        "{explanation:?}"
    );
    let explanation = explained(&user, case, "two: safety few");
    assert!(explanation.failing.what.starts_with("C violates nothing"), "{explanation:?}");
}

#[test]
fn an_invariant_is_explained_by_one_state() {
    let user = protocol(LOCK);
    let body = "invariant {\n  [one] held(N) & held(M) -> N = M\n}\n";
    let explanation = explained(&user, body, "consecution take / one");
    assert_eq!(explanation.cutoff, None);
    assert_eq!(explanation.failing.what, "clause one");
    let text = report::text::check::counterexample::text(&explanation);
    assert!(text.contains("  state       free, held(node"), "{text}");
    assert!(text.contains("  step        take(n = node"), "{text}");
}
