//! What benchmarks measured, as text and JSON.

pub mod answer;
pub mod check;
pub mod explore;
pub mod stop;
pub mod synth;
