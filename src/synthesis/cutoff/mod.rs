//! Finds cutoff certificates: plans for each property, proved case by case.

pub(crate) mod cases;
pub(crate) mod data;
pub(crate) mod describe;
pub(crate) mod lemmas;
pub(crate) mod plan;
pub(crate) mod prove;
pub(crate) mod search;
pub(crate) mod task;
pub(crate) mod witness;
