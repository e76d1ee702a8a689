//! Questions about induction: whether a clause holds initially, and whether an action keeps it.

use std::sync::Arc;

use crate::budget::{Budget, Stopped};
use crate::certificate::{
    Invariant, InvariantSystem, Obligation, ProductFormula, ProductNames, ProductSymbol,
    StateClause, TwoSystems, invariant_obligations,
};
use crate::logic::{Formula, Name};
use crate::protocol::StateFormula;
use crate::smt::z3::{ModelSize, Session, Supposition};
use crate::smt::{CounterModel, Discharge, IllSorted, UnknownReason};
use crate::source::Span;

/// A clause by its position among all that were ever stated.
pub(crate) type ClauseId = usize;

/// The obligations of the system without any clause: names and hypotheses.
pub(crate) struct InductionFrame {
    initiation: Obligation,
    steps: Vec<Obligation>,
    axioms: usize,
}

/// One solver for the initial states and one for each action, which know the clauses.
pub(crate) struct Induction<'a> {
    system: InvariantSystem<'a>,
    initial: Session<'a, TwoSystems>,
    steps: Vec<Session<'a, TwoSystems>>,
    axioms: usize,
    clauses: Vec<Stated>,
}

/// A clause as the solvers know it.
struct Stated {
    sketch: Sketch,
    /// For every action: the clause before the step.
    suppositions: Vec<Supposition>,
}

/// A clause for one question, which is not stated to the solvers.
pub(crate) struct Sketch {
    initially: ProductFormula,
    /// For every action: the clause before the step and after it.
    steps: Vec<(ProductFormula, ProductFormula)>,
}

/// An answer about one clause.
pub(crate) enum InductionAnswer {
    /// It is so, because of these clauses.
    Valid(Vec<ClauseId>),
    /// It is not so.
    Refuted(Box<CounterModel<TwoSystems>>),
    /// The solver does not know.
    Unknown(UnknownReason),
}

impl From<Discharge<TwoSystems>> for InductionAnswer {
    fn from(answer: Discharge<TwoSystems>) -> Self {
        match answer {
            Discharge::Valid => InductionAnswer::Valid(Vec::new()),
            Discharge::Refuted(model) => InductionAnswer::Refuted(model),
            Discharge::Unknown(reason) => InductionAnswer::Unknown(reason),
        }
    }
}

/// The obligations that every question is part of.
pub(crate) fn frame(system: InvariantSystem<'_>) -> InductionFrame {
    let mut obligations = obligations_of(system, &Formula::truth(true)).into_iter();
    let initiation = obligations.next().expect("every invariant must hold initially");
    let steps = obligations.by_ref().take(system.actions.len()).collect();
    InductionFrame { initiation, steps, axioms: system.protocol.axioms.len() }
}

fn obligations_of(system: InvariantSystem<'_>, formula: &StateFormula) -> Vec<Obligation> {
    let clause =
        StateClause { name: Name::from("clause"), formula: formula.clone(), span: Span::default() };
    invariant_obligations(system, &Invariant { clauses: vec![clause] })
}

impl<'a> Induction<'a> {
    /// Prepares the questions, unless the work has to stop before that is done.
    ///
    /// # Errors
    /// When the protocol is ill-sorted.
    pub(crate) fn new(
        system: InvariantSystem<'a>,
        frame: &'a InductionFrame,
        budget: &Budget,
    ) -> Result<Result<Self, Stopped>, IllSorted> {
        let mut initial = observing_session(&frame.initiation.names, budget);
        for hypothesis in frame.initiation.hypotheses.iter() {
            initial.assume(&hypothesis.formula)?;
        }
        let mut steps = Vec::new();
        for step in &frame.steps {
            if let Some(stopped) = budget.stop.why() {
                return Ok(Err(stopped));
            }
            let mut session = observing_session(&step.names, budget);
            for (index, hypothesis) in step.hypotheses.iter().enumerate() {
                if index != frame.axioms {
                    session.assume(&hypothesis.formula)?;
                }
            }
            steps.push(session);
        }
        Ok(Ok(Induction { system, initial, steps, axioms: frame.axioms, clauses: Vec::new() }))
    }

