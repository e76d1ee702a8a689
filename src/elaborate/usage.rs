//! Warnings about what is declared and not used, and about a whole protocol.

use crate::diagnostic::{Code, Diagnostic};
use crate::protocol::{Protocol, Rigidity, Sort};
use crate::source::Span;

use super::codes;
use super::declarations::{DeclaredMeaning, DeclaredNames};
use super::fragment::alternation_note;
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
            DeclaredMeaning::Definition(position) => {
                let used = usage.definitions.borrow().contains(&position);
                let message = format!("the definition `{name}` is not used");
                (!used).then(|| warn(codes::UNUSED_DEFINITION, message))
            }
            DeclaredMeaning::Sort(_)
            | DeclaredMeaning::Element(..)
            | DeclaredMeaning::Action
            | DeclaredMeaning::Mistaken => None,
        };
        diagnostics.extend(warning);
    }
}

/// Whether a message reports something missing or unused: not reliable
/// when parts of the text could not be read.
pub fn is_about_absence(diagnostic: &Diagnostic) -> bool {
    const ABSENCE: &[Code] = &[
        codes::UNKNOWN_NAME,
        codes::UNKNOWN_SORT,
        codes::EMPTY,
        codes::UNUSED_SYMBOL,
        codes::UNUSED_DEFINITION,
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
pub(super) fn whole_protocol_warnings(protocol: &Protocol) -> Vec<Diagnostic> {
    let mut remarks: Vec<Diagnostic> = alternation_note(protocol).into_iter().collect();
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
