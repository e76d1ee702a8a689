//! The stable codes of all diagnostics about machines.

use crate::diagnostic::Code;

/// A machine, message, state or variable that is not declared.
pub(crate) const UNKNOWN: Code = Code("MAC0101");
/// Something that is declared or described twice.
pub(crate) const TWICE: Code = Code("MAC0102");
/// A network that is missing or that nothing is known of.
pub(crate) const NETWORK: Code = Code("MAC0103");
/// A queue without a bound, or one that is too long.
pub(crate) const BOUND: Code = Code("MAC0104");
/// A message that is sent or received by the wrong machine.
pub(crate) const DIRECTION: Code = Code("MAC0105");
/// Contents of a message that are missing or superfluous.
pub(crate) const CONTENTS: Code = Code("MAC0106");
/// Something that stands where it means nothing.
pub(crate) const MISPLACED: Code = Code("MAC0107");
/// The variables of another machine, or messages on their way, in a step.
pub(crate) const FOREIGN: Code = Code("MAC0108");
/// More messages for a queue, in one step, than it has places.
pub(crate) const OVERFLOW: Code = Code("MAC0109");
/// A message that is never sent or never received.
pub(crate) const UNUSED: Code = Code("MAC0201");
/// A state that no machine enters.
pub(crate) const NOT_ENTERED: Code = Code("MAC0202");
