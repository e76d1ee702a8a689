//! States of instances that are too many to visit all: reachable ones and random walks, and the
//! small sizes whose instances are looked at.

pub(in crate::finite) mod random;
pub(in crate::finite) mod random_walk;
pub(in crate::finite) mod reachable;
pub(in crate::finite) mod small_sizes;
