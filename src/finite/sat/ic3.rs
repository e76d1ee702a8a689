//! Property-directed reachability (IC3): either a run to a bad state, or an inductive invariant
//! that excludes them.
//!
//! Frame `i` over-approximates what is reachable in `i` steps. Bad states and their predecessors
//! are blocked one after the other, each by a clause that is generalized as far as it stays
//! inductive relative to the frame before. After Bradley (VMCAI 2011) and Een, Mishchenko and
//! Brayton (FMCAD 2011).

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::invariant::StateCube;
use super::runs::{Run, input_value, justify, successor};
use super::transition_clauses::{StepClauses, one_step};
use crate::budget::Budget;
use crate::finite::engine::PackedStep;
use crate::finite::ground::circuit::Wire;
use crate::finite::ground::{GroundSystem, bit_layout};
use crate::finite::question::coverage::{Progress, StateCounts};
use crate::finite::question::reason::FiniteReason;
use crate::finite::sat::solver::{SatAnswer, SatLiteral, SatSolver};

/// What the search says about bad states.
pub(crate) enum Ic3Verdict {
    /// None is reachable: the negations of these cubes are an inductive invariant.
    Unreachable(Vec<StateCube>),
    /// One is, by this run; no run shorter than `at_least` reaches one.
    Reachable {
        /// The first state.
        initial: Vec<u64>,
        /// The steps.
        steps: Vec<PackedStep>,
        /// A lower bound on the length of all such runs.
        at_least: usize,
    },
}

/// After so many temporary clauses the solver is built anew.
const TEMPORARY_LIMIT: usize = 1500;

/// Decides whether a state where `bad` is true is reachable; `bad` may read choices, which are
/// existentially quantified.
///
/// # Errors
/// When the budget ends first.
pub(crate) fn decide(
    system: &GroundSystem,
    bad: Wire,
    budget: &Budget,
    progress: &dyn Progress,
) -> Result<Ic3Verdict, FiniteReason> {
    let mut ic3 = Ic3::new(system, bad, budget);
    if let Some(state) = ic3.initial_bad_state()? {
        return Ok(Ic3Verdict::Reachable { initial: state, steps: Vec::new(), at_least: 0 });
    }
    loop {
        let depth = ic3.blocked.len() as u64;
        progress.report(&StateCounts { depth, instances: 1, ..StateCounts::default() });
        ic3.blocked.push(Vec::new());
        ic3.add_frame();
        while let Some(cube) = ic3.bad_cube()? {
            if let Some((initial, steps)) = ic3.block(cube)? {
                return Ok(Ic3Verdict::Reachable { initial, steps, at_least: ic3.frontier() });
            }
        }
        if let Some(cubes) = ic3.propagate()? {
            return Ok(Ic3Verdict::Unreachable(cubes));
        }
    }
}

struct Ic3<'a> {
    system: &'a GroundSystem,
    bad: Wire,
    budget: &'a Budget,
    solver: SatSolver,
    step: StepClauses,
    bad_literal: SatLiteral,
    /// Assumed for the initial states.
    initial: SatLiteral,
    /// Assumed for frame `i + 1` and all before it.
    frames: Vec<SatLiteral>,
    /// The cubes that are excluded from frame `i + 1` and not from the next.
    blocked: Vec<Vec<StateCube>>,
    temporary: usize,
}

/// A set of states from which the bad states are reached, and how.
struct BlockingObligation {
    cube: StateCube,
    /// The step to the next obligation; `None` where the states themselves are bad.
    next: Option<NextStep>,
}

/// A move, what it picks, and the obligation that it leads to.
type NextStep = (usize, Vec<(u32, u32, u64)>, usize);

impl<'a> Ic3<'a> {
    fn new(system: &'a GroundSystem, bad: Wire, budget: &'a Budget) -> Self {
        let (mut solver, mut step) = one_step(system, budget);
        let bad_literal = step.copy.wire(&mut solver, &system.circuit, bad);
        let initial = step.copy.wire(&mut solver, &system.circuit, system.initial);
        Ic3 {
            system,
            bad,
            budget,
            solver,
            step,
            bad_literal,
            initial,
            frames: Vec::new(),
            blocked: Vec::new(),
            temporary: 0,
        }
    }

    /// The number of the last frame.
    fn frontier(&self) -> usize {
        self.blocked.len()
    }

    fn add_frame(&mut self) {
        let frame = self.solver.fresh();
        self.frames.push(frame);
    }

    /// Builds the solver anew, without what was only temporary.
    fn renew(&mut self) {
        let frames = self.frames.len();
        let blocked = std::mem::take(&mut self.blocked);
        *self = Ic3::new(self.system, self.bad, self.budget);
        for _ in 0..frames {
            self.add_frame();
        }
        for (index, cubes) in blocked.iter().enumerate() {
            for cube in cubes {
                self.exclude(index, cube);
            }
        }
        self.blocked = blocked;
    }

