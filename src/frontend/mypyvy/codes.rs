//! The stable codes of all diagnostics about mypyvy texts.

use crate::diagnostic::Code;

/// A syntax error.
pub(super) const SYNTAX: Code = Code("PYV0001");
/// An unsupported construct.
pub(super) const UNSUPPORTED: Code = Code("PYV0101");
/// An ignored construct (a note).
pub(super) const IGNORED: Code = Code("PYV0102");
/// A name declared twice, or a part of a declaration that is missing.
pub(super) const DECLARED: Code = Code("PYV0103");
/// A wrong definition.
pub(super) const DEFINITIONS: Code = Code("PYV0105");
/// `old` and `new` in one file, or neither where one is needed.
pub(super) const MOMENTS: Code = Code("PYV0106");
/// A transition that stays a formula (a note).
pub(super) const FORMULA: Code = Code("PYV0107");
/// A trace that does not fit the transitions.
pub(super) const TRACES: Code = Code("PYV0108");
