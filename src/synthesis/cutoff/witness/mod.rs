//! Witnesses: sets and elements that a violation rests on, and the history that remembers them.

pub(crate) mod history;
pub(crate) mod parameters;
pub(crate) mod witness_cases;
