//! The local states that processes have together in the reachable states of small instances.

use std::collections::BTreeSet;

use crate::budget::{Budget, Stop};
use crate::finite::{ENGINES, FiniteOutcome, Question, Silent, check, sample};
use crate::logic::Value;
use crate::process::{EventId, Happening, LocalState, Process};
use crate::protocol::{Protocol, Sort, State};

/// The most states of one size: the same on every machine.
const STATES: u64 = 20_000;

/// How many values a data domain has.
const DATA: u32 = 3;

/// What the reachable states look like.
#[derive(Clone, Debug)]
pub(super) struct Configurations {
    /// The local states of the live processes, in order.
    pub(super) all: BTreeSet<Vec<LocalState>>,
    /// Those that are reached without a crash.
    pub(super) calm: BTreeSet<Vec<LocalState>>,
    /// The events that were possible somewhere.
    pub(super) events: BTreeSet<EventId>,
    /// Whether every state was visited.
    pub(super) is_complete: bool,
}

impl Default for Configurations {
    fn default() -> Self {
        Configurations {
            all: BTreeSet::new(),
            calm: BTreeSet::new(),
            events: BTreeSet::new(),
            is_complete: true,
        }
    }
}

/// Adds what so many processes reach; `None` if nothing can be searched.
pub(super) fn search(
    protocol: &Protocol,
    process: &Process,
    processes: u32,
    seen: &mut Configurations,
    stop: &Stop,
) -> Option<()> {
    let mut question = question(protocol, process, processes)?;
    let budget = budget(stop);
    let found = reached(process, &question, &budget, &mut seen.is_complete)?;
    seen.all.extend(found);
    question.claims.clear();
    let coverage = match check(ENGINES[0], &question, &budget, &Silent).ok()? {
        FiniteOutcome::Safe(coverage)
        | FiniteOutcome::Unsafe(_, coverage)
        | FiniteOutcome::Unknown(_, coverage) => coverage,
    };
    let unseen = coverage.unseen.map(|unseen| unseen.actions).unwrap_or_default();
    let possible = process.steps.iter().filter(|step| !unseen.contains(&step.action));
    seen.events.extend(possible.filter_map(|step| step.happening.event()));
    Some(())
}

/// Adds what so many processes reach without a crash.
pub(super) fn search_calm(
    protocol: &Protocol,
    process: &Process,
    processes: u32,
    seen: &mut Configurations,
    stop: &Stop,
) -> Option<()> {
    let mut question = question(protocol, process, processes)?;
    let is_crash = |action: &usize| {
        let name = &protocol.actions[*action].name;
        process.happening(name) == Some(&Happening::Crash)
    };
    question.actions.retain(|action| !is_crash(action));
    let found = reached(process, &question, &budget(stop), &mut seen.is_complete)?;
    seen.calm.extend(found);
    Some(())
}

fn question<'a>(protocol: &'a Protocol, process: &Process, processes: u32) -> Option<Question<'a>> {
    let sort = protocol.signature.find_sort(&process.sort)?;
    // Few values of a data domain tell equal from different.
    let others = protocol.signature.sized_sorts().map(|other| (other, DATA));
    let size = others.chain([(sort, processes)]).collect();
    Some(Question::new(protocol, size))
}

fn budget(stop: &Stop) -> Budget {
    Budget { max_states: STATES, max_memory: 1 << 30, ..Budget::until(stop.clone()) }
}

fn reached(
    process: &Process,
    question: &Question<'_>,
    budget: &Budget,
    complete: &mut bool,
) -> Option<BTreeSet<Vec<LocalState>>> {
    let protocol = question.protocol;
    let sort = Sort::Declared(protocol.signature.find_sort(&process.sort)?);
    let decode = Decoder { protocol, process, sort };
    let found = sample(question, budget).ok()?;
    *complete &= found.missing.is_none();
    let states = found.reachable.instances.iter().flat_map(|instance| instance.states());
    Some(states.map(|state| decode.configuration(&state)).collect())
}

struct Decoder<'a> {
    protocol: &'a Protocol,
    process: &'a Process,
    sort: Sort,
}

impl Decoder<'_> {
    fn configuration(&self, state: &State) -> Vec<LocalState> {
        let extent = state.extents.get(&self.sort);
        let elements = extent.into_iter().flat_map(|extent| extent.values());
        let mut states: Vec<LocalState> =
            elements.filter_map(|element| self.local(state, element)).collect();
        states.sort_unstable();
        states
    }

    /// The local state of a process; none if it has crashed.
    fn local(&self, state: &State, me: Value) -> Option<LocalState> {
        self.process.local_state(|relation| self.holds(state, relation, me))
    }

    fn holds(&self, state: &State, relation: &str, me: Value) -> bool {
        let symbol = self.protocol.signature.find_symbol(relation);
        let table = symbol.and_then(|symbol| state.tables.get(&symbol));
        table.and_then(|table| table.get(&[me])) == Some(Value::Bool(true))
    }
}
