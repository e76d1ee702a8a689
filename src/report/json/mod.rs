//! Results as JSON, for other programs; the same facts as the text.

pub mod analysis;
pub mod certificate;
pub mod check;
pub mod compare;
pub mod explore;
pub mod itf;
pub mod replay;
pub mod synth;

use std::time::Duration;

use serde_json::{Value, json};

use super::text::diagnostics::severity;
use super::text::stage::data;
use crate::diagnostic::{Diagnostic, Label};
use crate::pipeline::StageOutput;
use crate::source::{LineIndex, SourceFile, Span};

/// A result for programs.
pub type Data = Value;

/// Messages that do not stand in the way of a result, and the text they are about.
pub struct Remarks<'a> {
    /// The text.
    pub source: &'a SourceFile,
    /// The messages.
    pub warnings: &'a [Diagnostic],
}

/// What `rmlcut show` shows: the text, and the result in full where there is more to it.
pub fn shown(source: &SourceFile, stage: &str, text: &str, output: &StageOutput) -> String {
    let mut shown = json!({
        "file": source.name(),
        "stage": stage,
        "text": text,
        "diagnostics": diagnostics(source, &output.warnings),
    });
    if let Some(data) = data(&output.result) {
        shown[stage] = data;
    }
    document(&shown)
}

/// What `rmlcut fmt` makes of a text.
pub fn formatted(source: &SourceFile, text: &str) -> String {
    document(&json!({
        "file": source.name(),
        "canonical": source.text() == text,
        "text": text,
    }))
}

/// A protocol in another language.
pub fn exported(
    source: &SourceFile,
    language: &str,
    text: &str,
    configuration: Option<&str>,
) -> String {
    document(&json!({
        "file": source.name(),
        "language": language,
        "text": text,
        "configuration": configuration,
    }))
}

/// How long something took for an input of some size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Measurement {
    /// The size of the input.
    pub size: usize,
    /// The time; `None` if it failed.
    pub time: Option<Duration>,
}

/// How many times as long the larger input took.
pub fn ratio([smaller, larger]: &[Measurement; 2]) -> Option<f64> {
    Some(larger.time?.as_secs_f64() / smaller.time?.as_secs_f64())
}

/// What `rmlcut bench` measured.
pub fn measured(stage: &str, unit: &str, measurements: &[Measurement; 2]) -> String {
    let seconds = |measurement: &Measurement| measurement.time.map(|time| time.as_secs_f64());
    let rows: Value = measurements
        .iter()
        .map(|measurement| json!({ unit: measurement.size, "seconds": seconds(measurement) }))
        .collect();
    document(&json!({ "stage": stage, "measurements": rows, "ratio": ratio(measurements) }))
}

/// A text that was refused.
pub fn refused(source: &SourceFile, messages: &[Diagnostic]) -> String {
    document(&json!({ "file": source.name(), "diagnostics": diagnostics(source, messages) }))
}

/// A failure that is nowhere in a text.
pub fn failed(message: &str) -> String {
    document(&json!({ "error": message }))
}

fn document(value: &Value) -> String {
    format!("{value:#}\n")
}

pub(super) fn diagnostics(source: &SourceFile, diagnostics: &[Diagnostic]) -> Value {
    let lines = LineIndex::new(source);
    diagnostics.iter().map(|diagnostic| diagnostic_value(&lines, diagnostic)).collect()
}

fn diagnostic_value(lines: &LineIndex<'_>, diagnostic: &Diagnostic) -> Value {
    let related: Value = diagnostic.secondary.iter().map(|label| place(lines, label)).collect();
    json!({
        "severity": severity(diagnostic.severity),
        "code": diagnostic.code.0,
        "message": diagnostic.message,
        "place": place(lines, &diagnostic.primary),
        "related": related,
        "hint": diagnostic.hint,
    })
}

fn place(lines: &LineIndex<'_>, label: &Label) -> Value {
    let Span { start, end } = label.span;
    let (from, to) = (lines.position(start), lines.position(end));
    json!({
        "line": from.line,
        "column": from.column,
        "end_line": to.line,
        "end_column": to.column,
        "message": label.message,
    })
}
