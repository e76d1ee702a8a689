//! A packed run as a trace of the whole protocol, replayed by the concrete semantics.
//!
//! What was left out of the state is filled in: at the start by solving, later by executing.

use std::collections::BTreeMap;

use crate::budget::Budget;
use crate::finite::engine::{PackedPath, PackedStep};
use crate::finite::error::EngineError;
use crate::finite::ground::bit_layout::{BitLayout, read, write};
use crate::finite::ground::{GroundSystem, GroundTransition};
use crate::finite::question::int_range::fixed_integers;
use crate::finite::question::reason::FiniteReason;
use crate::finite::question::{Claim, ClaimFailure, ClaimViolation, Question};
use crate::finite::sat::solver::{Copy, SatAnswer, SatSolver};
use crate::logic::{Table, Value, VariableAssignment, evaluate_formula, tuples};
use crate::protocol::{
    ChoiceValues, Invocation, OneState, Sort, State, Step, Trace, blank_state, execute_with,
    successors,
};

/// The trace of a packed run, and what fails at its end; `Err` inside if only the slice fails.
pub(in crate::finite) fn lift(
    question: &Question<'_>,
    system: &GroundSystem,
    path: &PackedPath,
    budget: &Budget,
) -> Result<Result<ClaimViolation, FiniteReason>, EngineError> {
    let trace = match lift_run(question, system, path, budget)? {
        Ok(trace) => trace,
        Err(reason) => return Ok(Err(reason)),
    };
    let failure = match path.claim {
        Some(claim) => claim_failure(&question.claims[claim], claim, &trace),
        None => deadlock(question, trace.last()),
    };
    match failure {
        Ok(failure) => Ok(Ok(ClaimViolation { failure, trace })),
        Err(error) => only_in_slice(system, error),
    }
}

/// The trace of a packed run, whatever fails at its end; `Err` inside if only the slice has it.
pub(in crate::finite) fn lift_run(
    question: &Question<'_>,
    system: &GroundSystem,
    path: &PackedPath,
    budget: &Budget,
) -> Result<Result<Trace, FiniteReason>, EngineError> {
    let initial = match initial_state(question, system, &path.initial, budget) {
        Ok(initial) => initial,
        Err(reason) => return Ok(Err(reason)),
    };
    let mut trace = Trace { initial, steps: Vec::new() };
    for step in &path.steps {
        match take_step(question, system, trace.last(), step) {
            Ok(step) => trace.steps.push(step),
            Err(error) => return only_in_slice(system, error),
        }
    }
    match trace.replay(question.protocol) {
        Ok(()) => Ok(Ok(trace)),
        Err(error) => only_in_slice(system, error.into()),
    }
}

/// A slice may have runs that the whole does not have; without one a difference is an internal error.
fn only_in_slice<Lifted>(
    system: &GroundSystem,
    error: EngineError,
) -> Result<Result<Lifted, FiniteReason>, EngineError> {
    if system.is_slice { Ok(Err(FiniteReason::OnlyInSlice)) } else { Err(error) }
}

fn initial_state(
    question: &Question<'_>,
    system: &GroundSystem,
    packed: &[u64],
    budget: &Budget,
) -> Result<State, FiniteReason> {
    let mut state = blank_state(&question.protocol.signature, &system.extents);
    state.tables.extend(system.rigid.clone());
    state.tables.extend(system.layout.unpack(packed));
    let bits = system.hidden.used_bits();
    let inputs: Vec<u32> = bits.iter().map(|bit| system.first_hidden + bit).collect();
    let values = complete(system, packed, &inputs, budget)?.ok_or(FiniteReason::OnlyInSlice)?;
    state.tables.extend(system.hidden.unpack(&system.hidden.pack_bits(&bits, &values)));
    // Integers that were left out have no bits; most start where one equation puts them.
    for (symbol, value) in fixed_integers(question) {
        let is_left_out = !system.rigid.contains_key(&symbol)
            && system.layout.blocks().all(|(kept, _)| kept != symbol);
        if let Some(table) = state.tables.get_mut(&symbol).filter(|_| is_left_out) {
            *table = Table::constant(table.extents().to_vec(), Value::Int(value));
        }
    }
    Ok(state)
}

