//! Which of two proofs is the answer, and what the searches for them learn from each other.

// A helper that cannot do its part fails the test.
#![allow(clippy::panic)]

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use crate::support::corpus;
use rmlcut::budget::{Budget, Stop};
use rmlcut::certificate::{Certificate, InvariantSystem, ProofArgument, print_certificate};
use rmlcut::finite::Silent;
use rmlcut::judge::{JudgeError, Verdict};
use rmlcut::logic::{Formula, Term, Var, print_formula};
use rmlcut::pipeline::read_protocol;
use rmlcut::protocol::{Protocol, Sort, StateFormula, StateVar};
use rmlcut::prove::{Prefer, ProofOutcome, ProveConfig, prove};
use rmlcut::source::SourceFile;
use rmlcut::synthesis::invariant::{InvariantOutcome, find_invariant};
use rmlcut::synthesis::mine::{Mining, SampleSize};
use rmlcut::synthesis::search;

fn protocol(path: &str) -> Protocol {
    let entries = corpus::entries();
    let entry = entries.iter().find(|entry| entry.path == path).expect("a file of the corpus");
    read(&entry.text)
}

fn read(text: &str) -> Protocol {
    read_protocol(&SourceFile::new("protocol.rml", text)).expect("a protocol").0
}

fn config() -> ProveConfig<'static> {
    ProveConfig {
        stop: Stop::never().within(Duration::from_secs(600)),
        prefer: Prefer::Cutoff,
        patience: 1,
        residual: 2,
        threads: 2,
        proved: &|| {},
        progress: &Silent,
    }
}

fn kind(certificate: &Certificate) -> Prefer {
    match certificate.argument {
        ProofArgument::Cutoff(_) => Prefer::Cutoff,
        ProofArgument::Invariant(_) => Prefer::Invariant,
    }
}

#[test]
fn a_cutoff_that_costs_much_more_than_an_invariant_is_not_waited_for() {
    // Its invariant takes the solver a moment, its cutoff a hundred times as long.
    let protocol = read(include_str!("relational/msi.rml"));
    let answer = |patience, threads| {
        let said = AtomicUsize::new(0);
        let proved = || {
            said.fetch_add(1, Ordering::SeqCst);
        };
        let config = ProveConfig { patience, threads, proved: &proved, ..config() };
        let outcome = prove(&protocol, &config).expect("the solver answers");
        let ProofOutcome { verdict, judged, comparison, .. } = outcome;
        let (certificate, _) = *judged.expect("a certificate");
        assert!(matches!(verdict, Verdict::Safe), "{verdict:?}");
        assert_eq!(said.into_inner(), 1, "the verdict is reported once");
        let comparison = comparison.expect("both kinds were looked for");
        (
            kind(&certificate),
            comparison.not_waited_for(),
            print_certificate(&protocol, &certificate, ""),
        )
    };
    let (kind, given_up, text) = answer(1, 2);
    assert_eq!((kind, given_up), (Prefer::Invariant, Some(Prefer::Cutoff)));
    assert_eq!(answer(1, 1).2, text, "with one thread");
    assert_eq!(answer(3, 2).0, Prefer::Cutoff, "with more patience");
}

#[test]
fn a_cutoff_that_costs_little_is_waited_for() {
    let protocol = protocol("commit/two_phase_commit.rml");
    let outcome = prove(&protocol, &config()).expect("the solver answers");
    let ProofOutcome { judged, comparison, .. } = outcome;
    let (certificate, _) = *judged.expect("a certificate");
    assert_eq!(kind(&certificate), Prefer::Cutoff);
    let comparison = comparison.expect("both kinds were looked for");
    let (cutoff, invariant) = (comparison.cutoff, comparison.invariant);
    assert!(invariant.units < cutoff.units / 4, "{} and {}", cutoff.units, invariant.units);
}

/// An invariant of a protocol that supposes some clauses, searched for in a moment.
fn invariant_with(protocol: &Protocol, candidates: &[StateFormula]) -> InvariantOutcome {
    let actions: Vec<usize> = (0..protocol.actions.len()).collect();
    let system = InvariantSystem::of_protocol(protocol, &actions);
    let stop = Stop::never().within(Duration::from_secs(120));
    let mining = Mining { samples: SampleSize { states: 1_000, total: 5_000 }, witnesses: false };
    find_invariant(system, candidates, mining, &Budget::until(stop)).expect("the solver answers")
}

/// A token that travels in messages: whoever is merged with the receiver must not have one too.
const COURIER: &str = "
sort node
relation token(node)
relation sent(node)
init token(N) & token(M) -> N = M
init ~sent(N)
action send(n: node, m: node) {
  require token(n)
  token(n) := false
  sent(m) := true
}
action receive(n: node) {
  require sent(n)
  sent(n) := false
  token(n) := true
}
safety [one_token] token(N) & token(M) -> N = M
";

