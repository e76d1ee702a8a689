//! A run that is made by hand, as JSON: one document in a line for each command.

use serde::Serialize;

use crate::play::{Options, Session};
use crate::protocol::{Protocol, Rigidity};
use crate::report::text::{play, trace};

#[derive(Serialize)]
struct PlayReport<'a> {
    step: usize,
    taken: Option<String>,
    instance: Vec<String>,
    state: Vec<String>,
    fails: Vec<String>,
    possible: Vec<OptionReport>,
    not_possible: Vec<&'a str>,
    unlisted: Vec<String>,
    message: Option<&'a str>,
}

#[derive(Serialize)]
struct OptionReport {
    action: String,
    changes: Vec<String>,
}

/// What holds, what fails and what is possible; and what the command had to say.
pub fn document(
    protocol: &Protocol,
    session: &Session,
    options: &Options,
    message: Option<&str>,
) -> String {
    let state = session.state();
    let possible = options.steps.iter().map(|step| OptionReport {
        action: trace::invocation(protocol, &step.invocation),
        changes: play::changed((protocol, None), state, &step.state),
    });
    let unlisted = options.unlisted.iter();
    let last = session.run.steps.last();
    let report = PlayReport {
        step: session.run.steps.len(),
        taken: last.map(|step| trace::invocation(protocol, &step.invocation)),
        instance: trace::atoms(protocol, state, Rigidity::Rigid),
        state: trace::atoms(protocol, state, Rigidity::Mutable),
        fails: play::failures(protocol, session).into_iter().map(|failed| failed.what).collect(),
        possible: possible.collect(),
        not_possible: play::idle(protocol, options),
        unlisted: unlisted
            .map(|(action, why)| format!("{}: {why}", protocol.actions[*action].name))
            .collect(),
        message,
    };
    // Texts and numbers always have a JSON form.
    format!("{}\n", serde_json::to_string(&report).unwrap_or_default())
}
