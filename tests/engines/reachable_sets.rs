//! Sets of reachable states as diagrams against the lists of the explicit engine: the same formulas
//! are false somewhere, and the state that is named is one of the list.

use rmlcut::finite::{
    Claim, Question, ReachableSets, SmallSizes, Symmetry, reachable, reachable_sets,
};
use rmlcut::logic::{VariableAssignment, evaluate_formula};
use rmlcut::protocol::{Property, Protocol, Size};
use rmlcut::synthesis::mine::{Miner, SampleSize};

use crate::engines::{budget, protocol, size};

fn question<'a>(protocol: &'a Protocol, size: &Size) -> Question<'a> {
    let mut question = Question::new(protocol, size.clone());
    question.symmetry = Symmetry::Distinguished;
    question.window = Some((0, 3));
    question
}

fn sets(protocol: &Protocol, size: &Size) -> ReachableSets {
    reachable_sets(&question(protocol, size), &budget(1)).expect("the question is right")
}

/// Compares the answers about every property; how many are false somewhere.
fn compare(protocol: &Protocol, size: &Size) -> usize {
    let mut listed = reachable(&question(protocol, size), &budget(1))
        .expect("the question is right")
        .expect("the instances are small");
    let mut sets = sets(protocol, size);
    let is_false = |property: &&Property| {
        let claim = Claim::from(*property);
        let found = sets.refute(&claim.formula(), &budget(1).stop).expect("it can be evaluated");
        let all = listed.all_satisfy(&claim).expect("it can be evaluated");
        assert_eq!(found.is_none(), all, "{} at {size:?}", property.name);
        if let Some(state) = &found {
            let truth = evaluate_formula(state, &VariableAssignment::new(), &claim.formula());
            assert_eq!(truth, Ok(false), "{}", property.name);
            let mut states = listed.instances.iter().flat_map(|instance| instance.states());
            assert!(states.any(|known| known == *state), "{}: not reachable", property.name);
        }
        found.is_some()
    };
    protocol.properties.iter().filter(is_false).count()
}

fn corpus_text(name: &str) -> String {
    let path = crate::support::corpus::folder().join(format!("{name}.rml"));
    std::fs::read_to_string(path).expect("a protocol of the corpus")
}

const TOKENS: &str = "sort node\nquorums quorum of node\nrelation vote(node, node)\n\
    function last(node): node\nrelation won(node)\n\
    init ~vote(N, M)\ninit ~won(N)\n\
    action cast(n: node, m: node) { require ~vote(n, M); vote(n, m) := true; last(m) := n }\n\
    action win(n: node, q: quorum) { require member(N, q) -> vote(N, n); won(n) := true }\n\
    safety [one] won(N) & won(M) -> N = M\n\
    safety [none] ~won(N)\n\
    safety [self_only] vote(N, M) -> N = M\n\
    safety [voters] won(N) -> exists M. vote(M, N)\n\
    safety [last_voted] (exists M. vote(M, N)) -> vote(last(N), N)\n\
    safety [never_two] vote(N, K) & vote(M, K) -> N = M\n";

#[test]
fn diagrams_and_lists_refute_the_same_formulas() {
    let tokens = protocol(TOKENS);
    for (text, expected) in [("node=1 quorum=1", 1), ("node=2 quorum=2", 3), ("node=3 quorum=1", 3)]
    {
        assert_eq!(compare(&tokens, &size(&tokens, text)), expected, "{text}");
    }
    let counter = protocol(
        "sort node\nvariable count: int\nrelation up(node)\ninit count = 0\ninit ~up(N)\n\
         action go(n: node) { require ~up(n) & count < 2; up(n) := true; count := count + 1 }\n\
         safety [few] count <= 2\nsafety [fewer] count <= 1\nsafety [up] count = 0 -> ~up(N)\n",
    );
    assert_eq!(compare(&counter, &size(&counter, "node=2")), 1);
}

#[test]
fn instances_beyond_the_budget_are_left_out() {
    let tokens = protocol(TOKENS);
    let size = size(&tokens, "node=3 quorum=2");
    let mut small = budget(1);
    small.max_memory = 1;
    let found = reachable_sets(&question(&tokens, &size), &small).expect("the question is right");
    assert!(found.is_empty());
    let stopped = budget(1);
    stopped.stop.cancel();
    let found = reachable_sets(&question(&tokens, &size), &stopped).expect("the question is right");
    assert!(found.is_empty());
}

/// What is true of everything that few samples show and false at larger sizes is refuted without the
/// solver; what is true is not.
#[test]
fn clauses_that_larger_instances_refute_are_refuted_before_the_solver_is_asked() {
    let wrong = [
        ("consensus/paxos_left_rounds", "vote(N, R1, V1) & vote(N, R2, V2) -> V1 = V2"),
        ("leader-election/raft_election", "voted(N1, T1, N) & voted(N1, T2, M) -> T1 = T2"),
        ("mutual-exclusion/ricart_agrawala", "requested(A, B) & requested(B, C) -> A = C"),
    ];
    for (name, clause) in wrong {
        let text = format!("{}\nsafety [wrong] {clause}\n", corpus_text(name));
        let protocol = protocol(&text);
        let actions: Vec<usize> = (0..protocol.actions.len()).collect();
        let stop = budget(1).stop;
        let samples = SampleSize { states: 20, total: 40 };
        let mut miner = Miner::new(&SmallSizes::new(&protocol), &actions, samples, &stop);
        for property in &protocol.properties {
            let known = miner.states();
            let is_wrong = *property.name == *"wrong";
            let formula = Claim::from(property).formula();
            assert_eq!(miner.refutes(&formula, &stop), is_wrong, "{name}: {}", property.name);
            assert_eq!(miner.states() > known, is_wrong, "the state is known from then on");
        }
    }
}
