//! Tampered certificates: each is refused, or is right as well, as playing it out shows.

use std::path::{Path, PathBuf};
use std::time::Duration;

use rmlcut::certificate::{Certificate, Invariant, ProofArgument};
use rmlcut::finite::reachable;
use rmlcut::judge::Verdict;
use rmlcut::logic::{VariableAssignment, evaluate_formula};
use rmlcut::pipeline::{Origin, read_certificate, read_protocol};
use rmlcut::protocol::{Protocol, Size};
use rmlcut::source::SourceFile;

use crate::agreement::dice::Dice;
use crate::campaign::edits::Kind;
use crate::campaign::play::play;
use crate::campaign::setting;
use crate::campaign::tally::Tally;
use crate::campaign::tamper::tampered;
use crate::campaign::truth::{Limits, question};
use crate::campaign::verdicts::{Said, judgement};
use crate::support::corpus;

/// A certificate with one change.
struct Trial {
    file: PathBuf,
    user: Protocol,
    kind: Kind,
    text: String,
}

/// Every accepted certificate with its protocol: those beside the protocols of the corpus, and
/// those that `rmlcut synth` found.
fn originals() -> Vec<(PathBuf, Protocol, Certificate)> {
    let mut found = Vec::new();
    let searched = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/found");
    for entry in corpus::entries() {
        for folder in [corpus::folder(), searched.clone()] {
            let file = folder.join(&entry.path).with_extension("cut");
            let Ok(text) = std::fs::read_to_string(&file) else { continue };
            let source = SourceFile::new(entry.path.as_str(), entry.text.as_str());
            let (user, _) = read_protocol(&source).expect("the corpus is right");
            let certificate = read(&user, &text).expect("an accepted certificate is right");
            found.push((file, user, certificate));
        }
    }
    found
}

fn read(user: &Protocol, text: &str) -> Option<Certificate> {
    let source = SourceFile::new("tampered.cut", text);
    read_certificate(user, &source, Origin::AnyText).ok().map(|read| read.certificate)
}

/// Every changed certificate, shuffled by a fixed seed.
fn trials() -> Vec<Trial> {
    let mut found = Vec::new();
    for (file, user, certificate) in originals() {
        for (kind, text) in tampered(&user, &certificate) {
            found.push(Trial { file: file.clone(), user: user.clone(), kind, text });
        }
    }
    let mut dice = Dice::new(88);
    for last in (1..found.len()).rev() {
        found.swap(last, dice.below(last + 1));
    }
    found
}

/// Judges one; what is accepted is played out, and returned if it is right.
fn judged(trial: &Trial, time: Duration, tally: &mut Tally) -> Result<Option<String>, String> {
    tally.tried(trial.kind);
    let Some(certificate) = read(&trial.user, &trial.text) else {
        tally.said(trial.kind, Said::Unproved);
        return Ok(None);
    };
    let judgement = judgement(&trial.user, &certificate, time).map_err(|why| why.to_string())?;
    let said = match judgement.verdict {
        Verdict::Safe => Said::Safe,
        Verdict::SafeUpTo(_) => Said::SafeUpTo,
        Verdict::Unsafe(_) => return Err("verdict `unsafe` for a safe protocol".to_owned()),
        Verdict::Unproved(_) => Said::Unproved,
    };
    tally.said(trial.kind, said);
    if said == Said::Unproved {
        return Ok(None);
    }
    if trial.user.signature.uses_int() {
        return Ok(Some("not played: it uses integers".to_owned()));
    }
    let limits = Limits { states: 3_000, time: Duration::from_secs(2) };
    Ok(Some(match &certificate.argument {
        ProofArgument::Cutoff(cases) => {
            format!("{} pairs of states", play(&certificate, cases, limits)?)
        }
        ProofArgument::Invariant(own) => {
            format!("an invariant in {} states", holds_everywhere(&certificate, own, limits)?)
        }
    }))
}

