//! Surface tree to protocol: names, arities, sorts and all rules of the language.
//!
//! The only place that says "unknown name". It reads no text and proves nothing.

pub mod codes;
pub mod expression;
pub mod resolve;

mod draft;
mod infer;
mod mismatch;
mod operators;
mod overload;
mod slots;
mod variables;
