//! Results as text and JSON: pure functions that print nothing.

pub mod bench;
pub mod json;
pub mod text;
