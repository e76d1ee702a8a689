//! The main job on the corpus: what is found is a certificate that stands on its own, and nothing
//! broken ever comes out safe.

// A helper that cannot do its part fails the test.
#![allow(clippy::panic)]

use std::path::Path;
use std::time::Duration;

use crate::support::corpus::{self, Expectation};
use rmlcut::budget::{Budget, Stop};
use rmlcut::certificate::{
    Case, Certificate, Closing, Invariant, InvariantSystem, ProofArgument, StateClause,
    print_certificate,
};
use rmlcut::elaborate::certificate::elaborate_certificate;
use rmlcut::finite::Silent;
use rmlcut::frontend::parse_certificate;
use rmlcut::judge::{FiniteConfig, JudgeConfig, Verdict, judge};
use rmlcut::logic::{Formula, Term, Var, VariableAssignment, evaluate_formula};
use rmlcut::pipeline::read_protocol;
use rmlcut::protocol::{PropertyKind, Protocol, StateFormula};
use rmlcut::prove::{Prefer, ProofOutcome, ProveConfig, prove};
use rmlcut::smt::z3::{ModelSize, Z3};
use rmlcut::source::{SourceFile, Span};
use rmlcut::synthesis::invariant::{InductionMoment, InvariantOutcome, find_invariant};
use rmlcut::synthesis::mine::{Mining, SampleSize};
use rmlcut::synthesis::{remember, search};

fn protocol(path: &str) -> Protocol {
    let entries = corpus::entries();
    let entry = entries.iter().find(|entry| entry.path == path).expect("a file of the corpus");
    let source = SourceFile::new(entry.path.as_str(), entry.text.as_str());
    read_protocol(&source).expect("the corpus is accepted").0
}

fn config(seconds: u64, prefer: Prefer) -> ProveConfig<'static> {
    ProveConfig {
        stop: Stop::never().within(Duration::from_secs(seconds)),
        prefer,
        patience: 1,
        residual: 2,
        threads: 2,
        proved: &|| {},
        progress: &Silent,
    }
}

fn synth(protocol: &Protocol, seconds: u64) -> ProofOutcome {
    prove(protocol, &config(seconds, Prefer::Cutoff)).expect("the solver answers")
}

/// What the search for a cutoff finds when nothing competes with it; it is judged safe.
fn searched(protocol: &Protocol) -> Certificate {
    let budget =
        Budget { threads: 2, ..Budget::until(Stop::never().within(Duration::from_secs(240))) };
    let certificate =
        search(protocol, &[], &budget).expect("the solver answers").certificate.expect("a cutoff");
    let limits = Budget {
        time: Duration::from_secs(120),
        max_states: 1_000_000,
        max_memory: 1 << 30,
        threads: 1,
        ..Budget::until(Stop::never())
    };
    let finite = FiniteConfig { budget: limits, residual: 2, progress: &Silent };
    let config = JudgeConfig {
        prover: &Z3 { models: ModelSize::Any },
        budget: Budget::of_time(Duration::from_secs(60)),
        wanted: &|_| true,
        finite: Some(finite),
    };
    let judgement = judge(protocol, &certificate, &config).expect("the solver answers");
    assert!(matches!(judgement.verdict, Verdict::Safe), "{:?}", judgement.verdict);
    certificate
}

