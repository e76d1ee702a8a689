//! What judging certificates costs.

use serde::Serialize;

use super::BenchReport;
use crate::report::text::counts::line;

/// Certificates from files, and generated ones of two sizes.
#[derive(Serialize)]
pub struct CheckBench {
    /// From files.
    pub rows: Vec<CheckRow>,
    /// Generated ones, the smaller first.
    pub generated: Vec<Generated>,
}

/// One certificate.
#[derive(Serialize)]
pub struct CheckRow {
    /// Its file.
    pub file: String,
    /// How many obligations it has.
    pub obligations: usize,
    /// What Z3 alone takes for them, one after another.
    pub seconds_z3: f64,
    /// What the whole check takes, but for the cutoff instances.
    pub seconds_check: f64,
}

impl CheckRow {
    /// How many times as long as the solver the check takes.
    fn ratio(&self) -> f64 {
        self.seconds_check / self.seconds_z3
    }
}

/// A generated certificate.
#[derive(Serialize)]
pub struct Generated {
    /// How many obligations it has.
    pub obligations: usize,
    /// What the whole check takes.
    pub seconds_check: f64,
    /// The most memory that the process has held by then, where the system says.
    pub peak_bytes: Option<u64>,
}

impl BenchReport for CheckBench {
    fn stage(&self) -> &str {
        "check"
    }

    fn text(&self) -> String {
        let mut out = "check, without cutoff instances\n  Z3 alone     check  ratio  obligations\n"
            .to_owned();
        for row in &self.rows {
            let CheckRow { file, obligations, seconds_z3, seconds_check } = row;
            let times = format!("{seconds_z3:>8.3} s {seconds_check:>7.3} s {:>6.2}", row.ratio());
            line!(out, 0, "{times} {obligations:>12}  {file}");
        }
        if let Some(worst) = self.rows.iter().map(CheckRow::ratio).max_by(f64::total_cmp) {
            let most = format!("\ncheck takes at most {worst:.2} times as long as Z3 alone");
            line!(out, 0, "{most}");
        }
        for Generated { obligations, seconds_check, peak_bytes } in &self.generated {
            let each = seconds_check * 1000.0 / *obligations as f64;
            let figures =
                format!("{obligations} obligations in {seconds_check:.3} s, {each:.2} ms each");
            let peak = peak_bytes.map(|peak| format!(", {} MiB at most", peak >> 20));
            line!(out, 0, "generated: {figures}{}", peak.unwrap_or_default());
        }
        if let [first, .., last] = self.generated.as_slice() {
            let more = last.obligations as f64 / first.obligations as f64;
            let longer = last.seconds_check / first.seconds_check;
            let memory = first.peak_bytes.zip(last.peak_bytes).map(|(first, last)| {
                format!(" and {:.2} times the memory", last as f64 / first as f64)
            });
            let figures = format!("{more:.1} times the obligations take {longer:.1} times as long");
            line!(out, 0, "{figures}{}", memory.unwrap_or_default());
        }
        out
    }
}