#[test]
fn what_a_cutoff_needs_is_learnt_from_its_cases() {
    let protocol = read(COURIER);
    let budget =
        Budget { threads: 2, ..Budget::until(Stop::never().within(Duration::from_secs(240))) };
    let learnt = search(&protocol, &[], &budget).expect("the solver answers").learnt;
    let print = |clause| print_formula(&protocol.signature, clause);
    let learnt: Vec<String> = learnt.iter().map(print).collect();
    let lemma = "forall N1: node, N2: node. ~(token(N1) & sent(N2))";
    assert!(learnt.iter().any(|clause| clause == lemma), "a lemma: {learnt:#?}");
    let one = "& sent(X1) & sent(Y1) -> X1 = Y1";
    assert!(learnt.iter().any(|clause| clause.ends_with(one)), "of gamma: {learnt:#?}");
}

/// Six colours, and a level that does not rise once a node has all of them: what excludes a
/// violation is longer than what is searched for, and about integers.
const COLOURS: &str = "sort node
relation red(node)
relation green(node)
relation blue(node)
relation white(node)
relation black(node)
relation grey(node)
function level(node): int
relation inside(node)
init ~red(N) & ~green(N) & ~blue(N) & ~white(N) & ~black(N) & ~grey(N) & ~inside(N)
init level(N) = 0
action take_red(n: node) { require level(n) <= 5; red(n) := true }
action take_green(n: node) { require level(n) <= 5; green(n) := true }
action take_blue(n: node) { require level(n) <= 5; blue(n) := true }
action take_white(n: node) { require level(n) <= 5; white(n) := true }
action take_black(n: node) { require level(n) <= 5; black(n) := true }
action take_grey(n: node) { require level(n) <= 5; grey(n) := true }
action rise(n: node) {
  require ~(red(n) & green(n) & blue(n) & white(n) & black(n) & grey(n))
  level(n) := level(n) + 1
}
action enter(n: node) {
  require red(n) & green(n) & blue(n) & white(n) & black(n) & grey(n)
  require 5 < level(n)
  inside(n) := true
}
safety [closed] ~inside(N)
safety [with_red] inside(N) -> red(N)
";

/// A property of a protocol with one line more.
fn further(text: &str, line: &str) -> StateFormula {
    let protocol = read(&format!("{text}{line}\n"));
    protocol.properties.last().expect("a property").formula()
}

#[test]
fn an_invariant_is_found_with_a_clause_from_elsewhere() {
    let protocol = read(COLOURS);
    let all = "red(N) & green(N) & blue(N) & white(N) & black(N) & grey(N)";
    let needed = further(COLOURS, &format!("lemma [low] {all} -> level(N) <= 5"));
    let wrong = further(COLOURS, "lemma [wrong] red(N) -> level(N) <= 2");
    let is_open = |outcome| matches!(outcome, InvariantOutcome::Open { .. });
    let InvariantOutcome::Open { known, .. } = invariant_with(&protocol, &[]) else {
        panic!("found without help");
    };
    let known = |name: &str| known.clauses.iter().any(|clause| &*clause.name == name);
    assert!(known("with_red") && !known("closed"), "a property that is inductive is known");
    assert!(
        is_open(invariant_with(&protocol, std::slice::from_ref(&wrong))),
        "found with a false clause"
    );
    let InvariantOutcome::Found(invariant) = invariant_with(&protocol, &[wrong, needed.clone()])
    else {
        panic!("not found");
    };
    assert!(invariant.clauses.iter().any(|clause| clause.formula == needed));
}

#[test]
fn a_cutoff_is_found_with_clauses_of_an_invariant() {
    let protocol = protocol("coherence/mesi.rml");
    let found = |candidates: &[StateFormula]| {
        let budget =
            Budget { threads: 2, ..Budget::until(Stop::never().within(Duration::from_secs(240))) };
        let found = search(&protocol, candidates, &budget);
        found.expect("the solver answers").certificate
    };
    let InvariantOutcome::Found(invariant) = invariant_with(&protocol, &[]) else { panic!("open") };
    let clauses = invariant.clauses.into_iter();
    let candidates: Vec<_> = clauses.map(|clause| clause.formula).collect();
    assert!(found(&[]).is_none(), "found without help");
    assert!(found(&candidates).is_some(), "not found");
}

#[test]
fn an_ill_sorted_candidate_is_an_internal_error_and_no_weak_plan() {
    let protocol = read(COURIER);
    let (token, symbol) = protocol.signature.symbols().next().expect("a relation of nodes");
    let vars: Vec<StateVar> = ["N", "M"].map(|name| Var::new(name, symbol.params[0])).to_vec();
    let number = |var: &StateVar| Term::apply(token, vec![Term::var(var.clone())], Sort::Int);
    let mixed = Formula::equal(number(&vars[0]), number(&vars[1]));
    let mixed = Formula::forall(vars, mixed);
    let budget =
        Budget { threads: 2, ..Budget::until(Stop::never().within(Duration::from_secs(60))) };
    let found = search(&protocol, &[mixed], &budget);
    let error = JudgeError::from(found.expect_err("a relation is no function"));
    assert!(error.is_bug(), "{error}");
}
