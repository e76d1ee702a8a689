//! The stable codes of all diagnostics of elaboration.

use crate::diagnostic::Code;

/// An undeclared name.
pub const UNKNOWN_NAME: Code = Code("RML0201");
/// An undeclared sort.
pub const UNKNOWN_SORT: Code = Code("RML0202");
/// A symbol applied to too few or too many arguments.
pub const WRONG_ARITY: Code = Code("RML0203");
/// A sort, symbol, action or parameter declared twice.
pub const DECLARED_TWICE: Code = Code("RML0204");
/// A binder or parameter that hides another name.
pub const SHADOWED: Code = Code("RML0205");
/// A name twice in one binder (accepted).
pub const REPEATED_BINDER: Code = Code("RML0206");
/// A capitalised variable where every variable needs a binder.
pub const UNBOUND_VARIABLE: Code = Code("RML0207");
/// A declared name that starts with a capital.
pub const CAPITALISED_NAME: Code = Code("RML0208");
/// A label given twice.
pub const LABEL_TWICE: Code = Code("RML0209");
/// A variable or parameter applied to arguments.
pub const APPLIED_VARIABLE: Code = Code("RML0210");
/// A definition that is used in its own body, also through others.
pub const CIRCULAR_DEFINITION: Code = Code("RML0212");
/// A structure on a sort that has one of that kind, or on the wrong sort.
pub const STRUCTURE_TWICE: Code = Code("RML0213");
/// A successor on a sort without an order.
pub const NO_ORDER: Code = Code("RML0214");
/// A declaration of a built-in name.
pub const BUILT_IN: Code = Code("RML0211");
/// An enumeration without elements, or with too many.
pub const ELEMENTS: Code = Code("RML0215");

/// A term of another sort than its place needs.
pub const SORT_MISMATCH: Code = Code("RML0301");
/// A variable whose sort cannot be inferred.
pub const NO_SORT: Code = Code("RML0302");
/// A term where a formula is needed.
pub const FORMULA_NEEDED: Code = Code("RML0303");
/// A formula where a term is needed.
pub const TERM_NEEDED: Code = Code("RML0304");
/// `=` between formulas.
pub const FORMULA_EQUATION: Code = Code("RML0305");
/// Arithmetic or an order on something that is not an integer.
pub const INTEGER_NEEDED: Code = Code("RML0306");
/// An `if … else …` with a term on one side and a formula on the other.
pub const MIXED_BRANCHES: Code = Code("RML0307");
/// An overloaded name that fits in no way, or in several.
pub const AMBIGUOUS: Code = Code("RML0308");
/// `old` or `new` outside a formula about two states.
pub const MISPLACED_MOMENT: Code = Code("RML0309");

/// An axiom about a symbol that changes.
pub const MUTABLE_IN_AXIOM: Code = Code("RML0401");
/// An assignment to a symbol that never changes.
pub const RIGID_WRITTEN: Code = Code("RML0402");
/// An assignment to something that is no symbol.
pub const NOT_ASSIGNABLE: Code = Code("RML0403");
/// A pattern variable inside a larger argument.
pub const BURIED_PATTERN: Code = Code("RML0404");
/// A parameter without a sort.
pub const PARAMETER_WITHOUT_SORT: Code = Code("RML0405");
/// A symbol that one statement assigns twice at once.
pub const ASSIGNED_TWICE: Code = Code("RML0407");
/// A free choice in a statement that assigns several symbols.
pub const PICKED_TOGETHER: Code = Code("RML0408");
/// An action or an expanded definition that would be too large to write down.
pub const TOO_HEAVY: Code = Code("RML0406");

/// Quantifiers and functions that alternate in a cycle (a note).
pub const ALTERNATION_CYCLE: Code = Code("RML0502");
/// A file that declares nothing.
pub const EMPTY: Code = Code("RML0503");

/// A hole outside `rmlcut complete`.
pub const SKETCH: Code = Code("RML0801");

/// An unused symbol.
pub const UNUSED_SYMBOL: Code = Code("RML0601");
/// A symbol that is assigned and never read.
pub const NEVER_READ: Code = Code("RML0602");
/// A parameter that its action does not mention.
pub const UNUSED_PARAMETER: Code = Code("RML0603");
/// An unused sort.
pub const UNUSED_SORT: Code = Code("RML0604");
/// A bound variable that its formula does not mention.
pub const UNUSED_VARIABLE: Code = Code("RML0605");
/// A protocol without a safety property.
pub const NO_SAFETY: Code = Code("RML0606");
/// A symbol that can change and that no action assigns.
pub const NEVER_ASSIGNED: Code = Code("RML0607");
/// A protocol without an action.
pub const NO_ACTION: Code = Code("RML0608");

/// A definition that is not used.
pub const UNUSED_DEFINITION: Code = Code("RML0609");

/// A certificate whose parts do not fit together.
pub const CERTIFICATE_FORM: Code = Code("CUT0101");
/// A symbol read where a certificate may not read it.
pub const UNREADABLE: Code = Code("CUT0102");
/// A certificate for another protocol, another version of it, or in another format.
pub const OTHER_PROTOCOL: Code = Code("CUT0103");

/// A trace that does not give every symbol a value of its kind.
pub const TRACE_FORM: Code = Code("ITF0101");
/// A trace whose elements or integers do not fit its sizes, or are too many.
pub const TRACE_SIZE: Code = Code("ITF0102");
