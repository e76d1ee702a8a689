//! Processes proved for any number of copies, beside what the printed analysis says of them.

use serde::Serialize;

use super::{BenchReport, shortened, two_digits};
use crate::report::text::counts::line;
use crate::report::text::table;

/// The rows.
#[derive(Serialize)]
pub struct ProcessBench {
    /// One for every process.
    pub rows: Vec<ProcessRow>,
}

/// One process.
#[derive(Serialize)]
pub struct ProcessRow {
    /// Its name.
    pub process: String,
    /// The verdict.
    pub verdict: String,
    /// The method that found the proof or the violation.
    pub by: &'static str,
    /// The time to the verdict.
    pub seconds: f64,
    /// The time to check the certificate.
    pub seconds_to_check: Option<f64>,
    /// The clauses of the invariant.
    pub clauses: Option<usize>,
    /// The number of copies that shows everything, if that is proved.
    pub proved_cutoff: Option<usize>,
    /// What the printed conditions say.
    pub printed: Option<PrintedConditions>,
}

/// What QuickSilver's printed conditions say of a process.
#[derive(Serialize)]
pub struct PrintedConditions {
    /// How many local states it has.
    pub local_states: usize,
    /// How many phases.
    pub phases: usize,
    /// Whether it is phase-compatible.
    pub compatible: bool,
    /// The cutoff that they grant.
    pub cutoff: Option<usize>,
}

const HEADS: &[&str] = &[
    "process",
    "verdict",
    "by",
    "after",
    "clauses",
    "check",
    "cutoff",
    "states",
    "phases",
    "compatible",
    "printed cutoff",
];

/// The longest verdict that fits a column.
const LONGEST: usize = 30;

impl BenchReport for ProcessBench {
    fn stage(&self) -> &str {
        "process"
    }

    fn text(&self) -> String {
        let cells: Vec<Vec<String>> = self.rows.iter().map(cells).collect();
        let mut out = table::table(HEADS, &cells);
        out.push('\n');
        line!(
            out,
            0,
            "times in seconds; `cutoff` is proved, `printed cutoff` is what the paper's conditions grant"
        );
        out
    }
}

fn cells(row: &ProcessRow) -> Vec<String> {
    let number = |number: Option<usize>| number.map_or_else(String::new, |own| own.to_string());
    let mut cells = vec![
        row.process.clone(),
        shortened(&row.verdict, LONGEST),
        row.by.to_owned(),
        two_digits(Some(row.seconds)),
        number(row.clauses),
        two_digits(row.seconds_to_check),
        number(row.proved_cutoff),
    ];
    if let Some(printed) = &row.printed {
        cells.push(printed.local_states.to_string());
        cells.push(printed.phases.to_string());
        cells.push(if printed.compatible { "yes" } else { "no" }.to_owned());
        cells.push(printed.cutoff.map_or("no".to_owned(), |own| own.to_string()));
    }
    cells
}
