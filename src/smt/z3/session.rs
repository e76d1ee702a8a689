//! A conversation with Z3: hypotheses are stated once, then one goal after another is tried.

use z3::Solver;
use z3::ast::Bool;

use super::model::counter_model;
use super::solver_call::{
    AttemptClock, FIRST, RETRIES, Z3Limits, Z3Outcome, Z3Strategy, check, configure,
};
use super::translate::Z3Language;
use crate::budget::Budget;
use crate::logic::{Declarations, Extent, Formula, FormulaKind, Node, Vocabulary};
use crate::smt::{CounterModel, Discharge, IllSorted, UnknownReason, sorting};

/// Which counter-model to return.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ModelSize {
    /// Whichever the solver finds.
    Any,
    /// One with few elements, for people to read.
    Small,
}

/// A hypothesis that is used only where it is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Supposition(usize);

/// The effort of one step towards a smaller counter-model.
const SHRINKING_EFFORT: u32 = 1_000_000;

/// Hypotheses stated to one solver.
pub struct Session<'a, V: Vocabulary> {
    pub(super) language: Z3Language<'a, V>,
    solver: Solver,
    budget: Budget,
    models: ModelSize,
    /// What every goal may use.
    assumed: Vec<Formula<V>>,
    /// What some goals may use, with the literal that switches each on.
    supposed: Vec<(Formula<V>, Bool)>,
    /// The suppositions that the last valid goal needed.
    core: Vec<Supposition>,
    /// Whether something that was stated has a quantifier over many variables.
    is_wide: bool,
}

impl<'a, V: Vocabulary> Session<'a, V> {
    /// A session without hypotheses, in which every goal gets the whole budget.
    ///
    /// [`load`](super::load) must have succeeded before, as it has within [`isolated`](super::isolated).
    pub fn new(declarations: &'a dyn Declarations<V>, budget: Budget, models: ModelSize) -> Self {
        let solver = Solver::new();
        configure(&solver, FIRST);
        // Z3 goes straight to its incremental core once a level is open.
        solver.push();
        Session {
            language: Z3Language::new(declarations),
            solver,
            budget,
            models,
            assumed: Vec::new(),
            supposed: Vec::new(),
            core: Vec::new(),
            is_wide: false,
        }
    }

    /// States a hypothesis that every goal to come may use.
    ///
    /// # Errors
    /// When the formula is ill-sorted.
    pub fn assume(&mut self, formula: &Formula<V>) -> Result<(), IllSorted> {
        let assertion = self.translate(formula)?;
        self.solver.assert(assertion);
        self.assumed.push(formula.clone());
        Ok(())
    }

    /// States a hypothesis that only those goals may use that name it.
    ///
    /// # Errors
    /// When the formula is ill-sorted.
    pub fn suppose(&mut self, formula: &Formula<V>) -> Result<Supposition, IllSorted> {
        let assertion = self.translate(formula)?;
        let switch = Bool::fresh_const("suppose");
        self.solver.assert(switch.implies(assertion));
        self.supposed.push((formula.clone(), switch));
        Ok(Supposition(self.supposed.len() - 1))
    }

    /// Makes counter-models give values to these symbols even if no formula mentions them.
    pub fn observe(&mut self, symbols: &[V::Symbol]) {
        for symbol in symbols {
            self.language.mention(*symbol);
        }
    }

    /// Whether the goal follows from what is assumed.
    ///
    /// # Errors
    /// When the goal is ill-sorted.
    pub fn prove(&mut self, goal: &Formula<V>) -> Result<Discharge<V>, IllSorted> {
        self.prove_under(&[], goal)
    }

    /// Whether the goal follows from what is assumed and these suppositions.
    ///
    /// # Errors
    /// When the goal is ill-sorted.
    pub fn prove_under(
        &mut self,
        suppositions: &[Supposition],
        goal: &Formula<V>,
    ) -> Result<Discharge<V>, IllSorted> {
        let negated = self.translate(&goal.negate())?;
        let clock = AttemptClock::start(&self.budget);
        if let Some(reason) = clock.is_over() {
            return Ok(Discharge::Unknown(reason));
        }
        let supposed = suppositions.iter().map(|supposition| &self.supposed[supposition.0]);
        let (mut facts, switches): (Vec<_>, Vec<_>) = supposed.cloned().unzip();
        facts.extend(self.assumed.iter().cloned());
        facts.push(goal.negate());
        self.core.clear();
        if self.is_wide || is_wide(goal) {
            self.core = suppositions.to_vec();
            let reason =
                UnknownReason::Incomplete("too many variables in one quantifier".to_owned());
            return Ok(self.retry(&facts, &clock, reason));
        }
        self.solver.push();
        self.solver.assert(negated);
        let first = self.judge(&self.solver, &switches, &facts, clock.share(2));
        if matches!(first, Discharge::Valid) {
            self.core = self.needed(suppositions);
        }
        self.solver.pop(1);
        Ok(match first {
            Discharge::Unknown(reason) => {
                self.core = suppositions.to_vec();
                self.retry(&facts, &clock, reason)
            }
            decided => decided,
        })
    }

