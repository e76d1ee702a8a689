//! What exploring the rows of tables costs.

use serde::Serialize;

use super::BenchReport;
use crate::report::json::explore::CountsReport;
use crate::report::text::counts::line;
use crate::report::text::table::table;

/// Everything that was measured.
#[derive(Serialize)]
pub struct ExploreBench {
    /// The rows, the smallest first.
    pub rows: Vec<ExploreRow>,
    /// What starting the program costs, where it can be started.
    pub process: Option<Started>,
    /// The most memory that the process has held, where the system says.
    pub peak_bytes: Option<u64>,
}

/// One row, repeated.
#[derive(Serialize)]
pub struct ExploreRow {
    /// The protocol.
    pub file: String,
    /// The size.
    pub size: String,
    /// The states that the table states.
    pub stated: u64,
    /// How many instances the size has.
    pub instances: u64,
    /// What was found.
    #[serde(flatten)]
    pub counts: CountsReport,
    /// Bytes of one packed state.
    pub packed_bytes: u64,
    /// The time on one thread.
    pub seconds_one_thread: f64,
    /// The time on two.
    pub seconds_two_threads: f64,
}

impl ExploreRow {
    /// Whether as many states were found as stated.
    pub fn is_as_stated(&self) -> bool {
        self.counts.states == self.stated
    }

    /// Successors computed in a second, on one thread.
    fn rate(&self) -> f64 {
        self.counts.generated as f64 / self.seconds_one_thread
    }

    /// Bytes for a state beyond the packed state; memory is that of one instance, so several say
    /// nothing.
    fn overhead(&self) -> Option<f64> {
        let CountsReport { bytes, states, .. } = self.counts;
        (self.instances == 1).then(|| bytes as f64 / states as f64 - self.packed_bytes as f64)
    }

    fn speedup(&self) -> f64 {
        self.seconds_one_thread / self.seconds_two_threads
    }
}

/// What starting the program costs, beside answering the smallest question about a protocol.
#[derive(Serialize)]
pub struct Started {
    /// The protocol whose question takes longest.
    pub file: String,
    /// The size.
    pub size: String,
    /// A process that only says its version.
    pub seconds_version: f64,
    /// A process that explores.
    pub seconds_explore: f64,
    /// How many protocols were asked about.
    pub protocols: usize,
}

/// Small instances say nothing about speed.
const LARGE: u64 = 100_000;

/// The columns of the large instances.
const HEADS: &[&str] =
    &["states", "seconds", "transitions/s", "ns a state", "bytes a state", "two threads", ""];

impl BenchReport for ExploreBench {
    fn stage(&self) -> &str {
        "explore"
    }

    fn is_as_expected(&self) -> bool {
        self.rows.iter().all(ExploreRow::is_as_stated)
    }

    fn text(&self) -> String {
        let rows = &self.rows;
        let mut out = "explore: every state, no symmetry\n".to_owned();
        for row in rows {
            let verdict = if row.is_as_stated() { "as stated" } else { "NOT as stated" };
            let ExploreRow { file, size, counts, .. } = row;
            let states = counts.states;
            line!(out, 0, "{states:>10} states  {verdict}  {file} {size}");
        }
        let large: Vec<&ExploreRow> =
            rows.iter().filter(|row| row.counts.states >= LARGE).collect();
        if !large.is_empty() {
            out.push_str("\nlarge instances, one thread\n");
            let cells: Vec<Vec<String>> = large.iter().map(|row| figures(row)).collect();
            out.push_str(&table(HEADS, &cells));
        }
        out.push('\n');
        let as_stated = rows.iter().filter(|row| row.is_as_stated()).count();
        let mut figure = |title: &str, text: String| line!(out, 0, "{title:<26}{text}");
        figure("counts as stated", format!("{as_stated} of {}", rows.len()));
        if let Some((small, big)) = growth(&large) {
            let (few, many) = (small.counts.states, big.counts.states);
            let (times, cost) =
                (many as f64 / few as f64, big.seconds_one_thread / small.seconds_one_thread);
            let growth = format!("{times:.1} times the states take {cost:.1} times as long");
            figure("growth", format!("{growth} ({few} to {many} states)"));
        }
        if let Some(Started { file, size, seconds_version, seconds_explore, protocols }) =
            &self.process
        {
            let ratio = seconds_explore / seconds_version;
            let times =
                format!("{:.1} ms and {:.1} ms", seconds_explore * 1e3, seconds_version * 1e3);
            let which = format!("{file} of {protocols} protocols, {size}");
            let most = format!("`explore` takes at most {ratio:.2} times as long as `--version`");
            figure("smallest sizes", format!("{most}: {times} ({which})"));
        }
        if let Some(peak) = self.peak_bytes {
            figure("peak memory", format!("{} MiB", peak >> 20));
        }
        out
    }
}

fn figures(row: &ExploreRow) -> Vec<String> {
    let counts = &row.counts;
    vec![
        counts.states.to_string(),
        format!("{:.2}", row.seconds_one_thread),
        format!("{:.2} million", row.rate() / 1e6),
        format!("{:.0}", row.seconds_one_thread * 1e9 / counts.states as f64),
        row.overhead().map_or("several instances".to_owned(), |bytes| {
            format!("{} + {bytes:.1}", row.packed_bytes)
        }),
        format!("{:.2} times as fast", row.speedup()),
        format!("{} {}", row.file, row.size),
    ]
}

/// The smallest and the largest of the rows of that protocol which has the largest.
fn growth<'a>(large: &[&'a ExploreRow]) -> Option<(&'a ExploreRow, &'a ExploreRow)> {
    let states = |row: &&&'a ExploreRow| row.counts.states;
    let big = large.iter().max_by_key(states)?;
    let small = large.iter().filter(|row| row.file == big.file).min_by_key(states)?;
    (small.counts.states < big.counts.states).then_some((*small, *big))
}
