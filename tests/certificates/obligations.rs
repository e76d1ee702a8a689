//! Each obligation and each hypothesis, in a certificate that stands or falls with it.

use std::time::Duration;

use rmlcut::budget::Budget;
use rmlcut::certificate::Certificate;
use rmlcut::elaborate::certificate::{Origin, elaborate_certificate};
use rmlcut::finite::Silent;
use rmlcut::frontend::parse_certificate;
use rmlcut::judge::{
    FiniteConfig, JudgeConfig, Judged, every_obligation, judge, judge_obligations,
};
use rmlcut::pipeline::read_protocol;
use rmlcut::protocol::Protocol;
use rmlcut::smt::z3::{ModelSize, Z3};
use rmlcut::source::SourceFile;

use super::{certificate, judged, limits, path, protocol, verdict_in_words, with_config};

/// Every node that is ready can become bad.
const SPOILING: &str = "\
sort node
relation ready(node)
relation bad(node)
init ~ready(N)
init ~bad(N)
action prepare(n: node) { ready(n) := true }
action spoil(n: node) { require ready(n); bad(n) := true }
safety [good] ~bad(N)
";

/// One node follows another; the inserted lines define its action.
const FOLLOWING: &str = "\
case following for good {
  params a: node
  violators N = a
  cut node = { x }
  gamma [bad] bad_L(a) -> bad_C(x)
";

fn read(protocol: &str, body: &str) -> (Protocol, Certificate) {
    let source = SourceFile::new("example.rml", protocol);
    let (user, _) = read_protocol(&source).expect("the protocol is right");
    let parsed = parse_certificate(&SourceFile::new("example.cut", body));
    let elaborated = elaborate_certificate(&user, &parsed.file);
    let messages = [parsed.diagnostics, elaborated.diagnostics].concat();
    let certificate = elaborated.certificate.unwrap_or_else(|| panic!("{messages:?}\n{body}"));
    (user, certificate)
}

/// The titles of the obligations that do not hold.
fn open(protocol: &str, body: &str) -> Vec<String> {
    let (_, certificate) = read(protocol, body);
    let all = every_obligation(&certificate);
    let judged = with_config(&|_| true, |config| judge_obligations(all, config));
    let judged = judged.expect("the solver answers");
    let open = judged.iter().filter(|judged| !Judged::is_valid(judged));
    open.map(|judged| judged.obligation.title()).collect()
}

/// What does not hold of a case of one node that answers like this.
fn following(lines: &str) -> Vec<String> {
    open(SPOILING, &format!("{FOLLOWING}{lines}}}\n"))
}

#[test]
fn cover_uses_the_cases_of_its_property() {
    // Nothing is left to show of the second property, and nothing is shown of the first.
    let twice = format!("{SPOILING}safety [fine] ~bad(N)\n");
    let lines = "  lockstep prepare stutter\n  lockstep spoil stutter\n}\n";
    let fine = FOLLOWING.replace("for good", "for fine");
    assert!(open(&twice, &format!("{fine}{lines}")).contains(&"cover good".to_owned()));
    let good = format!("{FOLLOWING}{lines}");
    assert!(!open(&twice, &good).contains(&"cover good".to_owned()));
}

#[test]
fn what_can_change_is_not_assumed_from_the_start() {
    // The violator is bad in the end, not before.
    let open = following("  lockstep prepare stutter\n  lockstep spoil stutter\n");
    assert_eq!(open, ["following: step spoil / keeps bad"]);
}

#[test]
fn an_alternative_applies_where_no_earlier_one_does() {
    let first = "  lockstep prepare(n) {\n    when n = a do prepare(x)\n    otherwise stutter\n  }\n  \
        gamma [ready] ready_L(a) -> ready_C(x)\n";
    let spoil = |alternatives: &str| format!("{first}  lockstep spoil(n) {{\n{alternatives}  }}\n");
    let right = spoil("    when n = a do spoil(x)\n    otherwise stutter\n");
    assert_eq!(following(&right), Vec::<String>::new());
    let wrong = spoil("    when n != a stutter\n    otherwise stutter\n");
    assert_eq!(following(&wrong), ["following: step spoil #2 / keeps bad"]);
}

#[test]
fn a_move_sees_what_the_moves_before_it_did() {
    let answer = |moves: &str| {
        format!(
            "  lockstep prepare stutter\n  lockstep spoil(n) {{\n    \
             when n = a do {moves}\n    otherwise stutter\n  }}\n"
        )
    };
    assert_eq!(following(&answer("prepare(x) then spoil(x)")), Vec::<String>::new());
    let early = following(&answer("spoil(x) then prepare(x)"));
    assert_eq!(early, ["following: step spoil / enabled 1"]);
}

