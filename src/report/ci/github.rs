//! Annotations for GitHub: workflow commands, one in each line.

use super::findings::{Level, Region};
use super::{FileResults, below, summary};

/// The summary, and one annotation for each finding.
pub(super) fn lines(results: &FileResults<'_>) -> String {
    let mut out = summary::text(results);
    for file in results.files {
        for finding in &file.findings {
            let command = match finding.level {
                Level::Error => "error",
                Level::Warning => "warning",
                Level::Note => "notice",
            };
            let path = finding.file.as_ref().unwrap_or(&file.file);
            let mut properties = vec![format!("file={}", property(below(path)))];
            if let Some(Region { line, column, end_line, end_column }) = finding.region {
                properties.push(format!("line={line},col={column},endLine={end_line}"));
                // Columns are for places within a line; elsewhere they are not read.
                if line == end_line && end_column > column {
                    properties.push(format!("endColumn={end_column}"));
                }
            }
            properties.push(format!("title={}", property(&format!("rmlcut {}", finding.rule))));
            out.push_str(&format!(
                "::{command} {}::{}\n",
                properties.join(","),
                message(&finding.message)
            ));
        }
    }
    out
}

/// A message; what would end the line is encoded.
fn message(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '%' => out.push_str("%25"),
            '\r' => out.push_str("%0D"),
            '\n' => out.push_str("%0A"),
            c if c.is_control() => out.extend(c.escape_default()),
            c => out.push(c),
        }
    }
    out
}

/// The value of a property; what would end it is encoded as well.
fn property(text: &str) -> String {
    message(text).replace(':', "%3A").replace(',', "%2C")
}
