//! Obligations that share their hypotheses, each group with a solver that knows these.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::budget::Budget;
use crate::certificate::{
    HypothesisOrigin, Obligation, ObligationKind, ProductFormula, ProductSymbol, TwoSystems,
};
use crate::logic::evaluate_formula;
use crate::smt::z3::{ModelSize, Session, Supposition};
use crate::smt::{CounterModel, IllSorted};

use super::strengthen::Breaker;
use super::walks::LargeWalk;

/// What proofs work with.
pub(in crate::synthesis) struct Means<'a> {
    /// What candidates are tried on first.
    pub(in crate::synthesis) walks: &'a [LargeWalk],
    /// What one question may cost.
    pub(in crate::synthesis) budget: Budget,
}

impl Means<'_> {
    /// Whether it is time to give up.
    pub(in crate::synthesis) fn is_over(&self) -> bool {
        self.budget.stop.is_set()
    }
}

/// An answer, unless something is ill-sorted.
pub(in crate::synthesis) type GroupAnswer<T> = Result<T, IllSorted>;

/// Obligations with the same hypotheses, and the session that knows them.
pub(in crate::synthesis) struct SessionGroup<'a> {
    pub(in crate::synthesis) session: Session<'a, TwoSystems>,
    /// The clauses of γ among the hypotheses.
    supposed: Vec<(usize, Supposition)>,
    /// What is to be shown: of which clause, if it is about one.
    pub(in crate::synthesis) goals: Vec<(Option<usize>, &'a Obligation)>,
}

/// All obligations of a case, group by group.
pub(in crate::synthesis) fn grouped<'a>(
    obligations: &'a [Obligation],
    budget: &Budget,
) -> Vec<SessionGroup<'a>> {
    let same =
        |left: &&Obligation, right: &&Obligation| Arc::ptr_eq(&left.hypotheses, &right.hypotheses);
    let all: Vec<&'a Obligation> = obligations.iter().collect();
    all.chunk_by(same).filter_map(|run| SessionGroup::new(run, budget)).collect()
}

impl<'a> SessionGroup<'a> {
    fn new(run: &[&'a Obligation], budget: &Budget) -> Option<Self> {
        let first: &'a Obligation = run.first()?;
        let mut session = Session::new(&*first.names, budget.clone(), ModelSize::Any);
        let mut supposed = Vec::new();
        for hypothesis in first.hypotheses.iter() {
            match hypothesis.origin {
                HypothesisOrigin::Gamma(clause) => {
                    supposed.push((clause, session.suppose(&hypothesis.formula).ok()?));
                }
                HypothesisOrigin::Axiom | HypothesisOrigin::Other => {
                    session.assume(&hypothesis.formula).ok()?
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
        Some(SessionGroup { session, supposed, goals })
    }

    /// The title of an obligation that no clause can help and that is not valid: the axioms and
    /// the initial condition of `C`.
    pub(in crate::synthesis) fn not_an_instance(&mut self) -> GroupAnswer<Option<String>> {
        for (clause, obligation) in &self.goals {
            let bare = matches!(
                obligation.kind,
                ObligationKind::Rigid { .. } | ObligationKind::StartInit { .. }
            );
            if clause.is_none() && bare && !self.session.prove(&obligation.goal)?.is_valid() {
                return Ok(Some(obligation.kind.to_string()));
            }
        }
        Ok(None)
    }

    /// The obligation about a clause.
    pub(in crate::synthesis) fn goal_of(&self, clause: usize) -> Option<&'a Obligation> {
        let own = self.goals.iter().find(|(of, _)| *of == Some(clause));
        own.map(|(_, obligation)| *obligation)
    }

    /// What is to be shown of the clauses that are left.
    pub(in crate::synthesis) fn open_goals(
        &self,
        alive: &BTreeSet<usize>,
    ) -> Vec<(usize, ProductFormula)> {
        let open = self.goals.iter().filter_map(|(clause, obligation)| {
            let clause = clause.filter(|clause| alive.contains(clause))?;
            Some((clause, obligation.goal.clone()))
        });
        open.collect()
    }

    /// What must hold for the moves of `C` to be possible.
    pub(in crate::synthesis) fn moves(&self) -> impl Iterator<Item = ProductFormula> {
        let is_move = |kind: &ObligationKind| matches!(kind, ObligationKind::Enabled { .. });
        let moves = self.goals.iter().filter(move |(_, own)| is_move(&own.kind));
        moves.map(|(_, obligation)| obligation.goal.clone())
    }

    /// The clauses that are left, as hypotheses.
    pub(in crate::synthesis) fn suppositions(&self, alive: &BTreeSet<usize>) -> Vec<Supposition> {
        let alive = self.supposed.iter().filter(|(clause, _)| alive.contains(clause));
        alive.map(|(_, supposition)| *supposition).collect()
    }

    /// The clauses that the last valid goal needed.
    pub(in crate::synthesis) fn core(&self) -> BTreeSet<usize> {
        let used = self.session.core();
        let clauses = self.supposed.iter().filter(|(_, supposition)| used.contains(supposition));
        clauses.map(|(clause, _)| *clause).collect()
    }

    /// The obligation that the violation is carried over, if this is its group.
    pub(in crate::synthesis) fn safety(&self) -> Option<&'a Obligation> {
        let mut goals = self.goals.iter().map(|(_, obligation)| *obligation);
        goals.find(|obligation| matches!(obligation.kind, ObligationKind::Safety { .. }))
    }

    /// What breaks a clause whose goal in this group does not hold.
    pub(in crate::synthesis) fn breaker(&self) -> Breaker {
        let step = self.goals.iter().find_map(|(_, obligation)| match &obligation.kind {
            ObligationKind::Keeps { action, .. } => Some(action.clone()),
            _ => None,
        });
        step.map_or(Breaker::Start, Breaker::Step)
    }

    /// Whether it is about a step.
    pub(in crate::synthesis) fn is_step(&self) -> bool {
        let mut kinds = self.goals.iter().map(|(_, obligation)| &obligation.kind);
        kinds.any(|kind| matches!(kind, ObligationKind::Keeps { .. }))
    }
}

/// The clauses whose goals are false in a counter-model.
pub(in crate::synthesis) fn falsified(
    model: &CounterModel<TwoSystems>,
    goals: &[(usize, ProductFormula)],
) -> Vec<usize> {
    let is_false = |goal: &ProductFormula| {
        matches!(evaluate_formula(&model.structure, &model.assignment, goal), Ok(false))
    };
    goals.iter().filter(|(_, goal)| is_false(goal)).map(|(clause, _)| *clause).collect()
}

/// What is known of the parameters of a case from the start.
pub(in crate::synthesis) fn fixed_facts(obligations: &[Obligation]) -> Vec<ProductFormula> {
    let is_start =
        |obligation: &&Obligation| matches!(obligation.kind, ObligationKind::StartGamma { .. });
    let hypotheses = obligations.iter().find(is_start).into_iter();
    let hypotheses = hypotheses.flat_map(|obligation| obligation.hypotheses.iter());
    let is_param = |symbol: ProductSymbol| matches!(symbol, ProductSymbol::Param(_));
    let about = hypotheses.filter(|known| known.formula.symbols().into_iter().any(is_param));
    about.map(|known| known.formula.clone()).collect()
}
