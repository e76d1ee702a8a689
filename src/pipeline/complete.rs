//! From a sketch, or an unsafe protocol, to a text that is safe.

use crate::complete::{CompleteAnswer, CompleteError, CompleteRequest, RepairAnswer, codes};
use crate::diagnostic::{Diagnostic, once};
use crate::frontend::{FRONTENDS, Parsed, frontend, parse};
use crate::source::{SourceFile, Span};

/// The language of processes, whose sketches have holes of their own.
const MERCURY: &str = "Mercury";

/// Fills the holes of a sketch.
///
/// # Errors
/// When the text is wrong, or a proof cannot be judged.
pub fn complete(
    source: &SourceFile,
    request: &CompleteRequest,
) -> Result<CompleteAnswer, CompleteError> {
    if frontend(source).language == MERCURY {
        return crate::complete::complete_process(source, request);
    }
    crate::complete::complete(source, &readable(source)?, request)
}

/// Repairs an unsafe protocol.
///
/// # Errors
/// When the text is wrong, or a proof cannot be judged.
pub fn repair(
    source: &SourceFile,
    request: &CompleteRequest,
) -> Result<RepairAnswer, CompleteError> {
    crate::complete::repair(source, &readable(source)?, request)
}

fn readable(source: &SourceFile) -> Result<Parsed, CompleteError> {
    let rml = FRONTENDS[0].language;
    let language = frontend(source).language;
    if language != rml {
        let message = format!(
            "only sketches in {rml} and Mercury are completed, and only protocols in {rml} repaired"
        );
        let refusal = Diagnostic::error(codes::NOT_RML, message, Span::default())
            .hint("`rmlcut fmt --to rml` translates other languages");
        return Err(CompleteError::Text(vec![refusal]));
    }
    let parsed = parse(source);
    if parsed.machines.is_some() {
        let message = "protocols with machines are neither completed nor repaired";
        let refusal = Diagnostic::error(codes::NOT_RML, message, Span::default())
            .hint("`rmlcut fmt --to rml` writes the machines out");
        return Err(CompleteError::Text(vec![refusal]));
    }
    match parsed.diagnostics.iter().any(Diagnostic::is_error) {
        true => Err(CompleteError::Text(once(parsed.diagnostics))),
        false => Ok(parsed),
    }
}
