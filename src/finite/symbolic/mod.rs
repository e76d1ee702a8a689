//! The engine that holds sets of states: decision diagrams, closed under all transitions by
//! saturation.
//!
//! Shares the ground system with the other engines, and nothing else. States are not reduced by
//! symmetry: a diagram is small where states are many and alike, and sorting them apart would cost
//! more than it saves.

mod bit_orders;
mod closure;
mod diagram;
mod node_table;
pub(super) mod reachable_set;
mod saturation;
mod shortest_run;
mod state_count;
pub(super) mod summary;
mod transition_relations;
mod value_combinations;
mod variable_order;

use std::collections::BTreeSet;

use super::engine::{Engine, EngineSearch, Experience, PackedPath, SearchEnding};
use super::error::EngineError;
use super::ground::GroundSystem;
use super::ground::circuit::Wire;
use super::question::Deadlocks;
use super::question::coverage::{Progress, Seen, StateCounts};
use super::question::reason::FiniteReason;
use super::symmetry::Symmetries;
use crate::budget::Budget;
use diagram::{Diagram, Diagrams};
use transition_relations::{Event, Variables};

/// The engine on decision diagrams.
pub(super) struct Symbolic;

/// The stack of the thread that searches: recursion goes as deep as a state has bits.
const STACK: usize = 1 << 30;

impl Engine for Symbolic {
    fn name(&self) -> &'static str {
        "symbolic"
    }

    fn search(
        &self,
        system: &mut GroundSystem,
        deadlocks: Deadlocks,
        experience: &mut Experience,
        budget: &Budget,
        progress: &dyn Progress,
    ) -> Result<EngineSearch, EngineError> {
        let answer = std::thread::scope(|scope| {
            let work = || {
                let search =
                    in_some_order(system, experience, budget, |system, order, diagrams| {
                        explore_ordered(system, order, deadlocks, diagrams, progress)
                    });
                search.unwrap_or_else(|reason| Ok(EngineSearch::stopped(reason)))
            };
            match std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work) {
                Ok(thread) => thread.join().ok(),
                // The address space is too small for the stack.
                Err(_) => Some(Ok(EngineSearch::stopped(FiniteReason::MaxMemory(
                    budget.max_memory.min(STACK as u64),
                )))),
            }
        });
        answer.unwrap_or_else(|| {
            Err(EngineError::Bug("the symbolic search ended without an answer".to_owned()))
        })
    }
}

/// The steps that the first order may take before another one is tried.
const FIRST_ALLOWANCE: u64 = 1 << 18;

/// By how much the steps grow when every order was tried.
const GROWTH: u64 = 8;

/// What the other orders get of what the first one gets: they are seldom better.
const SHARE_OF_OTHERS: u64 = 8;

/// By how much more the order that suited the last instance may take than it took there.
const MARGIN: u64 = 4;

/// The result of some work that an order of the bits makes short or long: tries one order after
/// the other, with more steps in every round, and begins with the one that suited the last
/// instance.
///
/// # Errors
/// When the budget is spent.
fn in_some_order<T>(
    system: &mut GroundSystem,
    experience: &mut Experience,
    budget: &Budget,
    mut work: impl FnMut(&mut GroundSystem, &[u32], &mut Diagrams) -> Result<T, FiniteReason>,
) -> Result<T, FiniteReason> {
    system.symmetries = Symmetries::default();
    let mut orders = bit_orders::orders(system, &budget.stop)?;
    let mut allowance = FIRST_ALLOWANCE;
    if let Some((suited, steps)) = experience.order {
        orders.sort_by_key(|(number, _)| *number != suited);
        allowance = allowance.max(steps.saturating_mul(MARGIN));
    }
    loop {
        let mut too_large = Vec::new();
        for (index, (number, order)) in orders.iter().enumerate() {
            let own = if index == 0 { allowance } else { allowance / SHARE_OF_OTHERS };
            let mut diagrams = Diagrams::new(budget).within(own);
            let answer = work(system, order, &mut diagrams);
            match answer {
                Err(FiniteReason::MaxMemory(_)) => too_large.push(index),
                Err(_) if diagrams.is_overdrawn() && !budget.stop.is_set() => {}
                answer => {
                    experience.order = Some((*number, diagrams.steps()));
                    return answer;
                }
            }
        }
        let mut index = 0..;
        orders.retain(|_| index.next().is_none_or(|index| !too_large.contains(&index)));
        if orders.is_empty() {
            return Err(FiniteReason::MaxMemory(budget.max_memory));
        }
        allowance = allowance.saturating_mul(GROWTH);
    }
}

