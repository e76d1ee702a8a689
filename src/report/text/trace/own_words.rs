//! Runs in the words of what was written, if that is not relations and actions.

use super::process_words::{self, StepWords};
use super::{beginning, failing, machine_words};
use crate::finite::{Claim, ClaimFailure, ClaimViolation};
use crate::picture::SymbolWords;
use crate::process::Described;
use crate::protocol::{Protocol, State, Trace};
use crate::report::text::counts::line;

/// A violation as text.
pub fn violation(
    described: &Described,
    protocol: &Protocol,
    claims: &[Claim],
    violation: &ClaimViolation,
) -> String {
    match described {
        Described::Process(process) => {
            process_words::process_trace(process, protocol, claims, violation)
        }
        Described::Machines(_) => {
            let mut out = run(described, protocol, &violation.trace);
            let named = protocol.with_names_of(&violation.trace.initial);
            out.push_str(&failing(&named, claims, violation));
            out
        }
    }
}

/// A run as text.
pub fn run(described: &Described, protocol: &Protocol, trace: &Trace) -> String {
    let machines = match described {
        Described::Process(process) => return process_words::process_run(process, protocol, trace),
        Described::Machines(machines) => machines,
    };
    let mut out = beginning(&protocol.with_names_of(&trace.initial), &trace.initial);
    for (number, step) in (1..).zip(machine_words::steps(machines, protocol, trace)) {
        line!(out, 0, "{number}. {}", step.summary);
        for moved in &step.moves {
            line!(out, 0, "   {}: {}", moved.process, moved.change);
        }
    }
    out
}

/// The steps of a run.
pub fn steps(described: &Described, protocol: &Protocol, trace: &Trace) -> Vec<StepWords> {
    match described {
        Described::Process(process) => process_words::steps(process, protocol, trace),
        Described::Machines(machines) => machine_words::steps(machines, protocol, trace),
    }
}

/// What a failure is about, where there are other words for it than the formula.
pub fn failure(
    described: &Described,
    protocol: &Protocol,
    state: &State,
    failure: &ClaimFailure,
) -> Option<String> {
    match (described, failure) {
        (Described::Process(process), ClaimFailure::Claim(_, values)) => {
            Some(process_words::where_they_are(process, protocol, state, values))
        }
        _ => None,
    }
}

/// What symbols are called by who wrote them, where that is not their name.
pub fn symbols(described: &Described) -> SymbolWords {
    match described {
        Described::Process(process) => process_words::symbol_words(process),
        Described::Machines(_) => SymbolWords::new(),
    }
}
