//! How runs answer Ctrl-C and keep their time limits.

use std::time::Duration;

use serde::Serialize;

use super::BenchReport;
use crate::report::text::table::table;

/// What is promised of Ctrl-C.
const ANSWER: Duration = Duration::from_secs(1);

/// What is promised of a time limit: so much beyond a twentieth of it.
const BEYOND: Duration = Duration::from_secs(1);

/// One run, interrupted many times.
pub struct Row {
    /// What was run.
    pub run: String,
    /// How long each interruption took to be answered, in the order of the moments.
    pub answers: Vec<Duration>,
    /// How often there was no answer.
    pub hangs: u32,
    /// How often there was an answer without a result.
    pub lost: u32,
    /// The time limits, and how long the run took with each.
    pub limits: Vec<(Duration, Duration)>,
}

impl Row {
    /// A run that has not been interrupted yet.
    pub fn new(run: String) -> Self {
        Row { run, answers: Vec::new(), hangs: 0, lost: 0, limits: Vec::new() }
    }

    /// Whether everything that is promised was kept.
    pub fn is_kept(&self) -> bool {
        let late = |(limit, total): &(Duration, Duration)| *total > *limit + *limit / 20 + BEYOND;
        self.hangs == 0
            && self.lost == 0
            && self.worst().is_none_or(|worst| worst <= ANSWER)
            && !self.limits.iter().any(late)
    }

    fn worst(&self) -> Option<Duration> {
        self.answers.iter().max().copied()
    }

    fn median(&self) -> Option<Duration> {
        let mut sorted = self.answers.clone();
        sorted.sort_unstable();
        sorted.get(sorted.len() / 2).copied()
    }

    /// The most that a run took beyond its limit.
    fn overrun(&self) -> Option<Duration> {
        self.limits.iter().map(|(limit, total)| total.saturating_sub(*limit)).max()
    }
}

/// The figures of one run.
#[derive(Serialize)]
struct RowReport<'a> {
    run: &'a str,
    interrupted: usize,
    median_seconds: Option<f64>,
    worst_seconds: Option<f64>,
    hangs: u32,
    lost: u32,
    past_timeout_seconds: Option<f64>,
    kept: bool,
}

/// All runs.
#[derive(Serialize)]
pub struct StopBench<'a> {
    rows: Vec<RowReport<'a>>,
}

impl<'a> StopBench<'a> {
    /// The figures of some runs.
    pub fn new(rows: &'a [Row]) -> Self {
        let seconds = |time: Option<Duration>| time.map(|time| time.as_secs_f64());
        let report = |row: &'a Row| RowReport {
            run: &row.run,
            interrupted: row.answers.len(),
            median_seconds: seconds(row.median()),
            worst_seconds: seconds(row.worst()),
            hangs: row.hangs,
            lost: row.lost,
            past_timeout_seconds: seconds(row.overrun()),
            kept: row.is_kept(),
        };
        StopBench { rows: rows.iter().map(report).collect() }
    }
}

const HEADS: &[&str] =
    &["run", "interrupted", "median s", "worst s", "hangs", "lost", "past --timeout s", ""];

impl BenchReport for StopBench<'_> {
    fn stage(&self) -> &str {
        "stop"
    }

    fn is_as_expected(&self) -> bool {
        self.rows.iter().all(|row| row.kept)
    }

    fn text(&self) -> String {
        let seconds = |time: Option<f64>| time.map_or("-".to_owned(), |time| format!("{time:.2}"));
        let cells = |row: &RowReport<'_>| {
            vec![
                row.run.to_owned(),
                row.interrupted.to_string(),
                seconds(row.median_seconds),
                seconds(row.worst_seconds),
                row.hangs.to_string(),
                row.lost.to_string(),
                seconds(row.past_timeout_seconds),
                if row.kept { "kept".to_owned() } else { "NOT KEPT".to_owned() },
            ]
        };
        let table = table(HEADS, &self.rows.iter().map(cells).collect::<Vec<_>>());
        let promise = "Ctrl-C within 1 s, --timeout within 5 % and 1 s, nothing hangs or is lost";
        format!("{table}\npromised: {promise}\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(answers: &[u64], limits: &[(u64, u64)]) -> Row {
        let time = |milliseconds: &u64| Duration::from_millis(*milliseconds);
        let limits = limits.iter().map(|(limit, total)| (time(limit), time(total)));
        let answers = answers.iter().map(time).collect();
        Row { answers, limits: limits.collect(), ..Row::new("run".to_owned()) }
    }

    #[test]
    fn what_is_promised_is_kept_or_not() {
        assert!(row(&[], &[]).is_kept());
        assert!(row(&[10, 1_000], &[(4_000, 5_200), (1_000, 500)]).is_kept());
        assert!(!row(&[10, 1_001], &[]).is_kept());
        assert!(!row(&[10], &[(4_000, 5_201)]).is_kept());
        assert!(!Row { hangs: 1, ..row(&[], &[]) }.is_kept());
        assert!(!Row { lost: 1, ..row(&[], &[]) }.is_kept());
        assert_eq!(row(&[30, 10, 20], &[]).median(), Some(Duration::from_millis(20)));
    }
}
