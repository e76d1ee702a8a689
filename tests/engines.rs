//! Engines against each other and against known counts, on the corpus.

use std::path::Path;
use std::sync::Arc;

use rmlcut::finite::{self, Budget, Coverage, ENGINES, Outcome, Question, Silent, Symmetry};
use rmlcut::pipeline::read_protocol;
use rmlcut::protocol::{Protocol, Size};
use rmlcut::source::SourceFile;

fn protocol(path: &str) -> Protocol {
    let path = Path::new("protocols").join(path);
    let text = std::fs::read_to_string(&path).expect("the corpus is readable");
    let source = SourceFile::new(path.display().to_string(), text);
    read_protocol(&source).expect("the corpus is accepted").0
}

fn size(protocol: &Protocol, text: &str) -> Size {
    let parts = text.split([',', ' ']).filter(|part| !part.is_empty());
    let size = parts.map(|part| {
        let (sort, count) = part.split_once('=').expect("sort=count");
        let sort = protocol.signature.find_sort(sort).expect("a sort of the protocol");
        (sort, count.parse().expect("a number"))
    });
    size.collect()
}

fn budget(threads: usize) -> Budget {
    Budget {
        deadline: None,
        max_states: 1 << 24,
        max_memory: 1 << 30,
        threads,
        cancelled: Arc::default(),
    }
}

fn explicit_count(path: &str, text: &str) -> u64 {
    let protocol = protocol(path);
    let mut question = Question::new(&protocol, size(&protocol, text));
    question.symmetry = Symmetry::Distinguished;
    match finite::check(ENGINES[0], &question, &budget(1), &Silent) {
        Ok(Outcome::Safe(Coverage { visited: Some(counts), .. })) => counts.states,
        other => panic!("{path} at {text}: {other:?}"),
    }
}

/// Counts that other tools found for the same models.
#[test]
fn known_counts_are_reproduced() {
    let known = [
        ("commit/two_phase_commit.rml", "node=2", 116),
        ("commit/two_phase_commit.rml", "node=3", 1064),
        ("commit/two_phase_commit.rml", "node=4", 10256),
        ("mutual-exclusion/ricart_agrawala.rml", "node=2", 20),
        ("mutual-exclusion/ricart_agrawala.rml", "node=3", 2304),
        ("mutual-exclusion/lock_server.rml", "node=2", 28),
        ("mutual-exclusion/lock_server.rml", "node=3", 80),
        ("storage/sharded_kv.rml", "node=2,key=1,value=1,seqnum=1", 39),
        ("storage/sharded_kv.rml", "node=2,key=1,value=1,seqnum=2", 1003),
        ("storage/sharded_kv.rml", "node=2,key=1,value=1,seqnum=3", 30511),
    ];
    for (path, size, count) in known {
        assert_eq!(explicit_count(path, size), count, "{path} at {size}");
    }
}
