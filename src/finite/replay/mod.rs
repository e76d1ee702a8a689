//! Whether a trace from outside is a run, and whether it violates something.
//!
//! Every state is given; what the steps did may not be, and what their havocs picked never is. The
//! run that is found is replayed by the concrete semantics like every other trace.

mod attempts;
pub(crate) mod lift;

use super::error::EngineError;
use super::question::Claim;
use super::question::size_estimate::{MAX_WEIGHT, Scale};
use crate::logic::{EvaluationError, Value, VariableAssignment, evaluate_formula, tuples};
use crate::protocol::{
    Blocked, ExecutionError, ExternalTrace, Invocation, Protocol, Sort, State, Statement, Step,
    SymbolId, Trace,
};
use attempts::InvocationAttempt;

/// How much is evaluated before a replay gives up: symbols of formulas, quantifiers written out.
pub const EFFORT: u128 = 1 << 28;

/// How much of it goes into choices that the next state does not determine.
const SEARCH: u128 = 1 << 22;

/// The result of replaying a trace.
#[derive(Clone, Debug)]
pub struct Replayed {
    /// The run as far as there is one.
    pub run: Trace,
    /// What was checked in every state.
    pub claims: Vec<Claim>,
    /// The answer.
    pub answer: ReplayAnswer,
}

/// Whether a given trace is a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReplayAnswer {
    /// It is, and this fails in its states, in their order.
    Run(Vec<Failed>),
    /// It is not.
    NotARun(Flaw),
    /// It could not be decided.
    Unknown(Obscurity),
}

/// A claim that fails in a state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failed {
    /// How many steps lead to the state.
    pub after: usize,
    /// The position of the claim.
    pub claim: usize,
    /// The values of its variables for which it fails.
    pub values: Vec<Value>,
}

/// Why a given trace is not a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Flaw {
    /// The axiom at this position does not hold.
    Axiom(usize),
    /// The `init` line at this position does not hold in the first state.
    Initial(usize),
    /// A step changes a symbol that never changes.
    Changed(usize, SymbolId),
    /// Nothing that the step may stand for is possible; every condition that fails, once.
    Impossible(usize, Vec<Refused>),
    /// What is given of a step leads to other states, for example to this one.
    Elsewhere(usize, Invocation, Box<State>),
}

/// Invocations that the same condition makes impossible.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// The first of them.
    pub invocation: Invocation,
    /// The condition, as it fails for that one.
    pub blocked: Option<Blocked>,
    /// How many choices of its havocs were tried.
    pub choices: u64,
    /// How many invocations there are.
    pub invocations: u64,
}

/// Why it could not be decided, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Obscurity {
    /// What has no answer.
    pub what: TraceQuestion,
    /// Why.
    pub reason: ReplayFailure,
}

/// A question about a given trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TraceQuestion {
    /// Whether the axioms hold.
    Axioms,
    /// Whether the first state is initial.
    Initial,
    /// Whether this step is possible.
    Step(usize),
    /// Whether the claim at this position holds after so many steps.
    Claim(usize, usize),
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReplayFailure {
    /// An expression has no value, or choices cannot be listed.
    #[error(transparent)]
    Execution(#[from] ExecutionError),
    /// An argument that is not given is an integer.
    #[error("an argument is an integer that the trace does not give")]
    IntegerArgument,
    /// The choices of an action are too many to try.
    #[error("its havocs have too many possible choices")]
    TooManyChoices,
    /// There is too much to evaluate.
    #[error("there is too much to evaluate at this size")]
    TooMuch,
}

impl From<EvaluationError> for ReplayFailure {
    fn from(error: EvaluationError) -> Self {
        ReplayFailure::Execution(error.into())
    }
}

/// Looks for the run that a trace describes, within some effort, and for what fails in it.
///
/// # Errors
/// When two parts of the tool disagree.
pub fn replay(
    protocol: &Protocol,
    given: &ExternalTrace,
    effort: u128,
) -> Result<Replayed, EngineError> {
    let claims: Vec<Claim> = protocol.properties.iter().map(Claim::from).collect();
    let run = Trace { initial: given.initial.clone(), steps: Vec::new() };
    let mut replayer = Replayer { protocol, claims, run, effort, search: SEARCH.min(effort) };
    let answer = match replayer.answer(given) {
        Ok(answer) => answer,
        Err(obscurity) => ReplayAnswer::Unknown(obscurity),
    };
    let Replayer { claims, run, .. } = replayer;
    if matches!(answer, ReplayAnswer::Run(_)) {
        run.replay(protocol)?;
    }
    Ok(Replayed { run, claims, answer })
}

struct Replayer<'a> {
    protocol: &'a Protocol,
    claims: Vec<Claim>,
    run: Trace,
    /// How much may still be evaluated.
    effort: u128,
    /// How much may still be searched.
    search: u128,
}

