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
mod definitions;
mod expected_runs;
mod fragment;
mod messages;

mod scope;
mod statements;
mod structures;
mod usage;

use crate::diagnostic::Diagnostic;
use crate::frontend::syntax::surface::Module;
use crate::logic::Name;
use crate::protocol::Protocol;
use crate::source::Span;

use scope::Usage;
pub(crate) use structures::relations as structure_relations;
pub use usage::is_about_absence;

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
    let mut declarations = declarations::declare(module, &mut diagnostics);
    structures::record(module, &mut declarations, &mut diagnostics);
    definitions::define(module, &mut declarations, &usage, &mut diagnostics);
    let statements = statements::statements(module, &declarations, &usage, &mut diagnostics);
    let actions = actions::actions(module, &declarations, &usage, &mut diagnostics);
    let expected_runs =
        expected_runs::expected_runs(module, &declarations, &actions, &usage, &mut diagnostics);
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
            expected_runs,
        };
        diagnostics.extend(usage::whole_protocol_warnings(&protocol));
        Some(protocol)
    };
    diagnostics.sort_by_key(|diagnostic| diagnostic.primary.span);
    Elaborated { protocol, diagnostics }
}
