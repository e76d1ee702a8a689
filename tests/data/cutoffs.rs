//! What the search for cutoffs of data finds: two values are enough for every agreement.

use std::time::Duration;

use rmlcut::budget::{Budget, Stop};
use rmlcut::certificate::{Certificate, Closing, ProofArgument, print_certificate};
use rmlcut::elaborate::certificate::elaborate_certificate;
use rmlcut::finite::Silent;
use rmlcut::frontend::parse_certificate;
use rmlcut::judge::{Judged, Verdict};
use rmlcut::pipeline::read_process;
use rmlcut::protocol::Protocol;
use rmlcut::prove::{Prefer, ProveConfig, prove_equals};
use rmlcut::source::SourceFile;
use rmlcut::synthesis::{CutoffSystem, cut_data};

use super::{judged, protocol};
use crate::certificates::composed::CHANGES;

fn found(protocol: &Protocol) -> Option<Certificate> {
    found_for(protocol, CutoffSystem::Itself)
}

fn found_for(protocol: &Protocol, system: CutoffSystem) -> Option<Certificate> {
    let stop = Stop::never().within(Duration::from_secs(300));
    cut_data(protocol, system, &Budget::until(stop)).expect("the solver answers")
}

/// A search that prefers cutoffs.
fn config() -> ProveConfig<'static> {
    ProveConfig {
        stop: Stop::never().within(Duration::from_secs(300)),
        prefer: Prefer::Cutoff,
        patience: 1,
        residual: 2,
        threads: 1,
        proved: &|| {},
        progress: &Silent,
    }
}

/// The largest number of values of any data domain in any case.
fn most_values(certificate: &Certificate) -> usize {
    let ProofArgument::Cutoff(cases) = &certificate.argument else { return usize::MAX };
    let sizes = cases.iter().flat_map(|case| case.cut.iter().map(|cut| cut.elements.len()));
    sizes.max().expect("something is cut")
}

/// The largest number of elements that any case has of a sort.
fn most_elements(protocol: &Protocol, certificate: &Certificate, sort: &str) -> usize {
    let ProofArgument::Cutoff(cases) = &certificate.argument else { return usize::MAX };
    let own = |id| **protocol.signature.sort_name(id) == *sort;
    let cuts = cases.iter().flat_map(|case| case.cut.iter().filter(|cut| own(cut.sort)));
    cuts.map(|cut| cut.elements.len()).max().expect("something is cut")
}

/// The sorts that every case cuts.
fn cut(protocol: &Protocol, certificate: &Certificate) -> Vec<String> {
    let ProofArgument::Cutoff(cases) = &certificate.argument else { return Vec::new() };
    let sorts = protocol
        .signature
        .sorts()
        .filter(|sort| cases.iter().all(|case| case.cut.iter().any(|cut| cut.sort == *sort)));
    sorts.map(|sort| protocol.signature.sort_name(sort).to_string()).collect()
}

fn two_values_are_enough(path: &str, sorts: &[&str]) {
    let protocol = protocol(path);
    let certificate = found(&protocol).unwrap_or_else(|| panic!("{path}: nothing"));
    assert_eq!(most_values(&certificate), 2, "{path}");
    assert_eq!(cut(&protocol, &certificate), sorts, "{path}");
    let text = print_certificate(&protocol, &certificate, "");
    let parsed = parse_certificate(&SourceFile::new("found.cut", text.as_str()));
    let read = elaborate_certificate(&protocol, &parsed.file).certificate;
    let read = read.unwrap_or_else(|| panic!("{path} does not read back:\n{text}"));
    let judgement = judged(&protocol, &read);
    assert!(judgement.obligations().all(Judged::is_valid), "{path}\n{text}");
    let is_finite = sorts.contains(&"process");
    match judgement.verdict {
        Verdict::Safe if is_finite => {}
        Verdict::SafeUpTo(_) if !is_finite => {}
        verdict => panic!("{path}: {verdict:?}"),
    }
}

#[test]
fn two_processes_and_two_values_are_enough_for_a_register() {
    two_values_are_enough("agreement/data_register.mer", &["process", "value"]);
}

