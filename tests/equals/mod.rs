//! Systems of equal processes: counters against exploration, views, and the printed analysis.

// A helper that cannot do its part fails the test.
#![allow(clippy::panic)]

pub(crate) mod build;
mod counters;
mod mercury;
mod phases;
mod views;
