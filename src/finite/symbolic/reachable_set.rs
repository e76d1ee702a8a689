//! All reachable states of the instances of a size, kept as diagrams, so that many formulas can be
//! tried on millions of states.
//!
//! What holds here is a guess about other instances and a fact about none of them.

use super::diagram::{Diagram, Diagrams};
use super::transition_relations::{Variables, conjuncts};
use super::{STACK, bit_orders, saturation};
use crate::budget::{Budget, Stop};
use crate::effort::{EffortPart, measured};
use crate::finite::error::EngineError;
use crate::finite::ground::circuit::Wire;
use crate::finite::ground::{GroundSystem, ground};
use crate::finite::model::instances::instances;
use crate::finite::question::coverage::Silent;
use crate::finite::question::reason::FiniteReason;
use crate::finite::question::{Claim, Question};
use crate::finite::symmetry::Symmetries;
use crate::finite::{Prepared, prepare};
use crate::logic::Name;
use crate::protocol::{State, StateFormula};

/// The most bits of a state: queries recurse as deep on the stack of the caller.
const MAX_BITS: usize = 600;

/// The most instances of a size that are kept; of more, some all over the list.
const MAX_INSTANCES: usize = 12;

/// The reachable states of instances of one size.
pub struct ReachableSets {
    instances: Vec<ReachableSet>,
    /// How many steps building them took.
    steps: u64,
}

/// The reachable states of one instance.
struct ReachableSet {
    system: GroundSystem,
    variables: Variables,
    diagrams: Diagrams,
    states: Diagram,
}

/// The reachable states of every instance of the question's size, or of many instances; those whose
/// diagrams exceed the budget's memory are left out.
///
/// # Errors
/// When the question is wrong or too large.
pub fn reachable_sets(
    question: &Question<'_>,
    budget: &Budget,
) -> Result<ReachableSets, EngineError> {
    let answer = std::thread::scope(|scope| {
        let work = || measured(EffortPart::Instances, || build_all(question, budget));
        let thread = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work);
        thread.ok().and_then(|thread| thread.join().ok())
    });
    answer.unwrap_or_else(|| {
        Err(EngineError::Bug("the symbolic search ended without an answer".to_owned()))
    })
}

fn build_all(question: &Question<'_>, budget: &Budget) -> Result<ReachableSets, EngineError> {
    let Prepared { slice, extents, .. } = prepare(question)?;
    let mut sets = ReachableSets { instances: Vec::new(), steps: 0 };
    let Ok(found) = instances(question, &slice, &extents, budget)? else { return Ok(sets) };
    let stride = found.rigid.len().div_ceil(MAX_INSTANCES).max(1);
    for rigid in found.rigid.into_iter().step_by(stride) {
        let Ok(system) = ground(question, (&slice, &extents), rigid, &budget.stop)? else { break };
        if system.layout.used_bits().len() > MAX_BITS {
            break;
        }
        let mut diagrams = Diagrams::new(budget);
        let built = build(system, &mut diagrams, budget);
        sets.steps += diagrams.steps();
        let Ok((system, variables, states)) = built else { break };
        diagrams.forget_results();
        sets.instances.push(ReachableSet { system, variables, diagrams, states });
    }
    Ok(sets)
}

fn build(
    mut system: GroundSystem,
    diagrams: &mut Diagrams,
    budget: &Budget,
) -> Result<(GroundSystem, Variables, Diagram), FiniteReason> {
    system.symmetries = Symmetries::default();
    let first = bit_orders::orders(&system, &budget.stop)?.into_iter().next();
    let order = first.map(|(_, order)| order).unwrap_or_default();
    let (variables, states) = reachable_states(&system, order, diagrams)?;
    diagrams.check_budget_after(0)?;
    Ok((system, variables, states))
}

/// All reachable states, with the bits in one order.
pub(super) fn reachable_states(
    system: &GroundSystem,
    order: Vec<u32>,
    diagrams: &mut Diagrams,
) -> Result<(Variables, Diagram), FiniteReason> {
    let variables = Variables::new(order);
    let mut events = Vec::new();
    for index in 0..system.transitions.len() {
        events.extend(variables.event(diagrams, system, index)?);
    }
    let initial = variables.states_where(diagrams, &system.circuit, &[system.initial])?;
    let states = saturation::reachable(diagrams, variables.levels(), &events, initial, &Silent)?;
    Ok((variables, states))
}

impl ReachableSets {
    /// Whether no instance fits.
    pub fn is_empty(&self) -> bool {
        self.instances.is_empty()
    }

    /// The effort so far, in nodes of diagrams that were asked for.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// A reachable state in which a closed formula is false, if there is one and the budget allows
    /// to find it; the formula must not quantify over integers.
    ///
    /// # Errors
    /// When the formula cannot be evaluated in a finite instance.
    pub fn refute(
        &mut self,
        formula: &StateFormula,
        stop: &Stop,
    ) -> Result<Option<State>, EngineError> {
        let claim = Claim {
            name: Name::from("candidate"),
            vars: Vec::new(),
            matrix: formula.clone(),
            pinned: Vec::new(),
        };
        for instance in &mut self.instances {
            let before = instance.diagrams.steps();
            instance.diagrams.stop_at(stop);
            let found = instance.refute(&claim)?;
            self.steps += instance.diagrams.steps() - before;
            if let Ok(Some(state)) = found {
                return Ok(Some(state));
            }
        }
        Ok(None)
    }
}

impl ReachableSet {
    /// A state in which a claim is false; inside, why that was not found out.
    fn refute(
        &mut self,
        claim: &Claim,
    ) -> Result<Result<Option<State>, FiniteReason>, EngineError> {
        let claim = self.system.claim(claim)?;
        Ok(self.first_where_false(claim.holds, claim.undefined))
    }

    /// One part of a conjunction after the other: a diagram of all of them may be large.
    fn first_where_false(
        &mut self,
        holds: Wire,
        undefined: Wire,
    ) -> Result<Option<State>, FiniteReason> {
        let ReachableSet { system, variables, diagrams, states } = self;
        for part in conjuncts(&system.circuit, holds) {
            let wires = [!part, !undefined];
            let fails = variables.states_where(diagrams, &system.circuit, &wires)?;
            if let Some(values) = diagrams.common_solution(*states, fails)? {
                let packed = variables.pack(system.layout.words(), &values);
                let mut state = State::new(system.extents.clone());
                state.tables.extend(system.rigid.clone());
                state.tables.extend(system.layout.unpack(&packed));
                return Ok(Some(state));
            }
        }
        Ok(None)
    }
}
