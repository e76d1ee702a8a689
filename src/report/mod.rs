//! Results as text and JSON: pure functions that print nothing.

pub mod diagnostics;

pub mod json;
