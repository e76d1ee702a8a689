//! Warnings about what is declared and not used.

use crate::diagnostic::Diagnostic;
use crate::protocol::Sort;

use super::codes;
use super::declarations::{Declarations, Meaning};
use super::scope::Usage;

/// Warns about sorts and symbols that nothing mentions, and symbols that nothing reads.
pub(super) fn unused(
    declarations: &Declarations,
    usage: &Usage,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let (read, written, sorts) =
        (usage.read.borrow(), usage.written.borrow(), usage.sorts.borrow());
    let signature = &declarations.signature;
    let ranks = signature.symbols().flat_map(|(_, symbol)| {
        symbol.params.iter().copied().chain(symbol.result).collect::<Vec<Sort>>()
    });
    let mut sorts = sorts.clone();
    sorts.extend(ranks);
    for (name, declared) in &declarations.names {
        let warning = match declared.meaning {
            Meaning::Sort(sort) if !sorts.contains(&sort) => {
                Some((codes::UNUSED_SORT, format!("the sort `{name}` is not used")))
            }
            Meaning::Symbol(symbol) if read.contains(&symbol) => None,
            Meaning::Symbol(symbol) if written.contains(&symbol) => {
                Some((codes::NEVER_READ, format!("`{name}` is assigned and never read")))
            }
            Meaning::Symbol(_) => Some((codes::UNUSED_SYMBOL, format!("`{name}` is not used"))),
            Meaning::Sort(_) | Meaning::Action | Meaning::Mistaken => None,
        };
        if let Some((code, message)) = warning {
            diagnostics.push(Diagnostic::warning(code, message, declared.span));
        }
    }
}
