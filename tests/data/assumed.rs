//! Goals that are among the hypotheses: no solver is asked, and it would have agreed.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rmlcut::budget::Budget;
use rmlcut::judge::{every_obligation, query};
use rmlcut::pipeline::{Origin, read_certificate, read_protocol};
use rmlcut::smt::z3::{ModelSize, Z3};
use rmlcut::smt::{Discharge, Prover as _};
use rmlcut::source::SourceFile;

const Z3: Z3 = Z3 { models: ModelSize::Any };

fn text(file: &Path) -> SourceFile {
    let text = fs::read_to_string(file).unwrap_or_else(|why| panic!("{}: {why}", file.display()));
    SourceFile::new(&*file.to_string_lossy(), text)
}

/// Compares the answers to the obligations of a certificate with those of the solver alone; how
/// many were not put to it at all.
fn compared(protocol: &Path, certificate: &Path) -> usize {
    let (protocol, _) = read_protocol(&text(protocol)).expect("the corpus is accepted");
    let certificate = read_certificate(&protocol, &text(certificate), Origin::AnyText);
    let certificate = certificate.expect("the certificate is accepted").certificate;
    let budget = Budget::of_time(Duration::from_secs(60));
    let mut unasked = 0;
    for obligation in every_obligation(&certificate) {
        let query = [query(&obligation)];
        let answer = Z3.discharge_group(&query, &budget).expect("an answer");
        let hypotheses = &obligation.hypotheses;
        let is_assumed = |part| hypotheses.iter().any(|known| known.formula == part);
        if obligation.goal.conjuncts().into_iter().all(is_assumed) {
            unasked += 1;
            let asked = Z3.ask(&query, &budget).expect("an answer");
            assert_eq!(asked, [Discharge::Valid], "{}", obligation.title());
            assert_eq!(answer, [Discharge::Valid], "{}", obligation.title());
        }
    }
    unasked
}

fn below(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

#[test]
fn a_goal_that_is_assumed_is_valid() {
    let unasked = compared(
        &below("protocols/mutual-exclusion/lock_server.rml"),
        &below("tests/found/mutual-exclusion/lock_server.cut"),
    );
    assert!(unasked >= 10, "{unasked}");
}

#[test]
#[ignore = "puts every obligation of the corpus to the solver"]
fn the_solver_agrees_on_every_goal_of_the_corpus_that_is_assumed() {
    let mut unasked = 0;
    for family in fs::read_dir(below("tests/found")).expect("the folder is readable") {
        let family = family.expect("the folder is readable").path();
        for file in fs::read_dir(&family).expect("the folder is readable") {
            let certificate = file.expect("the folder is readable").path();
            let own = certificate.strip_prefix(below("tests/found")).expect("it is below");
            let protocol = below("protocols").join(own).with_extension("rml");
            unasked += compared(&protocol, &certificate);
        }
    }
    assert!(unasked >= 500, "{unasked}");
}
