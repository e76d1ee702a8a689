//! The two ways to prove a protocol, for programs.

use serde_json::{Value, json};

use crate::logic::print_formula;
use crate::protocol::Protocol;
use crate::prove::{Figures, Prefer, ProofComparison, StrategyEffort, StrategyResult, Stuck};
use crate::report::text::compare;

/// Both strategies, the cutoff first: the result and the cost of each.
pub fn arguments(protocol: &Protocol, comparison: &ProofComparison) -> Value {
    json!([
        argument(protocol, "cutoff", &comparison.cutoff),
        argument(protocol, "invariant", &comparison.invariant),
    ])
}

/// What was not waited for, and the options that wait for it.
pub fn not_waited_for(comparison: &ProofComparison) -> Value {
    let kind = comparison.not_waited_for();
    json!(kind.map(|kind| {
        let name = match kind {
            Prefer::Cutoff => "cutoff",
            Prefer::Invariant => "invariant",
        };
        json!({ "kind": name, "options": compare::how_to_get(comparison, kind) })
    }))
}

fn argument(protocol: &Protocol, kind: &str, effort: &StrategyEffort) -> Value {
    let (result, figures) = match effort.result {
        StrategyResult::Proof(figures) => ("proof", Some(figures)),
        StrategyResult::Partial(figures) => ("partial", Some(figures)),
        StrategyResult::Nothing => ("nothing", None),
        StrategyResult::CalledOff => ("not waited for", None),
        StrategyResult::OutOfTime => ("out of time", None),
    };
    let Figures { gamma, clauses, obligations } = figures.unwrap_or_default();
    json!({
        "kind": kind,
        "result": result,
        "gamma": gamma,
        "clauses": clauses,
        "obligations": obligations,
        "seconds": effort.time.as_secs_f64(),
        "effort": effort.units,
        "stuck": effort.stuck.iter().map(|stuck| left(protocol, stuck)).collect::<Vec<_>>(),
    })
}

fn left(protocol: &Protocol, stuck: &Stuck) -> Value {
    let clauses = stuck.known.clauses.iter().map(|clause| {
        let formula = print_formula(&protocol.signature, &clause.formula);
        json!({ "name": &*clause.name, "formula": formula })
    });
    json!({
        "case": stuck.case.as_deref(),
        "why": compare::why(stuck),
        "counterexample": compare::counterexample(protocol, stuck),
        "known": clauses.collect::<Vec<_>>(),
    })
}
