//! What the readers of other languages share: names, rewriting, layout-free texts.

pub(in crate::frontend) mod build;
pub(in crate::frontend) mod definitions;
pub(in crate::frontend) mod foreign_error;
pub(in crate::frontend) mod layout_free;
pub(in crate::frontend) mod name_set;
pub(in crate::frontend) mod naming;
pub(in crate::frontend) mod rewrite;
pub(in crate::frontend) mod statement_bodies;
pub(in crate::frontend) mod variables;
