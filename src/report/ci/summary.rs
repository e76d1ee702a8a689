//! Many files at a glance: a line for all of them, and one for each.

use serde::Serialize;

use super::{FileResult, FileResults, Finding, Outcome, ResultOrigin, one_line};
use crate::report::json::print;
use crate::report::text::counts::count;

/// All outcomes in the order in which they are counted.
const OUTCOMES: [Outcome; 7] = [
    Outcome::Safe,
    Outcome::Unsafe,
    Outcome::Unproved,
    Outcome::Refused,
    Outcome::Failed,
    Outcome::Defect,
    Outcome::NotRun,
];

/// As text: the worst outcome first.
pub fn text(results: &FileResults<'_>) -> String {
    let mut out = format!("{}\n", headline(results));
    let name = |file: &FileResult| one_line(&file.file);
    let widths = results.files.iter().map(|file| name(file).chars().count());
    let width = widths.max().unwrap_or_default();
    for file in results.files {
        out.push_str(&format!("  {:<width$}  {}\n", name(file), row(file)));
    }
    out
}

/// The worst outcome, and how many files there are of each.
fn headline(results: &FileResults<'_>) -> String {
    let counted = OUTCOMES.iter().map(|outcome| (outcome.word(), results.count(*outcome)));
    let counted: Vec<String> = counted
        .filter(|(_, number)| *number > 0)
        .map(|(word, number)| format!("{number} {word}"))
        .collect();
    let files = count(results.files.len(), "file");
    let cached = results.files.iter().filter(|file| file.origin == ResultOrigin::Cached).count();
    let cached = if cached > 0 { format!("; {cached} cached") } else { String::new() };
    format!("{}: {files}: {}{cached}", results.worst().word(), counted.join(", "))
}

fn row(file: &FileResult) -> String {
    let warnings = match file.outcome {
        Outcome::Safe => file.findings.len(),
        _ => 0,
    };
    let warnings =
        if warnings > 0 { format!(", {}", count(warnings, "warning")) } else { String::new() };
    let cached = if file.origin == ResultOrigin::Cached { " (cached)" } else { "" };
    format!("{}{warnings}{cached}", one_line(&file.headline))
}

/// For programs.
pub fn document(results: &FileResults<'_>) -> String {
    #[derive(Serialize)]
    struct Document<'a> {
        command: &'a str,
        subject: &'a str,
        verdict: &'static str,
        summary: String,
        exit_code: u8,
        files: Vec<Row<'a>>,
    }
    #[derive(Serialize)]
    struct Row<'a> {
        file: &'a str,
        verdict: &'static str,
        summary: &'a str,
        cached: bool,
        findings: &'a [Finding],
    }
    let rows = results.files.iter().map(|file| Row {
        file: &file.file,
        verdict: file.outcome.word(),
        summary: &file.headline,
        cached: file.origin == ResultOrigin::Cached,
        findings: &file.findings,
    });
    print(&Document {
        command: results.command,
        subject: results.subject,
        verdict: results.worst().word(),
        summary: headline(results),
        exit_code: results.exit_code,
        files: rows.collect(),
    })
}

/// A document about one file, with a field that says whether it is from an earlier run.
pub fn with_origin(document: &str, origin: ResultOrigin) -> String {
    match serde_json::from_str(document) {
        Ok(serde_json::Value::Object(mut fields)) => {
            fields.insert("cached".to_owned(), (origin == ResultOrigin::Cached).into());
            print(&fields)
        }
        _ => document.to_owned(),
    }
}
