//! Obligations that share their hypotheses, each group with a solver that knows these.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::budget::Budget;
use crate::certificate::{
    HypothesisOrigin, Obligation, ObligationKind, ProductFormula, TwoSystems,
};
use crate::logic::evaluate_formula;
use crate::smt::z3::{ModelSize, Session, Supposition};
use crate::smt::{CounterModel, IllSorted};

use super::failure::{Breaker, PlanFailure};

/// An answer, unless something is ill-sorted.
pub(crate) type GroupAnswer<T> = Result<T, IllSorted>;

/// Obligations with the same hypotheses, and the session that knows them.
pub(crate) struct SessionGroup<'a> {
    pub(crate) session: Session<'a, TwoSystems>,
    /// The clauses of γ among the hypotheses.
    supposed: Vec<(usize, Supposition)>,
    /// What is to be shown: of which clause, if it is about one.
    pub(crate) goals: Vec<(Option<usize>, &'a Obligation)>,
}

/// All obligations of a case, group by group.
pub(crate) fn grouped<'a>(
    obligations: &'a [Obligation],
    budget: &Budget,
) -> GroupAnswer<Vec<SessionGroup<'a>>> {
    let same =
        |left: &&Obligation, right: &&Obligation| Arc::ptr_eq(&left.hypotheses, &right.hypotheses);
    let all: Vec<&'a Obligation> = obligations.iter().collect();
    all.chunk_by(same).map(|run| SessionGroup::new(run, budget)).collect()
}

impl<'a> SessionGroup<'a> {
    fn new(run: &[&'a Obligation], budget: &Budget) -> GroupAnswer<Self> {
        let first: &'a Obligation = run[0];
        let mut session = Session::new(&*first.names, budget.clone(), ModelSize::Any);
        let mut supposed = Vec::new();
        for hypothesis in first.hypotheses.iter() {
            match hypothesis.origin {
                HypothesisOrigin::Gamma(clause) => {
                    supposed.push((clause, session.suppose(&hypothesis.formula)?));
                }
                HypothesisOrigin::Axiom | HypothesisOrigin::Other => {
                    session.assume(&hypothesis.formula)?;
                }
            }
        }
        let mut goals: Vec<(Option<usize>, &'a Obligation)> = Vec::new();
        let mut next = 0;
        for obligation in run {
            // The obligations about clauses come in the order of the clauses.
            let clause = match obligation.kind {
                ObligationKind::StartGamma { .. } | ObligationKind::Keeps { .. } => {
                    next += 1;
                    Some(next - 1)
                }
                _ => None,
            };
            goals.push((clause, obligation));
        }
        Ok(SessionGroup { session, supposed, goals })
    }

    /// Why `C` is no instance of the protocol, if an axiom or an initial condition fails: no clause
    /// can help with those.
    pub(crate) fn instance_failure(&mut self) -> GroupAnswer<Option<PlanFailure>> {
        for (_, obligation) in &self.goals {
            let failure = match &obligation.kind {
                ObligationKind::Rigid { axiom } => PlanFailure::AxiomFails(axiom.clone()),
                ObligationKind::StartInit { init } => PlanFailure::NotInitial(init.clone()),
                _ => continue,
            };
            if !self.session.prove(&obligation.goal)?.is_valid() {
                return Ok(Some(failure));
            }
        }
        Ok(None)
    }

    /// The obligation about a clause.
    pub(crate) fn goal_of(&self, clause: usize) -> Option<&'a Obligation> {
        let own = self.goals.iter().find(|(of, _)| *of == Some(clause));
        own.map(|(_, obligation)| *obligation)
    }

    /// What is to be shown of the clauses that are left.
    pub(crate) fn open_goals(&self, alive: &BTreeSet<usize>) -> Vec<(usize, ProductFormula)> {
        let open = self.goals.iter().filter_map(|(clause, obligation)| {
            let clause = clause.filter(|clause| alive.contains(clause))?;
            Some((clause, obligation.goal.clone()))
        });
        open.collect()
    }

    /// What must hold for the moves of `C` to be possible.
    pub(crate) fn moves(&self) -> impl Iterator<Item = ProductFormula> {
        let is_move = |kind: &ObligationKind| matches!(kind, ObligationKind::Enabled { .. });
        let moves = self.goals.iter().filter(move |(_, own)| is_move(&own.kind));
        moves.map(|(_, obligation)| obligation.goal.clone())
    }

    /// The clauses that are left, as hypotheses.
    pub(crate) fn suppositions(&self, alive: &BTreeSet<usize>) -> Vec<Supposition> {
        let alive = self.supposed.iter().filter(|(clause, _)| alive.contains(clause));
        alive.map(|(_, supposition)| *supposition).collect()
    }

    /// The clauses that the last valid goal needed.
    pub(crate) fn core(&self) -> BTreeSet<usize> {
        let used = self.session.core();
        let clauses = self.supposed.iter().filter(|(_, supposition)| used.contains(supposition));
        clauses.map(|(clause, _)| *clause).collect()
    }

    /// The obligation that the violation is carried over, if this is its group.
    pub(crate) fn safety(&self) -> Option<&'a Obligation> {
        let mut goals = self.goals.iter().map(|(_, obligation)| *obligation);
        goals.find(|obligation| matches!(obligation.kind, ObligationKind::Safety { .. }))
    }

    /// What breaks a clause whose goal in this group does not hold.
    pub(crate) fn breaker(&self) -> Breaker {
        let step = self.goals.iter().find_map(|(_, obligation)| match &obligation.kind {
            ObligationKind::Keeps { action, .. } => Some(action.clone()),
            _ => None,
        });
        step.map_or(Breaker::Start, Breaker::Step)
    }

    /// Whether it is about a step.
    pub(crate) fn is_step(&self) -> bool {
        let mut kinds = self.goals.iter().map(|(_, obligation)| &obligation.kind);
        kinds.any(|kind| matches!(kind, ObligationKind::Keeps { .. }))
    }
}

/// The clauses whose goals are false in a counter-model.
pub(crate) fn falsified(
    model: &CounterModel<TwoSystems>,
    goals: &[(usize, ProductFormula)],
) -> Vec<usize> {
    let is_false = |goal: &ProductFormula| {
        matches!(evaluate_formula(&model.structure, &model.assignment, goal), Ok(false))
    };
    goals.iter().filter(|(_, goal)| is_false(goal)).map(|(clause, _)| *clause).collect()
}
