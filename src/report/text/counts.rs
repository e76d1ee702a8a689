//! Lines and counts, the same in every report.

use std::fmt::Display;

/// `1 clause`, `2 clauses`.
pub(crate) fn count(number: impl Display, noun: &str) -> String {
    let number = number.to_string();
    let plural = if number == "1" { "" } else { "s" };
    format!("{number} {noun}{plural}")
}

/// When something happens that so many steps lead to: `initially`, `after 1 step`.
pub(crate) fn after(steps: usize) -> String {
    if steps == 0 { "initially".to_owned() } else { format!("after {}", count(steps, "step")) }
}

/// Adds an indented line to a text: `line!(out, 1, "{count} clauses")`.
macro_rules! line {
    ($out:expr, $depth:expr, $($text:tt)+) => {{
        use std::fmt::Write as _;
        // Writing to a string cannot fail.
        let _ = writeln!($out, "{}{}", "  ".repeat($depth), format_args!($($text)+));
    }};
}
pub(crate) use line;
