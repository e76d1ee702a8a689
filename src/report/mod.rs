//! Results as text and JSON: pure functions that print nothing.

pub mod diagnostics;

pub mod json;

pub mod analysis;

pub mod answer_bench;

pub mod json_analysis;

pub mod explore;

pub mod checked_bench;

pub mod explored_bench;

pub mod json_explore;

pub mod check;

pub mod coverage;

pub mod counterexample;

pub mod obligations;

pub mod evidence;

pub mod json_certificate;

pub mod json_check;

pub mod grid;

pub mod trace;

pub mod traces;

pub mod itf;

pub mod replay;

pub mod json_replay;

pub mod literal;

pub mod compare;

pub mod synth;

pub mod json_compare;

pub mod json_synth;

pub mod synth_bench;

mod atoms;
mod blocked;
mod facts;
mod gaps;
mod layout;
pub mod stop_bench;
mod table;
