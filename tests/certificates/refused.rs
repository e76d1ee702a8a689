//! Certificates that prove nothing, each refused for the reason in its first line.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use rmlcut::certificate::validate;
use rmlcut::elaborate::certificate::Origin;
use rmlcut::judge::Verdict;
use rmlcut::protocol::Protocol;
use rmlcut::smt::Discharge;

use super::accepted::ACCEPTED;
use super::{certificate, files, gap_in_words, judged, path, protocol, source, verdict_in_words};

/// The reason that a file gives in its first line.
pub(super) fn must_fail(file: &Path) -> String {
    let source = source(file);
    let first = source.text().lines().next().unwrap_or_default();
    let reason = first.strip_prefix("# must fail: ");
    reason.unwrap_or_else(|| panic!("{}: no reason", file.display())).to_owned()
}

/// The protocols that refused certificates are for, by name.
fn protocols() -> BTreeMap<String, PathBuf> {
    let files = files(&path("protocols"), "rml").into_iter();
    let files = files.chain(super::files(&path("tests/refused"), "rml"));
    let stem = |file: &Path| file.file_stem().map(|stem| stem.to_string_lossy().into_owned());
    files.filter_map(|file| Some((stem(&file)?, file))).collect()
}

/// The protocol that a certificate says it is for.
fn user_of(file: &Path, protocols: &BTreeMap<String, PathBuf>) -> Protocol {
    let source = source(file);
    let header = source.text().lines().find_map(|line| line.strip_prefix("certificate 1 for "));
    let name = header.unwrap_or_else(|| panic!("{}: no header", file.display()));
    protocol(protocols.get(name).unwrap_or_else(|| panic!("there is no protocol {name}")))
}

/// Whether a certificate is refused for this very reason; otherwise what happens instead.
fn refused_because(user: &Protocol, file: &Path, reason: &str) -> Result<(), String> {
    let certificate = match certificate(user, file, Origin::AnyText) {
        Ok(certificate) => certificate,
        Err(messages) if messages.iter().any(|message| message == reason) => return Ok(()),
        Err(messages) => return Err(messages.join("; ")),
    };
    let problems = validate(user, &certificate);
    if !problems.is_empty() {
        let said = problems.iter().any(|problem| problem == reason);
        return if said { Ok(()) } else { Err(problems.join("; ")) };
    }
    let about_instances = reason.contains(": finite: ") || reason.starts_with("unsafe: ");
    let judgement = judged(user, &certificate, &|title| {
        title == reason || about_instances && title.ends_with(": finite")
    });
    let words = verdict_in_words(user, &judgement.verdict);
    let refused = match &judgement.verdict {
        Verdict::Unproved(gaps) if about_instances => {
            gaps.iter().any(|gap| gap_in_words(gap) == reason)
        }
        Verdict::Unproved(_) => {
            let mut obligations = judgement.obligations();
            let meant = obligations.find(|judged| judged.obligation.title() == reason);
            meant.is_some_and(|judged| matches!(judged.discharge, Discharge::Refuted(_)))
        }
        Verdict::Unsafe(_) => words == reason,
        Verdict::Safe | Verdict::SafeUpTo(_) => false,
    };
    if refused { Ok(()) } else { Err(words) }
}

#[test]
fn every_refused_certificate_is_refused_for_its_reason() {
    let protocols = protocols();
    let mut wrong = Vec::new();
    for file in files(&path("tests/refused"), "cut") {
        let reason = must_fail(&file);
        let user = user_of(&file, &protocols);
        if let Err(instead) = refused_because(&user, &file, &reason) {
            wrong.push(format!("{}\n  not: {reason}\n  but: {instead}", file.display()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The lines of a certificate without its opening comments.
fn lines(text: &str) -> Vec<&str> {
    text.lines().skip_while(|line| line.starts_with('#')).collect()
}

#[test]
fn most_refused_certificates_are_one_edit_away_from_an_accepted_one() {
    let mut edits = 0;
    for file in files(&path("tests/refused"), "cut") {
        let refused = source(&file);
        let base = refused.text().lines().find_map(|line| line.strip_prefix("# one edit from: "));
        let Some(base) = base else { continue };
        let name = base.strip_suffix(".cut").expect("it is a certificate");
        assert!(ACCEPTED.iter().any(|(known, ..)| *known == name), "{base} is accepted");
        let accepted = source(&path(&format!("protocols/{base}")));
        let (from, to) = (lines(accepted.text()), lines(refused.text()));
        let same = from.iter().zip(&to).take_while(|(left, right)| left == right).count();
        let rest = from[same..].iter().rev().zip(to[same..].iter().rev());
        let after = rest.take_while(|(left, right)| left == right).count();
        let written = to.len() - same - after;
        assert!(from != to && written <= 4, "{}: {written} lines", file.display());
        edits += 1;
    }
    assert!(edits >= 40, "{edits}");
}

#[test]
fn a_reason_that_is_not_the_reason_is_noticed() {
    let protocols = protocols();
    let file = path("tests/refused/sharded_kv_put_stutters.cut");
    let user = user_of(&file, &protocols);
    for reason in ["two_owners: step put / keeps sent", "two_owners: no such", "`x` is unknown"] {
        assert!(refused_because(&user, &file, reason).is_err(), "{reason}");
    }
    let accepted = path("protocols/storage/basic_kv.cut");
    let user = user_of(&accepted, &protocols);
    assert!(refused_because(&user, &accepted, "cover one_owner").is_err());
}
