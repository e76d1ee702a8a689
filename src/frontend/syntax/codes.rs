//! The stable codes of all syntax errors.

use crate::diagnostic::Code;

/// Something else was expected.
pub const SYNTAX: Code = Code("RML0001");
/// A bracket that is never closed.
pub const UNCLOSED: Code = Code("RML0002");
/// Nesting beyond the limit.
pub const TOO_DEEP: Code = Code("RML0003");
/// Operators that do not group by themselves.
pub const PRECEDENCE: Code = Code("RML0004");
/// A literal that does not fit into 64 bits.
pub const INTEGER: Code = Code("RML0005");
/// A part of a certificate that is given twice.
pub const REPEATED: Code = Code("RML0006");
/// Too many messages: the rest of the text was not checked (a note).
pub const GIVEN_UP: Code = Code("RML0007");
/// A declaration beyond the limit of length.
pub const TOO_LONG: Code = Code("RML0008");
/// A construct of another language that RML cannot express.
pub const UNTRANSLATABLE: Code = Code("RML0009");
/// A label that no line has.
pub const NO_SUCH_LINE: Code = Code("RML0010");
/// Invariants that are not used (a note).
pub const NOT_USED: Code = Code("RML0011");
/// JSON that does not have the form of a trace.
pub const SHAPE: Code = Code("RML0012");
/// A simultaneous assignment with more targets than values, or fewer.
pub const UNEQUAL_SIDES: Code = Code("RML0013");
/// A question about processes, for a text that describes none or too many local states.
pub const NO_PROCESS: Code = Code("RML0014");
