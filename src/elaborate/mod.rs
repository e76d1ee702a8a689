//! Surface tree to protocol: names, arities, sorts and all rules of the language.
//!
//! The only place that reports unknown names. It reads no text and proves nothing.

pub mod certificate;
pub mod codes;
pub mod expression;
pub mod resolve;
mod sorts;
pub mod trace;

mod actions;
mod assignment;
mod declarations;
mod fragment;
mod scope;
mod statements;
mod universal;
mod usage;

use crate::diagnostic::{Code, Diagnostic};
use crate::frontend::syntax::surface::Module;
use crate::logic::Name;
use crate::protocol::Protocol;
use crate::source::Span;

use scope::Usage;
use usage::Happens;

/// A protocol with the diagnostics about its text.
#[derive(Clone, Debug)]
pub struct Elaborated {
    /// The protocol; `None` if and only if a diagnostic is an error.
    pub protocol: Option<Protocol>,
    /// Errors, warnings and notes, in the order of the text.
    pub diagnostics: Vec<Diagnostic>,
}

/// Elaborates a file; `name` becomes the protocol's name.
pub fn elaborate(name: impl Into<Name>, module: &Module) -> Elaborated {
    let mut diagnostics = Vec::new();
    let usage = Usage::default();
    let declarations = declarations::declare(module, &mut diagnostics);
    let statements = statements::statements(module, &declarations, &usage, &mut diagnostics);
    let actions = actions::actions(module, &declarations, &usage, &mut diagnostics);
    if module.items.is_empty() {
        let message = "the file declares nothing";
        diagnostics.push(Diagnostic::error(codes::EMPTY, message, Span::default()));
    }
    let protocol = if diagnostics.iter().any(Diagnostic::is_error) {
        // A symbol may be used in a part that could not be read.
        diagnostics.retain(|message| message.is_error() || !is_about_absence(message));
        None
    } else {
        let happens = if actions.is_empty() { Happens::Nothing } else { Happens::Something };
        usage::unused(&declarations, &usage, happens, &mut diagnostics);
        let protocol = Protocol {
            name: name.into(),
            signature: declarations.signature,
            axioms: statements.axioms,
            init: statements.init,
            actions,
            properties: statements.properties,
        };
        diagnostics.extend(whole_protocol_warnings(&protocol));
        Some(protocol)
    };
    diagnostics.sort_by_key(|diagnostic| diagnostic.primary.span);
    Elaborated { protocol, diagnostics }
}

/// Whether a message reports something missing or unused: not reliable
/// when parts of the text could not be read.
pub fn is_about_absence(diagnostic: &Diagnostic) -> bool {
    const ABSENCE: &[Code] = &[
        codes::UNKNOWN_NAME,
        codes::UNKNOWN_SORT,
        codes::EMPTY,
        codes::UNUSED_SYMBOL,
        codes::NEVER_READ,
        codes::UNUSED_PARAMETER,
        codes::UNUSED_SORT,
        codes::UNUSED_VARIABLE,
        codes::NO_SAFETY,
        codes::NEVER_ASSIGNED,
        codes::NO_ACTION,
    ];
    ABSENCE.contains(&diagnostic.code)
}

/// What is legal and worth saying of a whole protocol.
fn whole_protocol_warnings(protocol: &Protocol) -> Vec<Diagnostic> {
    let mut remarks: Vec<Diagnostic> = fragment::alternation_note(protocol).into_iter().collect();
    if !protocol.states_safety() {
        let message = "there is no `safety` line: nothing to prove";
        remarks.push(Diagnostic::warning(codes::NO_SAFETY, message, Span::default()));
    }
    if protocol.actions.is_empty() {
        let message = "there is no action: nothing ever happens";
        remarks.push(Diagnostic::warning(codes::NO_ACTION, message, Span::default()));
    }
    remarks
}
