//! Ivy texts to a tree of declarations and statements, as written.

pub(in crate::frontend::ivy) mod declarations;
pub(in crate::frontend::ivy) mod expressions;
pub(in crate::frontend::ivy) mod grammar;
pub(in crate::frontend::ivy) mod statements;
pub(in crate::frontend::ivy) mod tree;
pub(in crate::frontend::ivy) mod unsupported;
