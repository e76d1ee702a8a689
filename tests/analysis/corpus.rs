//! The seven protocols of the paper: the sets that §2.3 prints, and what the rules give elsewhere.

use std::path::Path;

use crate::analysis::check;

fn protocol(path: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("protocols").join(path);
    std::fs::read_to_string(&path).expect("the protocol is in the corpus")
}

/// §2.3 of the paper, letter for letter but for `~`.
#[test]
fn sharded_store() {
    check(
        &protocol("storage/sharded_kv.rml"),
        "table(*, K, *), transfer_msg(*, *, K, *, *), ~seqnum_recvd(*), ~seqnum_sent(*), \
         unacked(*, *, K, *, *)",
        "put(*, K, *), recv_transfer_msg(*, *, K, *, *), reshard(*, *, K, *, *), \
         retransmit(*, *, K, *, *)",
    );
}

/// Sequence numbers that belong to nodes stay tied to no particular node.
#[test]
fn sharded_store_with_numbers_per_node() {
    check(
        &protocol("storage/sharded_kv_per_node.rml"),
        "table(*, K, *), transfer_msg(*, *, K, *, *), ~seqnum_recvd(*, *, *), \
         ~seqnum_sent(*, *), unacked(*, *, K, *, *)",
        "put(*, K, *), recv_transfer_msg(*, *, K, *, *), reshard(*, *, K, *, *), \
         retransmit(*, *, K, *, *)",
    );
}

/// Nothing brings the two values together: |S| is 2, as in Table 2.
#[test]
fn basic_store() {
    check(
        &protocol("storage/basic_kv.rml"),
        "table(*, K, V1<V2>), transfer_msg(*, K, V1<V2>)",
        "recv_transfer_msg(*, K, V1<V2>), reshard(*, *, K, V1<V2>)",
    );
}

/// The rigid `idn`, `le` and `btw` are not followed; |S| is 2, as in Table 2.
#[test]
fn leader_election() {
    check(
        &protocol("leader-election/ring.rml"),
        "leader(N1<N2>), pending(*, *)",
        "receive(*, *, *), send(*, *)",
    );
}

#[test]
fn lock_server_with_a_queue() {
    check(
        &protocol("mutual-exclusion/lock_server_queue.rml"),
        "holds_lock(*), grant_msg(*, *), ~seqnum_handled(*), lock_msg(*, *), head = *, tail = *, \
         ~seqnum_sent(*), unlock_msg(*, *), q(*) = *",
        "handle_grant(*, *), handle_lock(*, *, *), handle_unlock(*, *, *), send_lock(*, *), \
         send_unlock(*, *)",
    );
}

/// |S| is 6 and all 4 actions take part, as in Table 2. The paper's text says that only violating
/// nodes occur; with quantified variables as `*`, as its §5.1 has it, they do not stay alone.
#[test]
fn mutual_exclusion_by_permission() {
    check(
        &protocol("mutual-exclusion/ricart_agrawala.rml"),
        "holds(*), replied(*, *), requested(*, *), ~replied(*, *), ~holds(*), ~requested(*, *)",
        "enter(*), leave(*), reply(*, *), request(*, *)",
    );
}

#[test]
fn atomic_commit() {
    check(
        &protocol("commit/two_phase_commit.rml"),
        "decide_commit(N1), decide_abort(N2), alive(*), go_commit, ~vote_yes(*), ~vote_no(*), \
         go_abort, ~go_commit, ~go_abort, vote_yes(*), vote_no(*), ~alive(*)",
        "abort(N2), cast_no(*), cast_yes(*), commit(N1), fail(*), start_abort, start_commit",
    );
}

#[test]
fn lock_with_epochs() {
    check(
        &protocol("mutual-exclusion/distributed_lock.rml"),
        "locked(E, N1<N2>), transfer(*, *), ep(*) = *, held(*)",
        "accept(*, *), grant(*, *, *)",
    );
}