/// An invariant holds in every reachable state of the largest of a few instances that is small
/// enough; returns how many states that has.
fn holds_everywhere(
    certificate: &Certificate,
    invariant: &Invariant,
    limits: Limits,
) -> Result<usize, String> {
    let large = &certificate.large;
    let found = [3, 2, 1].into_iter().find_map(|count| {
        let size: Size = large.signature.sized_sorts().map(|sort| (sort, count)).collect();
        reachable(&question(large, size), &limits.budget(1)).ok().and_then(Result::ok)
    });
    let mut seen = 0;
    for instance in found.iter().flat_map(|found| &found.instances) {
        for state in instance.states() {
            seen += 1;
            for clause in &invariant.clauses {
                let holds = evaluate_formula(&state, &VariableAssignment::new(), &clause.formula);
                if holds != Ok(true) {
                    return Err(format!("`{}` fails in a reachable state", clause.name));
                }
            }
        }
    }
    Ok(seen)
}

/// Runs trials; the survivors are described.
fn run(trials: &[Trial], time: Duration) -> (Tally, Vec<String>) {
    let mut tally = Tally::default();
    let mut survivors = Vec::new();
    for trial in trials {
        let name = trial.file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        match judged(trial, time, &mut tally) {
            Ok(None) => {}
            Ok(Some(played)) => {
                let change = difference(&trial.user, &trial.file, &trial.text);
                survivors.push(format!("{name}: {}: {change} ({played})", trial.kind));
            }
            Err(law) => tally.lie(&format!("{name}: {}: {law}", trial.kind), &trial.text),
        }
    }
    (tally, survivors)
}

/// The lines of the changed certificate that the original does not have.
fn difference(user: &Protocol, file: &Path, text: &str) -> String {
    let original = std::fs::read_to_string(file).expect("it was read before");
    let original = read(user, &original).expect("it was read before");
    let original = rmlcut::certificate::print_certificate(user, &original, "");
    let known: Vec<&str> = original.lines().collect();
    let changed: Vec<&str> = text.lines().collect();
    let added: Vec<&str> =
        changed.iter().filter(|line| !known.contains(line)).map(|line| line.trim()).collect();
    let gone: Vec<&str> =
        known.iter().filter(|line| !changed.contains(line)).map(|line| line.trim()).collect();
    format!("`{}` for `{}`", added.join(" "), gone.join(" "))
}

#[test]
fn certificates_of_the_corpus_play_out() {
    let limits = Limits { states: 3_000, time: Duration::from_secs(5) };
    let mut pairs = 0;
    for (file, user, certificate) in originals() {
        if user.signature.uses_int() {
            continue;
        }
        let ProofArgument::Cutoff(cases) = &certificate.argument else { continue };
        let played = play(&certificate, cases, limits);
        pairs += played.unwrap_or_else(|why| panic!("{}: {why}", file.display()));
    }
    assert!(pairs > 500, "{pairs} pairs of states");
}

#[test]
fn playing_out_refuses_what_is_wrong() {
    let trials = trials();
    let limits = Limits { states: 3_000, time: Duration::from_secs(1) };
    let wrong = trials.iter().filter(|trial| trial.kind == "drop a move").take(12);
    let refused = wrong.filter(|trial| {
        read(&trial.user, &trial.text).is_some_and(|certificate| match &certificate.argument {
            ProofArgument::Cutoff(cases) => play(&certificate, cases, limits).is_err(),
            ProofArgument::Invariant(_) => false,
        })
    });
    assert!(refused.count() > 3, "playing out notices moves that are missing");
}

#[test]
fn tampered_certificates_are_refused_or_right() {
    let trials = trials();
    assert!(trials.len() > 500, "{} certificates", trials.len());
    let (tally, survivors) = run(&trials[..25], Duration::from_millis(700));
    assert!(tally.lies.is_empty(), "{}", tally.lies.join("\n\n"));
    assert!(survivors.len() < 15, "most changes break a certificate: {survivors:#?}");
}

#[test]
#[ignore = "the long run: see tests/campaign.md"]
fn many_tampered_certificates_are_refused_or_right() {
    let trials = trials();
    let first = setting("RMLCUT_SEED", 0).min(trials.len());
    let last = (first + setting("RMLCUT_COUNT", trials.len())).min(trials.len());
    let (tally, survivors) = run(&trials[first..last], Duration::from_secs(5));
    println!("{} certificates in all\n{}", trials.len(), tally.table());
    println!("{} survivors\n{}", survivors.len(), survivors.join("\n"));
    assert!(tally.lies.is_empty(), "{}", tally.lies.join("\n\n"));
}