    /// States a clause, to be used where it is named.
    ///
    /// # Errors
    /// When the clause is ill-sorted.
    pub(crate) fn state(&mut self, clause: &StateFormula) -> Result<ClauseId, IllSorted> {
        let sketch = self.sketch(clause);
        let sessions = self.steps.iter_mut().zip(&sketch.steps);
        let suppositions = sessions.map(|(session, (before, _))| session.suppose(before));
        let suppositions = suppositions.collect::<Result<_, IllSorted>>()?;
        self.clauses.push(Stated { sketch, suppositions });
        Ok(self.clauses.len() - 1)
    }

    /// A clause to ask about.
    pub(crate) fn sketch(&self, clause: &StateFormula) -> Sketch {
        let mut obligations = obligations_of(self.system, clause).into_iter();
        let first = obligations.next().expect("every invariant must hold initially");
        let steps = obligations.take(self.steps.len()).map(|obligation| {
            let before = obligation.hypotheses[self.axioms].formula.clone();
            (before, obligation.goal)
        });
        Sketch { initially: first.goal, steps: steps.collect() }
    }

    /// Whether a clause that is not stated holds in all initial states.
    ///
    /// # Errors
    /// When the clause is ill-sorted.
    pub(crate) fn begins(&mut self, sketch: &Sketch) -> Result<bool, IllSorted> {
        Ok(self.initial.prove(&sketch.initially)?.is_valid())
    }

    /// Whether an action keeps a clause that is not stated, where all the `supposed` ones hold.
    ///
    /// # Errors
    /// When the clause is ill-sorted.
    pub(crate) fn would_keep(
        &mut self,
        action: usize,
        sketch: &Sketch,
        supposed: &[ClauseId],
    ) -> Result<InductionAnswer, IllSorted> {
        let (before, after) = &sketch.steps[action];
        if before == after {
            return Ok(InductionAnswer::Valid(Vec::new()));
        }
        let goal = Formula::implies(before.clone(), after.clone());
        let suppositions = self.suppositions(action, supposed);
        Ok(self.steps[action].prove_under(&suppositions, &goal)?.into())
    }

    fn suppositions(&self, action: usize, clauses: &[ClauseId]) -> Vec<Supposition> {
        clauses.iter().map(|id| self.clauses[*id].suppositions[action]).collect()
    }

    /// Whether a clause holds in all initial states.
    ///
    /// # Errors
    /// When the clause is ill-sorted.
    pub(crate) fn initially(&mut self, clause: ClauseId) -> Result<InductionAnswer, IllSorted> {
        Ok(self.initial.prove(&self.clauses[clause].sketch.initially)?.into())
    }

    /// Whether an action, by its position among those of the system, keeps a clause where all
    /// the `supposed` ones hold.
    ///
    /// # Errors
    /// When the clause is ill-sorted.
    pub(crate) fn keeps(
        &mut self,
        action: usize,
        clause: ClauseId,
        supposed: &[ClauseId],
    ) -> Result<InductionAnswer, IllSorted> {
        let sketch = &self.clauses[clause].sketch;
        let goal = &sketch.steps[action].1;
        if *goal == sketch.initially {
            return Ok(InductionAnswer::Valid(vec![clause]));
        }
        let suppositions = self.suppositions(action, supposed);
        let session = &mut self.steps[action];
        let answer = session.prove_under(&suppositions, goal)?;
        if !answer.is_valid() {
            return Ok(answer.into());
        }
        let core = session.core();
        let used = supposed.iter().zip(&suppositions).filter(|(_, own)| core.contains(own));
        Ok(InductionAnswer::Valid(used.map(|(id, _)| *id).collect()))
    }
}

/// A session whose counter-models give a value to every symbol of the state.
fn observing_session<'a>(names: &'a Arc<ProductNames>, budget: &Budget) -> Session<'a, TwoSystems> {
    let mut session = Session::new(&**names, budget.clone(), ModelSize::Small);
    let symbols: Vec<ProductSymbol> =
        names.signature.symbols().map(|(id, _)| ProductSymbol::Cutoff(id)).collect();
    session.observe(&symbols);
    session
}
