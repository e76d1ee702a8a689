//! Claims that name elements are checked for those elements, whatever is identified otherwise.

use rmlcut::finite::{Claim, EngineError, FiniteOutcome, Question, Symmetry, reachable};
use rmlcut::logic::{Formula, Term};
use rmlcut::protocol::{Protocol, Sort, StateVar};

use crate::engines::{EXPLICIT, SAT, ask, budget, protocol, size, verdict};

const ENTER: &str = "
    sort node
    rigid relation first(node)
    axiom exists X. first(X)
    axiom first(X) & first(Y) -> X = Y
    relation crit(node)
    init ~crit(X)
    action enter(n: node) { require first(n) & forall X. ~crit(X); crit(n) := true }
";

/// `~crit(element)` for one element.
fn never_enters(protocol: &Protocol, element: u32) -> Claim {
    let node = Sort::Declared(protocol.signature.find_sort("node").expect("a sort"));
    let crit = protocol.signature.find_symbol("crit").expect("a relation");
    let var = StateVar::new("b", node);
    Claim {
        name: format!("never_{element}").into(),
        vars: Vec::new(),
        matrix: Formula::holds(crit, vec![Term::var(var.clone())]).negate(),
        pinned: vec![(var, element)],
    }
}

#[test]
fn a_claim_about_one_element_holds_for_none_by_symmetry() {
    let protocol = protocol(ENTER);
    for element in [0, 1, 2] {
        for engine in [EXPLICIT, SAT] {
            let mut question = Question::new(&protocol, size(&protocol, "node=3"));
            question.symmetry = Symmetry::Reduced;
            question.claims = vec![never_enters(&protocol, element)];
            let outcome = ask(engine, &question).expect("an answer");
            assert_eq!(verdict(&outcome), "unsafe in 1", "element {element}, engine {engine}");
        }
    }
}

#[test]
fn a_claim_about_one_element_can_hold() {
    let text = ENTER.replace("require first(n) &", "require ~first(n) &");
    let protocol = protocol(&text);
    let mut question = Question::new(&protocol, size(&protocol, "node=1"));
    question.claims = vec![never_enters(&protocol, 0)];
    assert_eq!(verdict(&ask(EXPLICIT, &question).expect("an answer")), "safe");
}

#[test]
fn formulas_are_tried_on_all_reachable_states() {
    let protocol = protocol(ENTER);
    let question = Question::new(&protocol, size(&protocol, "node=2"));
    let mut labelled = reachable(&question.clone().labelled(), &budget(1)).unwrap().unwrap();
    assert_eq!((labelled.instances.len(), labelled.len()), (2, 4));
    assert_eq!(labelled.all_satisfy(&never_enters(&protocol, 0)), Ok(false));
    let mut reduced = reachable(&question, &budget(1)).unwrap().unwrap();
    assert_eq!((reduced.instances.len(), reduced.len()), (1, 2));
    let refused = reduced.all_satisfy(&never_enters(&protocol, 0));
    assert_eq!(refused, Err(EngineError::PinnedUnderSymmetry("never_0".to_owned())));
}

#[test]
fn traces_under_symmetry_are_runs() {
    // The representatives of this run's states are not a run: the elements change roles.
    let text = "
        sort node
        relation a(node)
        relation b(node)
        relation c(node)
        init ~a(X)
        init ~b(X)
        init ~c(X)
        action one(n: node) { require forall X. ~a(X); a(n) := true }
        action two(n: node, m: node) { require a(n) & n != m; b(m) := true }
        action three(n: node, m: node) { require a(n) & b(m); a(n) := false; c(m) := true }
        safety [never] ~(c(X) & ~a(X))
    ";
    let protocol = protocol(text);
    let question = Question::new(&protocol, size(&protocol, "node=4"));
    match ask(EXPLICIT, &question).expect("an answer") {
        FiniteOutcome::Unsafe(violation, _) => {
            assert_eq!(violation.trace.steps.len(), 3);
            assert_eq!(violation.trace.replay(&protocol), Ok(()));
        }
        other => panic!("{other:?}"),
    }
}
