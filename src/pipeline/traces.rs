//! Traces: searching finite instances for those that a text expects, and reading external ones.

use super::{ExploreError, read_protocol};
use crate::coverage::{CheckedRun, at_small_sizes, look_for};
use crate::diagnostic::Diagnostic;
use crate::elaborate::trace::elaborate_trace;
use crate::finite::Progress;
use crate::finite::question::request::FiniteRequest;
use crate::frontend;
use crate::frontend::trace::surface::MESSAGE_LIMIT;
use crate::protocol::{ExternalTrace, Protocol};
use crate::source::SourceFile;

/// Looks for every run that a text expects, at the size of the request; for a `reach` line that is
/// not reached there, at all small sizes.
///
/// # Errors
/// When the text or the request is wrong.
pub fn run_traces(
    source: &SourceFile,
    request: &FiniteRequest,
    progress: &dyn Progress,
) -> Result<(Protocol, Vec<CheckedRun>), ExploreError> {
    let (protocol, _) = read_protocol(source).map_err(ExploreError::Text)?;
    let mut runs = Vec::new();
    for expected in &protocol.expected_runs {
        let mut checked =
            look_for(&protocol, expected, request, progress).map_err(ExploreError::Request)?;
        if checked.is_unreached_goal()
            && let Some(elsewhere) = at_small_sizes(&protocol, expected, &request.budget.stop)
        {
            checked = elsewhere;
        }
        runs.push(checked);
    }
    Ok((protocol, runs))
}

/// Reads a trace for a protocol, with what is legal and suspicious about it.
///
/// # Errors
/// Everything that is wrong with the text, in its order.
pub fn read_trace(
    protocol: &Protocol,
    source: &SourceFile,
) -> Result<(ExternalTrace, Vec<Diagnostic>), Vec<Diagnostic>> {
    let parsed = frontend::parse_trace(source);
    let mut messages = parsed.diagnostics;
    if messages.iter().any(Diagnostic::is_error) {
        return Err(with_limit_note(messages));
    }
    let elaborated = elaborate_trace(protocol, &parsed.file);
    messages.extend(elaborated.diagnostics);
    messages.sort_by_key(|message| message.primary.span);
    match elaborated.trace {
        Some(trace) => Ok((trace, messages)),
        None => Err(with_limit_note(messages)),
    }
}

/// Messages, with a note if their limit was reached.
fn with_limit_note(mut messages: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let last = messages.last().map(|last| last.primary.span.start_only());
    if let Some(last) = last.filter(|_| messages.len() >= MESSAGE_LIMIT) {
        let message = "the rest of this file was not checked";
        messages.push(Diagnostic::note(frontend::syntax::codes::GIVEN_UP, message, last));
    }
    messages
}