/// Six states, once as an enumeration and once as relations: a clause may be about several elements
/// of an enumeration at once.
#[test]
fn an_enumeration_needs_fewer_clauses_than_its_relations() {
    let clauses = |name: &str| {
        let path = format!("{}/tests/six_states/{name}.rml", env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read_to_string(&path).expect("the file is readable");
        let protocol = read_protocol(&SourceFile::new(path, text)).expect("it is accepted").0;
        let ProofOutcome { verdict, judged, .. } =
            prove(&protocol, &config(240, Prefer::Invariant)).expect("the solver answers");
        assert!(matches!(verdict, Verdict::Safe), "{name}: {verdict:?}");
        match judged.expect("a certificate").0.argument {
            ProofArgument::Invariant(invariant) => invariant.clauses.len(),
            ProofArgument::Cutoff(_) => panic!("{name}: a cutoff"),
        }
    };
    assert_eq!((clauses("enumeration"), clauses("relations")), (3, 9));
}

/// The sizes of the cut sorts, case by case, of a certificate that is judged safe and reads back.
fn proved(path: &str) -> Vec<Vec<(String, usize)>> {
    let protocol = protocol(path);
    let certificate = searched(&protocol);
    let text = print_certificate(&protocol, &certificate, "");
    let parsed = parse_certificate(&SourceFile::new("found.cut", text.as_str()));
    assert!(parsed.diagnostics.is_empty(), "{path}: {:?}\n{text}", parsed.diagnostics);
    let read = elaborate_certificate(&protocol, &parsed.file).certificate;
    let read = read.expect("what was found reads back");
    assert_eq!(print_certificate(&protocol, &read, ""), text, "{path}");
    let ProofArgument::Cutoff(cases) = &certificate.argument else { return Vec::new() };
    let name = |sort| protocol.signature.sort_name(sort).to_string();
    let sizes = |case: &rmlcut::certificate::Case| {
        case.cut.iter().map(|cut| (name(cut.sort), cut.elements.len())).collect()
    };
    cases.iter().map(sizes).collect()
}

fn size(parts: &[(&str, usize)]) -> Vec<(String, usize)> {
    parts.iter().map(|(name, count)| ((*name).to_owned(), *count)).collect()
}

#[test]
fn two_violators_are_enough_for_mutual_exclusion_by_permission() {
    let cases = proved("mutual-exclusion/ricart_agrawala.rml");
    assert_eq!(cases, [size(&[("node", 2)])]);
}

#[test]
fn arcs_make_a_ring_of_two() {
    let cases = proved("leader-election/ring.rml");
    assert_eq!(cases, [size(&[("node", 2), ("id", 2)])]);
}

#[test]
fn an_idle_third_node_votes_when_it_is_needed() {
    let cases = proved("commit/two_phase_commit.rml");
    assert_eq!(cases, [size(&[("node", 3)]), size(&[("node", 2)])]);
}

#[test]
fn a_lock_server_with_one_lock_needs_two_clients() {
    let cases = proved("mutual-exclusion/lock_server.rml");
    assert_eq!(cases.last(), Some(&size(&[("node", 2)])), "the property, after its lemmas");
}

#[test]
fn a_node_in_both_quorums_is_all_of_the_quorum() {
    let cases = proved("consensus/toy_consensus.rml");
    assert_eq!(cases, [size(&[("quorum", 1), ("node", 1), ("value", 2)])]);
    let cases = proved("leader-election/quorum_vote.rml");
    assert_eq!(cases, [size(&[("quorum", 1), ("node", 3)])]);
}

#[test]
fn a_quorum_that_is_forgotten_is_remembered() {
    let user = protocol("consensus/toy_consensus.rml");
    let memory = remember(&user);
    let symbols = |protocol: &Protocol| protocol.signature.symbols().count();
    assert_eq!(symbols(&memory.large), symbols(&user) + 1);
    let nothing = protocol("mutual-exclusion/ricart_agrawala.rml");
    assert_eq!(remember(&nothing).large, nothing, "no action has a witness");
}

#[test]
fn history_that_an_invariant_does_not_need_is_left_out() {
    let user = protocol("consensus/single_decree_paxos.rml");
    let memory = remember(&user);
    let clause = |name: &str, formula: &StateFormula| StateClause {
        name: name.into(),
        formula: formula.clone(),
        span: Span::default(),
    };
    let plain = clause("agreement", &user.properties[0].formula());
    let (large, _) = memory.as_needed(&user, Invariant { clauses: vec![plain.clone()] });
    assert_eq!(large, user);
    let (last, declared) = memory.large.signature.symbols().last().expect("history");
    let sort = declared.result.expect("a function");
    let mut vars = memory.large.argument_vars(last);
    let value = Term::apply(last, vars.iter().cloned().map(Term::var).collect(), sort);
    let other = Var::new("y", sort);
    vars.push(other.clone());
    let about = Formula::forall(vars, Formula::equal(value, Term::var(other)));
    let needed = Invariant { clauses: vec![plain, clause("about_history", &about)] };
    let (large, needed) = memory.as_needed(&user, needed);
    assert_eq!(large.signature.symbols().count(), user.signature.symbols().count() + 1);
    let known = needed.clauses.iter().flat_map(|clause| clause.formula.symbols());
    assert!(known.into_iter().all(|id| (id.0 as usize) < large.signature.symbols().count()));
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

fn courier(text: &str) -> Protocol {
    read_protocol(&SourceFile::new("courier.rml", text)).expect("a protocol").0
}

#[test]
fn counterexamples_teach_the_lemmas_that_a_cutoff_needs() {
    let certificate = searched(&courier(COURIER));
    let ProofArgument::Cutoff(cases) = &certificate.argument else { panic!("an invariant") };
    assert!(cases.iter().all(|case| case.cut.len() == 1), "every case cuts the nodes");
    let lemmas = certificate.large.properties.iter();
    let lemmas = lemmas.filter(|property| property.kind == PropertyKind::Lemma);
    assert!(lemmas.count() > 0, "without a lemma two messages have one image");
}

#[test]
fn what_is_false_is_no_lemma() {
    let careless = COURIER.replace("  token(n) := false\n", "");
    assert!(matches!(synth(&courier(&careless), 120).verdict, Verdict::Unsafe(_)));
}

#[test]
fn nothing_broken_is_safe() {
    for entry in corpus::entries() {
        let Expectation::Unsafe { .. } = entry.header().expect("a header").expectation else {
            continue;
        };
        let protocol = protocol(&entry.path);
        match synth(&protocol, 6).verdict {
            Verdict::Unsafe(violated) => {
                violated.violation.trace.replay(&protocol).expect("a run of the protocol");
            }
            verdict => assert!(!matches!(verdict, Verdict::Safe), "{}", entry.path),
        }
    }
}

/// A lock that is granted by whoever holds it.
const TOKEN: &str = "sort node
relation holds(node)
relation sent(node)
constant first: node
init holds(N) <-> N = first
init ~sent(N)
action send(n: node, m: node) {
  require holds(n)
  holds(n) := false
  sent(m) := true
}
action receive(n: node) {
  require sent(n)
  sent(n) := false
  holds(n) := true
}
safety [one_holder] holds(N1) & holds(N2) -> N1 = N2
";

fn token(text: &str) -> Protocol {
    read_protocol(&SourceFile::new("token.rml", text)).expect("a protocol").0
}

#[test]
fn the_preferred_kind_of_proof_is_written_and_the_other_is_reported() {
    let protocol = token(TOKEN);
    for prefer in [Prefer::Cutoff, Prefer::Invariant] {
        let ProofOutcome { verdict, judged, comparison, .. } =
            prove(&protocol, &config(60, prefer)).expect("the solver answers");
        let (certificate, _) = *judged.expect("a certificate");
        assert!(matches!(verdict, Verdict::Safe), "{verdict:?}");
        let comparison = comparison.expect("both kinds were looked for");
        let kind = match certificate.argument {
            ProofArgument::Cutoff(_) => Prefer::Cutoff,
            ProofArgument::Invariant(_) => Prefer::Invariant,
        };
        assert!(comparison.of(kind).is_proof(), "{comparison:?}");
        assert!(kind == prefer || !comparison.of(prefer).is_proof(), "{comparison:?}");
    }
}

/// Protocols that are proved in a moment.
const QUICK: &[&str] = &[
    "commit/two_phase_commit.rml",
    "leader-election/ring.rml",
    "mutual-exclusion/lock_server.rml",
    "mutual-exclusion/ricart_agrawala.rml",
    "storage/basic_kv.rml",
];

#[test]
fn the_same_certificate_is_found_every_time() {
    for path in QUICK {
        let protocol = protocol(path);
        let found = |threads| {
            let config = ProveConfig { threads, ..config(600, Prefer::Cutoff) };
            let judged = prove(&protocol, &config).expect("the solver answers").judged;
            let (certificate, _) = *judged.unwrap_or_else(|| panic!("{path} is not proved"));
            print_certificate(&protocol, &certificate, "")
        };
        let text = found(2);
        assert_eq!(found(1), text, "{path} with one thread");
        let mut settings = insta::Settings::clone_current();
        let (family, file) = path.rsplit_once('/').expect("every protocol belongs to a family");
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("snapshots/found").join(family);
        settings.set_snapshot_path(folder);
        settings.set_prepend_module_to_snapshot(false);
        settings.set_omit_expression(true);
        settings.bind(|| insta::assert_snapshot!(file.trim_end_matches(".rml"), text));
    }
}

/// That a response was sent is not enough: there is a request that it answers.
#[test]
fn an_invariant_may_say_that_something_exists() {
    let protocol = protocol("services/request_response.rml");
    let found = prove(&protocol, &config(600, Prefer::Invariant)).expect("the solver answers");
    let (certificate, judgement) = *found.judged.expect("it is proved");
    assert!(matches!(judgement.verdict, Verdict::Safe), "{:?}", judgement.verdict);
    let text = print_certificate(&protocol, &certificate, "");
    assert!(text.contains("answered(C, R) -> exists R0: request."), "{text}");
}

#[test]
fn the_nearest_miss_lists_what_fails() {
    // Four nodes are needed, and the search names three at most.
    let protocol = token(
        "sort node
relation in(node)
init ~in(N)
action enter(a: node, b: node, c: node, d: node) {
  require a != b & a != c & a != d & b != c & b != d & c != d
  in(a) := true
  in(b) := true
}
safety [alone] in(N) & in(M) -> N = M
",
    );
    let budget =
        Budget { threads: 2, ..Budget::until(Stop::never().within(Duration::from_secs(60))) };
    let found = search(&protocol, &[], &budget).expect("the solver answers");
    assert!(found.certificate.is_none(), "a cutoff was found");
    let ProofArgument::Cutoff(cases) = &found.attempt.argument else { panic!("no cases") };
    let carries = |case: &Case| case.gamma.iter().any(|clause| clause.name.starts_with("in"));
    assert!(cases.len() == 1 && cases.iter().all(carries), "what carries the violation over");
    let why = found.attempts.iter().filter_map(|attempt| attempt.failure.as_deref());
    assert!(why.into_iter().any(|why| why.contains("enter does not keep in")));
}

#[test]
fn no_kind_of_proof_is_found_for_a_token_that_is_copied() {
    let copied = TOKEN.replace("  holds(n) := false\n", "");
    assert!(matches!(synth(&token(&copied), 20).verdict, Verdict::Unsafe(_)));
}

#[test]
fn what_needs_many_elements_or_large_numbers_is_found() {
    let crowd = "sort node
relation up(node)
relation bad
init ~up(N) & ~bad
action rise(n: node) { up(n) := true }
action boom(a: node, b: node, c: node, d: node) {
  require a != b & a != c & a != d & b != c & b != d & c != d
  require up(a) & up(b) & up(c) & up(d)
  bad := true
}
safety [calm] ~bad
";
    let late = "sort node
variable count: int
relation bad(node)
init count = 0 & ~bad(N)
action tick { count := count + 1 }
action boom(n: node) { require count = 40; bad(n) := true }
safety [calm] ~bad(N)
";
    for text in [crowd, late] {
        for threads in [1, 2] {
            let config = ProveConfig { threads, ..config(60, Prefer::Cutoff) };
            let outcome = prove(&token(text), &config).expect("the solver answers");
            assert!(matches!(outcome.verdict, Verdict::Unsafe(_)), "{text}");
        }
    }
}

#[test]
fn the_time_is_kept_where_nothing_is_found() {
    let protocol = protocol("consensus/single_decree_paxos.rml");
    let start = std::time::Instant::now();
    let outcome = synth(&protocol, 3);
    // Far less is expected; only a search that ignores its limit takes that long on any machine.
    assert!(start.elapsed() < Duration::from_secs(45), "{:?}", start.elapsed());
    let (None, Some(comparison)) = (outcome.judged, outcome.comparison) else { return };
    let stuck = comparison.invariant.stuck.first().expect("where the search was left");
    assert!(stuck.case.is_none());
}

#[test]
fn a_step_shows_what_an_invariant_would_have_to_exclude() {
    // Who is counted is counted once: no clause about a bounded number of elements says so.
    let protocol = token(
        "sort node
relation in(node)
variable count: int
init ~in(N)
init count = 0
action enter(n: node) {
  require ~in(n)
  in(n) := true
  count := count + 1
}
action leave(n: node) {
  require in(n)
  in(n) := false
  count := count + -1
}
safety [never_negative] 0 <= count
",
    );
    let ProofOutcome { judged: None, comparison: Some(comparison), .. } = synth(&protocol, 8)
    else {
        panic!("proved")
    };
    let stuck = &comparison.invariant.stuck[0];
    let step = stuck.step.as_ref().expect("a step that breaks the property");
    let InductionMoment::After { before, invocation, after: Some(after) } = &step.moment else {
        panic!("{step:?}");
    };
    assert_eq!(&*step.clause, "never_negative");
    assert_eq!(&*protocol.actions[invocation.action].name, "leave");
    let property = protocol.properties[0].formula();
    let holds = |state| evaluate_formula(state, &VariableAssignment::new(), &property);
    assert_eq!((holds(before), holds(after)), (Ok(true), Ok(false)));
}

#[test]
fn integers_that_a_cutoff_leaves_open_are_closed_by_an_invariant() {
    let protocol = protocol("mutual-exclusion/lock_server_queue.rml");
    let (certificate, judgement) = *synth(&protocol, 240).judged.expect("a certificate");
    assert!(matches!(judgement.verdict, Verdict::Safe), "{:?}", judgement.verdict);
    let ProofArgument::Cutoff(cases) = &certificate.argument else { panic!("no cutoff") };
    assert!(cases.iter().all(|case| matches!(case.closing, Closing::Invariant(_))));
}

/// A vault that four keys open: no node ever has all of them.
const VAULT: &str = "sort node
relation red(node)
relation green(node)
relation blue(node)
relation white(node)
relation inside(node)
init ~red(N) & ~green(N) & ~blue(N) & ~white(N) & ~inside(N)
action take_red(n: node) {
  require ~(green(n) & blue(n) & white(n))
  red(n) := true
}
action take_green(n: node) {
  require ~(red(n) & blue(n) & white(n))
  green(n) := true
}
action take_blue(n: node) {
  require ~(red(n) & green(n) & white(n))
  blue(n) := true
}
action take_white(n: node) {
  require ~(red(n) & green(n) & blue(n))
  white(n) := true
}
action enter(n: node) {
  require red(n) & green(n) & blue(n) & white(n)
  inside(n) := true
}
safety [closed] ~inside(N)
";

#[test]
fn clauses_that_no_template_has_are_found_from_diagrams() {
    let protocol = token(VAULT);
    let actions: Vec<usize> = (0..protocol.actions.len()).collect();
    let system = InvariantSystem::of_protocol(&protocol, &actions);
    let budget = Budget {
        time: Duration::from_secs(20),
        ..Budget::until(Stop::never().within(Duration::from_secs(120)))
    };
    let mining = Mining { samples: SampleSize { states: 1_000, total: 2_000 }, witnesses: false };
    let outcome = find_invariant(system, &[], mining, &budget).expect("well-sorted");
    let InvariantOutcome::Found(invariant) = outcome else { panic!("{outcome:?}") };
    let clauses = invariant.clauses.iter();
    let symbols = clauses.map(|clause| clause.formula.symbols().len()).max();
    assert_eq!(symbols, Some(4), "four keys together: {invariant:?}");
}
