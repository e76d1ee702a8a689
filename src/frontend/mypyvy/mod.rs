//! mypyvy protocol texts, in both of its dialects, to surface trees.
//!
//! `declarations` and `expressions` read what the grammar matches, `table` writes definitions out,
//! and `transitions` turns formulas about two states into guarded updates: `conjuncts` takes them
//! apart, `update_clause` finds what each symbol becomes, `updates` assigns it. A formula of another
//! shape stays a formula. Nothing is guessed: what has no meaning here is refused by name.

mod codes;
mod conjuncts;
mod declarations;
mod enumerations;
mod expressions;
mod grammar;
mod lower;
mod sorts;
mod table;
mod traces;
mod transitions;
mod tree;
mod two_states;
mod update_clause;
mod updates;

use std::collections::BTreeSet;

use pest::iterators::Pair;

use super::Parsed;
use super::lowering::foreign_error::{ForeignLanguage, read_chunks};
use super::lowering::layout_free::{LayoutFreeWords, split_declarations};
use super::lowering::naming::LoweredNames;
use super::syntax::surface::{Module, Moment};
use crate::diagnostic::Diagnostic;
use crate::source::{SourceFile, Span};

use enumerations::with_enumerations;
use expressions::MypyvyExpressionBuilder;
use grammar::{MypyvyGrammar, Rule, describe};
use lower::MypyvyLowerer;
use table::MypyvyTable;
use two_states::Dialect;

/// The words that separate declarations and statements.
const WORDS: LayoutFreeWords = LayoutFreeWords {
    declaring: &[
        "sort",
        "mutable",
        "immutable",
        "derived",
        "axiom",
        "init",
        "safety",
        "sketch",
        "invariant",
        "theorem",
        "zerostate",
        "onestate",
        "twostate",
        "definition",
        "transition",
        "automaton",
        "fbii",
        "sat",
        "unsat",
    ],
    before: &["sketch", "zerostate", "onestate", "twostate"],
    stating: &["assert", "transition"],
};

/// Reads a protocol text.
pub(super) fn parse(source: &SourceFile) -> Parsed {
    let mut prepared = split_declarations(source.text(), WORDS);
    let language = ForeignLanguage { rule: Rule::declaration, syntax: codes::SYNTAX, describe };
    let (mut declarations, mut moments, mut primed) = (Vec::new(), Vec::new(), BTreeSet::new());
    let build = |pair: Pair<'_, Rule>, offset, diagnostics: &mut Vec<Diagnostic>| {
        let (moments, primed) = (&mut moments, &mut primed);
        let mut builder = MypyvyExpressionBuilder { offset, diagnostics, moments, primed };
        declarations.extend(builder.declaration(pair));
    };
    let mut diagnostics = read_chunks::<Rule, MypyvyGrammar>(&mut prepared, &language, build);
    let mut module = Module { items: Vec::new() };
    let dialect = dialect(&moments, &mut diagnostics);
    // What could not be read may have declared what seems to be missing.
    if !diagnostics.iter().any(Diagnostic::is_error) {
        let table = MypyvyTable::new(&declarations, &mut diagnostics);
        let labels = LoweredNames::default();
        let diagnostics = &mut diagnostics;
        let mut lowerer = MypyvyLowerer { table: &table, dialect, primed, labels, diagnostics };
        module = with_enumerations(lowerer.module(&declarations));
        module.items.extend(lowerer.traces(&declarations));
    }
    diagnostics.sort_by_key(|diagnostic| diagnostic.primary.span);
    Parsed { module, comments: prepared.comments, diagnostics, ..Parsed::default() }
}

/// A file uses either `old` or `new`.
fn dialect(moments: &[(Moment, Span)], diagnostics: &mut Vec<Diagnostic>) -> Dialect {
    let first = |wanted| moments.iter().find(|(moment, _)| *moment == wanted).map(|(_, at)| *at);
    match (first(Moment::Old), first(Moment::New)) {
        (Some(old), Some(new)) => {
            let message = "this file uses both `old` and `new`";
            let diagnostic = Diagnostic::error(codes::MOMENTS, message, old.max(new))
                .also(old.min(new), "the other word is here")
                .hint("mypyvy reads names as before the step with `new`, as after it with `old`");
            diagnostics.push(diagnostic);
            Dialect::New
        }
        (Some(_), None) => Dialect::Old,
        (None, Some(_)) => Dialect::New,
        (None, None) => Dialect::Neither,
    }
}
