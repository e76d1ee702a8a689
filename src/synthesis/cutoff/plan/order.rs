//! The order in which plans are tried: what usually works and costs little comes first.

use std::collections::BTreeMap;

use crate::analysis::{AtomEntry, AtomValue, Facts};
use crate::finite::places;
use crate::protocol::{Protocol, Sort, SortId};

use super::definitions::RigidStyle;
use super::lockstep::Support;
use super::maps::{SortMap, maps};
use super::pool::PoolStage;
use super::violator_shapes::ViolatorShape;
use super::{CutoffPlan, PlanTarget};
use crate::synthesis::combinations::extended;

/// The most combinations of idle moves that are tried: each multiplies all the other plans.
const MAX_IDLE: usize = 6;

/// Plans of one stage that cut one sort (with whatever else its map needs), cheapest first.
pub(crate) fn plans(target: &PlanTarget<'_>, sort: SortId, stage: PoolStage) -> Vec<CutoffPlan> {
    let PlanTarget { protocol, facts, shape, .. } = *target;
    let relevant = acting(facts, shape.property);
    let all: Vec<usize> = (0..protocol.actions.len()).collect();
    let mut found = Vec::new();
    for first in maps(protocol, &facts.structure, shape, sort) {
        for maps in companions(protocol, facts, shape, &first) {
            for support in supports(protocol, facts, &maps) {
                let plan = CutoffPlan {
                    maps: maps.clone(),
                    acting: relevant.clone(),
                    support,
                    rigid: RigidStyle::Representatives,
                    stage,
                };
                if stage == PoolStage::Invariants && relevant.len() < all.len() {
                    found.push(CutoffPlan { acting: all.clone(), ..plan.clone() });
                }
                found.push(plan);
            }
        }
    }
    found
}

/// The actions that the analysis finds relevant.
pub(crate) fn acting(facts: &Facts, property: usize) -> Vec<usize> {
    let invoked = facts.properties[property].relevance.actions();
    let mut acting: Vec<usize> = invoked.map(|invocation| invocation.action).collect();
    acting.sort_unstable();
    acting.dedup();
    acting
}

/// Sorts of violators, those that most of the state is about first.
pub(crate) fn primary_sorts(protocol: &Protocol, shape: &ViolatorShape) -> Vec<SortId> {
    let violators = |sort: &SortId| shape.of_sort(Sort::Declared(*sort)).len();
    let mut sorts: Vec<SortId> =
        protocol.signature.sized_sorts().filter(|sort| violators(sort) > 0).collect();
    sorts.sort_by_key(|sort| std::cmp::Reverse((places(protocol, *sort), violators(sort))));
    sorts
}

/// A map together with maps of the sorts that injective functions tie to it.
fn companions(
    protocol: &Protocol,
    facts: &Facts,
    shape: &ViolatorShape,
    first: &SortMap,
) -> Vec<Vec<SortMap>> {
    let mut tied = Vec::new();
    for injection in &facts.structure.injections {
        let symbol = protocol.signature.symbol(*injection);
        if let (Some(Sort::Declared(to)), [Sort::Declared(from)]) =
            (symbol.result, symbol.params.as_slice())
            && *from == first.sort
            && to != first.sort
            && !tied.contains(&to)
        {
            tied.push(to);
        }
    }
    let mut ways = vec![vec![first.clone()]];
    for sort in tied {
        let options: Vec<SortMap> = maps(protocol, &facts.structure, shape, sort)
            .into_iter()
            .filter(|map| map.kept.len() == first.kept.len())
            .take(2)
            .collect();
        ways = extended(&ways, &options);
    }
    ways
}

/// Supports worth trying with these maps.
pub(crate) fn supports(protocol: &Protocol, facts: &Facts, maps: &[SortMap]) -> Vec<Support> {
    let idle: Vec<SortId> =
        maps.iter().filter(|map| map.spare().is_some()).map(|map| map.sort).collect();
    let mut all = vec![Support::None];
    if !idle.is_empty() {
        all.extend(idle_supports(protocol, facts, &idle).into_iter().map(Support::Idle));
    } else if !facts.consumptions.is_empty() {
        all.extend([Support::Prepare, Support::Refill]);
    }
    all
}

type IdleMoves = BTreeMap<usize, Vec<(usize, SortId)>>;

/// Before each action whose guard quantifies over a sort: one action that sets what it reads.
fn idle_supports(protocol: &Protocol, facts: &Facts, idle: &[SortId]) -> Vec<IdleMoves> {
    let mut ways: Vec<IdleMoves> = vec![BTreeMap::new()];
    for action in 0..protocol.actions.len() {
        let quantifies = facts.quantified_guards.iter().any(|guard| {
            guard.action == action
                && guard.vars.iter().any(|var| idle.iter().any(|s| var.sort == Sort::Declared(*s)))
        });
        if !quantifies {
            continue;
        }
        let options = idle_options(protocol, facts, idle, action);
        if options.is_empty() {
            continue;
        }
        ways = ways
            .into_iter()
            .flat_map(|way| {
                options.iter().map(move |option| {
                    let mut way = way.clone();
                    way.insert(action, vec![*option]);
                    way
                })
            })
            .take(MAX_IDLE)
            .collect();
    }
    ways.retain(|way| !way.is_empty());
    ways
}

/// Actions of the idle element that set an atom which a guard reads at any element.
fn idle_options(
    protocol: &Protocol,
    facts: &Facts,
    idle: &[SortId],
    action: usize,
) -> Vec<(usize, SortId)> {
    let mut options = Vec::new();
    for guard in &facts.footprints[action].guards {
        if !guard.atom.args.contains(&AtomEntry::Any) {
            continue;
        }
        for (mover, footprint) in facts.footprints.iter().enumerate() {
            let sets = footprint.updates.iter().any(|update| {
                update.atom.symbol == guard.atom.symbol
                    && (update.atom.output == guard.atom.output
                        || guard.atom.output == AtomValue::Any
                        || update.atom.output == AtomValue::Any)
            });
            let params = &protocol.actions[mover].params;
            let sort = idle
                .iter()
                .find(|sort| params.iter().any(|param| param.sort == Sort::Declared(**sort)));
            if let Some(sort) = sort.filter(|_| sets)
                && !options.contains(&(mover, *sort))
            {
                options.push((mover, *sort));
            }
        }
    }
    options
}
