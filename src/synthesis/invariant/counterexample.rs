//! Counterexamples to induction as states of the protocol.

use crate::certificate::{InvariantSystem, ProductSort, ProductSymbol, TwoSystems};
use crate::logic::{Name, Structure, Value, Var, VariableAssignment, evaluate_formula};
use crate::protocol::{
    ChoiceValues, Invocation, OneState, Protocol, Sort, State, StateFormula, StateVar, Step, Trace,
    execute_with,
};
use crate::smt::CounterModel;
use crate::synthesis::model_state::blank_cutoff;

/// When a clause fails.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InductionMoment {
    /// In an initial state.
    Initially(State),
    /// After a step from a state in which all clauses hold.
    After {
        /// The state before.
        before: State,
        /// What happens.
        invocation: Invocation,
        /// The state after, where it could be computed.
        after: Option<State>,
    },
}

/// A clause that fails, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counterexample {
    /// The clause.
    pub clause: Name,
    /// Where it fails.
    pub moment: InductionMoment,
}

/// The initial state that a model shows.
pub(crate) fn initial_moment(
    system: InvariantSystem<'_>,
    model: &CounterModel<TwoSystems>,
) -> InductionMoment {
    InductionMoment::Initially(state(system, &model.structure))
}

/// The step that a model shows.
pub(crate) fn step_moment(
    system: InvariantSystem<'_>,
    action: usize,
    model: &CounterModel<TwoSystems>,
) -> InductionMoment {
    let before = state(system, &model.structure);
    let (invocation, choices) = invocation(system.protocol, action, model);
    let after = execute_with(system.protocol, &before, &invocation, &choices).ok().flatten();
    InductionMoment::After { before, invocation, after }
}

/// The run of a protocol that a model shows: a first state, and a step if there is an action.
/// `None` if that step cannot be made from there.
pub fn model_run(
    system: InvariantSystem<'_>,
    action: Option<usize>,
    model: &CounterModel<TwoSystems>,
) -> Option<Trace> {
    let initial = state(system, &model.structure);
    let mut steps = Vec::new();
    if let Some(action) = action {
        let (invocation, choices) = invocation(system.protocol, action, model);
        let state = execute_with(system.protocol, &initial, &invocation, &choices).ok()??;
        steps.push(Step { invocation, choices, state });
    }
    Some(Trace { initial, steps })
}

/// The invocation that a model shows, and what its havocs pick.
fn invocation(
    protocol: &Protocol,
    action: usize,
    model: &CounterModel<TwoSystems>,
) -> (Invocation, ChoiceValues) {
    let params = protocol.actions[action].params.iter();
    let args = params.map(|param| {
        let value = |sort| model.assignment.get(&Var::new(param.name.clone(), sort));
        let found = match param.sort {
            Sort::Declared(id) => {
                value(ProductSort::Cutoff(id)).or_else(|| value(ProductSort::Large(id)))
            }
            Sort::Int => value(ProductSort::Int),
        };
        found.copied().unwrap_or(match param.sort {
            Sort::Declared(_) => Value::Element(0),
            Sort::Int => Value::Int(0),
        })
    });
    let invocation = Invocation { action, args: args.collect() };
    let choices: ChoiceValues = model
        .structure
        .tables
        .iter()
        .filter_map(|(symbol, table)| match symbol {
            ProductSymbol::CutoffChoice(id) => Some((*id, table.clone())),
            _ => None,
        })
        .collect();
    (invocation, choices)
}

/// A model of the system alone as a state.
fn state(system: InvariantSystem<'_>, structure: &Structure<TwoSystems>) -> State {
    let mut state = blank_cutoff(&system.protocol.signature, structure);
    for (symbol, table) in &structure.tables {
        if let ProductSymbol::Cutoff(id) = symbol {
            state.tables.insert(*id, table.clone());
        }
    }
    state
}

/// Whether a clause is false in a state, as far as that can be evaluated.
pub(crate) fn is_false(system: InvariantSystem<'_>, state: &State, clause: &StateFormula) -> bool {
    let mut named: VariableAssignment<OneState> = VariableAssignment::new();
    for cut in system.cut {
        for (index, element) in cut.elements.iter().enumerate() {
            let var: StateVar = Var::new(element.clone(), Sort::Declared(cut.sort));
            let index = u32::try_from(index).expect("few named elements");
            named.insert(var, Value::Element(index));
        }
    }
    matches!(evaluate_formula(state, &named, clause), Ok(false))
}