/// An extension of a state to what was left out of it: all inputs of an initial state.
///
/// # Errors
/// When the budget ends first.
fn complete(
    system: &GroundSystem,
    state: &[u64],
    inputs: &[u32],
    budget: &Budget,
) -> Result<Option<Vec<bool>>, FiniteReason> {
    let mut solver = SatSolver::new(budget);
    let mut copy = Copy::default();
    let literal = copy.wire(&mut solver, &system.circuit, system.initial);
    let mut assumptions = vec![literal];
    for bit in system.layout.used_bits() {
        let literal = copy.input(&mut solver, bit);
        let value = read(state, bit, 1) == 1;
        assumptions.push(if value { literal } else { !literal });
    }
    let wanted: Vec<_> = inputs.iter().map(|input| copy.input(&mut solver, *input)).collect();
    Ok(match solver.solve(&assumptions)? {
        SatAnswer::Satisfiable => {
            Some(wanted.iter().map(|literal| solver.value(*literal)).collect())
        }
        SatAnswer::Unsatisfiable => None,
    })
}

/// The packed form of a state; `None` if an integer lies outside the window.
fn pack(layout: &BitLayout, state: &State) -> Option<Vec<u64>> {
    let mut words = vec![0; layout.words()];
    for (symbol, block) in layout.blocks() {
        let table = state.tables.get(&symbol)?;
        for ((_, value), cell) in table.entries().zip(block.cells()) {
            let code = match block.result {
                None => u64::from(value == Value::Bool(true)),
                Some(extent) => extent.index(value)? as u64,
            };
            write(&mut words, *cell, block.width, code);
        }
    }
    Some(words)
}

fn take_step(
    question: &Question<'_>,
    system: &GroundSystem,
    before: &State,
    step: &PackedStep,
) -> Result<Step, EngineError> {
    let transition = &system.transitions[step.transition];
    let choices = choice_values(system, transition, step);
    let Invocation { action, .. } = transition.invocation;
    let disagreement = || {
        let name = &question.protocol.actions[action].name;
        EngineError::Bug(format!("the search and the concrete semantics disagree about `{name}`"))
    };
    let state = execute_with(question.protocol, before, &transition.invocation, &choices)
        .map_err(|error| EngineError::Replay(error.into()))?
        .ok_or_else(disagreement)?;
    if pack(&system.layout, &state).as_ref() != Some(&step.state) {
        return Err(disagreement());
    }
    Ok(Step { invocation: transition.invocation.clone(), choices, state })
}

fn choice_values(
    system: &GroundSystem,
    transition: &GroundTransition,
    step: &PackedStep,
) -> ChoiceValues {
    let first = system.first_choice();
    let mut choices = BTreeMap::new();
    for (id, block) in &transition.choices {
        let values = block.values();
        // Without a window, only an integer that was left out is picked: any will do.
        let any = values.first().copied().unwrap_or(Value::Int(0));
        let mut table = Table::constant(block.arguments.clone(), any);
        for (args, cell) in tuples(&block.arguments).zip(block.cells()) {
            // A cell with one value takes no bits and begins where the next one does.
            let own = (first + cell, block.width);
            let picked = step.picked.iter().find(|(start, width, _)| (*start, *width) == own);
            if let Some((_, width, code)) = picked {
                let code = read(&[*code], 0, *width);
                let value = usize::try_from(code).ok().and_then(|code| values.get(code));
                table.set(&args, *value.unwrap_or(&any));
            }
        }
        choices.insert(*id, table);
    }
    choices
}

/// The first values for which a claim fails in the last state of a trace.
fn claim_failure(claim: &Claim, index: usize, trace: &Trace) -> Result<ClaimFailure, EngineError> {
    let state = trace.last();
    let extents: Vec<_> = claim.vars.iter().map(|var| state.extents[&var.sort]).collect();
    let pinned = claim.pinned.iter().map(|(var, at)| (var.clone(), Value::Element(*at)));
    let pinned: VariableAssignment<OneState> = pinned.collect();
    for tuple in tuples(&extents) {
        let mut assignment = pinned.clone();
        assignment.extend(claim.vars.iter().cloned().zip(tuple.iter().copied()));
        let holds = evaluate_formula(state, &assignment, &claim.matrix);
        if !holds.map_err(|error| EngineError::Replay(error.into()))? {
            return Ok(ClaimFailure::Claim(index, tuple));
        }
    }
    Err(EngineError::Bug(format!("`{}` holds at the end of its counterexample", claim.name)))
}

