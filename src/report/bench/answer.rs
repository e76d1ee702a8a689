//! How long the verdict takes beside each kind of proof alone, as text and JSON.

use std::time::Duration;

use serde_json::{Value, json};

use crate::prove::Prefer;
use crate::report::text::counts::line;
use crate::report::text::table;

/// One protocol.
pub struct Row {
    /// Its name.
    pub name: String,
    /// The verdict.
    pub verdict: String,
    /// The kind of proof that is the answer, if every size was proved safe.
    pub answer: Option<Prefer>,
    /// The time to the verdict: to the first proof.
    pub verdict_time: Duration,
    /// The time to the certificate: with the patience for the preferred kind.
    pub time: Duration,
    /// A cutoff alone, where a proof was the answer.
    pub cutoff: Option<Alone>,
    /// An invariant alone, where a proof was the answer.
    pub invariant: Option<Alone>,
}

/// One kind of proof, looked for alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Alone {
    /// It was found after this time, with this effort in the solver's units.
    Proved(Duration, u64),
    /// It was not found in this time.
    Not(Duration),
}

impl Alone {
    /// How long it was looked for.
    pub fn time(self) -> Duration {
        match self {
            Alone::Proved(time, _) | Alone::Not(time) => time,
        }
    }

    /// How long it took, if it was found.
    pub fn proved(self) -> Option<Duration> {
        match self {
            Alone::Proved(time, _) => Some(time),
            Alone::Not(_) => None,
        }
    }

    fn units(self) -> Option<u64> {
        match self {
            Alone::Proved(_, units) => Some(units),
            Alone::Not(_) => None,
        }
    }
}

impl Row {
    /// How many times as long as the faster kind alone the verdict took, and the certificate.
    fn ratios(&self) -> Option<[f64; 2]> {
        let kinds = [self.cutoff, self.invariant].into_iter().flatten();
        let faster = kinds.filter_map(Alone::proved).min()?;
        Some([self.verdict_time, self.time].map(|time| time.as_secs_f64() / faster.as_secs_f64()))
    }
}

/// What this part of the rows, in hundredths, does not exceed: the ratio of the verdict, and that of
/// the certificate.
fn percentile(rows: &[Row], part: usize) -> Option<[f64; 2]> {
    let ratios: Vec<[f64; 2]> = rows.iter().filter_map(Row::ratios).collect();
    let rank = (ratios.len() * part).div_ceil(100).checked_sub(1)?;
    Some([0, 1].map(|which| {
        let mut own: Vec<f64> = ratios.iter().map(|ratios| ratios[which]).collect();
        own.sort_by(f64::total_cmp);
        own[rank]
    }))
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

/// The table as text.
pub fn text(rows: &[Row]) -> String {
    let cells: Vec<Vec<String>> = rows.iter().map(cells).collect();
    let mut out = table::table(HEADS, &cells);
    out.push('\n');
    let proved = rows.iter().filter(|row| row.answer.is_some()).count();
    line(&mut out, 0, format_args!("{proved} of {} proved", rows.len()));
    if let (Some(median), Some(most)) = (percentile(rows, 50), percentile(rows, 90)) {
        let whats = ["the verdict", "the certificate"].into_iter();
        for (what, (median, most)) in whats.zip(median.into_iter().zip(most)) {
            line(
                &mut out,
                0,
                format_args!(
                    "time to {what} over that of the faster kind alone: \
                     median {median:.2}, 90th percentile {most:.2}"
                ),
            );
        }
    }
    let units = "times in seconds, effort in millions of the solver's units";
    line(&mut out, 0, format_args!("{units}; `>` where a search was ended, being slower"));
    out
}

fn cells(row: &Row) -> Vec<String> {
    let alone = |alone: Option<Alone>| match alone {
        None => [String::new(), String::new()],
        Some(Alone::Proved(time, units)) => [seconds(time), format!("{:.2}", units as f64 / 1e6)],
        Some(Alone::Not(time)) => [format!(">{}", seconds(time)), String::new()],
    };
    let ratio =
        |which: usize| row.ratios().map_or(String::new(), |ratios| format!("{:.2}", ratios[which]));
    let verdict = row.verdict.chars().take(LONGEST).collect();
    let [cutoff, cutoff_units] = alone(row.cutoff);
    let [invariant, invariant_units] = alone(row.invariant);
    vec![
        row.name.clone(),
        verdict,
        seconds(row.verdict_time),
        row.answer.map(name).unwrap_or_default().to_owned(),
        seconds(row.time),
        cutoff,
        cutoff_units,
        invariant,
        invariant_units,
        ratio(0),
        ratio(1),
    ]
}

fn name(kind: Prefer) -> &'static str {
    match kind {
        Prefer::Cutoff => "cutoff",
        Prefer::Invariant => "invariant",
    }
}

fn seconds(time: Duration) -> String {
    format!("{:.2}", time.as_secs_f64())
}

/// The table as JSON.
pub fn json(rows: &[Row]) -> String {
    let of = |part: usize, which: usize| percentile(rows, part).map(|ratios| ratios[which]);
    let document = json!({
        "stage": "answer",
        "rows": rows.iter().map(row_json).collect::<Value>(),
        "median_ratio": of(50, 0),
        "ninetieth_percentile_ratio": of(90, 0),
        "median_ratio_of_certificate": of(50, 1),
        "ninetieth_percentile_ratio_of_certificate": of(90, 1),
    });
    format!("{document:#}\n")
}

fn row_json(row: &Row) -> Value {
    let seconds =
        |alone: Option<Alone>| alone.and_then(Alone::proved).map(|time| time.as_secs_f64());
    let units = |alone: Option<Alone>| alone.and_then(Alone::units);
    json!({
        "protocol": row.name,
        "verdict": row.verdict,
        "answer": row.answer.map(name),
        "seconds_to_verdict": row.verdict_time.as_secs_f64(),
        "seconds": row.time.as_secs_f64(),
        "seconds_cutoff_alone": seconds(row.cutoff),
        "effort_cutoff_alone": units(row.cutoff),
        "seconds_invariant_alone": seconds(row.invariant),
        "effort_invariant_alone": units(row.invariant),
        "ratio": row.ratios().map(|ratios| ratios[0]),
        "ratio_of_certificate": row.ratios().map(|ratios| ratios[1]),
    })
}
