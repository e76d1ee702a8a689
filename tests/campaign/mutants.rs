//! Changed protocols of the corpus through the laws about verdicts, and the certificates of the
//! originals checked against them.

use std::time::Duration;

use rmlcut::certificate::Certificate;
use rmlcut::pipeline::{Origin, read_certificate, read_protocol};
use rmlcut::protocol::{Protocol, Size};
use rmlcut::prove::Prefer;
use rmlcut::source::SourceFile;

use crate::agreement::dice::Dice;
use crate::campaign::mutate::{Mutant, mutants};
use crate::campaign::tally::Tally;
use crate::campaign::truth::{Limits, Truth, ladder};
use crate::campaign::verdicts::{checked, synthesized};
use crate::campaign::{is_quantified, setting};
use crate::support::corpus::{self, Entry, Expectation};

/// A changed protocol, what it was made of, and the size to begin with.
struct Trial {
    path: String,
    mutant: Mutant,
    first: Size,
    certificate: Option<String>,
}

/// What each mutant may cost.
struct Effort {
    explore: Limits,
    synth: Duration,
    check: Duration,
}

/// Every mutant of every protocol of the corpus, shuffled by a fixed seed.
fn trials() -> Vec<Trial> {
    let mut found = Vec::new();
    for entry in corpus::entries() {
        let source = SourceFile::new(entry.path.as_str(), entry.text.as_str());
        let (protocol, _) = read_protocol(&source).expect("the corpus is right");
        let file = corpus::folder().join(&entry.path).with_extension("cut");
        let certificate = std::fs::read_to_string(file).ok();
        let first = first_size(&entry, &protocol);
        found.extend(mutants(&protocol).into_iter().map(|mutant| Trial {
            path: entry.path.clone(),
            mutant,
            first: first.clone(),
            certificate: certificate.clone(),
        }));
    }
    let mut dice = Dice::new(8);
    for last in (1..found.len()).rev() {
        found.swap(last, dice.below(last + 1));
    }
    found
}

/// The cutoff that the header promises, or the size at which it says the protocol is unsafe.
fn first_size(entry: &Entry, protocol: &Protocol) -> Size {
    let stated = match entry.header().expect("every protocol has a header").expectation {
        Expectation::Safe { cutoff } => cutoff,
        Expectation::Unsafe { size, .. } => size,
        Expectation::Inductive | Expectation::Unproved => Vec::new(),
    };
    let count = |name: &str| {
        let stated = stated.iter().find(|(sort, _)| sort == name).map_or(2, |(_, count)| *count);
        u32::try_from(stated).expect("a small size")
    };
    let signature = &protocol.signature;
    signature.sized_sorts().map(|sort| (sort, count(signature.sort_name(sort)))).collect()
}

fn laws(trial: &Trial, effort: &Effort, tally: &mut Tally) -> Result<(), String> {
    let protocol = &trial.mutant.protocol;
    let sizes = [singles(&trial.first), ladder(&trial.first)].concat();
    let truth = Truth::new(protocol, sizes, effort.explore);
    tally.tried(trial.mutant.kind);
    let (said, _) = synthesized(&truth, effort.synth, Prefer::Cutoff)?;
    tally.said(trial.mutant.kind, said);
    if let Some(certificate) = certificate(trial) {
        let said = checked(&truth, &certificate, effort.check)?;
        tally.tried("(the original's certificate)");
        tally.said("(the original's certificate)", said);
    }
    Ok(())
}

/// Sizes with a single element of every sort, and of each sort alone: changed axioms may allow no
/// more.
fn singles(first: &Size) -> Vec<Size> {
    let all: Size = first.keys().map(|sort| (*sort, 1)).collect();
    let alone = first.keys().map(|single| {
        first.iter().map(|(sort, count)| (*sort, if sort == single { 1 } else { *count })).collect()
    });
    [all].into_iter().chain(alone).collect()
}

/// The original's certificate, if it still makes sense for the mutant.
fn certificate(trial: &Trial) -> Option<Certificate> {
    let source = SourceFile::new("original.cut", trial.certificate.as_deref()?);
    let read = read_certificate(&trial.mutant.protocol, &source, Origin::AnyText);
    read.ok().map(|read| read.certificate)
}

fn run(trials: &[Trial], effort: &Effort) -> Tally {
    let mut tally = Tally::default();
    for trial in trials {
        if let Err(law) = laws(trial, effort, &mut tally) {
            tally.lie(&format!("{}: {law}", trial.path), &trial.mutant.text);
        }
    }
    tally
}

#[test]
fn changed_protocols_are_never_wrongly_safe() {
    let trials = trials();
    assert!(trials.len() > 1_500, "{} mutants", trials.len());
    let effort = Effort {
        explore: Limits { states: 5_000, time: Duration::from_millis(300) },
        synth: Duration::from_millis(100),
        check: Duration::from_millis(500),
    };
    let (without, with): (Vec<Trial>, Vec<Trial>) =
        trials.into_iter().partition(|trial| trial.certificate.is_none());
    let few: Vec<Trial> = without.into_iter().take(110).chain(with.into_iter().take(40)).collect();
    let tally = run(&few, &effort);
    assert!(tally.lies.is_empty(), "{}", tally.lies.join("\n\n"));
    assert!(tally.count("(the original's certificate)", "tried") >= 30);
    assert!(tally.count("(the original's certificate)", "safe") > 0);
}

#[test]
#[ignore = "the long run: see tests/campaign.md"]
fn many_changed_protocols_are_never_wrongly_safe() {
    let mut trials = trials();
    if setting("RMLCUT_QUANTIFIED", 0) > 0 {
        trials.retain(|trial| is_quantified(&trial.mutant.protocol));
    }
    let first = setting("RMLCUT_SEED", 0).min(trials.len());
    let last = (first + setting("RMLCUT_COUNT", 1_500)).min(trials.len());
    let effort = Effort {
        explore: Limits { states: 100_000, time: Duration::from_secs(3) },
        synth: Duration::from_millis(setting("RMLCUT_SYNTH_MS", 3_000) as u64),
        check: Duration::from_secs(5),
    };
    let tally = run(&trials[first..last], &effort);
    println!("{} mutants in all\n{}", trials.len(), tally.table());
    assert!(tally.lies.is_empty(), "{}", tally.lies.join("\n\n"));
}
