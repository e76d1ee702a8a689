//! Traces of an instance, and their replay by the concrete semantics.

use crate::logic::{EvaluationError, Value, VariableAssignment, evaluate_formula};

use crate::protocol::{
    ChoiceValues, ExecutionError, Invocation, OneState, Property, Protocol, State, execute_with,
};

/// One step of a trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// What was done.
    pub invocation: Invocation,
    /// What its havocs picked.
    pub choices: ChoiceValues,
    /// The state after.
    pub state: State,
}

/// A run of one instance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trace {
    /// The first state; it also holds the rigid symbols.
    pub initial: State,
    /// What followed.
    pub steps: Vec<Step>,
}

/// Why a trace is not a run of the protocol.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReplayError {
    /// The instance violates an axiom.
    #[error("the instance does not satisfy the axioms")]
    Axiom,
    /// The first state is not initial.
    #[error("the first state does not satisfy the initial condition")]
    Initial,
    /// A step's action is not possible.
    #[error("step {0} is not possible")]
    Impossible(usize),
    /// A step leads elsewhere.
    #[error("step {0} leads to another state")]
    Elsewhere(usize),
    /// Something has no value.
    #[error(transparent)]
    Execution(#[from] ExecutionError),
}

impl From<EvaluationError> for ReplayError {
    fn from(error: EvaluationError) -> Self {
        ReplayError::Execution(error.into())
    }
}

impl Trace {
    /// The last state.
    pub fn last(&self) -> &State {
        self.steps.last().map_or(&self.initial, |step| &step.state)
    }

    /// Executes the trace from its first state and compares every state.
    ///
    /// # Errors
    /// When this is not a run of the protocol.
    pub fn replay(&self, protocol: &Protocol) -> Result<(), ReplayError> {
        let nothing = VariableAssignment::new();
        if !evaluate_formula(&self.initial, &nothing, &protocol.axiom())? {
            return Err(ReplayError::Axiom);
        }
        if !evaluate_formula(&self.initial, &nothing, &protocol.initial())? {
            return Err(ReplayError::Initial);
        }
        let mut current = &self.initial;
        for (index, step) in self.steps.iter().enumerate() {
            let next = execute_with(protocol, current, &step.invocation, &step.choices)?;
            let next = next.ok_or(ReplayError::Impossible(index + 1))?;
            if next != step.state {
                return Err(ReplayError::Elsewhere(index + 1));
            }
            current = &step.state;
        }
        Ok(())
    }

    /// Whether this is a run of the protocol at whose end a property fails.
    pub fn violates(&self, protocol: &Protocol, property: &Property) -> bool {
        self.replay(protocol).is_ok() && matches!(self.violation(property), Ok(Some(_)))
    }

    /// The elements for which a property fails in the last state; `None` if it holds.
    ///
    /// # Errors
    /// When the property has no value there.
    pub fn violation(&self, property: &Property) -> Result<Option<Vec<Value>>, EvaluationError> {
        violation(self.last(), property)
    }
}

/// The first elements for which a property fails in a state; `None` if it holds.
fn violation(state: &State, property: &Property) -> Result<Option<Vec<Value>>, EvaluationError> {
    let mut extents = Vec::new();
    for var in &property.vars {
        if var.sort == crate::protocol::Sort::Int {
            return Err(EvaluationError::IntegerQuantifier);
        }
        extents.push(state.extents[&var.sort]);
    }
    for tuple in crate::logic::tuples(&extents) {
        let assignment: VariableAssignment<OneState> =
            property.vars.iter().cloned().zip(tuple.iter().copied()).collect();
        if !evaluate_formula(state, &assignment, &property.matrix)? {
            return Ok(Some(tuple));
        }
    }
    Ok(None)
}