#[test]
fn an_answer_may_read_the_state_after_the_step() {
    let answer = |condition: &str| {
        format!(
            "  lockstep prepare stutter\n  lockstep spoil {{\n    \
             when {condition} do prepare(x) then spoil(x)\n    otherwise stutter\n  }}\n"
        )
    };
    assert_eq!(following(&answer("bad_L'(a)")), Vec::<String>::new());
    assert_eq!(following(&answer("bad_L(a)")), ["following: step spoil #2 / keeps bad"]);
}

#[test]
fn an_invariant_of_the_cutoff_implies_what_is_assumed_of_it() {
    let lines = "  lockstep prepare stutter\n  lockstep spoil stutter\n  only [calm] ~ready(x)\n  \
        close by invariant { [good] ~bad(N) }\n";
    assert!(following(lines).contains(&"following: implication / calm".to_owned()));
    let strong = lines.replace("[good]", "[calm] ~ready(x)\n    [good]");
    assert!(!following(&strong).contains(&"following: implication / calm".to_owned()));
}

#[test]
fn an_invariant_holds_initially() {
    let all_bad = "invariant {\n  [worst] bad(N)\n}\n";
    assert!(open(SPOILING, all_bad).contains(&"initiation / worst".to_owned()));
    let none_bad = "invariant {\n  [best] ~bad(N)\n}\n";
    assert!(!open(SPOILING, none_bad).contains(&"initiation / best".to_owned()));
}

/// A lock with tickets of which there may be any number.
const TICKETS: &str = "\
sort node, ticket
relation held(node)
relation used(ticket)
init ~held(N)
init ~used(T)
action take(n: node, t: ticket) {
  require ~used(t) & forall M: node. ~held(M)
  used(t) := true
  held(n) := true
}
action give(n: node) { require held(n); held(n) := false }
safety [one] held(N1) & held(N2) -> N1 = N2
";

const TWO_HOLDERS: &str = "\
case two for one {
  params a: node, b: node
  violators N1 = a, N2 = b
  cut node = { x, y }
  sim node(n) := x if n = a else y
  gamma [held] held_L(N) -> held_C(sim(N))
  gamma [used] used_C(T) -> used_L(T)
  gamma [alone] held_C(M) -> exists N: node. sim(N) = M & held_L(N)
  lockstep take(n, t) do take(sim(n), t)
  lockstep give(n) do give(sim(n))
}
";

/// More time than any search needs.
const LONG: Duration = Duration::from_secs(60);

/// The verdict, with so much time for the search of each size.
fn searched(protocol: &str, time: Duration) -> String {
    let (user, certificate) = read(protocol, TWO_HOLDERS);
    let limits = Budget { time, ..limits() };
    let finite = FiniteConfig { budget: limits, residual: 3, progress: &Silent };
    let budget = Budget::of_time(Duration::from_secs(60));
    let prover = Z3 { models: ModelSize::Any };
    let config = JudgeConfig { prover: &prover, budget, wanted: &|_| true, finite: Some(finite) };
    let judgement = judge(&user, &certificate, &config).expect("the solver answers");
    verdict_in_words(&user, &judgement.verdict)
}

#[test]
fn a_search_that_gives_up_closes_nothing() {
    assert_eq!(searched(TICKETS, LONG), "safe up to ticket=3");
    let open = searched(TICKETS, Duration::ZERO);
    assert!(open.starts_with("unproved: two: finite: at node=2, ticket="), "{open}");
}

#[test]
fn a_size_that_is_too_large_closes_nothing() {
    let wide = format!("relation wide({})\n", ["ticket"; 11].join(", "));
    let open = searched(&TICKETS.replace("init ~held", &format!("{wide}init ~held")), LONG);
    let expected = "unproved: two: finite: at node=2, ticket=3: a state of this size takes";
    assert!(open.starts_with(expected), "{open}");
}

#[test]
fn gamma_that_needs_a_property_of_the_cutoff_is_not_inductive() {
    let user = protocol(&path("tests/refused/never_armed.rml"));
    let file = path("tests/refused/kept_by_what_finite_checks.cut");
    let certificate = certificate(&user, &file, Origin::AnyText).expect("it can be read");
    let judgement = judged(&user, &certificate, &|_| true);
    let words = verdict_in_words(&user, &judgement.verdict);
    assert_eq!(words, "unproved: attack: finite: a run of C violates calm");
}
