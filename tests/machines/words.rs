//! Runs of machines are shown in their words, with every kind of step.

use rmlcut::budget::{Budget, Stop};
use rmlcut::finite::question::request::{FiniteRequest, explore};
use rmlcut::finite::{Deadlocks, Silent, Slicing, Symmetry};
use rmlcut::pipeline::{read_described, read_protocol};
use rmlcut::report;
use rmlcut::source::SourceFile;

/// What is shown of a shortest violation, from its first step to what fails.
fn shown(text: &str, sizes: &[(&str, u32)]) -> String {
    let source = SourceFile::new("words.rml", text);
    let (protocol, _) = read_protocol(&source).expect("it is legal");
    let request = FiniteRequest {
        sizes: sizes.iter().map(|(sort, count)| ((*sort).to_owned(), *count)).collect(),
        window: None,
        properties: Vec::new(),
        engine: Some("explicit".to_owned()),
        deadlocks: Deadlocks::Ignored,
        symmetry: Symmetry::Reduced,
        slicing: Slicing::Whole,
        budget: Budget { threads: 1, ..Budget::until(Stop::never()) },
        patience: u64::MAX,
    };
    let explored = explore(&protocol, &request, &Silent).expect("the request is right");
    let described = read_described(&source);
    let text = report::text::explore::text((&protocol, described.as_ref()), &explored, None);
    text[text.find("1. ").expect("it has a step")..].to_owned()
}

#[test]
fn steps_name_machines_states_and_messages() {
    let queues = "sort data
        message put(d: data) from client to store
        message got from store to client
        network fifo 2 per pair
        relation over
        init ~over
        machine client {
          states idle, waiting, glad
          variable last: data
          action ask(s: store, d: data) in idle {
            send put(d) to s; send put(d) to s; last := d; goto waiting
          }
          on got in waiting { goto glad }
        }
        machine store = { shelf } {
          relation has(data)
          init ~has(D)
          on put(d) from c { has(d) := true; send got to all; over := true }
        }
        safety [never] ~(client_state(C) = glad)";
    let expected = "1. client0: ask(shelf, data0)
   client0: idle → waiting, sends put(data0) to shelf, shelf
2. shelf receives put(data0) from client0
   shelf: + has(data0), sends got to client0
   outside: + over
3. client0 receives got from shelf
   client0: waiting → glad
fails: [never] client_state(C) != glad for C = client0
";
    assert_eq!(shown(queues, &[("client", 1), ("data", 1)]), expected);
}

#[test]
fn crashes_losses_full_networks_and_repeated_messages_have_words() {
    let lossy = "message beat(n: node) from node to node
        network lossy bag
        machine node {
          states up, busy, back
          action start(n: node) in up { send beat(me) to n; goto busy }
          on crash { }
          on restart { goto back }
        }
        safety [bound] ~(node_state(N) = back & (exists M. ~beat(M, M, M)) & ~exceeded)";
    let expected = "1. node0 crashes
2. node0 restarts
   node0: up → back
";
    assert!(shown(lossy, &[("node", 1)]).starts_with(expected), "{}", shown(lossy, &[("node", 1)]));
    let twice = "message beat from node to node
        network bag
        machine node {
          action start { send beat to me }
          on beat { }
        }
        safety [none] beat(N, N) -> beat(N, N)";
    let expected = "1. node0: start
   node0: sends beat to node0
2. node0: start
   the network: has no place for another message
fails: [network_bound] ~exceeded
";
    assert_eq!(shown(twice, &[("node", 1)]), expected);
    let losing = "message beat from node to node
        network lossy set
        machine node {
          states fresh, begun
          action start in fresh { send beat to me; goto begun }
          on beat { }
        }
        safety [kept] node_state(N) = begun -> beat(N, N)";
    assert!(shown(losing, &[("node", 1)]).contains("2. node0 receives beat from node0\nfails"));
    let again = losing
        .replace("lossy set", "duplicating")
        .replace("on beat { }", "on beat in begun { send beat to others }")
        .replace("-> beat(N, N)", "-> ~beat(N, M) | N = M");
    let expected = "2. node0 receives beat from node0\n   node0: sends beat to node1\nfails";
    assert!(shown(&again, &[("node", 2)]).contains(expected), "{}", shown(&again, &[("node", 2)]));
    let lost = losing.replace("on beat { }", "on beat in fresh { }");
    let expected = "2. the network loses beat from node0 to node0\nfails";
    assert!(shown(&lost, &[("node", 1)]).contains(expected), "{}", shown(&lost, &[("node", 1)]));
}
