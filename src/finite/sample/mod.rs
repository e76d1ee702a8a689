//! States of instances that are too many to visit all: reachable ones and random walks, and the
//! small sizes whose instances are looked at.

pub(crate) mod random;
pub(crate) mod random_walk;
pub(crate) mod reachable;
pub(crate) mod small_sizes;
