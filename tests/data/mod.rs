//! Unbounded data: cutoffs of data sorts as certificates, and cutoffs that would be wrong.

// A helper that cannot do its part fails the test.
#![allow(clippy::panic)]

mod assumed;
mod cutoffs;
mod domains;
mod forged;

use std::fs;
use std::path::Path;
use std::time::Duration;

use rmlcut::budget::{Budget, Stop};
use rmlcut::certificate::Certificate;
use rmlcut::finite::Silent;
use rmlcut::judge::{FiniteConfig, JudgeConfig, Judgement, judge};
use rmlcut::pipeline::read_protocol;
use rmlcut::protocol::Protocol;
use rmlcut::smt::z3::{ModelSize, Z3};
use rmlcut::source::SourceFile;

/// A protocol of the corpus, by its path below `protocols/`.
fn protocol(path: &str) -> Protocol {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("protocols").join(path);
    let text = fs::read_to_string(&file).unwrap_or_else(|why| panic!("{path}: {why}"));
    read_protocol(&SourceFile::new(path, text)).expect("the corpus is accepted").0
}

/// What the judge says, with at most one element of every residual sort.
fn judged(protocol: &Protocol, certificate: &Certificate) -> Judgement {
    let limits = Budget {
        time: Duration::from_secs(120),
        max_states: 1_000_000,
        max_memory: 1 << 30,
        threads: 1,
        ..Budget::until(Stop::never())
    };
    let config = JudgeConfig {
        prover: &Z3 { models: ModelSize::Any },
        budget: limits.clone(),
        wanted: &|_| true,
        finite: Some(FiniteConfig { budget: limits, residual: 1, progress: &Silent }),
    };
    judge(protocol, certificate, &config).expect("the solver answers")
}
