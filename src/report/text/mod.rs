//! Results as text for people.

pub mod analysis;
pub mod check;
pub mod complete;
pub(crate) mod counts;
pub mod coverage;
pub mod diagnostics;
pub mod explore;
mod fragment;
pub mod play;
pub mod show;
pub mod synth;
pub(crate) mod table;
pub mod trace;
pub mod value_summary;
