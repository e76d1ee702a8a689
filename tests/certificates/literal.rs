//! The paper's own algorithm: what its printed conditions and what the sound ones say of it.

use rmlcut::budget::Budget;
use rmlcut::judge::Judged;
use rmlcut::pipeline::{STAGES, StageRun};
use rmlcut::prove::{LiteralComparison, LiteralError, compare_literal};
use rmlcut::report::text::show::{Detail, text};

use super::{path, protocol, source};

/// The protocols of the paper, in the order of its Table 2.
const PAPER: [&str; 7] = [
    "storage/sharded_kv",
    "leader-election/ring",
    "mutual-exclusion/lock_server_queue",
    "mutual-exclusion/ricart_agrawala",
    "storage/basic_kv",
    "commit/two_phase_commit",
    "mutual-exclusion/distributed_lock",
];

fn compared(name: &str) -> Result<LiteralComparison, LiteralError> {
    let protocol = protocol(&path(&format!("protocols/{name}.rml")));
    let budget = Budget::of_time(std::time::Duration::from_secs(60));
    compare_literal(&protocol, &budget).expect("the solver answers")
}

fn holds(answers: &[Judged]) -> bool {
    answers.iter().all(Judged::is_valid)
}

#[test]
fn table_2_of_the_paper_corrected() {
    let stage = STAGES.iter().find(|stage| stage.name == "literal").expect("there is the stage");
    let StageRun::OfProtocols(run) = stage.run else { panic!("it is about several protocols") };
    let sources = PAPER.map(|name| source(&path(&format!("protocols/{name}.rml"))));
    let Ok(output) = run(&sources) else { panic!("the protocols are right") };
    let shown = text(&sources[0], &output, Detail::Results);
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(path("snapshots/literal"));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!("paper", shown));
}

#[test]
fn sharded_stores_match_the_paper() {
    let found = compared("storage/sharded_kv").expect("the algorithm applies");
    let [case] = found.cases() else { panic!("there is one property") };
    let answered = case.lockstep.iter().flatten().filter(|answer| !answer.moves.is_empty());
    assert_eq!((case.gamma.len(), answered.count(), case.lockstep.len()), (5, 4, 8));
    assert!(holds(&found.printed) && holds(&found.sound));
}

/// The algorithm itself, with nothing done by hand, passes its own check on an unsafe protocol.
#[test]
fn the_printed_conditions_accept_an_unsafe_protocol() {
    let found = compared("broken/trip").expect("the algorithm applies");
    assert!(holds(&found.printed) && !holds(&found.sound));
    let open = found.sound.iter().filter(|answer| !answer.is_valid());
    let titles: Vec<String> = open.map(|answer| answer.obligation.title()).collect();
    assert!(titles.iter().all(|title| title.contains(" / enabled ")), "{titles:?}");
}

#[test]
fn a_property_without_nodes_has_no_literal_cutoff() {
    let text = "sort node\nrelation bad\ninit ~bad\naction a(n: node) { require n != n }\n\
                safety [fine] ~bad\n";
    let read = rmlcut::pipeline::read_protocol(&rmlcut::source::SourceFile::new("a.rml", text));
    let (protocol, _) = read.expect("it is a protocol");
    let budget = Budget::of_time(std::time::Duration::from_secs(60));
    let found = compare_literal(&protocol, &budget).expect("the solver answers");
    assert_eq!(found.err(), Some(LiteralError::NoNode("fine".into())));
}
