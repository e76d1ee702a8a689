//! Executing an action against its transition formula, on the states that a protocol reaches.

use rmlcut::finite::reachable;
use rmlcut::logic::{
    EvaluationError, Extent, Structure, Table, Value, VariableAssignment, evaluate_formula,
};
use rmlcut::protocol::{
    ChoiceId, ChoiceValues, Invocation, Protocol, State, StepSymbol, StepVar, Trace, TwoStates,
    successors, transition,
};

use crate::agreement::dice::Dice;
use crate::campaign::truth::{Limits, question};

/// How many states of an instance are looked at.
const STATES: usize = 4;

/// Every step of a run satisfies the transition formula of its action.
pub(crate) fn steps_agree(protocol: &Protocol, trace: &Trace) -> Result<(), String> {
    let mut before = &trace.initial;
    for step in &trace.steps {
        let allowed = allows(protocol, before, &step.invocation, &step.choices, &step.state)?;
        if allowed == Some(false) {
            return Err("a step of a run does not satisfy its transition formula".to_owned());
        }
        before = &step.state;
    }
    Ok(())
}

/// Whether the transition formula holds of two states with the choices made between; unknown where
/// it is about a function of all integers.
fn allows(
    protocol: &Protocol,
    before: &State,
    invocation: &Invocation,
    choices: &ChoiceValues,
    after: &State,
) -> Result<Option<bool>, String> {
    let action = &protocol.actions[invocation.action];
    let mut both = Structure::<TwoStates>::new(before.extents.clone());
    for (symbol, table) in &before.tables {
        both.tables.insert(StepSymbol::Pre(*symbol), table.clone());
    }
    for (symbol, table) in &after.tables {
        both.tables.insert(StepSymbol::Post(*symbol), table.clone());
    }
    for (index, choice) in action.choices.iter().enumerate() {
        let id = ChoiceId(u32::try_from(index).expect("few choices"));
        let extents: Vec<Extent> = choice.params.iter().map(|sort| before.extents[sort]).collect();
        // A choice off the executed path has no value; any will do.
        let blank = choice.result.map_or(Value::Bool(false), |sort| before.extents[&sort].value(0));
        let table = choices.get(&id).cloned();
        let table = table.unwrap_or_else(|| Table::constant(extents, blank));
        both.tables.insert(StepSymbol::Choice(id), table);
    }
    let args = action.params.iter().zip(&invocation.args);
    let assignment: VariableAssignment<TwoStates> =
        args.map(|(param, value)| (StepVar::new(param.name.clone(), param.sort), *value)).collect();
    match evaluate_formula(&both, &assignment, &transition(protocol, action)) {
        Ok(truth) => Ok(Some(truth)),
        Err(EvaluationError::IntegerQuantifier) => Ok(None),
        Err(error) => Err(format!("a transition formula has no value: {error}")),
    }
}

/// Execution and the formula agree about some reachable states of a size and their successors:
/// those found are allowed, and none with one change is unless it is found as well.
pub(crate) fn meanings_agree(
    protocol: &Protocol,
    size: &rmlcut::protocol::Size,
    limits: Limits,
    dice: &mut Dice,
) -> Result<usize, String> {
    let question = question(protocol, size.clone());
    let Ok(Ok(found)) = reachable(&question, &limits.budget(1)) else { return Ok(0) };
    let mut compared = 0;
    for instance in found.instances.iter().take(3) {
        let states: Vec<State> = instance.states().take(50).collect();
        for _ in 0..STATES.min(states.len()) {
            let state = dice.pick(&states).clone();
            for action in 0..protocol.actions.len() {
                compared += compare(protocol, &state, action, dice)?;
            }
        }
    }
    Ok(compared)
}

fn compare(
    protocol: &Protocol,
    state: &State,
    action: usize,
    dice: &mut Dice,
) -> Result<usize, String> {
    let Ok(found) = successors(protocol, state, action) else { return Ok(0) };
    for (invocation, successor) in found.iter().take(6) {
        let choices = &successor.choices;
        let Some(allowed) = allows(protocol, state, invocation, choices, &successor.state)? else {
            return Ok(0);
        };
        if !allowed {
            return Err("execution does what the transition formula does not allow".to_owned());
        }
        let changed = with_one_change(protocol, &successor.state, dice);
        if changed != successor.state
            && allows(protocol, state, invocation, choices, &changed)? == Some(true)
        {
            return Err("the transition formula allows what execution does not".to_owned());
        }
    }
    Ok(found.len().min(6))
}

/// The state with another value at one place of one mutable symbol, unless the dice say the same.
fn with_one_change(protocol: &Protocol, state: &State, dice: &mut Dice) -> State {
    let mutable: Vec<_> = protocol.signature.mutable().collect();
    let mut changed = state.clone();
    if mutable.is_empty() {
        return changed;
    }
    let (id, symbol) = *dice.pick(&mutable);
    let table = changed.tables.get_mut(&id).expect("every symbol has a table");
    let places: Vec<Vec<Value>> = table.entries().map(|(place, _)| place).collect();
    let value = match symbol.result {
        None => Value::Bool(dice.chance(50)),
        Some(sort) => state.extents[&sort].value(dice.below(state.extents[&sort].len())),
    };
    let place: &Vec<Value> = dice.pick(&places);
    table.set(place, value);
    changed
}
