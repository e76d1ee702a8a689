//! Sort inference: slots, drafts, overloaded names, and messages about sorts that do not fit.

pub(crate) mod application;
pub(crate) mod draft;
pub(crate) mod infer;
pub(crate) mod messages;
pub(crate) mod mismatch;
pub(crate) mod operators;
pub(crate) mod overload;
pub(crate) mod slots;
pub(crate) mod variables;
