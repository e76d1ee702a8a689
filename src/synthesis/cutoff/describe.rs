//! What was tried and why it failed, in words.

use std::collections::BTreeMap;

use crate::protocol::{Protocol, SortId};

use super::plan::CutoffPlan;
use super::plan::lockstep::Support;
use super::plan::maps::{Others, SortMap};
use super::plan::pool::PoolStage;
use super::prove::strengthen::{Breaker, Loss, PlanFailure};

/// The most clauses that are named together.
const MOST_NAMED: usize = 6;

/// A plan.
pub(in crate::synthesis) fn plan(protocol: &Protocol, plan: &CutoffPlan) -> String {
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
        (None, Others::Ignored) => "what others do is not answered".to_owned(),
        (None, Others::Merged) => format!("others act as {rest}"),
    };
    let extra = match map.extra() {
        Some(index) if !map.kept.is_empty() => {
            format!(", {} for no violator", map.elements[index])
        }
        Some(_) | None => String::new(),
    };
    format!("{} of {sort}{extra}, {others}", map.elements.len())
}

fn support(protocol: &Protocol, support: &Support) -> Option<String> {
    match support {
        Support::None => None,
        Support::Prepare => Some("C first does what sets a guard that is used up".to_owned()),
        Support::Refill => Some("C afterwards does what sets again what was used up".to_owned()),
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
    format!("before {} the {sort} for no violator does {}", name(before), name(action))
}

/// Why a plan failed.
pub(in crate::synthesis) fn failure(failure: &PlanFailure) -> String {
    match failure {
        PlanFailure::NoInstance(title) => match title.split_once(' ') {
            Some(("rigid", axiom)) => format!("the axiom {axiom} does not hold in C"),
            _ => format!("the first state of C is not initial ({title})"),
        },
        PlanFailure::TooLarge => "the moves of C come to too much".to_owned(),
        PlanFailure::PoolTooWeak => {
            "a violation of L need not be one of C, even if all these clauses hold".to_owned()
        }
        PlanFailure::NotKept(lost) => losses(lost),
        PlanFailure::Cancelled => "called off".to_owned(),
    }
}

fn losses(lost: &[Loss]) -> String {
    let mut by: BTreeMap<&Breaker, Vec<&str>> = BTreeMap::new();
    for loss in lost {
        by.entry(&loss.by).or_default().push(&loss.clause);
    }
    let told = by.into_iter().map(|(breaker, mut clauses)| {
        let more = clauses.len().saturating_sub(MOST_NAMED);
        clauses.truncate(MOST_NAMED);
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
    told.collect::<Vec<_>>().join("; ")
}
