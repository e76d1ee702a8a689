//! Traces: searching finite instances for those that a text expects, and reading external ones.

use super::{ExploreError, read_protocol};
use crate::coverage::{CheckedRun, at_small_sizes, look_for};
use crate::diagnostic::Diagnostic;
use crate::elaborate::trace::elaborate_trace;
use crate::finite::Progress;
use crate::finite::question::request::{FiniteRequest, RequestError};
use crate::frontend;
use crate::frontend::trace::surface::MESSAGE_LIMIT;
use crate::protocol::{ExpectedRun, ExternalTrace, Protocol};
use crate::source::SourceFile;

/// Looks for every run that a text expects, at each of these sizes until it is found; for a `reach`
/// line that is not reached there, at all small sizes.
///
/// # Errors
/// When the text or the request is wrong.
pub fn run_traces(
    source: &SourceFile,
    request: &FiniteRequest,
    sizes: &[RequestedSize],
    progress: &dyn Progress,
) -> Result<(Protocol, Vec<CheckedRun>), ExploreError> {
    let (protocol, _) = read_protocol(source).map_err(ExploreError::Text)?;
    let mut runs = Vec::new();
    for expected in &protocol.expected_runs {
        let checked = at_sizes(&protocol, expected, request, sizes, progress)
            .map_err(ExploreError::Request)?;
        let elsewhere = checked
            .as_ref()
            .filter(|checked| checked.is_unreached_goal())
            .and_then(|_| at_small_sizes(&protocol, expected, &request.budget.stop));
        runs.extend(elsewhere.or(checked));
    }
    Ok((protocol, runs))
}

/// How many elements sorts have, by their names.
type RequestedSize = Vec<(String, u32)>;

/// Looks for a run at each size until it is found; the last size if there is none.
fn at_sizes(
    protocol: &Protocol,
    expected: &ExpectedRun,
    request: &FiniteRequest,
    sizes: &[RequestedSize],
    progress: &dyn Progress,
) -> Result<Option<CheckedRun>, RequestError> {
    let mut last = None;
    for sizes in sizes {
        let request = FiniteRequest { sizes: sizes.clone(), ..request.clone() };
        let checked = look_for(protocol, expected, &request, progress)?;
        let is_found = checked.run.is_some();
        last = Some(checked);
        if is_found {
            break;
        }
    }
    Ok(last)
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
