//! The Ivy and mypyvy versions of the seven protocols are the same protocols, and the certificates
//! of the `.rml` files prove them with the same verdict and the same cutoff.

use std::path::PathBuf;
use std::time::Duration;

use rmlcut::budget::Budget;
use rmlcut::finite::Silent;
use rmlcut::judge::request::JudgeRequest;
use rmlcut::pipeline;
use rmlcut::pipeline::{Formatted, Origin, Spelling, format_as, read_certificate};
use rmlcut::protocol::{Protocol, print_protocol};
use rmlcut::report::text::check::{Checked, summary};
use rmlcut::report::text::coverage::Covered;
use rmlcut::source::SourceFile;

use super::equivalence::assert_same;
use super::{files, read, source};

const LANGUAGES: [&str; 2] = ["ivy", "pyv"];

/// Every twin with the protocol it is a twin of.
fn twins() -> Vec<(PathBuf, PathBuf)> {
    let found = LANGUAGES.iter().flat_map(|extension| files("protocols", extension));
    found.map(|path| (path.with_extension("rml"), path)).collect()
}

#[test]
fn the_seven_protocols_have_twins_in_both_languages() {
    for extension in LANGUAGES {
        assert_eq!(files("protocols", extension).len(), 7, "{extension}");
    }
}

#[test]
fn twins_are_the_same_protocols() {
    for (original, twin) in twins() {
        let (one, other) = (read(&source(&original)), read(&source(&twin)));
        assert_same(&twin.display().to_string(), &one, &other);
    }
}

/// What the judge says of a protocol with the certificate that lies beside it.
fn judged(protocol: &Protocol, text: &SourceFile, certificate: &SourceFile) -> String {
    let read = read_certificate(protocol, certificate, Origin::AnyText);
    let read = read.unwrap_or_else(|messages| panic!("{}: {messages:?}", text.name()));
    let time = Duration::from_secs(60);
    let budget = Budget { max_memory: 1 << 30, ..Budget::of_time(time) };
    let request = JudgeRequest { residual: 2, ..JudgeRequest::new(budget) };
    let judgement = pipeline::check(protocol, &read.certificate, &request, None, &Silent);
    let judgement = judgement.unwrap_or_else(|error| panic!("{}: {error}", text.name()));
    let checked = Checked {
        protocol,
        text,
        certificate: &read.certificate,
        source: certificate,
        changes: None,
        evidence: None,
        coverage: Covered::NotAsked,
        judgement: &judgement,
    };
    summary(&checked)
}

/// The verdict, what was cut, and how the instances were found safe.
fn results(summary: &str) -> Vec<&str> {
    let is_compared = |line: &&str| {
        let words = ["  cut ", "  residual ", "  finite ", "case "];
        words.iter().any(|word| line.starts_with(word))
    };
    summary.lines().take(1).chain(summary.lines().filter(is_compared)).collect()
}

#[test]
fn twins_get_the_same_verdict_and_cutoff() {
    for path in files("protocols", "ivy") {
        let original = path.with_extension("rml");
        let certificate = source(&path.with_extension("cut"));
        let text = source(&original);
        let meant = judged(&read(&text), &text, &certificate);
        assert!(results(&meant).iter().any(|line| line.starts_with("  cut ")), "{meant}");
        for extension in LANGUAGES {
            let twin = path.with_extension(extension);
            let found = judged(&read(&source(&twin)), &text, &certificate);
            assert_eq!(results(&meant), results(&found), "{}", twin.display());
        }
    }
}

/// The protocols of the corpus that declare structures, beside what they were with axioms. Where
/// nothing is defined besides, even their texts are the same.
#[test]
fn declared_structures_are_the_axioms_they_replaced() {
    let older = files("tests/older", "rml");
    assert!(older.len() >= 10, "{}", older.len());
    for path in older {
        let name = path.file_name().map(PathBuf::from).unwrap_or_default();
        let corpus = files("protocols", "rml");
        let now = corpus.iter().find(|own| own.ends_with(&name)).expect("it is in the corpus");
        let (before, now) = (read(&source(&path)), read(&source(now)));
        assert!(before.signature.structures().is_empty());
        assert!(!now.signature.structures().is_empty(), "{}", path.display());
        assert_same(&path.display().to_string(), &before, &now);
        if now.signature.definitions().is_empty() {
            assert_eq!(print_protocol(&before), print_protocol(&now), "{}", path.display());
        }
        let modern = match format_as(&source(&path), Spelling::Modern) {
            Ok(Formatted::Canonical(text) | Formatted::Translated { text, .. }) => text,
            Err(messages) => format!("{messages:?}"),
        };
        let modern = read(&SourceFile::new("modern.rml", modern));
        let structures = |protocol: &Protocol| protocol.signature.structures().len();
        assert_eq!(structures(&modern), structures(&now), "{}", path.display());
    }
}