fn deadlock(question: &Question<'_>, state: &State) -> Result<ClaimFailure, EngineError> {
    for action in &question.actions {
        let params = &question.protocol.actions[*action].params;
        let is_listed = params.iter().all(|param| param.sort != Sort::Int);
        let possible = successors(question.protocol, state, *action);
        if is_listed && possible.is_ok_and(|possible| !possible.is_empty()) {
            return Err(EngineError::Bug("a deadlock where an action is possible".to_owned()));
        }
    }
    Ok(ClaimFailure::Deadlock)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finite::engine::{Engine, EngineSearch, SearchEnding};
    use crate::finite::{Deadlocks, Experience, FiniteOutcome, Progress, Silent, Slicing, check};
    use crate::pipeline::read_protocol;
    use crate::protocol::Protocol;
    use crate::source::SourceFile;

    /// A light that can be switched on once.
    const LIGHT: &str = "rigid relation power\nrelation lit\nrelation used\naxiom power\n\
        init ~lit & ~used\naction switch { require ~used; used := true; lit := true }\n\
        safety [dark] ~lit\n";

    /// An engine that says that this is a violation.
    struct Liar {
        path: PackedPath,
        /// Whether it searches another instance than it was given.
        is_elsewhere: bool,
    }

    impl Engine for Liar {
        fn name(&self) -> &'static str {
            "liar"
        }

        fn search(
            &self,
            system: &mut GroundSystem,
            _: Deadlocks,
            _: &mut Experience,
            _: &Budget,
            _: &dyn Progress,
        ) -> Result<EngineSearch, EngineError> {
            if self.is_elsewhere {
                let tables = system.rigid.values_mut();
                tables.for_each(|table| table.set(&[], Value::Bool(false)));
            }
            let ending = SearchEnding::Unsafe(self.path.clone(), ());
            Ok(EngineSearch::unvisited(ending, false))
        }
    }

    fn light() -> Protocol {
        read_protocol(&SourceFile::new("light.rml", LIGHT)).expect("it is right").0
    }

    /// The answer to an engine that claims a path from one state, by one switch to each of the others.
    fn outcome(initial: u64, after: &[u64]) -> Result<FiniteOutcome, EngineError> {
        outcome_of(initial, after, false)
    }

    fn outcome_of(
        initial: u64,
        after: &[u64],
        is_elsewhere: bool,
    ) -> Result<FiniteOutcome, EngineError> {
        let protocol = light();
        let mut question = Question::new(&protocol, BTreeMap::new());
        question.slicing = Slicing::Whole;
        let switched = |state: &u64| {
            let (transition, picked) = (0, Vec::new());
            PackedStep { transition, picked, state: vec![*state] }
        };
        let steps = after.iter().map(switched).collect();
        let path = PackedPath { initial: vec![initial], steps, claim: Some(0) };
        let (max_states, max_memory) = (100, 1 << 20);
        let budget =
            Budget { max_states, max_memory, ..Budget::until(crate::budget::Stop::never()) };
        check(&Liar { path, is_elsewhere }, &question, &budget, &Silent)
    }

    /// The packed state in which both are so.
    fn packed(lit: bool, used: bool) -> u64 {
        let protocol = light();
        let question = Question::new(&protocol, BTreeMap::new());
        let symbols: Vec<_> = protocol.signature.mutable().map(|(id, _)| id).collect();
        let extents = crate::protocol::extents(&question.protocol.signature, &question.size, None);
        let own = symbols.iter().copied();
        let layout =
            crate::finite::ground::bit_layout::BitLayout::new(&protocol.signature, &extents, own);
        let mut state = blank_state(&protocol.signature, &extents);
        for (symbol, value) in symbols.iter().zip([lit, used]) {
            let table = state.tables.get_mut(symbol).expect("every symbol has a table");
            table.set(&[], Value::Bool(value));
        }
        pack(&layout, &state).expect("it fits")[0]
    }

    #[test]
    fn a_run_that_is_one_is_shown() {
        let found = outcome(packed(false, false), &[packed(true, true)]);
        assert!(matches!(found, Ok(FiniteOutcome::Unsafe(..))), "{found:?}");
    }

    #[test]
    fn an_engine_that_begins_elsewhere_is_caught() {
        let not_initial = outcome(packed(true, false), &[]);
        assert!(!matches!(not_initial, Ok(FiniteOutcome::Unsafe(..))), "{not_initial:?}");
        let not_an_instance = outcome_of(packed(false, false), &[packed(true, true)], true);
        assert!(not_an_instance.as_ref().is_err_and(EngineError::is_bug), "{not_an_instance:?}");
    }

    #[test]
    fn an_engine_that_goes_elsewhere_is_caught() {
        let found = outcome(packed(false, false), &[packed(true, false)]);
        assert!(found.as_ref().is_err_and(EngineError::is_bug), "{found:?}");
    }

    #[test]
    fn an_engine_that_does_what_is_not_possible_is_caught() {
        let lit = packed(true, true);
        let found = outcome(packed(false, false), &[lit, lit]);
        assert!(found.as_ref().is_err_and(EngineError::is_bug), "{found:?}");
    }

    #[test]
    fn an_engine_whose_run_violates_nothing_is_caught() {
        let found = outcome(packed(false, false), &[]);
        assert!(found.as_ref().is_err_and(EngineError::is_bug), "{found:?}");
    }
}
