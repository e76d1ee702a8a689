//! What benchmarks measured: each stage has one value that is a text and a JSON document.

pub mod answer;
pub mod check;
pub mod complete;
pub mod engines;
pub mod explore;
pub mod generated;
pub mod lsp;
pub mod process;
pub mod profile;
pub mod report;
pub mod stop;
pub mod synth;

use serde::Serialize;

use super::json::print;

/// The result of measuring a stage; its fields are those of the JSON document.
pub trait BenchReport: Serialize {
    /// The stage.
    fn stage(&self) -> &str;

    /// The result for people.
    fn text(&self) -> String;

    /// Whether everything is as it should be.
    fn is_as_expected(&self) -> bool {
        true
    }
}

/// The result for programs.
pub fn json(report: &impl BenchReport) -> String {
    #[derive(Serialize)]
    struct StageReport<'a, R> {
        stage: &'a str,
        #[serde(flatten)]
        report: &'a R,
    }
    print(&StageReport { stage: report.stage(), report })
}

/// The beginning of a text that would be too wide for its column.
fn shortened(text: &str, longest: usize) -> String {
    match text.char_indices().nth(longest) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// A number with two digits after the point; nothing where there is none.
fn two_digits(number: Option<f64>) -> String {
    number.map_or_else(String::new, |number| format!("{number:.2}"))
}
