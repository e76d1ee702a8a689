//! Tries plans: cheap refutation on walks first, then proofs backwards from the violation.

pub(in crate::synthesis) mod attempts;
pub(in crate::synthesis) mod backward_proof;
pub(in crate::synthesis) mod backward_search;
pub(in crate::synthesis) mod failure;
pub(in crate::synthesis) mod minimize;
pub(in crate::synthesis) mod near_miss;
pub(in crate::synthesis) mod polish;
pub(in crate::synthesis) mod prefilter;
pub(in crate::synthesis) mod questions;
pub(in crate::synthesis) mod session_group;
pub(in crate::synthesis) mod walks;
