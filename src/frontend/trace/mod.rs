//! Traces: those that files ask for, and those in the Informal Trace Format.

pub mod expected_runs;
pub(in crate::frontend) mod itf;
pub(in crate::frontend) mod json;
pub mod surface;
