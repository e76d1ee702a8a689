//! The engine that never visits states: IC3 decides, its proof is rechecked, and bounded model checking shortens
//! its run.
//!
//! Shares the ground system with the explicit search, and nothing else.

pub(crate) mod bmc;
pub(crate) mod ic3;
pub(crate) mod invariant;
pub(crate) mod runs;
pub(crate) mod solver;
pub(crate) mod transition_clauses;

use super::engine::{Engine, EngineSearch, Experience, PackedPath, SearchEnding};
use super::error::EngineError;
use super::ground::circuit::{Circuit, Wire};
use super::ground::{GroundSystem, GroundTransition};
use super::question::Deadlocks;
use super::question::coverage::Progress;
use super::question::reason::FiniteReason;
use crate::budget::Budget;
use ic3::Ic3Verdict;
use runs::{Run, first_violated};

/// The most choice bits of one invocation that are expanded to ask whether it is possible.
const MAX_CHOICE_BITS: usize = 12;

/// The engine on a SAT solver.
pub(super) struct Sat;

impl Engine for Sat {
    fn name(&self) -> &'static str {
        "sat"
    }

    fn search(
        &self,
        system: &mut GroundSystem,
        deadlocks: Deadlocks,
        _: &mut Experience,
        budget: &Budget,
        progress: &dyn Progress,
    ) -> Result<EngineSearch, EngineError> {
        let bad = bad(system, deadlocks)?;
        let found = match shortest(system, bad, budget, progress)? {
            Ok(found) => found,
            Err(reason) => return Ok(EngineSearch::stopped(reason)),
        };
        if let Some((initial, steps)) = found {
            let last = steps.last().map_or(&initial, |step| &step.state);
            let claim = first_violated(system, last);
            let ending = SearchEnding::Unsafe(PackedPath { initial, steps, claim }, ());
            return Ok(EngineSearch::unvisited(ending, false));
        }
        let bound = bound(system);
        match bound.as_constant() {
            Some(bound_hit) => Ok(EngineSearch::unvisited(SearchEnding::Safe(()), bound_hit)),
            None => Ok(match decide(system, bound, budget, progress)? {
                Ok(verdict) => {
                    let bound_hit = matches!(verdict, Ic3Verdict::Reachable { .. });
                    EngineSearch::unvisited(SearchEnding::Safe(()), bound_hit)
                }
                Err(reason) => EngineSearch::stopped(reason),
            }),
        }
    }
}

/// What IC3 says. Its proof is checked by other code, so that IC3 itself need not be trusted.
///
/// # Errors
/// When the proof is wrong. The inner error: the budget ended first.
fn decide(
    system: &GroundSystem,
    bad: Wire,
    budget: &Budget,
    progress: &dyn Progress,
) -> Result<Result<Ic3Verdict, FiniteReason>, EngineError> {
    let verdict = ic3::decide(system, bad, budget, progress);
    if let Ok(Ic3Verdict::Unreachable(cubes)) = &verdict {
        match invariant::is_proof(system, bad, cubes, budget) {
            Ok(true) => {}
            Ok(false) => return Err(EngineError::Bug("the proof of IC3 is wrong".to_owned())),
            Err(reason) => return Ok(Err(reason)),
        }
    }
    Ok(verdict)
}

/// A shortest run to a bad state, if one is reachable.
fn shortest(
    system: &GroundSystem,
    bad: Wire,
    budget: &Budget,
    progress: &dyn Progress,
) -> Result<Result<Option<Run>, FiniteReason>, EngineError> {
    Ok(match decide(system, bad, budget, progress)? {
        Err(reason) => Err(reason),
        Ok(Ic3Verdict::Unreachable(_)) => Ok(None),
        Ok(Ic3Verdict::Reachable { initial, steps, at_least }) if steps.len() <= at_least => {
            Ok(Some((initial, steps)))
        }
        Ok(Ic3Verdict::Reachable { initial, steps, at_least }) => {
            let shorter = bmc::shortest(system, bad, at_least..=steps.len() - 1, budget);
            shorter.map(|shorter| Some(shorter.unwrap_or((initial, steps))))
        }
    })
}

/// True of states that are not as claimed.
fn bad(system: &mut GroundSystem, deadlocks: Deadlocks) -> Result<Wire, EngineError> {
    let circuit = &mut system.circuit;
    let mut bad = Wire::FALSE;
    for claim in &system.claims {
        let violated = circuit.and(!claim.holds, !claim.undefined);
        bad = circuit.or(bad, violated);
    }
    if deadlocks == Deadlocks::Reported {
        let mut possible = Wire::FALSE;
        for transition in &system.transitions {
            let here = somehow(circuit, transition, system.layout.bits())?;
            possible = circuit.or(possible, here);
        }
        bad = circuit.or(bad, !possible);
    }
    Ok(bad)
}

/// When a transition is possible or leaves the window, for some choice.
fn somehow(
    circuit: &mut Circuit,
    transition: &GroundTransition,
    first_choice: u32,
) -> Result<Wire, EngineError> {
    let happens = circuit.or(transition.guard, transition.bound);
    let mut wire = circuit.and(happens, transition.valid_choices);
    let support = circuit.support([wire]);
    let choices: Vec<u32> = support.into_iter().filter(|input| *input >= first_choice).collect();
    if choices.len() > MAX_CHOICE_BITS {
        return Err(EngineError::TooManyChoices(1 << MAX_CHOICE_BITS));
    }
    for choice in choices {
        let fixed = |value| move |input| (input == choice).then_some(value);
        let no = circuit.restrict(&[wire], fixed(false))[0];
        let yes = circuit.restrict(&[wire], fixed(true))[0];
        wire = circuit.or(no, yes);
    }
    Ok(wire)
}

/// True where an integer leaves the window.
fn bound(system: &mut GroundSystem) -> Wire {
    let circuit = &mut system.circuit;
    let mut bound = circuit.any(system.claims.iter().map(|claim| claim.undefined));
    for transition in &system.transitions {
        let here = circuit.and(transition.bound, transition.valid_choices);
        bound = circuit.or(bound, here);
    }
    bound
}
