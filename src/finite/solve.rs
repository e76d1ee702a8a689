//! The SAT solver: circuits as clauses, and the list of all solutions of a circuit.
//!
//! batsat was chosen because it is pure Rust (nothing to link or install), incremental under
//! assumptions, and deterministic. Only this file names it.

use std::ops::ControlFlow;
use std::sync::atomic::Ordering;
use std::time::Instant;

use batsat::{BasicSolver, Lit, SolverInterface, lbool};
use rustc_hash::FxHashMap;

use super::circuit::{Circuit, Gate, Wire};
use super::question::{Budget, Reason};

/// A literal of the solver.
pub(super) type Literal = Lit;

/// What the solver says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Answer {
    /// There is a solution; its values can be asked for.
    Satisfiable,
    /// There is none.
    Unsatisfiable,
}

/// An incremental solver that stops when the budget says so.
pub(super) struct Solver {
    inner: BasicSolver,
    budget: Budget,
}

impl Solver {
    pub(super) fn new(budget: &Budget) -> Self {
        let mut inner = BasicSolver::default();
        let (deadline, cancelled) = (budget.deadline, budget.cancelled.clone());
        inner.cb_mut().set_stop(move || {
            cancelled.load(Ordering::Relaxed)
                || deadline.is_some_and(|deadline| Instant::now() >= deadline)
        });
        Solver { inner, budget: budget.clone() }
    }

    /// A new variable, as its positive literal.
    pub(super) fn fresh(&mut self) -> Literal {
        Lit::new(self.inner.new_var_default(), true)
    }

    /// Asserts a disjunction.
    pub(super) fn clause(&mut self, literals: impl IntoIterator<Item = Literal>) {
        let mut literals: Vec<Lit> = literals.into_iter().collect();
        self.inner.add_clause_reuse(&mut literals);
    }

    /// Looks for a solution under assumptions.
    ///
    /// # Errors
    /// When the budget ends first.
    pub(super) fn solve(&mut self, assumptions: &[Literal]) -> Result<Answer, Reason> {
        let answer = self.inner.solve_limited(assumptions);
        if answer == lbool::TRUE {
            Ok(Answer::Satisfiable)
        } else if answer == lbool::FALSE {
            Ok(Answer::Unsatisfiable)
        } else {
            Err(self.budget.interruption().unwrap_or(Reason::Interrupted))
        }
    }

    /// The value of a literal in the solution found last.
    pub(super) fn value(&self, literal: Literal) -> bool {
        self.inner.value_lit(literal) == lbool::TRUE
    }

    /// Whether an assumption was needed to refute the question asked last.
    pub(super) fn was_needed(&self, assumption: Literal) -> bool {
        self.inner.unsat_core_contains_var(assumption.var())
    }

    /// Whether the solver knows that a literal has one value in every solution.
    fn is_forced(&self, literal: Literal) -> bool {
        self.inner.value_lvl_0(literal) != lbool::UNDEF
    }
}

/// One copy of a circuit in a solver: the literal of every gate that was needed so far.
#[derive(Default)]
pub(super) struct Copy {
    literals: FxHashMap<usize, Literal>,
    inputs: FxHashMap<u32, Literal>,
}

impl Copy {
    /// A copy some of whose inputs are given.
    pub(super) fn with_inputs(inputs: impl IntoIterator<Item = (u32, Literal)>) -> Self {
        Copy { literals: FxHashMap::default(), inputs: inputs.into_iter().collect() }
    }

    /// The literal of an input.
    pub(super) fn input(&mut self, solver: &mut Solver, input: u32) -> Literal {
        *self.inputs.entry(input).or_insert_with(|| solver.fresh())
    }

    /// The literal of an input that was needed so far.
    pub(super) fn known_input(&self, input: u32) -> Option<Literal> {
        self.inputs.get(&input).copied()
    }

    /// The literal of a wire; its gates become clauses.
    pub(super) fn wire(&mut self, solver: &mut Solver, circuit: &Circuit, wire: Wire) -> Literal {
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

    fn gate(&mut self, solver: &mut Solver, gate: Gate) -> Literal {
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

    fn known(&self, wire: Wire) -> Literal {
        let literal = self.literals[&wire.gate()];
        if wire.is_negated() { !literal } else { literal }
    }
}

/// Calls `visit` with every combination of values of `literals` that some solution has, in
/// lexicographic order. The search only enters prefixes that the solver has a solution for.
///
/// # Errors
/// When the budget ends first.
pub(super) fn solutions(
    solver: &mut Solver,
    literals: &[Literal],
    visit: &mut dyn FnMut(&[bool]) -> ControlFlow<()>,
) -> Result<(), Reason> {
    if solver.solve(&[])? == Answer::Unsatisfiable {
        return Ok(());
    }
    let witness: Vec<bool> = literals.iter().map(|literal| solver.value(*literal)).collect();
    let is_open = |index: &usize| !solver.is_forced(literals[*index]);
    let open = (0..literals.len()).filter(is_open).collect();
    Walk { solver, literals, open, prefix: Vec::new(), visit }.from(witness).map(|_| ())
}

struct Walk<'a> {
    solver: &'a mut Solver,
    literals: &'a [Literal],
    /// The positions that do not have the same value in every solution.
    open: Vec<usize>,
    prefix: Vec<Literal>,
    visit: &'a mut dyn FnMut(&[bool]) -> ControlFlow<()>,
}

impl Walk<'_> {
    /// Visits every solution that extends the prefix; `witness` is one of them.
    fn from(&mut self, witness: Vec<bool>) -> Result<ControlFlow<()>, Reason> {
        let depth = self.prefix.len();
        let Some(position) = self.open.get(depth).copied() else {
            return Ok((self.visit)(&witness));
        };
        for value in [false, true] {
            let literal = self.literals[position];
            self.prefix.push(if value { literal } else { !literal });
            let known = (witness[position] == value).then(|| witness.clone());
            let extension = match known {
                Some(witness) => Some(witness),
                None => self.solution()?,
            };
            let flow = extension.map_or(Ok(ControlFlow::Continue(())), |found| self.from(found))?;
            self.prefix.truncate(depth);
            if flow.is_break() {
                return Ok(flow);
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    /// A solution that extends the prefix.
    fn solution(&mut self) -> Result<Option<Vec<bool>>, Reason> {
        Ok(match self.solver.solve(&self.prefix)? {
            Answer::Satisfiable => {
                Some(self.literals.iter().map(|literal| self.solver.value(*literal)).collect())
            }
            Answer::Unsatisfiable => None,
        })
    }
}
