//! Texts that are meant to confuse the lowering: legal, and easily misunderstood.

use rmlcut::pipeline::read_protocol;
use rmlcut::protocol::PropertyKind;
use rmlcut::source::{Lemmas, Reading, SourceFile};

use super::meaning::compare;

/// Name, declarations before the machines, and machines with their messages.
const NASTY: &[(&str, &str)] = &[
    (
        "a message that is sent again while it is received",
        "message go(n: node) from node to node
        network bag
        machine node {
          relation seen(node)
          init ~seen(N)
          action start { require ~seen(me); seen(me) := true; send go(me) to me }
          on go(n) from s { send go(n) to s; seen(n) := false }
        }",
    ),
    (
        "a queue of one place that is emptied before it is filled",
        "message go from node to node
        network fifo 1 per receiver
        machine node {
          states fresh, going
          action start in fresh { send go to me; goto going }
          on go { send go to me }
        }",
    ),
    (
        "words of machines as names",
        "sort data
        message set(all: data) from node to node
        network lossy set
        machine node {
          states to, from, send
          variable fifo: data
          relation others(data)
          init ~others(D)
          action goto(in: data) in to { fifo := in; goto from }
          action per(bag: node) in from { send set(fifo) to bag; goto send }
          on set(all) from sender in to, send { others(all) := true; fifo := all }
        }",
    ),
    (
        "variables that the lowering would like to use",
        "sort data
        message m(v1: data, v2: data) from node to node
        network fifo 2 per pair
        machine node {
          relation r(data, data)
          init forall V1, V2. ~r(V1, V2)
          action start(v1: data, v2: data) {
            send m(v1, v2) to all N if exists V1, M: node. r(V1, v2) | V1 = v1 & M = N
          }
          on m(a, b) from n { r(V1, b) := V1 = a | r(V1, b) }
        }",
    ),
    (
        "contents that differ between receivers",
        "message hello(whom: node, from_whom: node) from node to node
        network bag
        machine node {
          relation met(node, node)
          init ~met(N, M)
          action greet { send hello(N, me) to all N if ~met(me, N) }
          on hello(whom, who) from s { met(who, whom) := true }
        }",
    ),
    (
        "two messages in one step, in this order",
        "message one from node to node
        message two from node to node
        network fifo 2 per pair
        machine node {
          states start, first, second
          action go(n: node) in start { send one to n; send two to n; goto first }
          on two in first { goto second }
          on one in start, first { }
        }",
    ),
    (
        "the head of a queue for all receivers blocks it",
        "message up from client to server
        message flat from client to client
        network fifo 2 per sender
        machine client {
          states idle, busy
          action go(c: client, s: server) in idle { send flat to c; send up to s; goto busy }
          on flat in busy { goto idle }
        }
        machine server { states ready, done
          on up from c in ready { goto done } }",
    ),
    (
        "one queue for messages of two kinds of machines",
        "message a from client to server
        message b from server to server
        network fifo 2 per receiver
        machine client { action go(s: server) { send a to s } }
        machine server {
          states ready, done
          action help(s: server) in ready { send b to s }
          on a in ready { goto done }
          on b { goto ready }
        }",
    ),
    (
        "all the others, and nobody else",
        "message shout from node to node
        network bag
        machine node {
          states quiet, loud
          action go in quiet { send shout to others; goto loud }
          on shout in loud { goto quiet }
          on shout in quiet { }
        }",
    ),
    (
        "two assignments at once",
        "sort data
        message take(a: data, b: data) from node to node
        network set
        machine node {
          variable x: data
          variable y: data
          action swap { x, y := y, x }
          action tell(n: node) { send take(x, y) to n }
          on take(a, b) { x, y := b, a if x = a else y }
        }",
    ),
    (
        "sends on both branches, and after them",
        "message yes from node to node
        message no from node to node
        network bag
        machine node {
          relation up
          init ~up
          action go(n: node) {
            if up { send yes to n } else if n = me { send no to all } else { up := true }
            send no to n
          }
          on yes { up := ~up }
          on no { require up; up := false }
        }",
    ),
    (
        "nothing but machines",
        "message m from node to node
        network lossy fifo 1 per pair
        machine node {
          action go(n: node) { send m to n }
          on m { }
        }",
    ),
    (
        "queues that outlive their owners",
        "message m from node to node
        network lossy fifo 2 per receiver
        machine node {
          states on, off
          action go(n: node) in on { send m to n }
          on m in on { goto off }
          on crash in on { goto off }
          on restart { goto on; send m to me }
        }",
    ),
    (
        "definitions of what machines have",
        "sort data
        order le on data
        define low(d) := forall D. le(d, D)
        message m(d: data) from node to node
        network duplicating
        machine node {
          variable x: data
          relation seen(data)
          init ~seen(D)
          action go(n: node) { require low(x); send m(x) to n }
          on m(d) { seen(d) := low(d); if exists D. ~low(D) & seen(D) { x := d } }
        }",
    ),
    (
        "a guard about an earlier statement",
        "message m from node to node
        network fifo 1 per pair
        machine node {
          states a, b
          relation r(node)
          init ~r(N)
          action go(n: node) in a { r(n) := true; goto b; require node_state = b & r(n); send m to n }
          on m from n in b { r(n) := ~r(n); require ~r(n); goto a }
        }",
    ),
    (
        "machines that are listed",
        "message m(k: kind) from hub to kind
        network bag
        machine hub = { left, right } {
          action go(n: kind) { require me = left; send m(x) to n; send m(n) to all K if K != x }
        }
        machine kind = { x, y } {
          relation got(kind)
          init ~got(K)
          on m(k) from h { require h != right; got(k) := true }
        }",
    ),
];

#[test]
fn nasty_texts_do_what_is_written() {
    for (name, machines) in NASTY {
        let kind = if machines.contains("machine node") { "node" } else { "client" };
        let kind = if machines.contains("hub") { "kind" } else { kind };
        let text = format!("{machines}\nsafety [one] exists X: {kind}. X = X\n");
        let size = [("node", 2), ("client", 2), ("server", 1), ("data", 2)];
        let states = compare(name, &text, &size, 300);
        assert!(states > 1, "{name}: {states} states");
    }
}

#[test]
fn a_selected_property_does_not_hide_the_bound_of_the_network() {
    let text = "message ping from node to node
        network bag
        relation broken
        init ~broken
        machine node { action go { send ping to me; send ping to me; broken := true } }
        action fail { require broken; broken := broken }
        safety [first] broken -> broken
        safety [second] ~broken";
    for (selected, wanted) in [
        (None, vec!["first", "second", "network_bound"]),
        (Some("first"), vec!["first", "network_bound"]),
    ] {
        let reading = Reading { property: selected.map(Into::into), lemmas: Lemmas::Used };
        let source = SourceFile::new("bound", text).read_as(reading);
        let (protocol, _) = read_protocol(&source).expect("a protocol");
        let safety = protocol.properties.iter().filter(|line| line.kind == PropertyKind::Safety);
        assert_eq!(safety.map(|line| &*line.name).collect::<Vec<_>>(), wanted);
    }
}
