//! What judging certificates costs, as text and JSON.

use std::fmt::Write as _;
use std::time::Duration;

use serde_json::json;

/// One certificate.
pub struct CheckRow {
    /// Its file.
    pub file: String,
    /// How many obligations it has.
    pub obligations: usize,
    /// What Z3 alone takes for them, one after another.
    pub solver: Duration,
    /// What the whole check takes, but for the cutoff instances.
    pub check: Duration,
}

impl CheckRow {
    /// How many times as long as the solver the check takes.
    fn ratio(&self) -> f64 {
        self.check.as_secs_f64() / self.solver.as_secs_f64()
    }
}

/// A generated certificate.
pub struct Generated {
    /// How many obligations it has.
    pub obligations: usize,
    /// What the whole check takes.
    pub check: Duration,
    /// The most memory that the process has held by then, in bytes, where the system says.
    pub peak: Option<u64>,
}

/// The rows as text.
pub fn text(rows: &[CheckRow], generated: &[Generated]) -> String {
    let mut out =
        "check, without cutoff instances\n  Z3 alone     check  ratio  obligations\n".to_owned();
    for row in rows {
        let (solver, check) = (row.solver.as_secs_f64(), row.check.as_secs_f64());
        let (ratio, count, file) = (row.ratio(), row.obligations, &row.file);
        line(
            &mut out,
            format_args!("{solver:>8.3} s {check:>7.3} s {ratio:>6.2} {count:>12}  {file}"),
        );
    }
    let worst = rows.iter().max_by(|one, other| one.ratio().total_cmp(&other.ratio()));
    if let Some(worst) = worst {
        line(
            &mut out,
            format_args!("\ncheck takes at most {:.2} times as long as Z3 alone", worst.ratio()),
        );
    }
    for own in generated {
        let (check, count) = (own.check.as_secs_f64(), own.obligations);
        let each = check * 1000.0 / count as f64;
        let peak = own.peak.map_or(String::new(), |peak| format!(", {} MiB at most", peak >> 20));
        line(
            &mut out,
            format_args!("generated: {count} obligations in {check:.3} s, {each:.2} ms each{peak}"),
        );
    }
    if let [first, .., last] = generated {
        let more = last.obligations as f64 / first.obligations as f64;
        let longer = last.check.as_secs_f64() / first.check.as_secs_f64();
        let memory = first.peak.zip(last.peak).map_or(String::new(), |(first, last)| {
            format!(" and {:.2} times the memory", last as f64 / first as f64)
        });
        line(
            &mut out,
            format_args!("{more:.1} times the obligations take {longer:.1} times as long{memory}"),
        );
    }
    out
}

fn line(out: &mut String, line: std::fmt::Arguments<'_>) {
    writeln!(out, "{line}").expect("writing to a string succeeds");
}

/// The rows as JSON.
pub fn json(rows: &[CheckRow], generated: &[Generated]) -> String {
    let rows: Vec<_> = rows
        .iter()
        .map(|row| {
            json!({
                "file": row.file,
                "obligations": row.obligations,
                "seconds_z3": row.solver.as_secs_f64(),
                "seconds_check": row.check.as_secs_f64(),
                "ratio": row.ratio(),
            })
        })
        .collect();
    let generated: Vec<_> = generated
        .iter()
        .map(|own| {
            json!({
                "obligations": own.obligations,
                "seconds_check": own.check.as_secs_f64(),
                "peak_bytes": own.peak,
            })
        })
        .collect();
    format!("{:#}\n", json!({ "stage": "check", "rows": rows, "generated": generated }))
}
