//! Witnesses: sets and elements that a violation rests on, and the history that remembers them.

pub(in crate::synthesis) mod history;
pub(in crate::synthesis) mod parameters;
pub(in crate::synthesis) mod witness_cases;
