//! Results as text and JSON: pure functions that print nothing.

pub mod diagnostics;

pub mod json;

pub mod analysis;

pub mod json_analysis;

mod atoms;
mod facts;
mod layout;
