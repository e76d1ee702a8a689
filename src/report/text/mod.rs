//! Results as text for people.

pub mod analysis;
pub(in crate::report) mod atoms;
pub(in crate::report) mod blocked;
pub mod check;
pub mod compare;
pub mod counterexample;
pub mod coverage;
pub mod diagnostics;
pub mod evidence;
pub mod expected_runs;
pub mod explore;
pub(in crate::report) mod facts;
pub(in crate::report) mod gaps;
pub mod grid;
pub(in crate::report) mod lines;
pub mod literal;
pub mod obligations;
pub mod replay;
pub mod stage;
pub mod synth;
pub(in crate::report) mod table;
pub mod trace;
