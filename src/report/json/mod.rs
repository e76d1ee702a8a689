//! Results as JSON, for other programs; the same facts as the text.

pub mod analysis;
pub mod certificate;
pub mod check;
mod compare;
pub mod complete;
mod coverage;
pub mod domains;
pub mod explore;
pub mod itf;
pub mod phases;
pub mod play;
pub mod replay;
pub mod synth;
mod trace;
mod value_summary;

use std::fmt;

use serde::{Serialize, Serializer};
use serde_json::Value;

use super::text::diagnostics::severity;
use crate::diagnostic::{Diagnostic, Label};
use crate::pipeline::StageOutput;
use crate::protocol::{Protocol, Size};
use crate::source::{LineIndex, SourceFile, Span};

/// A result for programs.
pub type Data = Value;

/// Messages that do not prevent a result, and the text they are about.
pub struct Remarks<'a> {
    /// The text.
    pub source: &'a SourceFile,
    /// The messages.
    pub warnings: &'a [Diagnostic],
}

/// Values by name, as an object in this order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Named<T>(Vec<(String, T)>);

/// The number of elements of each sort by its name.
pub(crate) type Sizes = Named<u64>;

impl Sizes {
    /// A size of a protocol.
    pub(crate) fn new(protocol: &Protocol, size: &Size) -> Self {
        let name = |sort| protocol.signature.sort_name(sort).to_string();
        Named(size.iter().map(|(sort, count)| (name(*sort), u64::from(*count))).collect())
    }
}

impl fmt::Display for Sizes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sizes: Vec<String> =
            self.0.iter().map(|(sort, count)| format!("{sort}={count}")).collect();
        f.write_str(if sizes.is_empty() { "the only size" } else { "" })?;
        f.write_str(&sizes.join(", "))
    }
}

impl<T: Serialize> Serialize for Named<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, value)| (name, value)))
    }
}

/// A result as an indented document.
pub(crate) fn print(report: &impl Serialize) -> String {
    let text = serde_json::to_string_pretty(report);
    text.expect("reports have string keys and finite numbers") + "\n"
}

/// A part of a document.
pub(crate) fn data(report: &impl Serialize) -> Data {
    serde_json::to_value(report).expect("reports have string keys and finite numbers")
}

/// What `rmlcut show` shows: the text, and the result in full where there is more to it.
pub fn shown(source: &SourceFile, stage: &str, text: &str, output: &StageOutput) -> String {
    #[derive(Serialize)]
    struct StageReport<'a> {
        file: &'a str,
        stage: &'a str,
        text: &'a str,
        diagnostics: Vec<DiagnosticReport<'a>>,
        /// Under the name of the stage.
        #[serde(flatten)]
        result: Named<Data>,
    }
    let result = super::text::show::data(source, &output.result);
    print(&StageReport {
        file: source.name(),
        stage,
        text,
        diagnostics: diagnostics(source, &output.warnings),
        result: Named(result.into_iter().map(|result| (stage.to_owned(), result)).collect()),
    })
}

/// What `rmlcut fmt` makes of a text.
pub fn formatted(source: &SourceFile, text: &str) -> String {
    #[derive(Serialize)]
    struct FormatReport<'a> {
        file: &'a str,
        canonical: bool,
        text: &'a str,
    }
    print(&FormatReport { file: source.name(), canonical: source.text() == text, text })
}

/// A protocol in another language.
pub fn exported(
    source: &SourceFile,
    language: &str,
    text: &str,
    configuration: Option<&str>,
) -> String {
    #[derive(Serialize)]
    struct ExportReport<'a> {
        file: &'a str,
        language: &'a str,
        text: &'a str,
        configuration: Option<&'a str>,
    }
    print(&ExportReport { file: source.name(), language, text, configuration })
}

/// A text that was refused.
pub fn refused(source: &SourceFile, messages: &[Diagnostic]) -> String {
    #[derive(Serialize)]
    struct RefusalReport<'a> {
        file: &'a str,
        diagnostics: Vec<DiagnosticReport<'a>>,
    }
    print(&RefusalReport { file: source.name(), diagnostics: diagnostics(source, messages) })
}

/// A failure that has no place in a text.
pub fn failed(message: &str) -> String {
    #[derive(Serialize)]
    struct FailureReport<'a> {
        error: &'a str,
    }
    print(&FailureReport { error: message })
}

/// A message about a text.
#[derive(Serialize)]
pub(crate) struct DiagnosticReport<'a> {
    severity: &'static str,
    code: &'static str,
    message: &'a str,
    place: PlaceReport<'a>,
    related: Vec<PlaceReport<'a>>,
    hint: Option<&'a str>,
}

#[derive(Serialize)]
struct PlaceReport<'a> {
    line: usize,
    column: usize,
    end_line: usize,
    end_column: usize,
    message: &'a str,
}

pub(crate) fn diagnostics<'a>(
    source: &SourceFile,
    diagnostics: &'a [Diagnostic],
) -> Vec<DiagnosticReport<'a>> {
    let lines = LineIndex::new(source);
    let report = |diagnostic: &'a Diagnostic| DiagnosticReport {
        severity: severity(diagnostic.severity),
        code: diagnostic.code.0,
        message: &diagnostic.message,
        place: place(&lines, &diagnostic.primary),
        related: diagnostic.secondary.iter().map(|label| place(&lines, label)).collect(),
        hint: diagnostic.hint.as_deref(),
    };
    diagnostics.iter().map(report).collect()
}

fn place<'a>(lines: &LineIndex<'_>, label: &'a Label) -> PlaceReport<'a> {
    let Span { start, end } = label.span;
    let (from, to) = (lines.position(start), lines.position(end));
    PlaceReport {
        line: from.line,
        column: from.column,
        end_line: to.line,
        end_column: to.column,
        message: &label.message,
    }
}
