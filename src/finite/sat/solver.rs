//! The SAT solver: circuits as clauses, and the list of all solutions of a circuit.
//!
//! batsat was chosen because it is pure Rust (nothing to link or install), incremental under
//! assumptions, and deterministic. Only this file names it.

use std::ops::ControlFlow;

use batsat::{BasicSolver, Lit, SolverInterface, lbool};
use rustc_hash::FxHashMap;

use crate::budget::{Budget, Stop};
use crate::finite::ground::circuit::{Circuit, Gate, Wire};
use crate::finite::question::reason::{FiniteReason, interruption};

/// A literal of the solver.
pub(crate) type SatLiteral = Lit;

/// What the solver says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SatAnswer {
    /// There is a solution; its values can be asked for.
    Satisfiable,
    /// There is none.
    Unsatisfiable,
}

/// An incremental solver that stops when the budget says so.
pub(crate) struct SatSolver {
    inner: BasicSolver,
    stop: Stop,
}

impl SatSolver {
    pub(crate) fn new(budget: &Budget) -> Self {
        let mut inner = BasicSolver::default();
        let stop = budget.stop.clone();
        inner.cb_mut().set_stop(move || stop.is_set());
        SatSolver { inner, stop: budget.stop.clone() }
    }

    /// A new variable, as its positive literal.
    pub(crate) fn fresh(&mut self) -> SatLiteral {
        Lit::new(self.inner.new_var_default(), true)
    }

    /// Asserts a disjunction.
    pub(crate) fn clause(&mut self, literals: impl IntoIterator<Item = SatLiteral>) {
        let mut literals: Vec<Lit> = literals.into_iter().collect();
        self.inner.add_clause_reuse(&mut literals);
    }

    /// Looks for a solution under assumptions.
    ///
    /// # Errors
    /// When the budget ends first.
    pub(crate) fn solve(&mut self, assumptions: &[SatLiteral]) -> Result<SatAnswer, FiniteReason> {
        let answer = self.inner.solve_limited(assumptions);
        if answer == lbool::TRUE {
            Ok(SatAnswer::Satisfiable)
        } else if answer == lbool::FALSE {
            Ok(SatAnswer::Unsatisfiable)
        } else {
            Err(interruption(&self.stop).unwrap_or(FiniteReason::Interrupted))
        }
    }

    /// The value of a literal in the solution found last.
    pub(crate) fn value(&self, literal: SatLiteral) -> bool {
        self.inner.value_lit(literal) == lbool::TRUE
    }

    /// Whether an assumption was needed to refute the question asked last.
    pub(crate) fn was_needed(&self, assumption: SatLiteral) -> bool {
        self.inner.unsat_core_contains_var(assumption.var())
    }

    /// Whether the solver knows that a literal has one value in every solution.
    fn is_forced(&self, literal: SatLiteral) -> bool {
        self.inner.value_lvl_0(literal) != lbool::UNDEF
    }
}

/// One copy of a circuit in a solver: the literal of every gate that was needed so far.
#[derive(Default)]
pub(crate) struct Copy {
    literals: FxHashMap<usize, SatLiteral>,
    inputs: FxHashMap<u32, SatLiteral>,
}

impl Copy {
    /// A copy some of whose inputs are given.
    pub(crate) fn with_inputs(inputs: impl IntoIterator<Item = (u32, SatLiteral)>) -> Self {
        Copy { literals: FxHashMap::default(), inputs: inputs.into_iter().collect() }
    }

    /// The literal of an input.
    pub(crate) fn input(&mut self, solver: &mut SatSolver, input: u32) -> SatLiteral {
        *self.inputs.entry(input).or_insert_with(|| solver.fresh())
    }

    /// The literal of an input that was needed so far.
    pub(crate) fn known_input(&self, input: u32) -> Option<SatLiteral> {
        self.inputs.get(&input).copied()
    }

    /// The literal of a wire; its gates become clauses.
    pub(crate) fn wire(
        &mut self,
        solver: &mut SatSolver,
        circuit: &Circuit,
        wire: Wire,
    ) -> SatLiteral {
        if !self.literals.contains_key(&wire.gate()) {
            for gate in circuit.cone([wire]) {
                if !self.literals.contains_key(&gate) {
                    let literal = self.gate(solver, circuit.gate_at(gate));
                    self.literals.insert(gate, literal);
                }
            }
        }
        self.known(wire)
    }

    fn gate(&mut self, solver: &mut SatSolver, gate: Gate) -> SatLiteral {
        match gate {
            Gate::False => {
                let literal = solver.fresh();
                solver.clause([!literal]);
                literal
            }
            Gate::Input(input) => self.input(solver, input),
            Gate::And(left, right) => {
                let (left, right) = (self.known(left), self.known(right));
                let both = solver.fresh();
                solver.clause([!both, left]);
                solver.clause([!both, right]);
                solver.clause([both, !left, !right]);
                both
            }
        }
    }

    fn known(&self, wire: Wire) -> SatLiteral {
        let literal = self.literals[&wire.gate()];
        if wire.is_negated() { !literal } else { literal }
    }
}

/// Calls `visit` with every combination of values of `literals` that some solution has, each once,
/// until it breaks. What was visited is blocked by a clause, so one question finds one more.
///
/// # Errors
/// When the budget ends first.
pub(crate) fn solutions(
    solver: &mut SatSolver,
    literals: &[SatLiteral],
    visit: &mut dyn FnMut(&[bool]) -> ControlFlow<()>,
) -> Result<(), FiniteReason> {
    let mut open: Option<Vec<usize>> = None;
    while solver.solve(&[])? == SatAnswer::Satisfiable {
        let values: Vec<bool> = literals.iter().map(|literal| solver.value(*literal)).collect();
        if visit(&values).is_break() {
            return Ok(());
        }
        // What has one value in every solution need not be blocked.
        let is_open = |index: &usize| !solver.is_forced(literals[*index]);
        let open = open.get_or_insert_with(|| (0..literals.len()).filter(is_open).collect());
        let differs = open.iter().map(|index| {
            let literal = literals[*index];
            if values[*index] { !literal } else { literal }
        });
        solver.clause(differs.collect::<Vec<_>>());
    }
    Ok(())
}
