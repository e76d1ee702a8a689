//! Bounded model checking: the shortest run to a bad state among runs of given lengths.

use super::runs::{Run, packed};
use super::transition_clauses::{StepClauses, fresh_state};
use crate::budget::Budget;
use crate::finite::engine::PackedStep;
use crate::finite::ground::GroundSystem;
use crate::finite::ground::circuit::Wire;
use crate::finite::question::reason::FiniteReason;
use crate::finite::sat::solver::{Copy, SatAnswer, SatSolver};

/// The shortest run to a state where `bad` is true, of a length in `lengths`.
///
/// # Errors
/// When the budget ends first.
pub(crate) fn shortest(
    system: &GroundSystem,
    bad: Wire,
    lengths: std::ops::RangeInclusive<usize>,
    budget: &Budget,
) -> Result<Option<Run>, FiniteReason> {
    let mut solver = SatSolver::new(budget);
    let mut last = fresh_state(&mut solver, system);
    let mut first = Copy::with_inputs(last.iter().map(|(bit, literal)| (*bit, *literal)));
    let initial = first.wire(&mut solver, &system.circuit, system.initial);
    solver.clause([initial]);
    let mut steps: Vec<StepClauses> = Vec::new();
    for length in 0..=*lengths.end() {
        if length > 0 {
            let step = StepClauses::new(&mut solver, system, last);
            solver.clause([step.happens]);
            last = step.after.clone();
            steps.push(step);
        }
        if !lengths.contains(&length) {
            continue;
        }
        let mut end = Copy::with_inputs(last.iter().map(|(bit, literal)| (*bit, *literal)));
        let is_bad = end.wire(&mut solver, &system.circuit, bad);
        if solver.solve(&[is_bad])? == SatAnswer::Satisfiable {
            return Ok(Some(run(&mut solver, system, &mut steps, &last)));
        }
    }
    Ok(None)
}

/// The run of the solution found last.
fn run(
    solver: &mut SatSolver,
    system: &GroundSystem,
    steps: &mut [StepClauses],
    last: &rustc_hash::FxHashMap<u32, crate::finite::sat::solver::SatLiteral>,
) -> Run {
    let initial = match steps.first() {
        Some(step) => step.state_before(solver, system),
        None => packed(solver, system, last),
    };
    let mut taken = Vec::new();
    for step in steps {
        if let Some(transition) = step.chosen(solver) {
            let picked = step.picked(solver, system, transition);
            let state = packed(solver, system, &step.after);
            taken.push(PackedStep { transition, picked, state });
        }
    }
    (initial, taken)
}
