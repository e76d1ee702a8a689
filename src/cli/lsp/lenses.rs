//! Lenses: what can be found out about a line, and what was.

use lsp_types::{
    CodeLens, Command, Diagnostic as Message, DiagnosticSeverity, NumberOrString, Uri,
};
use serde_json::Value;

use super::documents::{Documents, is_certificate};
use super::findings::{Finding, Findings, Grade};
use super::jobs::Job;
use super::positions::{Encoding, Lines};
use crate::source::Span;

/// Searches small instances.
pub(super) const EXPLORE: &str = "rmlcut.explore";
/// Searches for a proof.
pub(super) const PROVE: &str = "rmlcut.prove";
/// Checks a certificate.
pub(super) const CHECK: &str = "rmlcut.check";
/// Ends what runs about a text.
pub(super) const CANCEL: &str = "rmlcut.cancel";

/// The commands that a client can ask for; each has the address of a text as its argument.
pub(super) const COMMANDS: &[&str] = &[EXPLORE, PROVE, CHECK, CANCEL];

/// What is known of a text, and what runs about it.
pub(super) struct Known<'a> {
    pub(super) findings: Option<&'a Findings>,
    pub(super) job: Option<&'a Job>,
}

/// The lenses of an open text.
pub(super) fn lenses(
    documents: &Documents,
    uri: &Uri,
    known: &Known<'_>,
    encoding: Encoding,
) -> Vec<CodeLens> {
    let Some(text) = documents.text(uri) else { return Vec::new() };
    let lines = Lines::new(text, encoding);
    let mut lenses = Vec::new();
    let mut lens = |at: Span, title: String, command: &str| {
        let range = lines.range(at.start_only());
        let arguments = (!command.is_empty()).then(|| vec![Value::from(uri.as_str())]);
        let command = Command { title, command: command.to_owned(), arguments };
        lenses.push(CodeLens { range, command: Some(command), data: None });
    };
    for at in subjects(documents, uri) {
        match known.job {
            Some(job) => lens(at, format!("{}… (cancel)", job.word), CANCEL),
            None if is_certificate(uri) => lens(at, "check".to_owned(), CHECK),
            None => {
                lens(at, "explore".to_owned(), EXPLORE);
                lens(at, "prove".to_owned(), PROVE);
            }
        }
        // In a protocol the verdict stands beside the lines that it is about.
        if let Some(found) = known.findings.filter(|found| {
            is_certificate(uri) || !found.lines.iter().any(|line| line.at != Span::default())
        }) {
            lens(at, found.verdict.clone(), "");
        }
    }
    for line in known.findings.iter().flat_map(|found| &found.lines) {
        if line.at != Span::default() {
            lens(line.at, line.title.clone(), "");
        }
    }
    lenses
}

/// The lines that a search or check is about.
fn subjects(documents: &Documents, uri: &Uri) -> Vec<Span> {
    let start = vec![Span::default()];
    match documents.indexed(uri) {
        Some((index, _)) if !is_certificate(uri) => {
            index.safety_lines().into_iter().map(|(_, span)| span).collect()
        }
        _ => start,
    }
}

/// The findings about an open text, as messages.
pub(super) fn messages(found: &Findings, text: &str, encoding: Encoding) -> Vec<Message> {
    let lines = Lines::new(text, encoding);
    let said = found.lines.iter().map(|line| message(line, &lines));
    let mut said: Vec<Message> = said.collect();
    if said.is_empty() {
        let whole = Finding {
            at: Span::default(),
            grade: found.grade,
            title: found.verdict.clone(),
            detail: String::new(),
        };
        said.push(message(&whole, &lines));
    }
    said
}

fn message(line: &Finding, lines: &Lines<'_>) -> Message {
    let mut words = line.title.clone();
    if !line.detail.is_empty() {
        words.push_str("\n\n");
        words.push_str(line.detail.trim_end());
    }
    Message {
        range: lines.range(line.at),
        severity: Some(match line.grade {
            Grade::Good => DiagnosticSeverity::INFORMATION,
            Grade::Open => DiagnosticSeverity::WARNING,
            Grade::Bad => DiagnosticSeverity::ERROR,
        }),
        code: Some(NumberOrString::String("verdict".to_owned())),
        source: Some("rmlcut".to_owned()),
        message: words,
        ..Message::default()
    }
}
