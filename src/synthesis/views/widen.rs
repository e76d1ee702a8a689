//! The loop: a step that breaks a clause asks for a clause that excludes the state before it, or, if
//! that state consists of views, makes the state after it a source of more views.

use crate::budget::{Budget, Stop};
use crate::certificate::{Invariant, InvariantSystem};
use crate::protocol::{Protocol, StateFormula};
use crate::smt::z3::isolated;
use crate::smt::{IllSorted, ProverError};
use crate::synthesis::invariant::{
    CandidateClauses, InductionAnswer, InductionMoment, frame, goals, initial_moment, step_moment,
};

use super::collect::Views;

/// An invariant made of views.
#[derive(Clone, Debug)]
pub struct ViewProof {
    /// The invariant.
    pub invariant: Invariant,
    /// How many pairs were seen or had to be allowed.
    pub pairs: usize,
    /// The size of the largest instance that was looked at to the end.
    pub size: u32,
    /// How many states had to be allowed that no small instance showed.
    pub widened: usize,
}

/// Why views give no invariant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoViews {
    /// The protocol has functions, several sorts, or too many relations.
    Shape,
    /// What three elements look like does not exclude a violation.
    TooWide,
    /// The solver did not answer, or the time was up.
    Undecided,
}

/// One of so many parts of the time is for looking at instances.
const COLLECTING: u32 = 4;

/// Searches for an invariant over views from which all properties follow; some clauses may help.
///
/// # Errors
/// When the protocol is ill-sorted, or the solver cannot be used.
pub fn prove_by_views(
    protocol: &Protocol,
    known: &[StateFormula],
    budget: &Budget,
) -> Result<Result<ViewProof, NoViews>, ProverError> {
    with_widening(protocol, budget, |widening| widening.run(known, &budget.stop))
}

/// Whether all of these clauses are part of an invariant over views.
///
/// # Errors
/// When the protocol is ill-sorted, or the solver cannot be used.
pub fn hold_by_views(
    protocol: &Protocol,
    clauses: &[StateFormula],
    budget: &Budget,
) -> Result<bool, ProverError> {
    let found = with_widening(protocol, budget, |mut widening| {
        let closed = widening.close(clauses, &budget.stop)?;
        let holds = |clause: usize| widening.clauses.entries[clause].alive;
        Ok(closed.map(|own| own.into_iter().all(holds)))
    });
    found.map(|found| found == Ok(true))
}

/// Collects the views of small instances, and widens them.
fn with_widening<T: Send + Sync>(
    protocol: &Protocol,
    budget: &Budget,
    widen: impl FnOnce(Widening<'_>) -> Widened<T> + Send + Sync,
) -> Result<Result<T, NoViews>, ProverError> {
    let (Some(mut views), Some(sort)) = (Views::of(protocol), protocol.signature.sorts().next())
    else {
        return Ok(Err(NoViews::Shape));
    };
    views.collect(protocol, sort, &budget.stop.share(1, COLLECTING));
    let actions: Vec<usize> = (0..protocol.actions.len()).collect();
    let system = InvariantSystem::of_protocol(protocol, &actions);
    let frame = frame(system);
    let found = isolated(&budget.stop, || {
        Ok::<_, IllSorted>(match CandidateClauses::new(system, &frame, budget)? {
            Err(_) => Err(NoViews::Undecided),
            Ok(clauses) => widen(Widening { system, clauses, views, widened: 0 })?,
        })
    })??;
    Ok(found)
}

struct Widening<'a> {
    system: InvariantSystem<'a>,
    clauses: CandidateClauses<'a>,
    views: Views,
    widened: usize,
}

type Widened<T> = Result<Result<T, NoViews>, IllSorted>;

impl Widening<'_> {
    fn run(mut self, known: &[StateFormula], stop: &Stop) -> Widened<ViewProof> {
        if let Err(why) = self.close(known, stop)? {
            return Ok(Err(why));
        }
        self.clauses.minimise(&stop.share(1, 2))?;
        Ok(Ok(ViewProof {
            invariant: self.clauses.invariant(),
            pairs: self.views.seen[1].len(),
            size: self.views.size,
            widened: self.widened,
        }))
    }

    /// Widens until nothing else can occur; the positions of the clauses that may help.
    fn close(&mut self, known: &[StateFormula], stop: &Stop) -> Widened<Vec<usize>> {
        for (name, formula) in goals(self.system) {
            let property = self.clauses.state(&formula, Some(name))?;
            if !matches!(self.clauses.induction.initially(property)?, InductionAnswer::Valid(_)) {
                return Ok(Err(NoViews::Undecided));
            }
        }
        let mut helping = Vec::new();
        for formula in known {
            let clause = self.clauses.state(formula, None)?;
            helping.push(clause);
            if !matches!(self.clauses.induction.initially(clause)?, InductionAnswer::Valid(_)) {
                self.clauses.drop_clause(clause);
            }
        }
        while let Some((clause, action)) = self.clauses.open_question() {
            if stop.is_set() {
                return Ok(Err(NoViews::Undecided));
            }
            match self.clauses.ask(clause, action)? {
                InductionAnswer::Valid(_) => {}
                InductionAnswer::Unknown(_) => return Ok(Err(NoViews::Undecided)),
                InductionAnswer::Refuted(model) => {
                    let moment = step_moment(self.system, self.system.actions[action], &model);
                    if let Err(why) = self.learn(moment)? {
                        return Ok(Err(why));
                    }
                }
            }
        }
        Ok(Ok(helping))
    }

    /// Excludes the state before a step, or allows the state after it.
    fn learn(&mut self, moment: InductionMoment) -> Widened<()> {
        let InductionMoment::After { before, after, .. } = moment else {
            return Ok(Err(NoViews::Undecided));
        };
        if let Some((width, view)) = self.views.unseen(&before) {
            return self.admit(width, view);
        }
        let Some(after) = after else { return Ok(Err(NoViews::Undecided)) };
        self.views.add(&after);
        self.widened += 1;
        let alive = self.clauses.alive().into_iter();
        let lost: Vec<_> = alive.filter(|clause| self.clauses.fails(&after, *clause)).collect();
        if lost.is_empty() {
            return Ok(Err(NoViews::Undecided));
        }
        if lost.iter().any(|clause| self.clauses.entries[*clause].property.is_some()) {
            return Ok(Err(NoViews::TooWide));
        }
        lost.into_iter().for_each(|clause| self.clauses.drop_clause(clause));
        Ok(Ok(()))
    }

    /// Adds a clause that excludes a combination; an initial state that has it is a view.
    fn admit(&mut self, width: usize, view: u128) -> Widened<()> {
        let clause = self.clauses.state(&self.views.clause(width, view), None)?;
        match self.clauses.induction.initially(clause)? {
            InductionAnswer::Valid(_) => return Ok(Ok(())),
            InductionAnswer::Unknown(_) => return Ok(Err(NoViews::Undecided)),
            InductionAnswer::Refuted(model) => {
                self.clauses.drop_clause(clause);
                if let InductionMoment::Initially(state) = initial_moment(self.system, &model) {
                    self.views.add(&state);
                    self.widened += 1;
                }
            }
        }
        Ok(Ok(()))
    }
}