/// The answer of a search with the bits of a state in one order.
fn explore_ordered(
    system: &mut GroundSystem,
    order: &[u32],
    deadlocks: Deadlocks,
    diagrams: &mut Diagrams,
    progress: &dyn Progress,
) -> Result<Result<EngineSearch, EngineError>, FiniteReason> {
    let variables = Variables::new(order.to_vec());
    let mut events = Vec::new();
    for index in 0..system.transitions.len() {
        events.extend(variables.event(diagrams, system, index)?);
    }
    let initial = variables.states_where(diagrams, &system.circuit, &[system.initial])?;
    let levels = variables.levels();
    let reachable = saturation::reachable(diagrams, levels, &events, initial, progress)?;
    if !is_proof(diagrams, &events, initial, reachable)? {
        let wrong = "the states that the symbolic search found are not closed".to_owned();
        return Ok(Err(EngineError::Bug(wrong)));
    }
    let total = state_count::count(diagrams, reachable, levels)?;
    let states = total.saturated();
    progress.report(&StateCounts { states, ..diagrams.counts() });
    let mut sets = Sets { variables: &variables, diagrams, reachable };
    let seen =
        Seen { actions: sets.possible_actions(system, &events)?, premises: sets.premises(system)? };
    let bound_hit = sets.bound_hit(system)?;
    let ending = match sets.first_fault(system, deadlocks)? {
        None => SearchEnding::Safe(()),
        Some((claim, bad)) => {
            let layers = shortest_run::layers(diagrams, &events, reachable, initial, bad)?;
            let run = shortest_run::walk(diagrams, &variables, system, &events, &layers, initial)?;
            let Some((first, steps)) = run else {
                let lost = "the symbolic search lost the way to a state".to_owned();
                return Ok(Err(EngineError::Bug(lost)));
            };
            let claim = match claim {
                Some(_) => first_violated(system, steps.last().map_or(&first, |step| &step.state)),
                None => None,
            };
            SearchEnding::Unsafe(PackedPath { initial: first, steps, claim }, ())
        }
    };
    let (counts, seen, total) = (None, Some(seen), Some(total));
    Ok(Ok(EngineSearch { ending, counts, bound_hit, seen, total }))
}

/// Whether a set has all initial states and is closed under every event.
fn is_proof(
    diagrams: &mut Diagrams,
    events: &[Event],
    initial: Diagram,
    set: Diagram,
) -> Result<bool, FiniteReason> {
    let is_begun = diagrams.and(initial, set)? == initial;
    Ok(is_begun && closure::is_closed(diagrams, events, set)?)
}

/// Questions about the reachable states.
struct Sets<'s, 'd> {
    variables: &'s Variables,
    diagrams: &'d mut Diagrams,
    reachable: Diagram,
}

impl Sets<'_, '_> {
    fn states_where(
        &mut self,
        system: &GroundSystem,
        wires: &[Wire],
    ) -> Result<Diagram, FiniteReason> {
        self.variables.states_where(self.diagrams, &system.circuit, wires)
    }

