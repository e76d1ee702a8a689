//! How runs answer Ctrl-C and keep their time limits, as text and JSON.

use std::time::Duration;

use serde_json::json;

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

/// As text.
pub fn text(rows: &[Row]) -> String {
    let heads =
        ["run", "interrupted", "median s", "worst s", "hangs", "lost", "past --timeout s", ""];
    let seconds = |time: Option<Duration>| {
        time.map_or("-".to_owned(), |time| format!("{:.2}", time.as_secs_f64()))
    };
    let cells = |row: &Row| {
        vec![
            row.run.clone(),
            row.answers.len().to_string(),
            seconds(row.median()),
            seconds(row.worst()),
            row.hangs.to_string(),
            row.lost.to_string(),
            seconds(row.overrun()),
            if row.is_kept() { "kept".to_owned() } else { "NOT KEPT".to_owned() },
        ]
    };
    let rows: Vec<Vec<String>> = rows.iter().map(cells).collect();
    format!(
        "{}\npromised: Ctrl-C within 1 s, --timeout within 5 % and 1 s, nothing hangs or is lost\n",
        table(&heads, &rows)
    )
}

/// As JSON.
pub fn json(rows: &[Row]) -> String {
    let rows = rows.iter().map(|row| {
        let seconds = |time: Option<Duration>| time.map(|time| time.as_secs_f64());
        json!({
            "run": row.run,
            "interrupted": row.answers.len(),
            "median_seconds": seconds(row.median()),
            "worst_seconds": seconds(row.worst()),
            "hangs": row.hangs,
            "lost": row.lost,
            "past_timeout_seconds": seconds(row.overrun()),
            "kept": row.is_kept(),
        })
    });
    format!("{:#}\n", json!({ "stage": "stop", "rows": rows.collect::<Vec<_>>() }))
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
