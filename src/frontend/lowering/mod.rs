//! What the readers of other languages share: names, rewriting, layout-free texts.

pub(crate) mod build;
pub(crate) mod definitions;
pub(crate) mod foreign_error;
pub(crate) mod layout_free;
pub(crate) mod name_set;
pub(crate) mod naming;
pub(crate) mod rewrite;
pub(crate) mod statement_bodies;
pub(crate) mod variables;
