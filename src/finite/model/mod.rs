//! Instances of a size and their initial states.

pub(in crate::finite) mod initial;
pub(in crate::finite) mod instances;
pub(in crate::finite) mod solver;