    /// Excludes a cube from the frame at this position and from those before.
    fn exclude(&mut self, index: usize, cube: &StateCube) {
        let mut clause = vec![!self.frames[index]];
        clause.extend(cube.iter().map(|bit| !self.before(*bit)));
        self.solver.clause(clause);
    }

    fn before(&self, (bit, value): (u32, bool)) -> SatLiteral {
        let literal = self.step.before[&bit];
        if value { literal } else { !literal }
    }

    fn after(&self, (bit, value): (u32, bool)) -> SatLiteral {
        let literal = self.step.after[&bit];
        if value { literal } else { !literal }
    }

    /// What to assume for the states of a frame: 0 is the initial states.
    fn assume_frame(&self, frame: usize) -> Vec<SatLiteral> {
        let mut assumptions: Vec<SatLiteral> = self.frames[frame.saturating_sub(1)..].to_vec();
        if frame == 0 {
            assumptions.push(self.initial);
        }
        assumptions
    }

    fn initial_bad_state(&mut self) -> Result<Option<Vec<u64>>, FiniteReason> {
        let answer = self.solver.solve(&[self.initial, self.bad_literal])?;
        Ok((answer == SatAnswer::Satisfiable)
            .then(|| self.step.state_before(&self.solver, self.system)))
    }

    /// Bad states of the last frame.
    fn bad_cube(&mut self) -> Result<Option<StateCube>, FiniteReason> {
        let mut assumptions = self.assume_frame(self.frontier());
        assumptions.push(self.bad_literal);
        if self.solver.solve(&assumptions)? == SatAnswer::Unsatisfiable {
            return Ok(None);
        }
        let state = self.step.state_before(&self.solver, self.system);
        let picked = self.picked_inputs();
        let reasons =
            justify(&self.system.circuit, &[self.bad], input_value(self.system, &state, &picked));
        Ok(Some(self.cube(reasons, &state)))
    }

    /// The values of all choice inputs in the solution found last, one cell for each bit.
    fn picked_inputs(&self) -> Vec<(u32, u32, u64)> {
        let inputs = self.system.first_choice()..self.system.first_hidden;
        let picked = inputs.filter_map(|input| {
            let literal = self.step.copy.known_input(input)?;
            Some((input, 1, u64::from(self.solver.value(literal))))
        });
        picked.collect()
    }

    fn cube(&self, reasons: impl IntoIterator<Item = u32>, state: &[u64]) -> StateCube {
        let bits = reasons.into_iter().filter(|input| *input < self.system.first_choice());
        let mut cube: StateCube =
            bits.map(|bit| (bit, bit_layout::read(state, bit, 1) == 1)).collect();
        cube.sort_unstable();
        cube
    }

    /// Blocks a cube at the last frame, or finds a run into it.
    fn block(&mut self, cube: StateCube) -> Result<Option<Run>, FiniteReason> {
        let mut obligations = vec![BlockingObligation { cube, next: None }];
        let mut queue = BinaryHeap::from([Reverse((self.frontier(), 0_usize))]);
        while let Some(Reverse((frame, index))) = queue.pop() {
            let cube = obligations[index].cube.clone();
            if let Some(state) = self.initial_state_in(&cube)? {
                return Ok(Some(self.follow(state, &obligations, index)));
            }
            match self.predecessor(frame, &cube)? {
                Some((cube, transition, picked)) => {
                    let next = Some((transition, picked, index));
                    obligations.push(BlockingObligation { cube, next });
                    queue.push(Reverse((frame, index)));
                    queue.push(Reverse((frame - 1, obligations.len() - 1)));
                }
                None => {
                    let blocked = self.generalize(frame, cube)?;
                    let last = self.push_forward(frame, &blocked)?;
                    self.exclude(last - 1, &blocked);
                    self.blocked[last - 1].push(blocked);
                    if last < self.frontier() {
                        queue.push(Reverse((last + 1, index)));
                    }
                }
            }
        }
        Ok(None)
    }

    fn initial_state_in(&mut self, cube: &StateCube) -> Result<Option<Vec<u64>>, FiniteReason> {
        let mut assumptions = vec![self.initial];
        assumptions.extend(cube.iter().map(|bit| self.before(*bit)));
        let answer = self.solver.solve(&assumptions)?;
        Ok((answer == SatAnswer::Satisfiable)
            .then(|| self.step.state_before(&self.solver, self.system)))
    }

    /// The run that starts in a state of an obligation and follows the obligations.
    fn follow(&self, state: Vec<u64>, obligations: &[BlockingObligation], from: usize) -> Run {
        let mut steps: Vec<PackedStep> = Vec::new();
        let mut index = from;
        while let Some((transition, picked, next)) = &obligations[index].next {
            let before = steps.last().map_or(&state, |step| &step.state);
            let after = successor(self.system, *transition, before, picked);
            let picked = picked.clone();
            steps.push(PackedStep { transition: *transition, picked, state: after });
            index = *next;
        }
        (state, steps)
    }

