//! What the pictures of a report show beside a result: the analysis, and the states of an instance
//! that is small enough.

use crate::analysis::{Facts, analyse};
use crate::budget::Stop;
use crate::certificate::{Case, Certificate, ProofArgument};
use crate::finite::question::request::Explored;
use crate::finite::{Coverage, FiniteOutcome};
use crate::judge::{FiniteResult, Judgement, Verdict};
use crate::play::{MAX_STATES, StateGraph, state_graph};
use crate::protocol::{Protocol, Size};

/// What is drawn beside a result.
pub struct Illustration {
    /// What the analysis found out.
    pub facts: Facts,
    /// The states of a small instance, with its protocol.
    pub graph: Option<(Protocol, StateGraph)>,
}

/// The analysis alone.
pub fn illustrate(protocol: &Protocol) -> Illustration {
    Illustration { facts: analyse(protocol), graph: None }
}

/// The analysis, and the states of what was explored, if there are few.
pub fn illustrate_size(protocol: &Protocol, explored: &Explored, stop: &Stop) -> Illustration {
    let (coverage, run) = match &explored.outcome {
        FiniteOutcome::Safe(coverage) | FiniteOutcome::Unknown(_, coverage) => (coverage, None),
        FiniteOutcome::Unsafe(violation, coverage) => (coverage, Some(&violation.trace.initial)),
    };
    let drawn = || state_graph(protocol, &explored.size, run, stop);
    let graph = is_small(coverage).then(drawn).flatten();
    let graph = graph.map(|graph| (protocol.clone(), graph));
    Illustration { graph, ..illustrate(protocol) }
}

/// The analysis, and the states of the first cutoff instance that is small enough.
pub fn illustrate_proof(
    protocol: &Protocol,
    certificate: &Certificate,
    judgement: &Judgement,
    stop: &Stop,
) -> Illustration {
    let ProofArgument::Cutoff(cases) = &certificate.argument else { return illustrate(protocol) };
    let sizes = cases
        .iter()
        .zip(&judgement.cases)
        .filter_map(|(case, judged)| Some((case, cutoff_size(case, &judged.finite)?)));
    let mut graphs =
        sizes.filter_map(|(case, size)| Some((case, state_graph(&case.small, &size, None, stop)?)));
    let graph = graphs.next().map(|(case, graph)| (case.small.clone(), graph));
    Illustration { graph, ..illustrate(protocol) }
}

/// The size of a cutoff instance that has few states.
fn cutoff_size(case: &Case, finite: &FiniteResult) -> Option<Size> {
    match finite {
        FiniteResult::Searched(_, Verdict::Unsafe(violated)) => Some(violated.size.clone()),
        FiniteResult::Searched(searches, Verdict::Safe | Verdict::SafeUpTo(_)) => {
            let small = searches.iter().rev().find(|(_, coverage)| is_small(coverage));
            small.map(|(size, _)| size.clone())
        }
        FiniteResult::NotNeeded if case.residual().is_empty() => {
            let cut = |sort| {
                let cut = case.cut.iter().find(|cut| cut.sort == sort);
                cut.and_then(|cut| u32::try_from(cut.elements.len()).ok()).unwrap_or(1)
            };
            Some(case.small.sizes(cut))
        }
        _ => None,
    }
}

fn is_small(coverage: &Coverage) -> bool {
    coverage.visited.is_some_and(|counts| counts.states <= MAX_STATES)
}
