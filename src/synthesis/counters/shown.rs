//! The least number of processes that shows everything a specification speaks of, where counters say
//! too much: what small instances show, and a proof that nothing else occurs at any size.

use std::collections::BTreeSet;

use itertools::Itertools as _;

use super::{MOST_CONFIGURATIONS, backward, clauses, least_initial};
use crate::budget::{Budget, Stop};
use crate::certificate::InvariantSystem;
use crate::finite::{Question, sample};
use crate::logic::{Name, Value};
use crate::process::counters::{Configuration, CounterSystem};
use crate::process::local::{LocalStates, StateIndex, listed};
use crate::process::{Environment, Process, Requirement};
use crate::protocol::{Protocol, Sort, State, StateFormula};
use crate::smt::ProverError;
use crate::synthesis::invariant::invariant_of;
use crate::synthesis::views::hold_by_views;

/// The most processes that are looked at, and the most states of so many.
const MOST_PROCESSES: u32 = 6;
const MOST_REACHABLE: u64 = 20_000;

/// The most combinations of local states.
const MOST_COMBINATIONS: usize = 5_000;

/// The least cutoff of a protocol with this invariant, if a small one can be proved: every smaller
/// size lacks a combination of local states that this size shows, and the solver proves that no size
/// shows more.
///
/// # Errors
/// When the protocol is ill-sorted, or the solver cannot be used.
pub fn cutoff_by_instances(
    protocol: &Protocol,
    process: &Process,
    invariant: &[StateFormula],
    budget: &Budget,
) -> Result<Option<u32>, ProverError> {
    let Ok(locals) = listed(process, super::MOST_STATES) else { return Ok(None) };
    let requirements = process.specifications.iter().map(|own| &own.requirement);
    let (named, width) = spoken_of(&locals, requirements.collect_vec());
    let actions: Vec<usize> = (0..protocol.actions.len()).collect();
    let system = InvariantSystem::of_protocol(protocol, &actions);
    let mut shown = BTreeSet::new();
    // The size that showed something for the last time, and the last one that was put to the solver.
    let (mut last, mut asked) = (0, 0);
    for processes in 1..=MOST_PROCESSES {
        let found = configurations(protocol, process, &locals, processes, &budget.stop);
        let Some(found) = found else { break };
        let parts = found.iter().flat_map(|all| {
            let all = all.iter().copied().filter(|state| named.contains(state)).collect_vec();
            (0..=width).flat_map(move |count| all.clone().into_iter().combinations(count))
        });
        let before = shown.len();
        shown.extend(parts);
        if shown.len() > before {
            last = processes;
        }
        if shown.len() > before || last == asked || (processes as usize) < width {
            continue;
        }
        asked = last;
        let Some(unseen) = least_unseen(&shown, &named, width) else { return Ok(None) };
        let unseen = with_causes(process, &locals, unseen, &budget.stop);
        let Some(excluded) = clauses::invariant(protocol, process, &locals, &unseen) else {
            return Ok(None);
        };
        let given: Vec<StateFormula> = invariant.iter().cloned().chain(excluded).collect();
        if invariant_of(system, &given, budget)?.is_some_and(|proved| proved.all_hold)
            || hold_by_views(protocol, &given, budget)?
        {
            return Ok(Some(last));
        }
    }
    Ok(None)
}

/// With what leads to them where counters say that none of it is reachable: easier to prove.
fn with_causes(
    process: &Process,
    locals: &LocalStates,
    unseen: Vec<Configuration>,
    stop: &Stop,
) -> Vec<Configuration> {
    if process.environment == Environment::Written {
        return unseen;
    }
    let system = CounterSystem { process, locals };
    let all = backward::close(system, unseen.clone(), MOST_CONFIGURATIONS, stop);
    all.ok().filter(|all| least_initial(all).is_none()).unwrap_or(unseen)
}

/// The local states that some requirement speaks of, and how many processes violate one at most.
fn spoken_of(
    locals: &LocalStates,
    requirements: Vec<&Requirement>,
) -> (BTreeSet<StateIndex>, usize) {
    let is_named =
        |state: &StateIndex| requirements.iter().any(|own| own.speaks_of(&locals.states[*state]));
    let named = (0..locals.states.len()).filter(is_named).collect();
    (named, requirements.into_iter().map(Requirement::width).max().unwrap_or_default())
}

/// The local states of the live processes, in every reachable state of one size; `None` if there are
/// too many.
fn configurations(
    protocol: &Protocol,
    process: &Process,
    locals: &LocalStates,
    processes: u32,
    stop: &Stop,
) -> Option<BTreeSet<Configuration>> {
    let [id] = protocol.signature.sorts().collect_vec()[..] else { return None };
    let sort = Sort::Declared(id);
    let question = Question::new(protocol, [(id, processes)].into_iter().collect());
    let budget =
        Budget { max_states: MOST_REACHABLE, max_memory: 1 << 30, ..Budget::until(stop.clone()) };
    let found = sample(&question, &budget).ok()?;
    let holds = |state: &State, relation: &Name, me: Value| {
        let symbol = protocol.signature.find_symbol(relation);
        let table = symbol.and_then(|symbol| state.tables.get(&symbol));
        table.and_then(|table| table.get(&[me])) == Some(Value::Bool(true))
    };
    let configuration = |state: State| {
        let elements = state.extents.get(&sort).into_iter().flat_map(|extent| extent.values());
        let live = elements
            .filter_map(|me| process.local_state(|relation| holds(&state, relation, me)))
            .map(|own| locals.states.iter().position(|known| *known == own));
        live.collect::<Option<Configuration>>().map(|all| all.into_iter().sorted().collect())
    };
    let states = found.reachable.instances.iter().flat_map(|instance| instance.states());
    let all: Option<BTreeSet<Configuration>> = states.map(configuration).collect();
    all.filter(|_| found.missing.is_none())
}

/// The combinations that were not shown, although each part of them was; `None` if there are too
/// many to look at.
fn least_unseen(
    shown: &BTreeSet<Configuration>,
    named: &BTreeSet<StateIndex>,
    width: usize,
) -> Option<Vec<Configuration>> {
    let mut unseen = Vec::new();
    let mut open = vec![Configuration::new()];
    for _ in 0..width {
        let longer = open.iter().flat_map(|part| {
            let last = part.last().copied().unwrap_or_default();
            named
                .iter()
                .filter(move |state| **state >= last)
                .map(move |state| part.iter().copied().chain([*state]).collect::<Configuration>())
        });
        let (seen, new): (Vec<_>, Vec<_>) = longer.partition(|own| shown.contains(own));
        let is_least = |own: &Configuration| {
            own.iter().copied().combinations(own.len() - 1).all(|part| shown.contains(&part))
        };
        unseen.extend(new.into_iter().filter(is_least));
        open = seen;
        if open.len() + unseen.len() > MOST_COMBINATIONS {
            return None;
        }
    }
    Some(unseen)
}
