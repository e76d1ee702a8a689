//! Instances of a size and their initial states.

pub(crate) mod initial;
pub(crate) mod instances;
