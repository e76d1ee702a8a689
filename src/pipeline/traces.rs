//! Running the traces that a text asks for, as searches of finite instances.

use super::{ExploreError, protocol_name, read_protocol};
use crate::diagnostic::Diagnostic;
use crate::elaborate;
use crate::finite::asked::{AskedRun, Beginning, Expected};
use crate::finite::request::{self, Request};
use crate::finite::{Deadlocks, Outcome, Progress};
use crate::frontend::{self, traces};
use crate::protocol::{Invocation, Protocol, Step, Trace};
use crate::source::SourceFile;

/// Looks for every run that a text asks for, at the size of the request.
///
/// # Errors
/// When the text or the request is wrong.
pub fn run_traces(
    source: &SourceFile,
    request: &Request,
    progress: &dyn Progress,
) -> Result<(Protocol, Vec<AskedRun>), ExploreError> {
    let (protocol, _) = read_protocol(source).map_err(ExploreError::Text)?;
    let parsed = frontend::parse(source);
    let request =
        Request { properties: Vec::new(), deadlocks: Deadlocks::Ignored, ..request.clone() };
    let mut runs = Vec::new();
    for trace in &parsed.traces {
        let module = traces::woven(&parsed.module, trace);
        let elaborated = elaborate::elaborate(protocol_name(source.name()), &module);
        let woven = elaborated.protocol.ok_or_else(|| {
            let errors = elaborated.diagnostics.into_iter().filter(Diagnostic::is_error);
            ExploreError::Text(errors.collect())
        })?;
        let explored = request::explore(&woven, &request, progress);
        let explored = explored.map_err(ExploreError::Request)?;
        let run = match &explored.outcome {
            Outcome::Unsafe(violation, _) => Some(unwoven(&protocol, &woven, &violation.trace)),
            Outcome::Safe(_) | Outcome::Unknown(..) => None,
        };
        let line = source.position(trace.span.start).line;
        let expected = match trace.expected {
            traces::Expected::Possible => Expected::Possible,
            traces::Expected::Impossible => Expected::Impossible,
        };
        let beginning = match trace.start {
            traces::Start::Initial => Beginning::Initial,
            traces::Start::Anywhere => Beginning::Anywhere,
        };
        runs.push(AskedRun { line, expected, beginning, explored, run });
    }
    Ok((protocol, runs))
}

/// The run of the protocol that a run of the woven one is.
fn unwoven(protocol: &Protocol, woven: &Protocol, trace: &Trace) -> Trace {
    let mut trace = trace.clone();
    let states = std::iter::once(&mut trace.initial);
    for state in states.chain(trace.steps.iter_mut().map(|step| &mut step.state)) {
        let known = |id: &_| protocol.signature.symbols().any(|(known, _)| known == *id);
        state.tables.retain(|id, _| known(id));
    }
    for Step { invocation, .. } in &mut trace.steps {
        let name = traces::original_action(&woven.actions[invocation.action].name);
        if let Some((action, _)) = protocol.action(name) {
            *invocation = Invocation { action, args: invocation.args.clone() };
        }
    }
    trace
}
