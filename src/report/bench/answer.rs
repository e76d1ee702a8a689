//! How long the verdict takes beside each kind of proof alone.

use serde::Serialize;

use super::{BenchReport, shortened, two_digits};
use crate::report::text::counts::line;
use crate::report::text::table;

/// The rows and what sums them up.
#[derive(Serialize)]
pub struct AnswerBench {
    rows: Vec<Row>,
    median_ratio: Option<f64>,
    ninetieth_percentile_ratio: Option<f64>,
    median_ratio_of_certificate: Option<f64>,
    ninetieth_percentile_ratio_of_certificate: Option<f64>,
}

/// One protocol.
#[derive(Serialize)]
pub struct Row {
    /// Its name.
    pub protocol: String,
    /// The verdict.
    pub verdict: String,
    /// The kind of proof that is the answer, if every size was proved safe.
    pub answer: Option<&'static str>,
    /// The time to the verdict: to the first proof.
    pub seconds_to_verdict: f64,
    /// The time to the certificate: with the patience for the preferred kind.
    pub seconds: f64,
    /// A cutoff alone, where a proof was the answer.
    pub cutoff_alone: Option<Alone>,
    /// An invariant alone, where a proof was the answer.
    pub invariant_alone: Option<Alone>,
    /// How many times as long as the faster kind alone the verdict took.
    pub ratio: Option<f64>,
    /// The same for the certificate.
    pub ratio_of_certificate: Option<f64>,
}

/// One kind of proof, looked for alone.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Alone {
    /// How long it was looked for.
    pub seconds: f64,
    /// The effort in the solver's units; `None` if it was not found.
    pub effort: Option<u64>,
}

impl Alone {
    /// How long it took, if it was found.
    pub fn proved(self) -> Option<f64> {
        self.effort.map(|_| self.seconds)
    }
}

impl Row {
    /// The row with the ratios to the faster kind alone.
    pub fn with_ratios(mut self) -> Self {
        let kinds = [self.cutoff_alone, self.invariant_alone].into_iter().flatten();
        let faster = kinds.filter_map(Alone::proved).min_by(f64::total_cmp);
        self.ratio = faster.map(|faster| self.seconds_to_verdict / faster);
        self.ratio_of_certificate = faster.map(|faster| self.seconds / faster);
        self
    }
}

impl AnswerBench {
    /// The rows, summed up.
    pub fn new(rows: Vec<Row>) -> Self {
        let of = |part, ratio: fn(&Row) -> Option<f64>| {
            percentile(rows.iter().filter_map(ratio).collect(), part)
        };
        AnswerBench {
            median_ratio: of(50, |row| row.ratio),
            ninetieth_percentile_ratio: of(90, |row| row.ratio),
            median_ratio_of_certificate: of(50, |row| row.ratio_of_certificate),
            ninetieth_percentile_ratio_of_certificate: of(90, |row| row.ratio_of_certificate),
            rows,
        }
    }
}

/// What this part of the values, in hundredths, does not exceed.
fn percentile(mut values: Vec<f64>, part: usize) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    let rank = (values.len() * part).div_ceil(100).checked_sub(1)?;
    values.get(rank).copied()
}

const HEADS: &[&str] = &[
    "protocol",
    "verdict",
    "after",
    "certificate",
    "after",
    "cutoff alone",
    "effort",
    "invariant alone",
    "effort",
    "ratio",
    "certificate's",
];

/// The longest verdict that fits a column.
const LONGEST: usize = 20;

impl BenchReport for AnswerBench {
    fn stage(&self) -> &str {
        "answer"
    }

    fn text(&self) -> String {
        let cells: Vec<Vec<String>> = self.rows.iter().map(cells).collect();
        let mut out = table::table(HEADS, &cells);
        out.push('\n');
        let proved = self.rows.iter().filter(|row| row.answer.is_some()).count();
        line!(out, 0, "{proved} of {} proved", self.rows.len());
        let certificate =
            (self.median_ratio_of_certificate, self.ninetieth_percentile_ratio_of_certificate);
        for (what, both) in [
            ("the verdict", (self.median_ratio, self.ninetieth_percentile_ratio)),
            ("the certificate", certificate),
        ] {
            if let (Some(median), Some(most)) = both {
                let figures = format!("median {median:.2}, 90th percentile {most:.2}");
                let ratio = format!("time to {what} over that of the faster kind alone");
                line!(out, 0, "{ratio}: {figures}");
            }
        }
        let units = "times in seconds, effort in millions of the solver's units";
        line!(out, 0, "{units}; `>` where a search was ended, being slower");
        out
    }
}

fn cells(row: &Row) -> Vec<String> {
    let alone = |alone: Option<Alone>| match alone {
        None => [String::new(), String::new()],
        Some(Alone { seconds, effort: Some(units) }) => {
            [two_digits(Some(seconds)), two_digits(Some(units as f64 / 1e6))]
        }
        Some(Alone { seconds, effort: None }) => [format!(">{seconds:.2}"), String::new()],
    };
    let [cutoff, cutoff_effort] = alone(row.cutoff_alone);
    let [invariant, invariant_effort] = alone(row.invariant_alone);
    vec![
        row.protocol.clone(),
        shortened(&row.verdict, LONGEST),
        two_digits(Some(row.seconds_to_verdict)),
        row.answer.unwrap_or_default().to_owned(),
        two_digits(Some(row.seconds)),
        cutoff,
        cutoff_effort,
        invariant,
        invariant_effort,
        two_digits(row.ratio),
        two_digits(row.ratio_of_certificate),
    ]
}
