//! Why *enabled* is proved: the step condition as the paper prints it accepts three certificates
//! for protocols that are not safe.
//!
//! The printed condition has the step of C among its hypotheses. Where C cannot do the step, it
//! holds for nothing.

use std::path::Path;

use rmlcut::certificate::{Certificate, Obligation, ProofArgument};
use rmlcut::elaborate::certificate::Origin;
use rmlcut::finite::{ENGINES, FiniteOutcome, Question, Silent, check};
use rmlcut::judge::{Gap, Judged, Verdict, judge_obligations, obligations};
use rmlcut::protocol::Protocol;
use rmlcut::synthesis::literal::as_printed;

use super::{certificate, judged, limits, path, protocol, verdict_in_words, with_config};

fn certificate_of(name: &str) -> (Protocol, Certificate) {
    let user = protocol(&path(&format!("protocols/broken/{name}.rml")));
    let file = path(&format!("tests/refused/{name}.cut"));
    let certificate = certificate(&user, &file, Origin::AnyText).expect("it is well formed");
    (user, certificate)
}

/// The conditions as the paper prints them, of every case.
fn all_printed(certificate: &Certificate) -> Vec<Obligation> {
    let ProofArgument::Cutoff(cases) = &certificate.argument else { panic!("there are cases") };
    cases.iter().flat_map(|case| as_printed(&certificate.large, case)).collect()
}

/// The titles of the obligations that are not valid.
fn open(all: Vec<Obligation>) -> Vec<String> {
    let judged = with_config(&|_| true, |config| judge_obligations(all, config));
    let judged = judged.expect("the solver answers");
    let open = judged.iter().filter(|judged| !Judged::is_valid(judged));
    open.map(|judged| judged.obligation.title()).collect()
}

fn all_obligations(certificate: &Certificate) -> Vec<Obligation> {
    let (whole, cases) = obligations(certificate);
    whole.into_iter().chain(cases.into_iter().flatten()).collect()
}

/// Whether a search finds a violation at some size with three nodes.
fn is_unsafe_with_three(user: &Protocol) -> bool {
    let size = user.signature.sized_sorts().map(|sort| (sort, 3)).collect();
    let question = Question::new(user, size);
    let outcome = check(ENGINES[0], &question, &limits(), &Silent).expect("the question is right");
    matches!(outcome, FiniteOutcome::Unsafe(..))
}

/// The printed condition accepts the certificate, its instance is safe, and the protocol is not.
fn is_wrongly_accepted(name: &str) {
    let (user, certificate) = certificate_of(name);
    assert_eq!(open(all_printed(&certificate)), Vec::<String>::new(), "{name}");
    let judgement = judged(&user, &certificate, &|_| true);
    for case in &judgement.cases {
        assert!(case.finite.is_closed(), "{name}: {:?}", case.finite);
    }
    assert!(is_unsafe_with_three(&user), "{name}");
    let Verdict::Unproved(gaps) = &judgement.verdict else {
        panic!("{name}: {}", verdict_in_words(&user, &judgement.verdict))
    };
    // Without these obligations nothing would be in the way of `safe`.
    assert!(!gaps.is_empty());
    for gap in gaps {
        let Gap::Obligation(title) = gap else { panic!("{name}: {gap:?}") };
        assert!(title.contains(" / enabled "), "{name}: {title}");
    }
}

#[test]
fn the_printed_condition_accepts_trip() {
    is_wrongly_accepted("trip");
}

#[test]
fn the_printed_condition_accepts_ring_bug() {
    is_wrongly_accepted("ring_bug");
}

#[test]
fn the_printed_condition_accepts_tpc_bug() {
    is_wrongly_accepted("tpc_bug");
}

#[test]
fn the_printed_condition_does_not_accept_everything() {
    let user = protocol(&path("protocols/storage/basic_kv.rml"));
    let read = |file: &Path| certificate(&user, file, Origin::AnyText).expect("it is well formed");
    let refused = read(&path("tests/refused/basic_kv_keeps_message.cut"));
    let open = open(all_printed(&refused));
    assert!(open.contains(&"two_places: step recv_transfer_msg / keeps table".to_owned()));
}

#[test]
fn every_move_that_must_happen_is_shown_to_be_possible() {
    let user = protocol(&path("protocols/commit/two_phase_commit.rml"));
    let file = path("protocols/commit/two_phase_commit.cut");
    let certificate = certificate(&user, &file, Origin::ThisText).expect("it is accepted");
    let all = all_obligations(&certificate);
    let of = |action: &str| {
        let about = format!("two_nodes: step {action} / enabled ");
        all.iter().filter(|obligation| obligation.title().starts_with(&about)).count()
    };
    assert_eq!((of("cast_yes"), of("start_commit"), of("start_abort")), (1, 2, 2));
}
