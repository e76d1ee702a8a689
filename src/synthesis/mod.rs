//! Finds certificates. Nothing here is trusted: the judge decides what a found certificate is
//! worth.

mod clause_exchange;
mod clause_names;
mod combinations;
pub mod counters;
mod cutoff;
pub mod invariant;
pub mod literal;
pub mod mine;
mod model_state;
mod predicate;
pub mod views;

pub use cutoff::data::{CutoffSystem, cut_data, has_data};
pub use cutoff::prove::attempts::PlanAttempt;
pub use cutoff::prove::backward_proof::is_endless;
pub use cutoff::search::{SearchResult, search};
pub use cutoff::witness::history::{WitnessHistory, remember, remember_for_properties};
