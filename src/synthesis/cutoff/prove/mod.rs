//! Tries plans: cheap refutation on walks first, then proofs backwards from the violation.

pub(crate) mod attempts;
pub(crate) mod backward_proof;
pub(crate) mod backward_search;
pub(crate) mod failure;
pub(crate) mod minimize;
pub(crate) mod near_miss;
pub(crate) mod polish;
pub(crate) mod prefilter;
pub(crate) mod questions;
pub(crate) mod session_group;
pub(crate) mod walks;