    /// The suppositions that the last valid goal needed: enough of them, not always the fewest.
    pub fn core(&self) -> &[Supposition] {
        &self.core
    }

    fn needed(&self, suppositions: &[Supposition]) -> Vec<Supposition> {
        let core = self.solver.get_unsat_core();
        let is_needed = |supposition: &&Supposition| {
            core.iter().any(|switch| switch.ast_eq(&self.supposed[supposition.0].1))
        };
        suppositions.iter().filter(is_needed).copied().collect()
    }

    fn translate(&mut self, formula: &Formula<V>) -> Result<Bool, IllSorted> {
        sorting::check(self.language.declarations(), formula)?;
        self.is_wide |= is_wide(formula);
        Ok(self.language.formula(formula))
    }

    /// Checks what was asserted to the solver; `facts` are the same formulas in our own syntax.
    fn judge(
        &self,
        solver: &Solver,
        switches: &[Bool],
        facts: &[Formula<V>],
        limits: Z3Limits,
    ) -> Discharge<V> {
        match self.check(solver, switches, limits) {
            Z3Outcome::Unsatisfiable => Discharge::Valid,
            Z3Outcome::Unknown(reason) => Discharge::Unknown(reason),
            Z3Outcome::Satisfiable => match counter_model(&self.language, solver, facts) {
                Err(reason) => Discharge::Unknown(reason),
                Ok(model) => Discharge::Refuted(Box::new(match self.models {
                    ModelSize::Any => model,
                    ModelSize::Small => self.shrink(solver, switches, facts, limits, model),
                })),
            },
        }
    }

    /// Other ways to decide what the first attempt did not.
    fn retry(
        &mut self,
        facts: &[Formula<V>],
        clock: &AttemptClock,
        reason: UnknownReason,
    ) -> Discharge<V> {
        for (index, strategy) in RETRIES.iter().enumerate() {
            if let Some(reason) = clock.is_over() {
                return Discharge::Unknown(reason);
            }
            let solver = self.solver_for(facts, *strategy);
            let parts = u32::try_from(RETRIES.len() - index).expect("few strategies") + 1;
            match self.judge(&solver, &[], facts, clock.share(parts)) {
                Discharge::Unknown(_) => {}
                decided => return decided,
            }
        }
        match self.search(facts, clock) {
            Some(model) => Discharge::Refuted(Box::new(model)),
            None => Discharge::Unknown(clock.is_over().unwrap_or(reason)),
        }
    }

    pub(super) fn check(&self, solver: &Solver, switches: &[Bool], limits: Z3Limits) -> Z3Outcome {
        check(solver, switches, limits, self.budget.stop.meter())
    }

    fn solver_for(&mut self, facts: &[Formula<V>], strategy: Z3Strategy) -> Solver {
        let solver = Solver::new();
        configure(&solver, strategy);
        for fact in facts {
            solver.assert(self.language.formula(fact));
        }
        solver
    }

    /// Takes away elements of one sort after another while a counter-model remains.
    fn shrink(
        &self,
        solver: &Solver,
        switches: &[Bool],
        facts: &[Formula<V>],
        limits: Z3Limits,
        mut best: CounterModel<V>,
    ) -> CounterModel<V> {
        let effort = limits.resources.map_or(SHRINKING_EFFORT, |most| most.min(SHRINKING_EFFORT));
        let limits = Z3Limits { time: limits.time, resources: Some(effort) };
        let mut levels = 0;
        for sort in self.language.sorts.keys() {
            let Some(Extent::Elements(current)) = best.structure.extent(*sort) else { continue };
            for size in 1..current {
                let Some(few) = self.language.at_most(*sort, size) else { break };
                solver.push();
                solver.assert(few);
                if self.check(solver, switches, limits) == Z3Outcome::Satisfiable
                    && let Ok(smaller) = counter_model(&self.language, solver, facts)
                {
                    best = smaller;
                    levels += 1;
                    break;
                }
                solver.pop(1);
            }
        }
        solver.pop(levels);
        best
    }
}

