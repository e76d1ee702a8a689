//! The certificates of the corpus: accepted ones, traps, and one refused for each way to be wrong.

// A helper that cannot do its part fails the test.
#![allow(clippy::panic)]

mod accepted;
pub(crate) mod composed;
mod evidence;
mod forged;
mod forged_actions;
mod found;
mod literal;
mod obligations;
mod printed;
mod refused;
mod traps;

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rmlcut::budget::{Budget, Stop};
use rmlcut::certificate::Certificate;
use rmlcut::elaborate::certificate::Origin;
use rmlcut::finite::Silent;
use rmlcut::judge::{FiniteConfig, Gap, JudgeConfig, Judgement, Verdict, judge};
use rmlcut::pipeline::{read_certificate, read_protocol};
use rmlcut::protocol::Protocol;
use rmlcut::report::text::diagnostics::{Colour, render};
use rmlcut::smt::z3::{ModelSize, Z3};
use rmlcut::source::SourceFile;

/// A file or folder of the project.
fn path(below: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(below)
}

fn source(file: &Path) -> SourceFile {
    let text = fs::read_to_string(file).unwrap_or_else(|why| panic!("{}: {why}", file.display()));
    SourceFile::new(&*file.to_string_lossy(), text)
}

/// Every file below a folder with this ending, sorted.
fn files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(&next).expect("the folder is readable") {
            let path = entry.expect("the entry is readable").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == ending) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

fn protocol(file: &Path) -> Protocol {
    let source = source(file);
    match read_protocol(&source) {
        Ok((protocol, _)) => protocol,
        Err(messages) => panic!("{}", render(&source, &messages, Colour::Never)),
    }
}

/// The certificate of a file, or the messages that refuse it.
fn certificate(user: &Protocol, file: &Path, origin: Origin) -> Result<Certificate, Vec<String>> {
    match read_certificate(user, &source(file), origin) {
        Ok(read) => Ok(read.certificate),
        Err(messages) => {
            let errors = messages.into_iter().filter(|message| message.is_error());
            Err(errors.map(|message| message.message).collect())
        }
    }
}

fn limits() -> Budget {
    Budget {
        time: Duration::from_secs(120),
        max_states: 1_000_000,
        max_memory: 1 << 30,
        threads: 1,
        ..Budget::until(Stop::never())
    }
}

/// Does something with the settings that all of these tests share.
fn with_config<R>(
    wanted: &(dyn Fn(&str) -> bool + Sync),
    work: impl FnOnce(&JudgeConfig<'_>) -> R,
) -> R {
    let prover = Z3 { models: ModelSize::Any };
    let finite = FiniteConfig { budget: limits(), residual: 3, progress: &Silent };
    let budget = Budget::of_time(Duration::from_secs(60));
    work(&JudgeConfig { prover: &prover, budget, wanted, finite: Some(finite) })
}

/// The judgement about the parts whose titles are wanted.
fn judged(
    user: &Protocol,
    certificate: &Certificate,
    wanted: &(dyn Fn(&str) -> bool + Sync),
) -> Judgement {
    with_config(wanted, |config| judge(user, certificate, config)).expect("the solver answers")
}

fn gap_in_words(gap: &Gap) -> String {
    match gap {
        Gap::Malformed(why) => format!("malformed: {why}"),
        Gap::Obligation(title) => title.clone(),
        Gap::Finite { case, why } => format!("{case}: finite: {why}"),
        Gap::NothingToProve => "nothing to prove".to_owned(),
        Gap::Vacuous => "vacuous".to_owned(),
        Gap::NoStartSeen => "no start seen".to_owned(),
        Gap::FalseLemma(_) | Gap::NoCertificate => "not judged".to_owned(),
    }
}

/// A verdict in words, with every gap.
fn verdict_in_words(user: &Protocol, verdict: &Verdict) -> String {
    match verdict {
        Verdict::Safe => "safe".to_owned(),
        Verdict::SafeUpTo(bounds) => {
            let bounds = bounds.iter();
            let bounds =
                bounds.map(|(sort, bound)| format!("{}={bound}", user.signature.sort_name(*sort)));
            format!("safe up to {}", bounds.collect::<Vec<_>>().join(", "))
        }
        Verdict::Unsafe(violation) => format!("unsafe: {}", violation.claim),
        Verdict::Unproved(gaps) => {
            format!("unproved: {}", gaps.iter().map(gap_in_words).collect::<Vec<_>>().join("; "))
        }
    }
}
