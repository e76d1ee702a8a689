//! Describes plans and why they failed.

use std::collections::BTreeMap;

use crate::protocol::{Protocol, SortId};

use super::plan::CutoffPlan;
use super::plan::lockstep::Support;
use super::plan::maps::{Others, SortMap};
use super::plan::pool::PoolStage;
use super::prove::failure::{Breaker, Loss, PlanFailure};

/// The most clauses that are named together.
const MAX_NAMED: usize = 6;

/// A plan.
pub(crate) fn plan(protocol: &Protocol, plan: &CutoffPlan) -> String {
    let mut parts: Vec<String> = plan.maps.iter().map(|own| map(protocol, own)).collect();
    parts.extend(support(protocol, &plan.support));
    let pool = match plan.stage {
        PoolStage::Symbols => "clauses about symbols",
        PoolStage::Guards => "clauses about symbols and guards",
        PoolStage::Invariants => "clauses about symbols, guards and invariants",
    };
    parts.push(pool.to_owned());
    parts.join("; ")
}

/// `2 of node: others act as node_b`.
fn map(protocol: &Protocol, map: &SortMap) -> String {
    let sort = protocol.signature.sort_name(map.sort);
    let rest = &map.elements[map.rest];
    let others = match (map.arcs, map.others) {
        (Some(_), _) => "each arc of the circle acts as the violator at its end".to_owned(),
        (None, Others::Ignored) => "C stutters on actions of other elements".to_owned(),
        (None, Others::Merged) => format!("others act as {rest}"),
    };
    let extra = match map.spare() {
        Some(index) if !map.kept.is_empty() => {
            format!(", {} as a spare (represents no violator)", map.elements[index])
        }
        Some(_) | None => String::new(),
    };
    format!("{} of {sort}{extra}, {others}", map.elements.len())
}

fn support(protocol: &Protocol, support: &Support) -> Option<String> {
    match support {
        Support::None => None,
        Support::Prepare => Some("C first re-enables a guard consumed earlier".to_owned()),
        Support::Refill => Some("C afterwards restores what its guard consumed".to_owned()),
        Support::Idle(moves) => {
            let moves = moves.iter().flat_map(|(before, moves)| {
                moves.iter().map(move |(action, sort)| idle(protocol, *before, (*action, *sort)))
            });
            Some(moves.collect::<Vec<_>>().join(", "))
        }
    }
}

fn idle(protocol: &Protocol, before: usize, (action, sort): (usize, SortId)) -> String {
    let name = |action: usize| &protocol.actions[action].name;
    let sort = protocol.signature.sort_name(sort);
    format!("before {} the spare {sort} does {}", name(before), name(action))
}

/// Why a plan failed.
pub(crate) fn failure(failure: &PlanFailure) -> String {
    match failure {
        PlanFailure::AxiomFails(axiom) => format!("the axiom {axiom} does not hold in C"),
        PlanFailure::NotInitial(init) => {
            format!("the first state of C does not satisfy init {init}")
        }
        PlanFailure::TooLarge => "C's answering moves exceed the size limit".to_owned(),
        PlanFailure::PoolTooWeak => {
            "a violation of L need not be one of C, even if all these clauses hold".to_owned()
        }
        PlanFailure::NotKept(lost) => losses(lost),
        PlanFailure::Cancelled => "cancelled".to_owned(),
    }
}

fn losses(lost: &[Loss]) -> String {
    let mut by: BTreeMap<&Breaker, Vec<&str>> = BTreeMap::new();
    for loss in lost {
        by.entry(&loss.by).or_default().push(&loss.clause);
    }
    let sentences = by.into_iter().map(|(breaker, mut clauses)| {
        let more = clauses.len().saturating_sub(MAX_NAMED);
        clauses.truncate(MAX_NAMED);
        let mut named = clauses.join(", ");
        if more > 0 {
            named = format!("{named} and {more} more");
        }
        match breaker {
            Breaker::Walk => format!("runs of small instances break {named}"),
            Breaker::Start => format!("the first states break {named}"),
            Breaker::Step(action) => format!("{action} does not keep {named}"),
        }
    });
    sentences.collect::<Vec<_>>().join("; ")
}
