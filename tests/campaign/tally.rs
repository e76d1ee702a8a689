//! Counts of what was tried and with which result, shown as a table.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::campaign::verdicts::Said;

/// Counts by a first and a second word.
#[derive(Default)]
pub(crate) struct Tally {
    rows: BTreeMap<String, BTreeMap<&'static str, usize>>,
    /// Every law that was broken, with the text that broke it.
    pub(crate) lies: Vec<String>,
}

/// The columns, in this order.
const COLUMNS: [&str; 5] = ["tried", "safe", "safe up to", "unsafe", "unproved"];

impl Tally {
    /// One more of these.
    pub(crate) fn tried(&mut self, row: &str) {
        self.add(row, "tried");
    }

    /// The tool said this of one of these.
    pub(crate) fn said(&mut self, row: &str, said: Said) {
        let column = match said {
            Said::Safe => "safe",
            Said::SafeUpTo => "safe up to",
            Said::Unsafe => "unsafe",
            Said::Unproved => "unproved",
        };
        self.add(row, column);
    }

    /// A law was broken.
    pub(crate) fn lie(&mut self, law: &str, text: &str) {
        self.lies.push(format!("{law}\n{text}"));
    }

    /// How many of these were tried, or how many got this answer.
    pub(crate) fn count(&self, row: &str, column: &'static str) -> usize {
        self.rows.get(row).and_then(|row| row.get(column)).copied().unwrap_or_default()
    }

    /// So many more of these.
    pub(crate) fn tried_many(&mut self, row: &str, count: usize) {
        *self.rows.entry(row.to_owned()).or_default().entry("tried").or_default() += count;
    }

    fn add(&mut self, row: &str, column: &'static str) {
        *self.rows.entry(row.to_owned()).or_default().entry(column).or_default() += 1;
    }

    /// The counts as a table of a document.
    pub(crate) fn table(&self) -> String {
        let mut out = format!("| | {} |\n|---{}|\n", COLUMNS.join(" | "), "|---".repeat(5));
        for (row, counts) in &self.rows {
            let cells = COLUMNS.map(|column| counts.get(column).copied().unwrap_or_default());
            let cells = cells.map(|count| count.to_string()).join(" | ");
            writeln!(out, "| {row} | {cells} |").expect("writing to a string succeeds");
        }
        writeln!(out, "\n{} wrong", self.lies.len()).expect("writing to a string succeeds");
        out
    }
}
