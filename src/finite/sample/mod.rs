//! States of instances that are too many to visit all: reachable ones and random walks.

pub(in crate::finite) mod random;
pub(in crate::finite) mod random_walk;
pub(in crate::finite) mod reachable;
