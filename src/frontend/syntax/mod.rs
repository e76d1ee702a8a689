//! What protocols and certificates share: tokens, statement ends, operators and the surface tree.

pub mod brackets;
pub mod codes;
pub(in crate::frontend) mod dump;
pub(in crate::frontend) mod expression;
pub(in crate::frontend) mod grammar;
pub(in crate::frontend) mod items;
pub(in crate::frontend) mod matched;
pub(in crate::frontend) mod operators;
pub(in crate::frontend) mod scan;
pub(in crate::frontend) mod statement_ends;
pub mod surface;
pub(in crate::frontend) mod token;
mod traverse;
