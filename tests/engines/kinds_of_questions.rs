//! Every kind of question with every engine: lemmas, selected properties, deadlocks, `reach` lines
//! and expected traces have the same exact answers, with runs that are as short.

use rmlcut::budget::Budget;
use rmlcut::coverage::CheckedRun;
use rmlcut::finite::question::request::{FiniteRequest, explore};
use rmlcut::finite::{Deadlocks, Silent, Slicing, Symmetry};
use rmlcut::pipeline::run_traces;
use rmlcut::source::SourceFile;

use crate::engines::{budget, protocol, verdict};

const NAMES: [&str; 3] = ["explicit", "sat", "symbolic"];

fn request(engine: &str, sizes: &[(&str, u32)]) -> FiniteRequest {
    FiniteRequest {
        sizes: sizes.iter().map(|(sort, count)| ((*sort).to_owned(), *count)).collect(),
        window: Some((0, 3)),
        properties: Vec::new(),
        engine: Some(engine.to_owned()),
        deadlocks: Deadlocks::Ignored,
        symmetry: Symmetry::Reduced,
        slicing: Slicing::Whole,
        budget: Budget { max_states: 1 << 20, ..budget(1) },
        patience: u64::MAX,
    }
}

/// What every engine says, after the request was changed.
fn answers(text: &str, change: impl Fn(&mut FiniteRequest)) -> Vec<(String, Option<String>)> {
    let protocol = protocol(text);
    let answers = NAMES.iter().map(|engine| {
        let mut request = request(engine, &[("node", 3)]);
        change(&mut request);
        let explored = explore(&protocol, &request, &Silent).expect("the request is right");
        assert_eq!(explored.engine, *engine);
        (verdict(&explored.outcome), explored.without_lemmas.as_ref().map(verdict))
    });
    answers.collect()
}

const RELAY: &str = "sort node\nrelation has(node)\nrelation done(node)\n\
    init has(N) & has(M) -> N = M\ninit ~done(N)\n\
    action pass(n: node, m: node) { require has(n) & ~done(m); has(n) := false; done(n) := true; has(m) := true }\n\
    safety [one] has(N) & has(M) -> N = M\n\
    safety [two_left] ~(done(N) & done(M) & N ~= M)\n\
    lemma [all_left] ~done(N)\n\
    reach [all_but_one] exists N, M. N ~= M & done(N) & done(M)\n\
    reach [nobody] exists N, M. N ~= M & has(N) & has(M)\n";

#[test]
fn lemmas_properties_and_deadlocks_have_the_same_answers() {
    let text = |value: &str| value.to_owned();
    let all = answers(RELAY, |request| request.properties = vec!["one".to_owned()]);
    assert!(all.iter().all(|own| *own == (text("safe"), None)), "{all:?}");
    let all = answers(RELAY, |request| request.properties = vec!["two_left".to_owned()]);
    assert!(all.iter().all(|own| *own == (text("unsafe in 2"), None)), "{all:?}");
    // The lemma fails first, and a safety property at all: that is the more important answer.
    let all = answers(RELAY, |_| {});
    assert!(all.iter().all(|own| *own == (text("unsafe in 2"), None)), "{all:?}");
    let only_lemma = RELAY.replace("safety [two_left] ~(done(N) & done(M) & N ~= M)\n", "");
    let all = answers(&only_lemma, |_| {});
    let lemma = (text("unsafe in 1"), Some(text("safe")));
    assert!(all.iter().all(|own| *own == lemma), "{all:?}");
    let stuck = |request: &mut FiniteRequest| {
        request.properties = vec!["one".to_owned()];
        request.deadlocks = Deadlocks::Reported;
    };
    let all = answers(RELAY, stuck);
    assert!(all.iter().all(|own| own.0 == "unsafe in 0"), "without a token: {all:?}");
    let begins = RELAY.replace("init ~done(N)", "init ~done(N)\ninit exists N. has(N)");
    let all = answers(&begins, stuck);
    assert!(all.iter().all(|own| own.0 == "unsafe in 3"), "{all:?}");
    let goes_on = begins.replace("require has(n) & ~done(m)", "require has(n)");
    let all = answers(&goes_on, stuck);
    assert!(all.iter().all(|own| own.0 == "safe"), "{all:?}");
}

fn runs(name: &str, text: &str, engine: &str) -> Vec<(String, usize, Option<bool>)> {
    let source = SourceFile::new(name, text.to_owned());
    let request = request(engine, &[("node", 3)]);
    let found = run_traces(&source, &request, std::slice::from_ref(&request.sizes), &Silent);
    let Ok((_, runs)) = found else { panic!("the text and the request are right") };
    let describe = |run: &CheckedRun| {
        let steps = run.run.as_ref().map_or(0, |run| run.steps.len());
        (verdict(&run.explored.outcome), steps, run.is_as_expected())
    };
    runs.iter().map(describe).collect()
}

const TRACES: &str = "sort node\nmutable relation has(node)\nmutable relation done(node)\n\
    init forall N:node. has(N)\ninit forall N:node. !done(N)\n\
    transition finish(n: node)\n  modifies done\n  has(n) & (forall N. new(done(N)) <-> (done(N) | N = n))\n\
    safety forall N. has(N)\n\
    sat trace {\n  finish\n  finish\n  assert exists N1:node, N2:node. N1 != N2 & done(N1) & done(N2)\n}\n\
    unsat trace {\n  finish\n  assert exists N1:node, N2:node. N1 != N2 & done(N1) & done(N2)\n}\n";

#[test]
fn reach_lines_and_expected_traces_have_the_same_answers() {
    let reached = runs("relay.rml", RELAY, "explicit");
    assert_eq!(reached.len(), 2);
    assert_eq!((reached[0].1, reached[0].2), (2, Some(true)), "{reached:?}");
    let traced = runs("traces.pyv", TRACES, "explicit");
    assert_eq!(traced.len(), 2);
    assert_eq!((traced[0].1, traced[0].2), (2, Some(true)), "{traced:?}");
    assert_eq!(traced[1].2, Some(true), "{traced:?}");
    for engine in ["sat", "symbolic"] {
        assert_eq!(runs("relay.rml", RELAY, engine), reached, "{engine}");
        assert_eq!(runs("traces.pyv", TRACES, engine), traced, "{engine}");
    }
}
