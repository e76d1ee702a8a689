//! The two strategies for proving a protocol, as JSON.

use serde::Serialize;

use crate::logic::print_formula;
use crate::protocol::Protocol;
use crate::prove::{Figures, Prefer, ProofComparison, StrategyEffort, StrategyResult, Stuck};
use crate::report::text::synth::strategy_comparison;

/// The result and the cost of one strategy.
#[derive(Serialize)]
pub(super) struct StrategyReport<'a> {
    kind: &'static str,
    result: &'static str,
    gamma: usize,
    clauses: usize,
    obligations: usize,
    seconds: f64,
    effort: u64,
    stuck: Vec<StuckReport<'a>>,
}

#[derive(Serialize)]
struct StuckReport<'a> {
    case: Option<&'a str>,
    why: String,
    counterexample: Option<String>,
    known: Vec<ClauseReport<'a>>,
}

#[derive(Serialize)]
struct ClauseReport<'a> {
    name: &'a str,
    formula: String,
}

/// The kind of proof that was not waited for, and the options that wait for it.
#[derive(Serialize)]
pub(super) struct SkippedReport {
    kind: &'static str,
    options: String,
}

/// Both strategies, the cutoff first.
pub(super) fn arguments<'a>(
    protocol: &Protocol,
    comparison: &'a ProofComparison,
) -> [StrategyReport<'a>; 2] {
    [
        argument(protocol, Prefer::Cutoff, &comparison.cutoff),
        argument(protocol, Prefer::Invariant, &comparison.invariant),
    ]
}

/// What was not waited for, if anything.
pub(super) fn not_waited_for(comparison: &ProofComparison) -> Option<SkippedReport> {
    let kind = comparison.not_waited_for()?;
    Some(SkippedReport {
        kind: kind.name(),
        options: strategy_comparison::how_to_get(comparison, kind),
    })
}

fn argument<'a>(
    protocol: &Protocol,
    kind: Prefer,
    effort: &'a StrategyEffort,
) -> StrategyReport<'a> {
    let (result, figures) = match effort.result {
        StrategyResult::Proof(figures) => ("proof", Some(figures)),
        StrategyResult::Partial(figures) => ("partial", Some(figures)),
        StrategyResult::Nothing => ("nothing", None),
        StrategyResult::Cancelled => ("not waited for", None),
        StrategyResult::OutOfTime => ("out of time", None),
    };
    let Figures { gamma, clauses, obligations } = figures.unwrap_or_default();
    StrategyReport {
        kind: kind.name(),
        result,
        gamma,
        clauses,
        obligations,
        seconds: effort.time.as_secs_f64(),
        effort: effort.units,
        stuck: effort.stuck.iter().map(|stuck| stuck_report(protocol, stuck)).collect(),
    }
}

fn stuck_report<'a>(protocol: &Protocol, stuck: &'a Stuck) -> StuckReport<'a> {
    let known = stuck.known.clauses.iter().map(|clause| ClauseReport {
        name: &clause.name,
        formula: print_formula(&protocol.signature, &clause.formula),
    });
    StuckReport {
        case: stuck.case.as_deref(),
        why: strategy_comparison::why(stuck),
        counterexample: strategy_comparison::counterexample(protocol, stuck),
        known: known.collect(),
    }
}
