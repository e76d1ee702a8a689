//! What a Mercury file may say: names, kinds, directions and sets that are not stale.

pub(crate) mod check;
mod check_steps;
pub(crate) mod flow;
mod kinds;
mod messages;
mod proposals;
pub(crate) mod uses;
