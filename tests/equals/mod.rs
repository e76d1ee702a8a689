//! Systems of equal processes: counters against exploration, views, and the printed analysis.

pub(crate) mod build;
mod counters;
mod phases;
mod views;
