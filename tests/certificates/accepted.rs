//! The certificates beside the protocols, each with the verdict it earns.

use rmlcut::certificate::{print_certificate, validate};
use rmlcut::elaborate::certificate::Origin;
use rmlcut::judge::Judged;

use super::{certificate, files, judged, path, protocol, verdict_in_words};

/// Every certificate beside a protocol, with its verdict and its lemmas.
pub(super) const ACCEPTED: [(&str, &str, &[&str]); 17] = [
    ("coherence/german_data", "safe", &[]),
    ("coherence/mesi_data", "safe", &[]),
    ("commit/two_phase_commit", "safe", &[]),
    ("consensus/fast_paxos", "safe", &[]),
    ("consensus/single_decree_paxos", "safe", &[]),
    ("consensus/toy_consensus", "safe", &[]),
    ("consensus/vertical_paxos", "safe", &[]),
    ("leader-election/quorum_vote", "safe", &[]),
    ("leader-election/ring", "safe", &[]),
    ("mutual-exclusion/distributed_lock", "safe up to epoch=3", &["one_token", "one_grant"]),
    ("mutual-exclusion/lock_server", "safe", &["one_lock"]),
    ("mutual-exclusion/lock_server_queue", "safe", &[]),
    ("mutual-exclusion/ricart_agrawala", "safe", &[]),
    ("network/reliable_broadcast", "safe", &[]),
    ("replication/raft_log", "safe", &[]),
    ("storage/basic_kv", "safe", &["one_place"]),
    ("storage/sharded_kv", "safe up to seqnum=3", &[]),
];

/// The certificate is for this very text, and proves what the table claims.
fn is_accepted(name: &str) {
    let (_, verdict, lemmas) =
        ACCEPTED.iter().find(|(known, ..)| *known == name).expect("it is in the list");
    let user = protocol(&path(&format!("protocols/{name}.rml")));
    let file = path(&format!("protocols/{name}.cut"));
    let certificate = certificate(&user, &file, Origin::ThisText)
        .unwrap_or_else(|messages| panic!("{name}: {}", messages.join("; ")));
    let judgement = judged(&user, &certificate, &|_| true);
    assert_eq!(verdict_in_words(&user, &judgement.verdict), *verdict, "{name}");
    let open: Vec<String> = judgement
        .obligations()
        .filter(|judged| !Judged::is_valid(judged))
        .map(|judged| judged.obligation.title())
        .collect();
    assert!(open.is_empty(), "{name}: {open:?}");
    assert!(judgement.cases.iter().all(|case| !case.finite.is_by_gamma()), "{name}: C is needed");
    let properties = certificate.large.properties.iter();
    let added = properties.filter(|property| user.property(&property.name).is_none());
    let mut added: Vec<&str> = added.map(|property| &*property.name).collect();
    added.sort_by_key(|name| lemmas.iter().position(|lemma| lemma == name));
    assert_eq!(added, *lemmas, "{name}");
    assert_eq!(certificate.large.axioms, user.axioms, "{name}: nothing is assumed");
}

macro_rules! accepted {
    ($($test:ident: $name:literal)*) => {
        $(#[test]
        fn $test() {
            is_accepted($name);
        })*
    };
}

accepted! {
    german_data: "coherence/german_data"
    mesi_data: "coherence/mesi_data"
    fast_paxos: "consensus/fast_paxos"
    vertical_paxos: "consensus/vertical_paxos"
    reliable_broadcast: "network/reliable_broadcast"
    raft_log: "replication/raft_log"
    two_phase_commit: "commit/two_phase_commit"
    single_decree_paxos: "consensus/single_decree_paxos"
    toy_consensus: "consensus/toy_consensus"
    quorum_vote: "leader-election/quorum_vote"
    ring: "leader-election/ring"
    distributed_lock: "mutual-exclusion/distributed_lock"
    lock_server: "mutual-exclusion/lock_server"
    lock_server_queue: "mutual-exclusion/lock_server_queue"
    ricart_agrawala: "mutual-exclusion/ricart_agrawala"
    basic_kv: "storage/basic_kv"
    sharded_kv: "storage/sharded_kv"
}

#[test]
fn every_certificate_of_the_corpus_is_checked() {
    let folder = path("protocols");
    let found = files(&folder, "cut").into_iter().map(|file| {
        let below = file.strip_prefix(&folder).expect("it is below").with_extension("");
        below.to_string_lossy().replace('\\', "/")
    });
    let found: Vec<String> = found.collect();
    let listed: Vec<&str> = ACCEPTED.iter().map(|(name, ..)| *name).collect();
    assert_eq!(found, listed);
}

#[test]
fn certificates_of_the_corpus_keep_the_rules_and_read_back() {
    for (name, ..) in ACCEPTED {
        let user = protocol(&path(&format!("protocols/{name}.rml")));
        let file = path(&format!("protocols/{name}.cut"));
        let written = certificate(&user, &file, Origin::ThisText).expect("it is accepted");
        assert_eq!(validate(&user, &written), Vec::<String>::new(), "{name}");
        let text = print_certificate(&user, &written, "");
        let folder = tempfile::tempdir().expect("there is room for a file");
        let copy = folder.path().join("copy.cut");
        std::fs::write(&copy, &text).expect("the file is writable");
        let read = certificate(&user, &copy, Origin::ThisText)
            .unwrap_or_else(|messages| panic!("{name}: {}\n{text}", messages.join("; ")));
        assert_eq!(print_certificate(&user, &read, ""), text, "{name}");
    }
}
