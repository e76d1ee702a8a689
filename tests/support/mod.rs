//! What several of the test programs need.

pub(crate) mod browser;
pub(crate) mod corpus;
pub(crate) mod surface;
pub(crate) mod tables;
pub(crate) mod worked_example;
