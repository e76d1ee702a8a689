//! Machines that are legal and suspicious.

use super::check_steps::{entered, sent};
use super::codes;
use super::table::Table;
use super::tree::Occasion;
use crate::diagnostic::Diagnostic;

/// Warns of messages and states that nothing uses.
pub(super) fn lint(table: &Table<'_>, diagnostics: &mut Vec<Diagnostic>) {
    let steps = || table.kinds.iter().flat_map(|kind| &kind.steps);
    let mut sends = Vec::new();
    steps().for_each(|(step, _)| sent(&step.body, &mut sends));
    for message in &table.messages {
        let name = &message.name;
        let warning = |text: String| Diagnostic::warning(codes::UNUSED, text, name.span);
        let is_received = steps().any(|(step, _)| {
            matches!(&step.occasion, Occasion::On { message, .. } if message.value == name.value)
        });
        let is_sent = sends.iter().any(|send| send.value == name.value);
        if !is_received {
            let hint =
                format!("add `on {}` to `{}`, or remove the message", name.value, message.to.value);
            diagnostics.push(warning(format!("`{}` is never received", name.value)).hint(hint));
        }
        if !is_sent {
            let hint = format!("send it in `{}`, or remove the message", message.from.value);
            diagnostics.push(warning(format!("`{}` is never sent", name.value)).hint(hint));
        }
    }
    for kind in &table.kinds {
        let mut goals = Vec::new();
        kind.steps.iter().for_each(|(step, _)| entered(&step.body, &mut goals));
        for state in kind.states.iter().skip(1) {
            if !goals.iter().any(|goal| goal.value == state.value) {
                let text = format!("no step goes to `{}`", state.value);
                let hint = "a machine begins in the first of its states";
                let warning = Diagnostic::warning(codes::NOT_ENTERED, text, state.span);
                diagnostics.push(warning.hint(hint));
            }
        }
    }
}
