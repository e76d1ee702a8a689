//! Ivy texts to a tree of declarations and statements, as written.

pub(crate) mod declarations;
pub(crate) mod expressions;
pub(crate) mod grammar;
pub(crate) mod statements;
pub(crate) mod tree;
pub(crate) mod unsupported;
