//! Warnings about what is declared and not used.

use crate::diagnostic::Diagnostic;
use crate::protocol::{Rigidity, Sort};

use super::codes;
use super::declarations::{DeclaredMeaning, DeclaredNames};
use super::scope::Usage;

/// Whether a protocol has an action at all.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Happens {
    /// It has.
    Something,
    /// It has none: that no action assigns a symbol is then no further news.
    Nothing,
}

/// Warns about unused sorts and symbols, symbols that are never read, and symbols
/// that could change and never do.
pub(super) fn unused(
    declarations: &DeclaredNames,
    usage: &Usage,
    happens: Happens,
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
        let warn = |code, message: String| Diagnostic::warning(code, message, declared.span);
        let warning = match declared.meaning {
            DeclaredMeaning::Sort(sort) if !sorts.contains(&sort) => {
                Some(warn(codes::UNUSED_SORT, format!("the sort `{name}` is not used")))
            }
            DeclaredMeaning::Symbol(symbol) => {
                match (read.contains(&symbol), written.contains(&symbol)) {
                    (true, true) => None,
                    (true, false) => {
                        let changes = signature.symbol(symbol).rigidity == Rigidity::Mutable;
                        (changes && happens == Happens::Something).then(|| {
                            let message = format!("`{name}` is never assigned");
                            warn(codes::NEVER_ASSIGNED, message)
                            .labelled("it keeps its initial value")
                            .hint(
                                "assign it in an action, or declare it as rigid, with axioms in \
                                 place of its `init` lines",
                            )
                        })
                    }
                    (false, true) => Some(warn(
                        codes::NEVER_READ,
                        format!("`{name}` is assigned and never read"),
                    )),
                    (false, false) => {
                        Some(warn(codes::UNUSED_SYMBOL, format!("`{name}` is not used")))
                    }
                }
            }
            DeclaredMeaning::Sort(_) | DeclaredMeaning::Action | DeclaredMeaning::Mistaken => None,
        };
        diagnostics.extend(warning);
    }
}
