//! Invariants from views: what one, two or three elements look like together in small instances, and
//! widened by counterexamples until nothing else can occur.
//!
//! For protocols with relations over one sort. A clause excludes a combination that no view shows.
//! Where a step leads from states whose every part is a view to one with another part, that part
//! becomes a view: there are finitely many, so this ends. Nothing here is trusted.

mod clauses;
mod collect;
mod widen;

pub use widen::{NoViews, ViewProof, hold_by_views, prove_by_views};
