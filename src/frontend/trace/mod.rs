//! Traces in the Informal Trace Format.

pub(crate) mod itf;
pub(crate) mod json;
pub mod surface;
