//! Sketches completed by clauses and by enumeration, and protocols repaired.

use serde::Serialize;

use super::{BenchReport, shortened, two_digits};
use crate::report::text::counts::line;
use crate::report::text::table;

/// The rows.
#[derive(Default, Serialize)]
pub struct CompleteBench {
    /// One for every sketch.
    pub sketches: Vec<SketchRow>,
    /// One for every protocol without holes.
    pub repairs: Vec<RepairRow>,
}

/// One sketch.
#[derive(Serialize)]
pub struct SketchRow {
    /// Its file.
    pub sketch: String,
    /// The first line of the report.
    pub verdict: String,
    /// How many holes it has.
    pub holes: usize,
    /// How many completions there are.
    pub completions: String,
    /// The search that learns clauses.
    pub learnt: SketchCost,
    /// The search that excludes one completion at a time.
    pub enumerated: SketchCost,
    /// The whole time of the first, with proofs.
    pub seconds: f64,
}

/// What a search for a completion cost.
#[derive(Serialize)]
pub struct SketchCost {
    /// How many candidates were tried.
    pub tried: usize,
    /// How many of them violated a property.
    pub safety: usize,
    /// How many did not reach what they should.
    pub reach: usize,
    /// How many could not do something any more.
    pub dead: usize,
    /// How many had a fair run that never does what it should.
    pub liveness: usize,
    /// The time to the first one that passed.
    pub seconds_to_first: Option<f64>,
}

/// One protocol that was repaired.
#[derive(Serialize)]
pub struct RepairRow {
    /// Its name.
    pub protocol: String,
    /// The first line of the report.
    pub verdict: String,
    /// The time to the first proposal.
    pub seconds_to_first: Option<f64>,
    /// How many proposals were kept.
    pub repairs: usize,
    /// How many of them are proved.
    pub proved: usize,
    /// Which of them has as many states as the protocol into which the bug was seeded.
    pub original: Option<usize>,
    /// How many candidates were tried.
    pub tried: usize,
    /// How many of them could not do something any more.
    pub dead: usize,
    /// The whole time, with proofs.
    pub seconds: f64,
}

const SKETCH_HEADS: &[&str] = &[
    "sketch",
    "verdict",
    "holes",
    "completions",
    "tried",
    "safety",
    "reach",
    "dead",
    "liveness",
    "first",
    "enumerated",
    "first",
    "all",
];

const REPAIR_HEADS: &[&str] =
    &["protocol", "verdict", "first", "repairs", "proved", "own fix", "tried", "dead", "all"];

/// The longest verdict that fits a column.
const LONGEST: usize = 30;

impl BenchReport for CompleteBench {
    fn stage(&self) -> &str {
        "complete"
    }

    fn text(&self) -> String {
        let mut out = String::new();
        if !self.sketches.is_empty() {
            let cells: Vec<Vec<String>> = self.sketches.iter().map(sketch_cells).collect();
            out.push_str(&table::table(SKETCH_HEADS, &cells));
            out.push('\n');
        }
        if !self.repairs.is_empty() {
            let cells: Vec<Vec<String>> = self.repairs.iter().map(repair_cells).collect();
            out.push_str(&table::table(REPAIR_HEADS, &cells));
            out.push('\n');
            self.repair_totals(&mut out);
        }
        line!(
            out,
            0,
            "times in seconds, `first` without the proof; `own fix` is the repair that has"
        );
        line!(out, 0, "as many states as the protocol into which the bug was seeded");
        out
    }
}

impl CompleteBench {
    fn repair_totals(&self, out: &mut String) {
        let count =
            |is: &dyn Fn(&RepairRow) -> bool| self.repairs.iter().filter(|own| is(own)).count();
        let rows = self.repairs.len();
        let found = count(&|own| own.repairs > 0);
        let soon = count(&|own| own.seconds_to_first.is_some_and(|own| own <= 2.0));
        let proved = count(&|own| own.proved > 0);
        let original = count(&|own| own.original.is_some());
        let tried: usize = self.repairs.iter().map(|own| own.tried).sum();
        let dead: usize = self.repairs.iter().map(|own| own.dead).sum();
        let share = 100.0 * dead as f64 / tried.max(1) as f64;
        line!(
            out,
            0,
            "{rows} protocols: {found} repaired, {soon} within 2 s; {proved} with a proof; \
            {original} with the seeded bug's own fix; {share:.0} % of {tried} candidates dead"
        );
    }
}

fn sketch_cells(row: &SketchRow) -> Vec<String> {
    vec![
        row.sketch.clone(),
        shortened(&row.verdict, LONGEST),
        row.holes.to_string(),
        row.completions.clone(),
        row.learnt.tried.to_string(),
        row.learnt.safety.to_string(),
        row.learnt.reach.to_string(),
        row.learnt.dead.to_string(),
        row.learnt.liveness.to_string(),
        two_digits(row.learnt.seconds_to_first),
        row.enumerated.tried.to_string(),
        two_digits(row.enumerated.seconds_to_first),
        two_digits(Some(row.seconds)),
    ]
}

fn repair_cells(row: &RepairRow) -> Vec<String> {
    vec![
        row.protocol.clone(),
        shortened(&row.verdict, LONGEST),
        two_digits(row.seconds_to_first),
        row.repairs.to_string(),
        row.proved.to_string(),
        row.original.map_or_else(String::new, |own| own.to_string()),
        row.tried.to_string(),
        row.dead.to_string(),
        two_digits(Some(row.seconds)),
    ]
}