#[test]
fn two_processes_and_two_values_of_each_kind_are_enough_for_two_registers() {
    let sorts = ["process", "value_local", "value_local2"];
    two_values_are_enough("agreement/data_register_two.mer", &sorts);
}

#[test]
fn two_values_are_enough_for_a_consortium() {
    for name in ["", "_three", "_broadcast"] {
        two_values_are_enough(&format!("agreement/data_consortium{name}.mer"), &["value"]);
    }
}

#[test]
fn two_values_are_enough_where_values_are_compared_with_one_another() {
    two_values_are_enough("agreement/data_consortium_check.mer", &["value"]);
}

/// Data of protocols in RML, whose proofs left these sorts to an invariant.
#[test]
fn few_values_are_enough_for_protocols_in_rml() {
    for (path, sort) in [
        ("coherence/msi.rml", "value"),
        ("replication/primary_backup.rml", "write"),
        ("services/client_server_sessions.rml", "request"),
    ] {
        let protocol = protocol(path);
        let certificate = found(&protocol).unwrap_or_else(|| panic!("{path}: nothing"));
        let values = most_elements(&protocol, &certificate, sort);
        assert!(values <= 2, "{path}: {values}");
        assert!(cut(&protocol, &certificate).iter().any(|own| own == sort), "{path}");
        let judgement = judged(&protocol, &certificate);
        assert!(judgement.obligations().all(Judged::is_valid), "{path}");
    }
}

#[test]
fn systems_that_compare_many_values_have_no_cutoff_of_data() {
    for name in ["two_elections", "pair_by_pair"] {
        assert_eq!(found(&protocol(&format!("agreement/broken/data_{name}.mer"))), None, "{name}");
    }
}

#[test]
fn a_cutoff_of_data_is_closed_by_an_invariant() {
    let protocol = protocol("agreement/data_consortium_broadcast.mer");
    let path = "protocols/agreement/data_consortium_broadcast.mer";
    let text = std::fs::read_to_string(path).expect("it is in the corpus");
    let process = read_process(&SourceFile::new(path, text)).expect("it is a process");
    let found = prove_equals(&protocol, Some(&process), &config());
    let (outcome, _) = found.expect("the solver answers");
    assert!(matches!(outcome.verdict, Verdict::Safe), "{:?}", outcome.verdict);
    let certificate = outcome.judged.expect("a certificate").0;
    let ProofArgument::Cutoff(cases) = &certificate.argument else { panic!("no cutoff") };
    let by_invariant = cases.iter().all(|case| matches!(case.closing, Closing::Invariant(_)));
    assert!(by_invariant && most_values(&certificate) == 2);
}

#[test]
fn what_needs_values_to_differ_is_relaxed_and_closed_by_a_certificate() {
    let source = SourceFile::new("changes.rml", CHANGES);
    let (protocol, _) = rmlcut::pipeline::read_protocol(&source).expect("it is right");
    assert_eq!(found(&protocol), None, "two values alone do not show everything");
    let certificate = found_for(&protocol, CutoffSystem::Relaxed).expect("a cutoff");
    let ProofArgument::Cutoff(cases) = &certificate.argument else { panic!("no cutoff") };
    assert!(cases.iter().all(|case| case.relaxed) && most_values(&certificate) == 2);
    let (outcome, _) = prove_equals(&protocol, None, &config()).expect("the solver answers");
    assert!(matches!(outcome.verdict, Verdict::Safe), "{:?}", outcome.verdict);
    let certificate = outcome.judged.expect("a certificate").0;
    let text = print_certificate(&protocol, &certificate, "");
    let ProofArgument::Cutoff(cases) = &certificate.argument else { panic!("{text}") };
    let nested = cases.iter().all(|case| matches!(case.closing, Closing::Certificate(_)));
    assert!(nested && text.contains("close by certificate"), "{text}");
    let parsed = parse_certificate(&SourceFile::new("found.cut", text.as_str()));
    let read = elaborate_certificate(&protocol, &parsed.file).certificate.expect("it reads back");
    assert!(matches!(judged(&protocol, &read).verdict, Verdict::Safe), "{text}");
}
