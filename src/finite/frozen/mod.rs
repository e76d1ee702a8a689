//! Ground systems some of whose flags are *frozen*: state that nothing writes, with values that are
//! chosen from outside.
//!
//! A system is ground once per size. For each choice of values the frozen inputs become constants
//! and the states are searched; what a run or a set of states depends on is a condition on the
//! frozen inputs again, found by putting the bits of the states into the circuit. No verdict rests
//! on any of it.

mod conditions;
mod distinguish;
mod exits;
mod fairness;
mod flags;
mod learner;
mod partial;
mod single_changes;
mod smallest;
mod unary;

pub(crate) use conditions::{Effect, FrozenCondition, Wanted};
pub(crate) use exits::Exits;
pub(crate) use fairness::{FairSearch, LivenessGoal};
pub(crate) use learner::{CandidateOrder, FlagGroup, Learner, Learnt};

use std::collections::BTreeMap;

use crate::budget::Budget;
use crate::finite::engine::{EngineSearch, PackedPath, SearchEnding};
use crate::finite::error::EngineError;
use crate::finite::explicit::explore;
use crate::finite::explicit::state_store::Store;
use crate::finite::ground::bit_layout::write;
use crate::finite::ground::circuit::Wire;
use crate::finite::ground::{GroundClaim, GroundSystem, GroundTransition, ground};
use crate::finite::model::initial::{free_bits, has_initial_state};
use crate::finite::model::instances::instances;
use crate::finite::question::coverage::Silent;
use crate::finite::question::reason::FiniteReason;
use crate::finite::question::size_estimate::refuse_too_many_initial_states;
use crate::finite::question::{ClaimViolation, Deadlocks, Question};
use crate::finite::replay::lift::lift;
use crate::finite::{Prepared, prepare};
use crate::logic::{Value, tuples};
use crate::protocol::{Protocol, Size, SymbolId};
use flags::FrozenFlags;
use partial::PartialEvaluation;

/// Every instance of one size, ground once.
pub(crate) struct FrozenSize {
    /// The size.
    pub(crate) size: Size,
    window: Option<(i64, i64)>,
    instances: Vec<FrozenInstance>,
    /// Whether an integer may lie outside the window.
    is_truncated: bool,
}

struct FrozenInstance {
    system: GroundSystem,
    frozen: FrozenFlags,
    /// The initial states with all frozen flags false: their values are not part of the states that
    /// are searched.
    initial: Wire,
    /// All wires of the transitions.
    steps: PartialEvaluation,
    /// What every bit of a state holds: a symbol at its arguments.
    places: BTreeMap<u32, (SymbolId, Vec<Value>)>,
}

/// Where a search ends early.
enum Claims {
    /// Where a claim fails.
    Checked,
    /// Nowhere; this action never happens.
    Ignored(Option<usize>),
    /// Where this one fails.
    Instead(GroundClaim),
}

/// What the values of the frozen flags lead to.
pub(crate) enum FrozenSearch {
    /// A claim fails at the end of this run.
    Violated(FrozenRun),
    /// Every reachable state was visited, and all are as claimed.
    Exhausted(ReachedStates),
    /// Not decided.
    Stopped(FiniteReason),
}

/// A run of an instance for some values of the frozen flags.
#[derive(Clone, Debug)]
pub(crate) struct FrozenRun {
    instance: usize,
    path: PackedPath,
}

/// The reachable states of every instance of a size for some values of the frozen flags.
pub(crate) struct ReachedStates {
    stores: Vec<Store>,
    /// How many there are.
    pub(crate) count: u64,
    /// Whether these are all: no integer left the window.
    pub(crate) is_complete: bool,
}

