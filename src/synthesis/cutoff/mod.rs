//! Finds cutoff certificates: plans for each property, proved case by case.

pub(in crate::synthesis) mod cases;
pub(in crate::synthesis) mod describe;
pub(in crate::synthesis) mod lemmas;
pub(in crate::synthesis) mod plan;
pub(in crate::synthesis) mod prove;
pub(in crate::synthesis) mod search;
pub(in crate::synthesis) mod task;
pub(in crate::synthesis) mod witness;
