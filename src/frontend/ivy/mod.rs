//! Ivy protocol texts, as the research files write them, to surface trees.
//!
//! Line by line: `declarations`, `statements` and `expressions` read what the grammar matches,
//! `expand` expands modules, `lower` makes RML declarations: definitions and calls are expanded,
//! locals as parameters, initial assignments as formulas. Nothing is guessed: what has no meaning
//! here is refused by name.

mod actions;
pub(crate) mod initial;
mod lower_file;
pub(crate) mod names;
pub(crate) mod parse;

use pest::iterators::Pair;

use super::Parsed;
use super::lowering::foreign_error::{ForeignLanguage, read_chunks};
use super::lowering::layout_free::{LayoutFreeWords, split_declarations};
use super::syntax::surface::Module;
use crate::diagnostic::Diagnostic;
use crate::source::SourceFile;

use parse::expressions::{Conditionals, IvyExpressionBuilder};
use parse::grammar::{IvyGrammar, Rule, describe};
use parse::tree::{IvyDeclaration, IvyDeclarationKind};

/// The words that separate declarations and statements.
const WORDS: LayoutFreeWords = LayoutFreeWords {
    declaring: &[
        "action",
        "after",
        "alias",
        "around",
        "attribute",
        "autoinstance",
        "axiom",
        "before",
        "class",
        "concept",
        "conjecture",
        "constructor",
        "definition",
        "delegate",
        "derived",
        "destructor",
        "execute",
        "explicit",
        "export",
        "extract",
        "finite",
        "function",
        "ghost",
        "implement",
        "implementation",
        "import",
        "include",
        "individual",
        "init",
        "instance",
        "instantiate",
        "interpret",
        "invariant",
        "isolate",
        "macro",
        "mixin",
        "mixord",
        "module",
        "object",
        "parameter",
        "private",
        "property",
        "relation",
        "rely",
        "scenario",
        "schema",
        "specification",
        "subclass",
        "temporal",
        "theorem",
        "trusted",
        "type",
        "unprovable",
        "update",
        "using",
        "var",
        "variant",
    ],
    before: &[
        "after",
        "explicit",
        "export",
        "finite",
        "ghost",
        "implement",
        "import",
        "module",
        "temporal",
        "trusted",
        "unprovable",
    ],
    stating: &[
        "assert", "assume", "call", "ensure", "ensures", "if", "local", "require", "requires",
        "var", "while",
    ],
};

/// Reads a protocol text.
pub(super) fn parse(source: &SourceFile) -> Parsed {
    let mut prepared = split_declarations(source.text(), WORDS);
    let language =
        ForeignLanguage { rule: Rule::declaration, syntax: parse::unsupported::SYNTAX, describe };
    let (mut declarations, mut numerals) = (Vec::new(), Vec::new());
    let conditionals = Conditionals::of(source.text());
    let build = |pair: Pair<'_, Rule>, offset, diagnostics: &mut Vec<Diagnostic>| {
        let mut builder = IvyExpressionBuilder::new(offset, conditionals, diagnostics);
        declarations.extend(builder.declaration(pair));
        numerals.append(&mut builder.numerals);
    };
    let mut diagnostics = read_chunks::<Rule, IvyGrammar>(&mut prepared, &language, build);
    let mut module = Module { items: Vec::new() };
    // What could not be read may have declared what seems to be missing.
    if !diagnostics.iter().any(Diagnostic::is_error) {
        let flat = names::expand_modules::expand(&declarations, &mut diagnostics);
        let is_integers = |declaration: &IvyDeclaration| {
            matches!(&declaration.value, IvyDeclarationKind::Integers(_))
        };
        if !flat.iter().any(is_integers) {
            diagnostics.extend(numerals.first().map(|span| parse::unsupported::numeral(*span)));
        }
        if !diagnostics.iter().any(Diagnostic::is_error) {
            module = lower_file::lower(&flat, &mut diagnostics);
        }
    }
    diagnostics.sort_by_key(|diagnostic| diagnostic.primary.span);
    Parsed { module, comments: prepared.comments, diagnostics, ..Parsed::default() }
}
