//! The library's own interface: what the documentation's examples do not show.

use rmlcut::{Certificate, Error, Options, Protocol, Verdict};

const LOCK: &str = "sort node\nrelation holds(node)\nrelation free\ninit ~holds(N)\ninit free\n\
                    action take(n: node) { require free; free := false; holds(n) := true }\n\
                    action give(n: node) { require holds(n); holds(n) := false; free := true }\n\
                    safety [one_holder] holds(N1) & holds(N2) -> N1 = N2\n";

fn lock() -> Protocol {
    Protocol::parse(LOCK).expect("it is a protocol")
}

#[test]
fn a_certificate_belongs_to_a_text_and_not_to_a_file_name() {
    let proof = lock().prove(&Options::default()).expect("the solver answers");
    assert_eq!((proof.to_string().as_str(), &proof.verdict), ("safe", &Verdict::Safe));
    let certificate = proof.certificate.expect("it is safe").to_string();
    let elsewhere = certificate.replace("for protocol", "for another_file");
    assert_ne!(elsewhere, certificate);
    let elsewhere = Certificate::from(elsewhere.as_str());
    assert_eq!(lock().check(&elsewhere, &Options::default()), Ok(Verdict::Safe));
    let other = Protocol::parse(&LOCK.replace("init free\n", "")).expect("it is a protocol");
    let refused = other.check(&elsewhere, &Options::default()).expect_err("another text");
    assert!(refused.to_string().contains("another version"), "{refused}");
}

#[test]
fn proofs_with_different_numbers_of_threads_share_a_process() {
    let verdicts = std::thread::scope(|scope| {
        let proofs = [1, 2].map(|threads| {
            scope.spawn(move || lock().prove(&Options::seconds(60).threads(threads)))
        });
        proofs.map(|proof| proof.join().expect("it ends").expect("the solver answers").verdict)
    });
    assert_eq!(verdicts, [Verdict::Safe, Verdict::Safe]);
}

#[test]
fn verdicts_say_at_which_sizes() {
    let at = |count| lock().explore(&Options::default().size("node", count));
    assert_eq!(at(3).expect("it is small").to_string(), "safe at node=3");
    let unsafe_lock = LOCK.replace("require free; ", "");
    let unsafe_lock = Protocol::parse(&unsafe_lock).expect("it is a protocol");
    let proof = unsafe_lock.prove(&Options::default()).expect("the solver answers");
    assert!(matches!(&proof.verdict, Verdict::Unsafe { run, .. } if run.contains("take")));
    assert!(proof.to_string().starts_with("unsafe: [one_holder] fails after 2 steps at node=2\n"));
    assert_eq!(proof.certificate, None);
}

#[test]
fn errors_print_every_message() {
    let wrong = "sort node\nrelation r(nod)\nsafety [p] q(N)\n";
    let error: Box<dyn std::error::Error> =
        Protocol::parse(wrong).expect_err("two mistakes").into();
    let text = error.to_string();
    assert!(text.contains("protocol.rml:2:12") && text.contains("protocol.rml:3:12"), "{text}");
    let aimless = Protocol::parse("sort node\n").expect("it is a protocol");
    let asked =
        [aimless.prove(&Options::default()).err(), aimless.explore(&Options::default()).err()];
    assert!(asked.iter().all(|error| matches!(error, Some(Error::Question(_)))), "{asked:?}");
    let sized = lock().explore(&Options::default().size("client", 2));
    assert!(matches!(sized, Err(Error::Question(_))), "{sized:?}");
}
