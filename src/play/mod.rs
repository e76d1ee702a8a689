//! Stepping through a protocol: the states of small instances, what is possible in them, and what
//! is not. Executes actions and decides nothing.

mod command;
mod session;
mod starts;
mod state_graph;

pub use command::{CommandError, GivenArguments, PlayCommand, WORDS, parse};
pub use session::{Options, Session, Unlisted};
pub use starts::initial_states;
pub use state_graph::{GraphState, GraphStep, MAX_STATES, StateGraph, state_graph};
