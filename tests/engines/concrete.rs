//! The compiled search against the concrete semantics: the same reachable states, found by
//! executing actions on structures one by one.

use std::collections::BTreeSet;

use rmlcut::finite::{Question, Symmetry, reachable};
use rmlcut::logic::{VariableAssignment, evaluate_formula};
use rmlcut::protocol::{Protocol, State, successors};

use crate::engines::{budget, protocol, size, visited};
use crate::support::corpus;

/// Explores by the concrete semantics from the states that satisfy `init`, and compares.
fn compare(name: &str, protocol: &Protocol, text: &str, window: Option<(i64, i64)>) {
    let mut question = Question::new(protocol, size(protocol, text));
    question.symmetry = Symmetry::Distinguished;
    question.window = window;
    let found = reachable(&question, &budget(1)).expect("a question").expect("an answer");
    let mut transitions = 0;
    for instance in &found.instances {
        let states: BTreeSet<State> = instance.states().collect();
        assert_eq!(states.len() as u64, instance.len(), "{name}: a state is listed once");
        let is_initial = |state: &State| {
            let truth = evaluate_formula(state, &VariableAssignment::new(), &protocol.initial());
            truth.expect("a truth value")
        };
        let mut known: BTreeSet<State> =
            states.iter().filter(|state| is_initial(state)).cloned().collect();
        let mut pending: Vec<State> = known.iter().cloned().collect();
        while let Some(state) = pending.pop() {
            for action in 0..protocol.actions.len() {
                for (_, next) in successors(protocol, &state, action).expect("successors") {
                    transitions += 1;
                    if known.insert(next.state.clone()) {
                        pending.push(next.state);
                    }
                }
            }
        }
        assert_eq!(known, states, "{name} at {text}");
    }
    question.claims.clear();
    assert_eq!(visited(&question).transitions, transitions, "{name} at {text}");
}

#[test]
fn the_corpus_reaches_the_same_states() {
    let small = [
        ("commit/two_phase_commit.rml", "node=2"),
        ("mutual-exclusion/ricart_agrawala.rml", "node=2"),
        ("mutual-exclusion/lock_server.rml", "node=2"),
        ("mutual-exclusion/distributed_lock.rml", "node=2 epoch=4"),
        ("mutual-exclusion/ticket_lock.rml", "node=2 ticket=3"),
        ("mutual-exclusion/sharded_lock.rml", "client=2 server=2 lock=1"),
        ("leader-election/ring.rml", "node=3 id=3"),
        ("leader-election/raft_election.rml", "node=2 quorum=1 term=2"),
        ("leader-election/quorum_vote.rml", "node=2 quorum=2"),
        ("storage/sharded_kv.rml", "node=2 key=1 value=1 seqnum=1"),
        ("storage/basic_kv.rml", "node=2 key=1 value=2"),
        ("coherence/msi.rml", "node=2 line=1 value=2"),
        ("coherence/mesi.rml", "node=3"),
        ("network/learning_switch.rml", "node=2"),
        ("network/firewall.rml", "host=2"),
        ("synchronization/barrier.rml", "node=2 round=2"),
        ("broken/trap_havoc_before_require.rml", "node=3"),
    ];
    let entries = corpus::entries();
    for (path, text) in small {
        let entry = entries.iter().find(|entry| entry.path == path);
        let entry = entry.unwrap_or_else(|| panic!("{path} is gone"));
        compare(path, &protocol(&entry.text), text, None);
    }
}

