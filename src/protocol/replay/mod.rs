//! Runs of a protocol: traces, those that other tools wrote, and the search for the choices behind a step.

pub(in crate::protocol) mod choose_witness;
pub(in crate::protocol) mod external_trace;
pub(in crate::protocol) mod trace;
