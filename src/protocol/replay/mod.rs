//! Runs of a protocol: traces, those that other tools wrote, and the search for the choices behind a step.

pub(crate) mod choose_witness;
pub(crate) mod external_trace;
mod shrink;
pub(crate) mod trace;
