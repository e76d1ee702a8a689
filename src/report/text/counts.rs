//! Lines and counts, the same in every report.

use std::fmt::Write as _;

/// `1 clause`, `2 clauses`.
pub(in crate::report) fn count(number: usize, noun: &str) -> String {
    if number == 1 { format!("1 {noun}") } else { format!("{number} {noun}s") }
}

/// When something happens that so many steps lead to: `initially`, `after 1 step`.
pub(in crate::report) fn after(steps: usize) -> String {
    if steps == 0 { "initially".to_owned() } else { format!("after {}", count(steps, "step")) }
}

/// Adds an indented line.
pub(in crate::report) fn line(out: &mut String, depth: usize, text: std::fmt::Arguments<'_>) {
    writeln!(out, "{}{text}", "  ".repeat(depth)).expect("writing to a string succeeds");
}