impl FrozenSize {
    /// Grounds every instance of a size; the frozen symbols are flags that no action writes. The
    /// inner error: why that was not finished, or why there is nothing to search.
    ///
    /// # Errors
    /// When the size is too large.
    pub(crate) fn new(
        protocol: &Protocol,
        (size, window): (Size, Option<(i64, i64)>),
        frozen: &[SymbolId],
        budget: &Budget,
    ) -> Result<Result<Self, FiniteReason>, EngineError> {
        let mut question = Question::new(protocol, size.clone());
        question.window = window;
        let Prepared { slice, extents, truncated } = prepare(&question)?;
        let found = match instances(&question, &slice, &extents, budget)? {
            Ok(found) => found,
            Err(reason) => return Ok(Err(reason)),
        };
        let mut whole = FrozenSize {
            size,
            window,
            instances: Vec::new(),
            is_truncated: truncated || found.truncated,
        };
        for rigid in found.rigid {
            let system = match ground(&question, (&slice, &extents), rigid, &budget.stop)? {
                Ok(system) => system,
                Err(reason) => return Ok(Err(reason)),
            };
            match has_initial_state(&system, budget) {
                Ok(true) => {}
                Ok(false) => continue,
                Err(reason) => return Ok(Err(reason)),
            }
            whole.is_truncated |= system.truncated;
            let instance = FrozenInstance::new(system, frozen);
            let searched = GroundSystem { initial: instance.initial, ..instance.system.clone() };
            let free = free_bits(&searched).len();
            refuse_too_many_initial_states(free, instance.system.layout.words(), budget)?;
            whole.instances.push(instance);
        }
        Ok(match whole.instances.is_empty() {
            true => Err(FiniteReason::NoInitialState),
            false => Ok(whole),
        })
    }

    /// Visits every reachable state for these values of the frozen flags, until a claim fails.
    ///
    /// # Errors
    /// When the engine cannot represent the question.
    pub(crate) fn search(
        &mut self,
        values: &[bool],
        budget: &Budget,
    ) -> Result<FrozenSearch, EngineError> {
        self.searched(values, &Claims::Checked, budget)
    }

    /// Visits every state that is reachable for these values of the frozen flags, perhaps `without`
    /// one action, whatever fails there; `None` if that was not finished.
    ///
    /// # Errors
    /// When the engine cannot represent the question.
    pub(crate) fn search_all(
        &mut self,
        (values, without): (&[bool], Option<usize>),
        budget: &Budget,
    ) -> Result<Option<ReachedStates>, EngineError> {
        Ok(match self.searched(values, &Claims::Ignored(without), budget)? {
            FrozenSearch::Exhausted(reached) => Some(reached),
            FrozenSearch::Violated(_) | FrozenSearch::Stopped(_) => None,
        })
    }

    fn searched(
        &mut self,
        values: &[bool],
        claims: &Claims,
        budget: &Budget,
    ) -> Result<FrozenSearch, EngineError> {
        let mut reached =
            ReachedStates { stores: Vec::new(), count: 0, is_complete: !self.is_truncated };
        for (number, instance) in self.instances.iter_mut().enumerate() {
            let (search, store) = instance.search(values, claims, budget)?;
            match search.ending {
                SearchEnding::Unsafe(path, ()) => {
                    return Ok(FrozenSearch::Violated(FrozenRun { instance: number, path }));
                }
                SearchEnding::Unknown(reason, ()) => return Ok(FrozenSearch::Stopped(reason)),
                SearchEnding::Safe(()) => {
                    reached.is_complete &= !search.bound_hit;
                    reached.count += store.len();
                    reached.stores.push(store);
                }
            }
        }
        Ok(FrozenSearch::Exhausted(reached))
    }

    /// Whether some step picks values.
    fn has_choices(&self) -> bool {
        let mut transitions = self.instances.iter().flat_map(|own| &own.system.transitions);
        transitions.any(|own| !own.choices.is_empty())
    }

    /// A run as a trace of the protocol that was ground, with the values of the frozen flags.
    pub(crate) fn trace(
        &self,
        protocol: &Protocol,
        values: &[bool],
        run: &FrozenRun,
        budget: &Budget,
    ) -> Option<ClaimViolation> {
        let instance = &self.instances[run.instance];
        let path = instance.with_values(&run.path, values);
        let mut question = Question::new(protocol, self.size.clone());
        question.window = self.window;
        lift(&question, &instance.system, &path, budget).ok()?.ok()
    }
}

