//! How long an editor waits.

use serde::Serialize;

use super::BenchReport;
use crate::report::text::counts::line;

/// The longest time in seconds from a key stroke to the messages about it that is not felt.
const LIMIT: f64 = 0.05;

/// Key strokes in a text, and requests after each.
#[derive(Serialize)]
pub struct LspBench {
    /// The lines of the text.
    pub lines: usize,
    /// How many key strokes.
    pub strokes: u32,
    /// What was measured; the first row is from a key stroke to the messages.
    pub rows: Vec<LspRow>,
}

/// How long one kind of request took.
#[derive(Serialize)]
pub struct LspRow {
    /// The request, as the protocol calls it.
    pub request: String,
    /// How often it was answered.
    pub answered: usize,
    /// Half of the answers came sooner.
    pub seconds_median: Option<f64>,
    /// The slowest answer.
    pub seconds_worst: Option<f64>,
}

impl LspRow {
    /// The times of one kind of request.
    pub fn new(request: &str, mut times: Vec<f64>) -> Self {
        times.sort_by(f64::total_cmp);
        LspRow {
            request: request.to_owned(),
            answered: times.len(),
            seconds_median: times.get(times.len() / 2).copied(),
            seconds_worst: times.last().copied(),
        }
    }
}

impl BenchReport for LspBench {
    fn stage(&self) -> &str {
        "lsp"
    }

    fn text(&self) -> String {
        let mut out = format!(
            "lsp: {} key strokes in a text of {} lines, messages within {:.0} ms\n",
            self.strokes,
            self.lines,
            LIMIT * 1000.0
        );
        line!(out, 0, "{:<34} {:>10} {:>10}", "", "median ms", "worst ms");
        for row in &self.rows {
            let shown = |seconds: Option<f64>| {
                seconds.map_or("failed".to_owned(), |seconds| format!("{:.1}", seconds * 1000.0))
            };
            let (median, worst) = (shown(row.seconds_median), shown(row.seconds_worst));
            line!(out, 0, "{:<34} {median:>10} {worst:>10}", row.request);
        }
        out
    }

    fn is_as_expected(&self) -> bool {
        let answered = self.rows.iter().all(|row| u32::try_from(row.answered) == Ok(self.strokes));
        let stroke = self.rows.first().and_then(|row| row.seconds_median);
        answered && stroke.is_some_and(|seconds| seconds < LIMIT)
    }
}