#[test]
fn statements_mean_the_same() {
    let bodies = [
        // Each statement sees the writes of those before it.
        ("order", "f(n) := n; g(f(n)) := m; f(m) := g(n)"),
        // Simultaneous assignment reads the old state.
        ("shift", "r(X, Y) := r(Y, X) & X != n"),
        ("together", "f(X), g(f(n)), p(X) := g(X), f(m), r(X, g(n)); p(n), q := q, p(m)"),
        ("diagonal", "r(X, X) := ~r(n, X)"),
        ("star", "r(n, *) := false; r(*, m) := true"),
        ("pattern", "f(X) := g(X) if r(X, n) else X"),
        // Havoc picks independently at every match, before and after guards.
        ("havoc", "p(X) := *; require p(n); f(n) := *; require f(n) != m"),
        ("havoc_overwritten", "f(n) := *; f(n) := m; q := *; q := false"),
        (
            "nested",
            "if r(n, m) { if p(n) { q := ~q } else { require q; f(n) := m } } else { p(m) := true }",
        ),
        ("choice_in_branch", "if q { g(n) := *; require g(n) != n } else { q := true }"),
        ("function_argument", "r(f(n), g(m)) := true; p(f(f(n))) := false"),
        (
            "quantified",
            "require (forall X. p(X) -> r(n, X)) | (exists X. f(X) = m & ~p(X)); p(n) := true",
        ),
        ("equivalence", "require p(n) <-> (q | f(n) = g(m)); p(m) := (p(n) if q else ~p(m))"),
    ];
    for (name, body) in bodies {
        let text = format!(
            "sort node\nrelation p(node)\nrelation q\nrelation r(node, node)\n\
             function f(node): node\nfunction g(node): node\n\
             init ~p(X)\ninit ~r(X, Y)\ninit f(X) = X\ninit g(X) = g(Y)\n\
             action go(n: node, m: node) {{ {body} }}\n\
             action set(n: node) {{ p(n) := true }}\n\
             action link(n: node, m: node) {{ require p(n); r(n, m) := true }}\n\
             action turn(n: node) {{ require r(n, n); g(n) := n }}\n"
        );
        compare(name, &protocol(&text), "node=2", None);
    }
}

#[test]
fn integers_mean_the_same_inside_the_range() {
    let text = "
        sort node
        variable head: int
        variable tail: int
        function q(int): node
        relation full
        init head = 0 & tail = 0
        init ~full
        action put(n: node) {
          require tail < 3
          q(tail) := n
          tail := tail + 1
          if tail - head >= 2 { full := true }
        }
        action take {
          require head < tail & (full | q(head) = q(tail - 1))
          head := head + 1
          full := tail - head > 1
        }
        action reset { require head = tail; head := 0; tail := 0 }
    ";
    compare("queue", &protocol(text), "node=2", Some((0, 3)));
}

#[test]
fn every_initial_state_is_found() {
    let text = "
        sort node
        relation p(node)
        relation r(node, node)
        function f(node): node
        variable x: node
        init p(X) -> r(X, f(X))
        init r(X, Y) & r(Y, X) -> X = Y
        init exists X. p(X) & f(X) != x
    ";
    let protocol = protocol(text);
    for elements in [2_u32, 3] {
        let question = Question::new(&protocol, size(&protocol, &format!("node={elements}")));
        let question = Question { symmetry: Symmetry::Labelled, ..question };
        let expected = all_structures(&protocol, elements)
            .filter(|state| {
                evaluate_formula(state, &VariableAssignment::new(), &protocol.initial()) == Ok(true)
            })
            .count() as u64;
        assert!(expected > 0);
        assert_eq!(visited(&question).states, expected, "node={elements}");
    }
}

/// Every structure of a size, by counting through all values of all locations.
fn all_structures(protocol: &Protocol, elements: u32) -> impl Iterator<Item = State> + '_ {
    use rmlcut::logic::Value;
    use rmlcut::protocol::{blank_state, extents};
    let size = protocol.signature.sized_sorts().map(|sort| (sort, elements)).collect();
    let blank = blank_state(&protocol.signature, &extents(&protocol.signature, &size, None));
    let mut places = Vec::new();
    for (id, symbol) in protocol.signature.symbols() {
        let values = if symbol.result.is_none() { 2 } else { u64::from(elements) };
        places.extend(blank.tables[&id].entries().map(|(args, _)| (id, args, values)));
    }
    let total: u64 = places.iter().map(|(_, _, values)| values).product();
    (0..total).map(move |mut code| {
        let mut state = blank.clone();
        for (id, args, values) in &places {
            let value = u32::try_from(code % values).expect("a small value");
            let value = match protocol.signature.symbol(*id).result {
                None => Value::Bool(value == 1),
                Some(_) => Value::Element(value),
            };
            state.tables.get_mut(id).expect("a table").set(args, value);
            code /= values;
        }
        state
    })
}
