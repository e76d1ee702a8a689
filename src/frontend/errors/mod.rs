//! Diagnostics for texts that do not parse.

pub(in crate::frontend) mod advice;
pub(in crate::frontend) mod foreign_habits;
pub(in crate::frontend) mod foreign_spelling;
pub(in crate::frontend) mod foreign_tokens;
pub(in crate::frontend) mod nesting;
pub(in crate::frontend) mod syntax_error;