    /// The actions that are possible in some reachable state.
    fn possible_actions(
        &mut self,
        system: &GroundSystem,
        events: &[Event],
    ) -> Result<BTreeSet<usize>, FiniteReason> {
        let mut happened = BTreeSet::new();
        for event in events {
            let transition = &system.transitions[event.transition];
            if transition.actions.iter().all(|action| happened.contains(action)) {
                continue;
            }
            if self.is_possible(system, event.transition)? {
                happened.extend(transition.actions.iter().copied());
            }
        }
        Ok(happened)
    }

    /// The claims whose premise holds in some reachable state.
    fn premises(&mut self, system: &GroundSystem) -> Result<BTreeSet<usize>, FiniteReason> {
        let mut met = BTreeSet::new();
        for (claim, premise) in system.premises.iter().enumerate() {
            let holds = self.states_where(system, &[*premise])?;
            if self.diagrams.and(self.reachable, holds)? != Diagram::FALSE {
                met.insert(claim);
            }
        }
        Ok(met)
    }

    fn is_possible(
        &mut self,
        system: &GroundSystem,
        transition: usize,
    ) -> Result<bool, FiniteReason> {
        let enabled = self.enabled(system, transition)?;
        Ok(self.diagrams.and(self.reachable, enabled)? != Diagram::FALSE)
    }

    /// Where a transition is possible for some choice.
    fn enabled(
        &mut self,
        system: &GroundSystem,
        transition: usize,
    ) -> Result<Diagram, FiniteReason> {
        let own = &system.transitions[transition];
        let wires = [own.guard, own.valid_choices];
        self.states_where(system, &wires)
    }

    /// Whether an integer leaves the range in some reachable state.
    fn bound_hit(&mut self, system: &GroundSystem) -> Result<bool, FiniteReason> {
        for transition in &system.transitions {
            let wires = [transition.bound, transition.valid_choices];
            let leaves = self.states_where(system, &wires)?;
            if self.diagrams.and(self.reachable, leaves)? != Diagram::FALSE {
                return Ok(true);
            }
        }
        for claim in &system.claims {
            let undefined = self.states_where(system, &[claim.undefined])?;
            if self.diagrams.and(self.reachable, undefined)? != Diagram::FALSE {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// All reachable states in which some claim fails, or nothing is possible; with the first claim
    /// that fails in one of them.
    fn first_fault(
        &mut self,
        system: &GroundSystem,
        deadlocks: Deadlocks,
    ) -> Result<Option<(Option<usize>, Diagram)>, FiniteReason> {
        let (mut bad, mut first) = (Diagram::FALSE, None);
        for (index, claim) in system.claims.iter().enumerate() {
            let wires = [!claim.holds, !claim.undefined];
            let fails = self.states_where(system, &wires)?;
            let fails = self.diagrams.and(self.reachable, fails)?;
            if fails != Diagram::FALSE {
                first = first.or(Some(index));
            }
            bad = self.diagrams.or(bad, fails)?;
        }
        if first.is_some() || deadlocks != Deadlocks::Reported {
            return Ok(first.map(|claim| (Some(claim), bad)));
        }
        let mut stuck = self.reachable;
        for (index, transition) in system.transitions.iter().enumerate() {
            let wires = [transition.bound, transition.valid_choices];
            let leaves = self.states_where(system, &wires)?;
            let enabled = self.enabled(system, index)?;
            let moves = self.diagrams.or(leaves, enabled)?;
            let rest = self.diagrams.not(moves)?;
            stuck = self.diagrams.and(stuck, rest)?;
        }
        Ok((stuck != Diagram::FALSE).then_some((None, stuck)))
    }
}

/// The first claim that fails in a state.
fn first_violated(system: &GroundSystem, state: &[u64]) -> Option<usize> {
    let value = |input: u32| super::ground::bit_layout::read(state, input, 1) == 1;
    system.claims.iter().position(|claim| {
        let holds = |wire| system.circuit.evaluate(wire, value);
        !holds(claim.holds) && !holds(claim.undefined)
    })
}

#[cfg(test)]
mod tests;
