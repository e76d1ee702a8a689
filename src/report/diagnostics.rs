//! Diagnostics as text.

use std::fmt::Write;

use crate::diagnostic::{Diagnostic, Severity};
use crate::source::SourceFile;

/// The messages about a text, in the order given.
pub fn render(source: &SourceFile, diagnostics: &[Diagnostic]) -> String {
    let mut output = String::new();
    for diagnostic in diagnostics {
        let severity = severity(diagnostic.severity);
        let position = source.position(diagnostic.primary.span.start);
        // Writing to a string cannot fail.
        let _ = writeln!(output, "{severity}[{}]: {}", diagnostic.code.0, diagnostic.message);
        let _ = writeln!(output, " --> {}:{position}", source.name());
        if let Some(hint) = &diagnostic.hint {
            let _ = writeln!(output, "  = help: {hint}");
        }
    }
    output
}

/// The word for a severity.
pub fn severity(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "note",
    }
}
