//! Traces: those that files ask for, and those in the Informal Trace Format.

pub mod expected_runs;
pub(crate) mod itf;
pub(crate) mod json;
pub mod surface;
