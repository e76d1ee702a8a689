//! Results as text for people.

pub mod analysis;
pub mod check;
pub(in crate::report) mod counts;
pub mod coverage;
pub mod diagnostics;
pub mod explore;
pub mod show;
pub mod synth;
pub(in crate::report) mod table;
pub mod trace;
