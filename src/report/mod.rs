//! Results as text and JSON: pure functions that print nothing.

pub mod diagnostics;

pub mod json;

pub mod analysis;

pub mod json_analysis;

pub mod explore;

pub mod json_explore;

pub mod check;

pub mod counterexample;

pub mod obligations;

pub mod evidence;

pub mod json_certificate;

pub mod json_check;

pub mod grid;

pub mod trace;

pub mod itf;

pub mod synth;

pub mod json_synth;

mod atoms;
mod facts;
mod layout;
