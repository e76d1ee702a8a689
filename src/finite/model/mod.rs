//! Instances of a size and their initial states.

mod generated;
pub(crate) mod initial;
pub(crate) mod instances;
