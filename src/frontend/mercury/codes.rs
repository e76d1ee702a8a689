//! The stable codes of all diagnostics about Mercury texts.

use crate::diagnostic::Code;

/// A syntax error.
pub(crate) const SYNTAX: Code = Code("MER0001");
/// A construct that is out of scope here.
pub(crate) const UNSUPPORTED: Code = Code("MER0101");
/// A name that is not declared, or not as what its place needs.
pub(crate) const UNKNOWN: Code = Code("MER0102");
/// A name that is declared twice.
pub(crate) const TWICE: Code = Code("MER0103");
/// A part of the file that is missing.
pub(crate) const MISSING: Code = Code("MER0104");
/// A message that is sent or received in a way its declaration excludes.
pub(crate) const DIRECTION: Code = Code("MER0105");
/// A payload that is missing or superfluous.
pub(crate) const PAYLOAD: Code = Code("MER0106");
/// A value outside its range, or a range without values.
pub(crate) const RANGE: Code = Code("MER0107");
/// A value of an event that is not at hand here.
pub(crate) const MISPLACED: Code = Code("MER0108");
/// A reaction that does not fit its event.
pub(crate) const REACTION: Code = Code("MER0109");
/// An agreement that its handlers describe in different ways.
pub(crate) const AGREEMENT: Code = Code("MER0110");
/// A set of winners or losers that may be stale.
pub(crate) const STALE: Code = Code("MER0111");
/// An expression of another kind than its place needs.
pub(crate) const KIND: Code = Code("MER0112");
/// A use of `N` that counts nothing.
pub(crate) const COUNT: Code = Code("MER0113");
/// Values of an unbounded domain in an operation other than equality, or of two domains together.
pub(crate) const DOMAIN: Code = Code("MER0120");
/// A process that is too large to be written out.
pub(crate) const TOO_LARGE: Code = Code("MER0114");
/// A hole outside `rmlcut complete`.
pub(crate) const SKETCH: Code = Code("MER0801");
