//! Diagnostics for texts that do not parse.

pub(crate) mod advice;
pub(crate) mod foreign_habits;
pub(crate) mod foreign_spelling;
pub(crate) mod foreign_tokens;
pub(crate) mod labels;
pub(crate) mod messages;
pub(crate) mod syntax_error;
