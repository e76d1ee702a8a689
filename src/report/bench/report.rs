//! What pages cost beyond the proofs they show.

use serde::Serialize;

use super::BenchReport;
use crate::report::text::counts::line;

/// A page takes no longer, and is no larger.
const MAX_SECONDS: f64 = 1.0;
const MAX_BYTES: usize = 1_000_000;

/// The pages of certificates.
#[derive(Serialize)]
pub struct ReportBench {
    /// One row for each.
    pub rows: Vec<ReportRow>,
}

/// One page.
#[derive(Serialize)]
pub struct ReportRow {
    /// The file of the certificate.
    pub file: String,
    /// What the check took.
    pub seconds_check: f64,
    /// What the page took beyond it.
    pub seconds_report: f64,
    /// How large it is.
    pub bytes: usize,
}

impl BenchReport for ReportBench {
    fn stage(&self) -> &str {
        "report"
    }

    fn text(&self) -> String {
        let mut out = "report, beyond the check\n     check    report    size\n".to_owned();
        for ReportRow { file, seconds_check, seconds_report, bytes } in &self.rows {
            let size = bytes.div_ceil(1000);
            line!(out, 0, "{seconds_check:>8.3} s {seconds_report:>7.3} s {size:>4} kB  {file}");
        }
        let longest = self.rows.iter().map(|row| row.seconds_report).max_by(f64::total_cmp);
        let largest = self.rows.iter().map(|row| row.bytes.div_ceil(1000)).max();
        if let (Some(longest), Some(largest)) = (longest, largest) {
            line!(out, 0, "\na page takes at most {longest:.3} s and {largest} kB");
        }
        out
    }

    fn is_as_expected(&self) -> bool {
        let is_fine = |row: &ReportRow| row.seconds_report <= MAX_SECONDS && row.bytes <= MAX_BYTES;
        self.rows.iter().all(is_fine)
    }
}
