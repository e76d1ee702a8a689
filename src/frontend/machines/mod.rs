//! Machines that send each other messages, to plain RML.
//!
//! `read` builds the tree that the grammar matches, `check` refuses what has no meaning, `lower`
//! makes sorts, relations and actions of the rest: a kind of machines is a sort, its states are an
//! enumeration, a message on its way is a fact about sender, receiver and contents.

mod check;
mod check_network;
mod check_steps;
pub(crate) mod codes;
mod lint;
mod lower;
pub(crate) mod read;
mod table;
pub mod tree;

use super::syntax::surface::{Item, Module};
use crate::diagnostic::Diagnostic;
use crate::process::machines::Machines;
use crate::source::Spanned;
use table::Table;
use tree::{Declaration, MachineFile};

/// A protocol with machines: as it was written, and what its lowered form means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadMachines {
    /// As it was written.
    pub written: MachineFile,
    /// What the lowered symbols and actions are.
    pub meaning: Machines,
}

/// What plain RML makes of a file, and the file itself if it has machines.
pub(super) fn lowered(
    items: Vec<Spanned<Item>>,
    declarations: Vec<Spanned<Declaration>>,
    text: &str,
    diagnostics: &mut Vec<Diagnostic>,
) -> (Module, Option<ReadMachines>) {
    if declarations.is_empty() {
        return (Module { items }, None);
    }
    let written = MachineFile { items, declarations };
    // What could not be read may have declared what seems to be missing.
    let is_whole = !diagnostics.iter().any(Diagnostic::is_error);
    let mut found = Vec::new();
    let table = Table::new(&written, &mut found);
    check::check(&table, &written.items, &mut found);
    if !found.iter().any(Diagnostic::is_error) {
        lint::lint(&table, &mut found);
    }
    // Also of a file with mistakes: editors want to know its names.
    let (module, meaning) = lower::lower(&table, &written, text, &mut found);
    if is_whole {
        diagnostics.append(&mut found);
    }
    diagnostics.sort_by_key(|diagnostic| diagnostic.primary.span);
    (module, Some(ReadMachines { written, meaning }))
}
