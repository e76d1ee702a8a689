//! The stable codes of all diagnostics about sketches.

use crate::diagnostic::Code;

/// A hole where none may stand.
pub const MISPLACED: Code = Code("RML0802");
/// One name for holes of different kinds.
pub const TWO_MEANINGS: Code = Code("RML0803");
/// A hole without alternatives, or a table that is too large.
pub const NO_ALTERNATIVES: Code = Code("RML0804");
/// A file without holes.
pub const NO_HOLES: Code = Code("RML0805");
/// A repair of a file with holes.
pub const HOLES: Code = Code("RML0806");
/// A trace that no completion has as a run.
pub const NOT_A_RUN: Code = Code("RML0808");
/// A `reach` line that no completion reaches.
pub const NOT_REACHED: Code = Code("RML0809");
/// A file in another language.
pub const NOT_RML: Code = Code("RML0807");
