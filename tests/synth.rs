//! The main job on the corpus: what is found is a certificate that stands on its own, and nothing
//! broken ever comes out safe.

// A helper that cannot do its part fails the test.
#![allow(clippy::panic)]

#[allow(dead_code)]
mod support;

use std::time::Duration;

use rmlcut::certificate::{Argument, print_certificate};
use rmlcut::elaborate::certificate::elaborate_certificate;
use rmlcut::finite::Silent;
use rmlcut::frontend::parse_certificate;
use rmlcut::judge::Verdict;
use rmlcut::pipeline::read_protocol;
use rmlcut::protocol::Protocol;
use rmlcut::prove::{Outcome, Prefer, ProveConfig, prove};
use rmlcut::smt::Cancellation;
use rmlcut::source::SourceFile;
use support::corpus::{self, Expectation};

fn protocol(path: &str) -> Protocol {
    let entries = corpus::entries();
    let entry = entries.iter().find(|entry| entry.path == path).expect("a file of the corpus");
    let source = SourceFile::new(entry.path.as_str(), entry.text.as_str());
    read_protocol(&source).expect("the corpus is accepted").0
}

fn synth(protocol: &Protocol, seconds: u64) -> Outcome {
    let config = ProveConfig {
        timeout: Duration::from_secs(seconds),
        prefer: Prefer::Cutoff,
        residual: 2,
        threads: 2,
        cancellation: Cancellation::default(),
        progress: &Silent,
    };
    prove(protocol, &config).expect("the solver answers")
}

/// The sizes of the cut sorts, case by case, of a certificate that is judged safe and reads back.
fn proved(path: &str) -> Vec<Vec<(String, usize)>> {
    let protocol = protocol(path);
    let Outcome::Judged { certificate, judgement, .. } = synth(&protocol, 120) else {
        panic!("{path}: no certificate");
    };
    assert!(matches!(judgement.verdict, Verdict::Safe), "{path}: {:?}", judgement.verdict);
    let text = print_certificate(&protocol, &certificate, "");
    let parsed = parse_certificate(&SourceFile::new("found.cut", text.as_str()));
    assert!(parsed.diagnostics.is_empty(), "{path}: {:?}\n{text}", parsed.diagnostics);
    let read = elaborate_certificate(&protocol, &parsed.file).certificate;
    let read = read.expect("what was found reads back");
    assert_eq!(print_certificate(&protocol, &read, ""), text, "{path}");
    let Argument::Cutoff(cases) = &certificate.argument else { return Vec::new() };
    let name = |sort| protocol.signature.sort_name(sort).to_string();
    let sizes = |case: &rmlcut::certificate::Case| {
        case.cut.iter().map(|cut| (name(cut.sort), cut.elements.len())).collect()
    };
    cases.iter().map(sizes).collect()
}

fn size(parts: &[(&str, usize)]) -> Vec<(String, usize)> {
    parts.iter().map(|(name, count)| ((*name).to_owned(), *count)).collect()
}

#[test]
fn two_violators_are_enough_for_mutual_exclusion_by_permission() {
    let cases = proved("mutual-exclusion/ricart_agrawala.rml");
    assert_eq!(cases, [size(&[("node", 2)])]);
}

#[test]
fn arcs_make_a_ring_of_two() {
    let cases = proved("leader-election/ring.rml");
    assert_eq!(cases, [size(&[("node", 2), ("id", 2)])]);
}

#[test]
fn an_idle_third_node_votes_when_it_is_needed() {
    let cases = proved("commit/two_phase_commit.rml");
    assert_eq!(cases, [size(&[("node", 3)]), size(&[("node", 2)])]);
}

#[test]
fn an_invariant_helps_where_no_cutoff_is_found() {
    assert_eq!(proved("mutual-exclusion/lock_server.rml"), Vec::<Vec<(String, usize)>>::new());
}

#[test]
fn nothing_broken_is_safe() {
    for entry in corpus::entries() {
        let Expectation::Unsafe { .. } = entry.header().expect("a header").expectation else {
            continue;
        };
        let protocol = protocol(&entry.path);
        match synth(&protocol, 6) {
            Outcome::Unsafe(hunted) => {
                hunted.violation.trace.replay(&protocol).expect("a run of the protocol");
            }
            Outcome::Judged { judgement, .. } => {
                assert!(!matches!(judgement.verdict, Verdict::Safe), "{}", entry.path);
            }
            Outcome::Nothing { .. } => {}
        }
    }
}
