//! What protocols and certificates share: tokens, statement ends, operators and the surface tree.

pub mod brackets;
pub mod codes;
pub(crate) mod dump;
pub(crate) mod expression;
pub(crate) mod grammar;
pub(crate) mod items;
pub(crate) mod matched;
pub(crate) mod operators;
pub(crate) mod scan;
pub(crate) mod statement_ends;
pub mod surface;
pub(crate) mod token;
mod traverse;
