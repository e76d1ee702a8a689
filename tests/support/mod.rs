//! What several of the test programs need.

pub(crate) mod corpus;