impl FrozenInstance {
    fn new(mut system: GroundSystem, frozen: &[SymbolId]) -> Self {
        let input = |id: &SymbolId| {
            let block = system.layout.blocks().find(|(own, _)| own == id);
            block.and_then(|(_, block)| block.cells().first().copied())
        };
        let frozen = FrozenFlags::new(frozen.iter().filter_map(input).collect());
        let mut initial = system.initial;
        for input in frozen.inputs() {
            let flag = system.circuit.input(input);
            initial = system.circuit.and(initial, !flag);
        }
        let wires = system.transitions.iter().flat_map(wires_of);
        let steps = PartialEvaluation::new(wires.collect());
        let places = system.layout.blocks().flat_map(|(symbol, block)| {
            let cells = tuples(&block.arguments).zip(block.cells());
            cells.flat_map(move |(args, cell)| {
                (*cell..cell + block.width).map(move |bit| (bit, (symbol, args.clone())))
            })
        });
        let places = places.collect();
        FrozenInstance { system, frozen, initial, steps, places }
    }

    /// A path with the values of the frozen flags in its states.
    fn with_values(&self, path: &PackedPath, values: &[bool]) -> PackedPath {
        let mut path = path.clone();
        let states = std::iter::once(&mut path.initial);
        for state in states.chain(path.steps.iter_mut().map(|step| &mut step.state)) {
            for (input, value) in self.frozen.inputs().zip(values) {
                write(state, input, 1, u64::from(*value));
            }
        }
        path
    }

    fn search(
        &mut self,
        values: &[bool],
        claims: &Claims,
        budget: &Budget,
    ) -> Result<(EngineSearch, Store), EngineError> {
        let frozen = &self.frozen;
        let value = |input| frozen.value(input, values);
        let images = self.steps.at(&mut self.system.circuit, value);
        let transitions = std::mem::take(&mut self.system.transitions);
        let circuit = std::mem::take(&mut self.system.circuit);
        let mut chosen = self.system.clone();
        chosen.circuit = circuit;
        chosen.initial = self.initial;
        match claims {
            Claims::Checked => {}
            Claims::Ignored(_) => (chosen.claims, chosen.premises) = (Vec::new(), Vec::new()),
            Claims::Instead(claim) => {
                (chosen.claims, chosen.premises) = (vec![*claim], vec![Wire::TRUE]);
            }
        }
        let mut kept = Vec::new();
        let mut images = images.into_iter();
        let is_left_out = |transition: &GroundTransition| match claims {
            Claims::Ignored(Some(action)) => transition.actions.contains(action),
            _ => false,
        };
        for (number, transition) in transitions.iter().enumerate() {
            let image = with_wires(transition, &mut images);
            if is_left_out(transition) {
                continue;
            }
            if image.guard != Wire::FALSE || image.bound != Wire::FALSE {
                kept.push(number);
                chosen.transitions.push(image);
            }
        }
        let found = explore(&mut chosen, Deadlocks::Ignored, budget, &Silent);
        self.system.circuit = chosen.circuit;
        self.system.transitions = transitions;
        let mut found = found?;
        if let SearchEnding::Unsafe(path, ()) = &mut found.search.ending {
            for step in &mut path.steps {
                step.transition = kept[step.transition];
            }
        }
        Ok((found.search, found.store))
    }
}

/// Every wire of a transition, in a fixed order.
fn wires_of(transition: &GroundTransition) -> Vec<Wire> {
    let own = [transition.guard, transition.bound, transition.valid_choices];
    own.into_iter().chain(transition.writes.iter().map(|(_, wire)| *wire)).collect()
}

/// How many wires a transition has.
fn wire_count(transition: &GroundTransition) -> usize {
    3 + transition.writes.len()
}

/// The transition with other wires, in the order of [`wires_of`].
fn with_wires(
    transition: &GroundTransition,
    wires: &mut impl Iterator<Item = Wire>,
) -> GroundTransition {
    let mut next = || wires.next().unwrap_or(Wire::FALSE);
    let (guard, bound, valid_choices) = (next(), next(), next());
    let writes = transition.writes.iter().map(|(bit, _)| (*bit, next())).collect();
    GroundTransition { guard, bound, valid_choices, writes, ..transition.clone() }
}
