//! Many-sorted first-order logic: terms, formulas, finite structures. Knows nothing of protocols.

mod evaluate;
mod formula;
mod fragment;
mod instance_of;
mod normal;
mod print;
mod sorting;
mod structure;
mod substitute;
mod traverse;
mod vocabulary;

pub use evaluate::{EvaluationError, VariableAssignment, evaluate_formula, evaluate_term};
pub use formula::{Comparison, Formula, FormulaKind, Quantifier, Term, TermKind, Var};
pub use fragment::{Alternation, SortGraph, alternations};
pub use instance_of::instance_of;
pub use normal::split_universal;
pub use print::{print_application, print_formula, print_term, print_vars};
pub use sorting::{ill_sorted_part, well_sorted_formula, well_sorted_term};
pub use structure::{Extent, Structure, Table, Value, tuple_count, tuple_position, tuples};
pub use substitute::{
    Body, Definition, Expand, Translation, fresh_name, substitute_apart, substitute_formula,
    substitute_term, translate_formula, translate_term,
};
pub use traverse::{
    Node, Rewrite, bound_sorts, free_vars, rewrite_formula, rewrite_term, symbols, variable_names,
};
pub use vocabulary::{Declarations, Domain, Rank, SortDeclaration, SymbolDeclaration, Vocabulary};

/// A name to print; identity is elsewhere.
pub type Name = std::sync::Arc<str>;
