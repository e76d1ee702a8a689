//! What exploring the rows of tables costs, as text and JSON.

use std::fmt::Write as _;
use std::time::Duration;

use serde_json::json;

use crate::finite::Counts;

/// One row, repeated.
pub struct Row {
    /// The protocol.
    pub file: String,
    /// The size.
    pub size: String,
    /// The states that the table states.
    pub stated: u64,
    /// How many instances the size has.
    pub instances: u64,
    /// What was found.
    pub counts: Counts,
    /// The time on one thread.
    pub one_thread: Duration,
    /// The time on two.
    pub two_threads: Duration,
}

impl Row {
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
        let Counts { memory, states, packed, .. } = self.counts;
        (self.instances == 1).then(|| memory as f64 / states as f64 - packed as f64)
    }

    fn speedup(&self) -> f64 {
        self.one_thread.as_secs_f64() / self.two_threads.as_secs_f64()
    }
}

/// Small instances say nothing about speed.
const LARGE: u64 = 100_000;

/// The rows as text; speed and memory where an instance is large.
pub fn text(rows: &[Row], peak: Option<u64>) -> String {
    let mut out = "explore: every state, no symmetry\n".to_owned();
    for row in rows {
        let verdict = if row.is_as_stated() { "as stated" } else { "NOT as stated" };
        let Row { file, size, counts, .. } = row;
        write(&mut out, format_args!("{:>10} states  {verdict}  {file} {size}", counts.states));
        if counts.states >= LARGE {
            write(
                &mut out,
                format_args!(
                    "           {} transitions in {:.2} s: {:.1} million/s, {:.0} ns a state, \
                     {}two threads {:.2} times as fast",
                    counts.generated,
                    row.one_thread.as_secs_f64(),
                    row.rate() / 1e6,
                    row.one_thread.as_nanos() as f64 / counts.states as f64,
                    row.overhead().map_or(String::new(), |bytes| {
                        format!("{bytes:.1} bytes a state beyond its {}; ", counts.packed)
                    }),
                    row.speedup(),
                ),
            );
        }
    }
    if let Some(peak) = peak {
        write(&mut out, format_args!("peak memory of the process: {} MiB", peak >> 20));
    }
    out
}

fn write(out: &mut String, line: std::fmt::Arguments<'_>) {
    writeln!(out, "{line}").expect("writing to a string succeeds");
}

/// The rows as JSON.
pub fn json(rows: &[Row], peak: Option<u64>) -> String {
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
    format!("{:#}\n", json!({ "stage": "explore", "rows": rows, "peak_bytes": peak }))
}
