//! What exploring the rows of tables costs, as text and JSON.

use std::fmt::Write as _;
use std::time::Duration;

use serde_json::json;

use crate::finite::StateCounts;
use crate::report::text::table::table;

/// One row, repeated.
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
    pub counts: StateCounts,
    /// The time on one thread.
    pub one_thread: Duration,
    /// The time on two.
    pub two_threads: Duration,
}

impl ExploreRow {
    /// Whether as many states were found as stated.
    pub fn is_as_stated(&self) -> bool {
        self.counts.states == self.stated
    }

    /// Successors computed in a second, on one thread.
    fn rate(&self) -> f64 {
        self.counts.generated as f64 / self.one_thread.as_secs_f64()
    }

    /// Bytes for a state beyond the packed state; memory is that of one instance, so several say
    /// nothing.
    fn overhead(&self) -> Option<f64> {
        let StateCounts { memory, states, packed, .. } = self.counts;
        (self.instances == 1).then(|| memory as f64 / states as f64 - packed as f64)
    }

    fn speedup(&self) -> f64 {
        self.one_thread.as_secs_f64() / self.two_threads.as_secs_f64()
    }
}

/// What starting the program costs, beside answering the smallest question about a protocol.
pub struct Started {
    /// The protocol whose question takes longest.
    pub file: String,
    /// The size.
    pub size: String,
    /// A process that only says its version.
    pub version: Duration,
    /// A process that explores.
    pub explore: Duration,
    /// How many protocols were asked about.
    pub protocols: usize,
}

impl Started {
    fn ratio(&self) -> f64 {
        self.explore.as_secs_f64() / self.version.as_secs_f64()
    }
}

/// Small instances say nothing about speed.
const LARGE: u64 = 100_000;

/// Everything that was measured, as text; speed and memory where an instance is large.
pub fn text(rows: &[ExploreRow], started: Option<&Started>, peak: Option<u64>) -> String {
    let mut out = "explore: every state, no symmetry\n".to_owned();
    for row in rows {
        let verdict = if row.is_as_stated() { "as stated" } else { "NOT as stated" };
        let ExploreRow { file, size, counts, .. } = row;
        write(&mut out, format_args!("{:>10} states  {verdict}  {file} {size}", counts.states));
    }
    let large: Vec<&ExploreRow> = rows.iter().filter(|row| row.counts.states >= LARGE).collect();
    if !large.is_empty() {
        out.push_str("\nlarge instances, one thread\n");
        let heads = [
            "states",
            "seconds",
            "transitions/s",
            "ns a state",
            "bytes a state",
            "two threads",
            "",
        ];
        let cells: Vec<Vec<String>> = large.iter().map(|row| figures(row)).collect();
        out.push_str(&table(&heads, &cells));
    }
    out.push('\n');
    let as_stated = rows.iter().filter(|row| row.is_as_stated()).count();
    write(&mut out, format_args!("counts as stated          {as_stated} of {}", rows.len()));
    if let Some((small, big)) = growth(&large) {
        let (times, cost) = (
            big.counts.states as f64 / small.counts.states as f64,
            big.one_thread.as_secs_f64() / small.one_thread.as_secs_f64(),
        );
        write(
            &mut out,
            format_args!(
                "growth                    {times:.1} times the states take {cost:.1} times as \
                 long ({} to {} states)",
                small.counts.states, big.counts.states
            ),
        );
    }
    if let Some(started) = started {
        write(
            &mut out,
            format_args!(
                "smallest sizes            `explore` takes at most {:.2} times as long as \
                 `--version`: {:.1} ms and {:.1} ms ({} of {} protocols, {})",
                started.ratio(),
                started.explore.as_secs_f64() * 1e3,
                started.version.as_secs_f64() * 1e3,
                started.file,
                started.protocols,
                started.size,
            ),
        );
    }
    if let Some(peak) = peak {
        write(&mut out, format_args!("peak memory               {} MiB", peak >> 20));
    }
    out
}

fn figures(row: &ExploreRow) -> Vec<String> {
    let counts = &row.counts;
    vec![
        counts.states.to_string(),
        format!("{:.2}", row.one_thread.as_secs_f64()),
        format!("{:.2} million", row.rate() / 1e6),
        format!("{:.0}", row.one_thread.as_nanos() as f64 / counts.states as f64),
        row.overhead().map_or("several instances".to_owned(), |bytes| {
            format!("{} + {bytes:.1}", counts.packed)
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

fn write(out: &mut String, line: std::fmt::Arguments<'_>) {
    writeln!(out, "{line}").expect("writing to a string succeeds");
}

/// The rows as JSON.
pub fn json(rows: &[ExploreRow], started: Option<&Started>, peak: Option<u64>) -> String {
    let rows: Vec<_> = rows
        .iter()
        .map(|row| {
            json!({
                "file": row.file,
                "size": row.size,
                "stated": row.stated,
                "instances": row.instances,
                "states": row.counts.states,
                "generated": row.counts.generated,
                "transitions": row.counts.transitions,
                "depth": row.counts.depth,
                "seconds_one_thread": row.one_thread.as_secs_f64(),
                "seconds_two_threads": row.two_threads.as_secs_f64(),
                "bytes_beyond_packed": row.overhead(),
                "packed_bytes": row.counts.packed,
            })
        })
        .collect();
    let started = started.map(|started| {
        json!({
            "file": started.file,
            "size": started.size,
            "seconds_version": started.version.as_secs_f64(),
            "seconds_explore": started.explore.as_secs_f64(),
            "ratio": started.ratio(),
        })
    });
    let document =
        json!({ "stage": "explore", "rows": rows, "process": started, "peak_bytes": peak });
    format!("{document:#}\n")
}
