//! Sort inference: slots, drafts, overloaded names, and messages about sorts that do not fit.

pub(in crate::elaborate) mod application;
pub(in crate::elaborate) mod draft;
pub(in crate::elaborate) mod infer;
pub(in crate::elaborate) mod messages;
pub(in crate::elaborate) mod mismatch;
pub(in crate::elaborate) mod operators;
pub(in crate::elaborate) mod overload;
pub(in crate::elaborate) mod slots;
pub(in crate::elaborate) mod variables;