impl Replayer<'_> {
    fn answer(&mut self, given: &ExternalTrace) -> Result<ReplayAnswer, Obscurity> {
        let protocol = self.protocol;
        if let Some(axiom) = self.fails(&protocol.axioms, TraceQuestion::Axioms)? {
            return Ok(ReplayAnswer::NotARun(Flaw::Axiom(axiom)));
        }
        if let Some(line) = self.fails(&protocol.init, TraceQuestion::Initial)? {
            return Ok(ReplayAnswer::NotARun(Flaw::Initial(line)));
        }
        for (number, step) in (1..).zip(&given.steps) {
            if let Some(symbol) = self.changed_rigid_symbol(&step.state) {
                return Ok(ReplayAnswer::NotARun(Flaw::Changed(number, symbol)));
            }
            let attempt = self.attempt(step);
            let attempt = attempt
                .map_err(|reason| Obscurity { what: TraceQuestion::Step(number), reason })?;
            let flaw = match attempt {
                InvocationAttempt::Made(invocation, choices) => {
                    self.run.steps.push(Step { invocation, choices, state: step.state.clone() });
                    continue;
                }
                InvocationAttempt::Impossible(refused) => Flaw::Impossible(number, refused),
                InvocationAttempt::Elsewhere(invocation, state) => {
                    Flaw::Elsewhere(number, invocation, state)
                }
            };
            return Ok(ReplayAnswer::NotARun(flaw));
        }
        self.failures()
    }

    /// Takes something from the effort that is left; nothing that is too large is begun.
    fn spend(&mut self, weight: u128) -> Result<(), ReplayFailure> {
        let left = self.effort.checked_sub(weight).filter(|_| weight <= MAX_WEIGHT);
        self.effort = left.ok_or(ReplayFailure::TooMuch)?;
        Ok(())
    }

    /// The first line that does not hold in the first state.
    fn fails(
        &mut self,
        lines: &[Statement],
        what: TraceQuestion,
    ) -> Result<Option<usize>, Obscurity> {
        for (index, line) in lines.iter().enumerate() {
            let weight = Scale { extents: &self.run.initial.extents }.statement(&line.formula);
            let holds = self.spend(weight).and_then(|()| {
                Ok(evaluate_formula(&self.run.initial, &VariableAssignment::new(), &line.formula)?)
            });
            if !holds.map_err(|reason| Obscurity { what, reason })? {
                return Ok(Some(index));
            }
        }
        Ok(None)
    }

    /// A rigid symbol that is not as in the first state.
    fn changed_rigid_symbol(&self, state: &State) -> Option<SymbolId> {
        let mut rigid = self.protocol.signature.rigid();
        rigid
            .find(|(id, _)| state.tables.get(id) != self.run.initial.tables.get(id))
            .map(|(id, _)| id)
    }

    /// Everything that fails in a state of the run. A claim without a value matters only if nothing
    /// fails.
    fn failures(&mut self) -> Result<ReplayAnswer, Obscurity> {
        let (mut failures, mut obscure) = (Vec::new(), None);
        for after in 0..=self.run.steps.len() {
            for claim in 0..self.claims.len() {
                match self.violation(after, claim) {
                    Ok(Some(values)) => failures.push(Failed { after, claim, values }),
                    Ok(None) => {}
                    Err(reason) => {
                        let what = TraceQuestion::Claim(claim, after);
                        obscure = obscure.or(Some(Obscurity { what, reason }));
                    }
                }
            }
        }
        match obscure {
            Some(obscure) if failures.is_empty() => Err(obscure),
            _ => Ok(ReplayAnswer::Run(failures)),
        }
    }

    /// The values for which a claim fails after so many steps.
    fn violation(
        &mut self,
        after: usize,
        claim: usize,
    ) -> Result<Option<Vec<Value>>, ReplayFailure> {
        let weight = Scale { extents: &self.run.initial.extents }.claim(&self.claims[claim]);
        self.spend(weight)?;
        let claim = &self.claims[claim];
        if claim.vars.iter().any(|var| var.sort == Sort::Int) {
            return Err(EvaluationError::IntegerQuantifier.into());
        }
        let state = match after.checked_sub(1) {
            Some(step) => &self.run.steps[step].state,
            None => &self.run.initial,
        };
        let extents: Vec<_> = claim.vars.iter().map(|var| state.extents[&var.sort]).collect();
        for tuple in tuples(&extents) {
            let assignment = claim.vars.iter().cloned().zip(tuple.iter().copied()).collect();
            if !evaluate_formula(state, &assignment, &claim.matrix)? {
                return Ok(Some(tuple));
            }
        }
        Ok(None)
    }
}
