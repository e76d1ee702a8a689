//! Stepping through a protocol: the states of small instances, what is possible in them, and what
//! is not. Executes actions and decides nothing.

mod state_graph;

pub use state_graph::{GraphState, GraphStep, MAX_STATES, StateGraph, state_graph};
