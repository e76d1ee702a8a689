//! Invariants from views, for protocols with relations over one sort.

use std::time::Duration;

use rmlcut::budget::{Budget, Stop};
use rmlcut::certificate::{Certificate, ProofArgument};
use rmlcut::finite::Silent;
use rmlcut::judge::Verdict;
use rmlcut::judge::request::JudgeRequest;
use rmlcut::pipeline::{check, read_protocol};
use rmlcut::protocol::Protocol;
use rmlcut::source::SourceFile;
use rmlcut::synthesis::views::{NoViews, ViewProof, prove_by_views};

/// Collects answers of everyone else before it enters.
const ASKING: &str = "
    sort node
    relation idle(node)
    relation asking(node)
    relation busy(node)
    relation agreed(node, node)
    init idle(N)
    init ~asking(N)
    init ~busy(N)
    init ~agreed(N, M)
    action ask(n: node) { require idle(n); idle(n) := false; asking(n) := true }
    action answer(n: node, m: node) {
        require n != m & asking(n) & ~busy(m) & ~agreed(m, n)
        agreed(n, m) := true
    }
    action enter(n: node) {
        require asking(n) & forall M. M = n | agreed(n, M)
        asking(n) := false
        busy(n) := true
    }
    action leave(n: node) {
        require busy(n)
        busy(n) := false
        idle(n) := true
        agreed(n, *) := false
    }
    safety [one_busy] busy(N) & busy(M) -> N = M
";

fn protocol(text: &str) -> Protocol {
    read_protocol(&SourceFile::new("test.rml", text)).expect("the text is accepted").0
}

fn views(protocol: &Protocol) -> Result<ViewProof, NoViews> {
    let stop = Stop::never().within(Duration::from_secs(60));
    prove_by_views(protocol, &[], &Budget::until(stop)).expect("the solver answers")
}

#[test]
fn pairs_prove_what_an_invariant_over_two_elements_proves() {
    let protocol = protocol(ASKING);
    let found = views(&protocol).expect("an invariant");
    let argument = ProofArgument::Invariant(found.invariant);
    let certificate = Certificate { large: protocol.clone(), argument };
    let request = JudgeRequest::new(Budget::of_time(Duration::from_secs(20)));
    let judgement = check(&protocol, &certificate, &request, None, &Silent).expect("a judgement");
    assert!(matches!(judgement.verdict, Verdict::Safe));
}

#[test]
fn no_views_prove_what_is_false() {
    // Who is asked agrees although it was promised entry itself.
    let careless = ASKING.replace(" & ~agreed(m, n)", "");
    assert!(views(&protocol(&careless)).is_err());
}

#[test]
fn views_are_of_relations_over_one_sort() {
    let several = "sort node\nsort key\nrelation r(node, key)\ninit ~r(N, K)\n\
        action flip(n: node, k: key) { r(n, k) := ~r(n, k) }\nsafety r(N, K) -> r(N, K)";
    assert!(matches!(views(&protocol(several)), Err(NoViews::Shape)));
}
