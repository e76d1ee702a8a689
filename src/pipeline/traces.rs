//! Traces: searching finite instances for those that a text asks for, and reading external ones.

use super::{ExploreError, protocol_name, read_protocol};
use crate::diagnostic::Diagnostic;
use crate::elaborate::trace::elaborate_trace;
use crate::finite::question::expected_run::{Beginning, CheckedRun, ExpectedRun};
use crate::finite::question::request;
use crate::finite::question::request::FiniteRequest;
use crate::finite::{Deadlocks, FiniteOutcome, Progress};
use crate::frontend::trace::expected_runs;
use crate::frontend::trace::surface::MESSAGE_LIMIT;
use crate::protocol::{ExternalTrace, Invocation, Protocol, Step, Trace};
use crate::source::SourceFile;
use crate::{elaborate, frontend};

/// Looks for every run that a text asks for, at the size of the request.
///
/// # Errors
/// When the text or the request is wrong.
pub fn run_traces(
    source: &SourceFile,
    request: &FiniteRequest,
    progress: &dyn Progress,
) -> Result<(Protocol, Vec<CheckedRun>), ExploreError> {
    let (protocol, _) = read_protocol(source).map_err(ExploreError::Text)?;
    let parsed = frontend::parse(source);
    let request =
        FiniteRequest { properties: Vec::new(), deadlocks: Deadlocks::Ignored, ..request.clone() };
    let mut runs = Vec::new();
    for trace in &parsed.traces {
        let module = expected_runs::instrumented(&parsed.module, trace);
        let elaborated = elaborate::elaborate(protocol_name(source.name()), &module);
        let woven = elaborated.protocol.ok_or_else(|| {
            let errors = elaborated.diagnostics.into_iter().filter(Diagnostic::is_error);
            ExploreError::Text(errors.collect())
        })?;
        let explored = request::explore(&woven, &request, progress);
        let explored = explored.map_err(ExploreError::Request)?;
        let run = match &explored.outcome {
            FiniteOutcome::Unsafe(violation, _) => {
                Some(unweave(&protocol, &woven, &violation.trace))
            }
            FiniteOutcome::Safe(_) | FiniteOutcome::Unknown(..) => None,
        };
        let line = source.position(trace.span.start).line;
        let expected = match trace.expected {
            expected_runs::ExpectedTrace::Possible => ExpectedRun::Possible,
            expected_runs::ExpectedTrace::Impossible => ExpectedRun::Impossible,
        };
        let beginning = match trace.start {
            expected_runs::TraceStart::Initial => Beginning::Initial,
            expected_runs::TraceStart::Anywhere => Beginning::Anywhere,
        };
        runs.push(CheckedRun { line, expected, beginning, explored, run });
    }
    Ok((protocol, runs))
}

/// The run of the protocol that a run of the woven one is.
fn unweave(protocol: &Protocol, woven: &Protocol, trace: &Trace) -> Trace {
    let mut trace = trace.clone();
    let states = std::iter::once(&mut trace.initial);
    for state in states.chain(trace.steps.iter_mut().map(|step| &mut step.state)) {
        let known = |id: &_| protocol.signature.symbols().any(|(known, _)| known == *id);
        state.tables.retain(|id, _| known(id));
    }
    for Step { invocation, .. } in &mut trace.steps {
        let name = expected_runs::original_action(&woven.actions[invocation.action].name);
        if let Some((action, _)) = protocol.action(name) {
            *invocation = Invocation { action, args: invocation.args.clone() };
        }
    }
    trace
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
