//! Results as text, JSON and pages: pure functions that print nothing.

pub mod bench;
pub mod ci;
pub mod html;
pub mod json;
pub mod text;