/// With more variables in one quantifier than this, a solver that is asked goal after goal is not
/// used: between its checks Z3 would match patterns without any limit.
const WIDEST: usize = 12;

fn is_wide<V: Vocabulary>(formula: &Formula<V>) -> bool {
    let mut found = false;
    Node::Formula(formula).visit(&mut |node| {
        if let Node::Formula(formula) = node
            && let FormulaKind::Quantified(_, vars, _) = formula.kind()
        {
            found |= vars.len() > WIDEST;
        }
    });
    found
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::logic::{Term, Var};
    use crate::protocol::{OneState, Rigidity, Signature, Sort, StateFormula, StateTerm, Symbol};
    use crate::source::Span;

    struct Successor {
        signature: Signature,
        node: Sort,
        next: crate::protocol::SymbolId,
    }

    impl Successor {
        fn new() -> Self {
            let mut signature = Signature::default();
            let node = Sort::Declared(signature.add_sort("node".into()));
            let next = signature.add_symbol(Symbol {
                name: "next".into(),
                params: vec![node],
                result: Some(node),
                rigidity: Rigidity::Rigid,
                span: Span::default(),
            });
            Successor { signature, node, next }
        }

        fn var(&self, name: &str) -> StateTerm {
            Term::var(self.bound(name))
        }

        fn bound(&self, name: &str) -> Var<OneState> {
            Var::new(name, self.node)
        }

        fn next(&self, term: StateTerm) -> StateTerm {
            Term::apply(self.next, vec![term], self.node)
        }

        /// No two nodes have one successor.
        fn injective(&self) -> StateFormula {
            let (x, y) = (self.var("X"), self.var("Y"));
            let same = Formula::equal(self.next(x.clone()), self.next(y.clone()));
            let vars = vec![self.bound("X"), self.bound("Y")];
            Formula::forall(vars, Formula::implies(same, Formula::equal(x, y)))
        }

        /// `z` is no successor.
        fn missed(&self) -> StateFormula {
            let is_next = Formula::equal(self.next(self.var("X")), self.var("z"));
            Formula::forall(vec![self.bound("X")], is_next.negate())
        }

        /// Going round takes three steps, never one.
        fn triangle(&self) -> StateFormula {
            let x = self.var("X");
            let once = self.next(x.clone());
            let thrice = self.next(self.next(once.clone()));
            let vars = vec![self.bound("X")];
            let round = Formula::equal(thrice, x.clone());
            Formula::forall(vars, Formula::and([round, Formula::equal(once, x).negate()]))
        }

        fn retry(&self, facts: &[StateFormula]) -> Discharge<OneState> {
            let budget = Budget::of_time(Duration::from_secs(10));
            let clock = AttemptClock::start(&budget);
            crate::smt::z3::load().expect("the library of the build");
            let mut session = Session::new(&self.signature, budget.clone(), ModelSize::Any);
            session.retry(facts, &clock, UnknownReason::Incomplete("first attempt".to_owned()))
        }

        fn search(&self, facts: &[StateFormula]) -> Option<CounterModel<OneState>> {
            let budget = Budget::of_time(Duration::from_secs(10));
            let clock = AttemptClock::start(&budget);
            crate::smt::z3::load().expect("the library of the build");
            let mut session = Session::new(&self.signature, budget.clone(), ModelSize::Any);
            session.search(facts, &clock)
        }
    }

    #[test]
    fn the_search_finds_the_least_size_and_gives_up_otherwise() {
        let successor = Successor::new();
        let model = successor.search(&[successor.triangle()]).expect("three nodes in a circle");
        assert_eq!(model.structure.extent(successor.node), Some(Extent::Elements(3)));
        assert_eq!(successor.search(&[successor.injective(), successor.missed()]), None);
    }

    #[test]
    fn another_attempt_may_decide_but_never_guesses() {
        let successor = Successor::new();
        let triangle = successor.triangle();
        assert!(successor.retry(std::slice::from_ref(&triangle)).counter_model().is_some());
        assert!(successor.retry(&[triangle, successor.missed()]).is_valid());
        let infinite = successor.retry(&[successor.injective(), successor.missed()]);
        assert!(matches!(infinite, Discharge::Unknown(_)), "{infinite:?}");
    }
}
