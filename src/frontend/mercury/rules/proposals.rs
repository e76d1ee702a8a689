//! Whether anyone proposes what a Consensus decides.

use crate::diagnostic::Diagnostic;
use crate::frontend::mercury::codes;
use crate::frontend::mercury::parse::tree::{HandledEvent, Handler};
use crate::frontend::mercury::table::{AgreementKind, Table};

/// Refuses a Consensus without any proposal: it decides a proposed value, so it never happens.
pub(crate) fn without_proposer(table: &Table<'_>, diagnostics: &mut Vec<Diagnostic>) {
    let handlers = || table.file.process.locations.iter().flat_map(|location| &location.handlers);
    for agreement in &table.agreements {
        let name = &agreement.name.value;
        let proposes = |handler: &Handler| matches!(&handler.event, HandledEvent::Consensus(of, _, _, Some(_)) if of.value == *name);
        if agreement.kind == AgreementKind::Consensus && !handlers().any(proposes) {
            let message = format!("no participant of `{name}` proposes a value: it never happens");
            let refusal = Diagnostic::error(codes::AGREEMENT, message, agreement.name.span);
            let hint = "write a variable instead of `_` in one of its handlers";
            diagnostics.push(refusal.hint(hint));
        }
    }
}