    /// States of the frame before that step into a cube from outside it; all states of the answer
    /// take the same transition with the same choices.
    #[allow(clippy::type_complexity)]
    fn predecessor(
        &mut self,
        frame: usize,
        cube: &StateCube,
    ) -> Result<Option<(StateCube, usize, Vec<(u32, u32, u64)>)>, FiniteReason> {
        if self.steps_into(frame - 1, cube)?.is_some() {
            return Ok(None);
        }
        let state = self.step.state_before(&self.solver, self.system);
        let Some(transition) = self.step.chosen(&self.solver) else { return Ok(None) };
        let picked = self.step.picked(&mut self.solver, self.system, transition);
        let writes = &self.system.transitions[transition].writes;
        let mut wires = vec![self.system.transitions[transition].guard];
        let mut kept = Vec::new();
        for (bit, _) in cube {
            match writes.iter().find(|(written, _)| written == bit) {
                Some((_, wire)) => wires.push(*wire),
                None => kept.push(*bit),
            }
        }
        let mut reasons =
            justify(&self.system.circuit, &wires, input_value(self.system, &state, &picked));
        reasons.extend(kept);
        Ok(Some((self.cube(reasons, &state), transition, picked)))
    }

    /// `None` if a state of the frame outside the cube steps into it, else the part of the cube
    /// that is needed to see that none does.
    fn steps_into(
        &mut self,
        frame: usize,
        cube: &StateCube,
    ) -> Result<Option<StateCube>, FiniteReason> {
        if self.temporary >= TEMPORARY_LIMIT {
            self.renew();
        }
        self.temporary += 1;
        let outside = self.solver.fresh();
        let mut clause = vec![!outside];
        clause.extend(cube.iter().map(|bit| !self.before(*bit)));
        self.solver.clause(clause);
        let mut assumptions = self.assume_frame(frame);
        assumptions.extend([outside, self.step.happens]);
        assumptions.extend(cube.iter().map(|bit| self.after(*bit)));
        let answer = self.solver.solve(&assumptions)?;
        if answer == SatAnswer::Satisfiable {
            // The clause must stay until the solution has been read; it is harmless afterwards.
            return Ok(None);
        }
        let needed = cube.iter().copied().filter(|bit| self.solver.was_needed(self.after(*bit)));
        let needed = needed.collect();
        self.solver.clause([!outside]);
        Ok(Some(needed))
    }

    /// A larger cube that is still unreachable from the frame before, and contains no initial
    /// state.
    fn generalize(&mut self, frame: usize, cube: StateCube) -> Result<StateCube, FiniteReason> {
        let Some(core) = self.steps_into(frame - 1, &cube)? else { return Ok(cube) };
        let mut best = self.without_initial(core, &cube)?;
        let mut index = 0;
        while index < best.len() && best.len() > 1 {
            let mut smaller = best.clone();
            smaller.remove(index);
            let shrunk = match self.initial_state_in(&smaller)? {
                Some(_) => None,
                None => self.steps_into(frame - 1, &smaller)?,
            };
            match shrunk {
                Some(core) => best = self.without_initial(core, &smaller)?,
                None => index += 1,
            }
        }
        Ok(best)
    }

    /// Adds bits of a cube to a part of it until the part contains no initial state.
    fn without_initial(
        &mut self,
        part: StateCube,
        whole: &StateCube,
    ) -> Result<StateCube, FiniteReason> {
        let mut part = part;
        while let Some(state) = self.initial_state_in(&part)? {
            let differs =
                |(bit, value): &&(u32, bool)| (bit_layout::read(&state, *bit, 1) == 1) != *value;
            match whole.iter().find(differs) {
                Some(bit) => part.push(*bit),
                None => return Ok(whole.clone()),
            }
        }
        part.sort_unstable();
        Ok(part)
    }

    /// The last frame from whose predecessor a cube is unreachable.
    fn push_forward(&mut self, frame: usize, cube: &StateCube) -> Result<usize, FiniteReason> {
        let mut last = frame;
        while last < self.frontier() && self.steps_into(last, cube)?.is_some() {
            last += 1;
        }
        Ok(last)
    }

    /// Moves clauses to later frames. If two frames are equal, nothing bad is reachable: the cubes
    /// excluded from both prove it.
    fn propagate(&mut self) -> Result<Option<Vec<StateCube>>, FiniteReason> {
        for index in 0..self.blocked.len() - 1 {
            let mut stay = Vec::new();
            for cube in self.blocked[index].clone() {
                if self.steps_into(index + 1, &cube)?.is_some() {
                    self.exclude(index + 1, &cube);
                    self.blocked[index + 1].push(cube);
                } else {
                    stay.push(cube);
                }
            }
            let is_fixed = stay.is_empty();
            self.blocked[index] = stay;
            if is_fixed {
                return Ok(Some(self.blocked[index + 1..].concat()));
            }
        }
        Ok(None)
    }
}
