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
    /// What was published of it.
    pub published: Option<Published>,
    /// What the printed conditions say.
    pub printed: Option<PrintedConditions>,
}

/// What was published of a process, and what an exploration at that cutoff costs.
#[derive(Serialize)]
pub struct Published {
    /// The cutoff.
    pub cutoff: u32,
    /// The number of phases.
    pub phases: usize,
    /// The time of an exploration with so many processes, reading included.
    pub seconds_to_explore: f64,
    /// How many states it visits up to symmetry, if it visits all.
    pub states: Option<u64>,
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
    "paper's",
    "explore",
    "states",
    "local",
    "phases",
    "paper's",
    "compatible",
    "granted",
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
            "times in seconds; `explore` and `states` at the paper's cutoff; `local`: local states of one process"
        );
        line!(
            out,
            0,
            "`cutoff` is proved; `compatible` and `granted` are what the paper's conditions say of our model"
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
    let published = row.published.as_ref();
    cells.push(published.map_or_else(String::new, |own| own.cutoff.to_string()));
    cells.push(two_digits(published.map(|own| own.seconds_to_explore)));
    cells
        .push(published.and_then(|own| own.states).map_or_else(String::new, |own| own.to_string()));
    if let Some(printed) = &row.printed {
        cells.push(printed.local_states.to_string());
        cells.push(printed.phases.to_string());
        cells.push(published.map_or_else(String::new, |own| own.phases.to_string()));
        cells.push(if printed.compatible { "yes" } else { "no" }.to_owned());
        cells.push(printed.cutoff.map_or("no".to_owned(), |own| own.to_string()));
    }
    cells
}
