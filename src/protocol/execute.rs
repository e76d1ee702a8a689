//! The concrete meaning of an action: from a state and an invocation to the successor states.
//!
//! Written independently of `transition`; a property test holds the two against each other.

use std::collections::BTreeMap;

use crate::logic::{
    EvaluationError, Extent, Structure, Table, Value, VariableAssignment as Valuation,
    evaluate_formula, evaluate_term, tuples,
};

use super::replay::choose_witness::{Blocked, Goal, Pick, everywhere};
use super::{
    Action, Argument, Assignment, ChoiceId, Command, OneState, Protocol, RightSide, Sort, State,
    StepSymbol, SymbolId, TwoStates,
};

/// An action with its arguments.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Invocation {
    /// The position of the action in the protocol.
    pub action: usize,
    /// One value for each parameter.
    pub args: Vec<Value>,
}

/// What the havocs on the executed path picked.
pub type ChoiceValues = BTreeMap<ChoiceId, Table>;

/// A successor state and the choices that led to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SuccessorState {
    /// What was picked.
    pub choices: ChoiceValues,
    /// The state after.
    pub state: State,
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ExecutionError {
    /// An expression has no value here.
    #[error(transparent)]
    Evaluation(#[from] EvaluationError),
    /// A havoc has too many possible choices to list them.
    #[error("a havoc has more than {0} possible choices")]
    TooManyChoices(usize),
    /// A havoc over ℤ cannot be listed.
    #[error("a havoc picks an integer: its choices cannot be listed")]
    IntegerChoice,
}

/// The most choices that are listed: of a single havoc, and of all that happen in a row.
const MAX_CHOICES: usize = 1 << 20;

fn refuse_too_many(threads: &[SuccessorState]) -> Result<(), ExecutionError> {
    match threads.len() > MAX_CHOICES {
        true => Err(ExecutionError::TooManyChoices(MAX_CHOICES)),
        false => Ok(()),
    }
}

/// Every successor of a state under one invocation.
///
/// # Errors
/// When an expression has no value or the choices cannot be listed.
pub fn execute(
    protocol: &Protocol,
    state: &State,
    invocation: &Invocation,
) -> Result<Vec<SuccessorState>, ExecutionError> {
    run(protocol, state, invocation, Picking::All)
}

/// The successor of a state under one invocation with given choices; `None` if the action is not
/// possible.
///
/// # Errors
/// When an expression has no value or a choice on the path is not given.
pub fn execute_with(
    protocol: &Protocol,
    state: &State,
    invocation: &Invocation,
    choices: &ChoiceValues,
) -> Result<Option<State>, ExecutionError> {
    let successors = run(protocol, state, invocation, Picking::Given(choices))?;
    Ok(successors.into_iter().next().map(|successor| successor.state))
}

/// Every invocation of an action that is possible in a state, with its successors.
///
/// # Errors
/// As for [`execute`].
pub fn successors(
    protocol: &Protocol,
    state: &State,
    action: usize,
) -> Result<Vec<(Invocation, SuccessorState)>, ExecutionError> {
    let params = &protocol.actions[action].params;
    let extents: Vec<Extent> = params.iter().map(|param| state.extents[&param.sort]).collect();
    let mut all = Vec::new();
    for args in tuples(&extents) {
        let invocation = Invocation { action, args };
        for successor in execute(protocol, state, &invocation)? {
            all.push((invocation.clone(), successor));
        }
    }
    Ok(all)
}

/// Which tables the havocs pick.
#[derive(Clone, Copy)]
pub(super) enum Picking<'a> {
    /// Every one.
    All,
    /// These.
    Given(&'a ChoiceValues),
    /// One at a time, such that a given state may be reached.
    To(&'a Goal<'a>),
}

pub(super) fn run(
    protocol: &Protocol,
    state: &State,
    invocation: &Invocation,
    picking: Picking<'_>,
) -> Result<Vec<SuccessorState>, ExecutionError> {
    let action = &protocol.actions[invocation.action];
    let valuation = action.params.iter().cloned().zip(invocation.args.iter().copied()).collect();
    let interpreter = Interpreter { action, valuation, picking };
    let start = SuccessorState { choices: BTreeMap::new(), state: state.clone() };
    interpreter.block(&action.body, vec![start])
}

struct Interpreter<'a> {
    action: &'a Action,
    valuation: Valuation<OneState>,
    picking: Picking<'a>,
}

type Threads = Result<Vec<SuccessorState>, ExecutionError>;

/// A match of a left side: the pattern variables' values, and the arguments written to.
type Location = (Valuation<OneState>, Vec<Value>);

impl Interpreter<'_> {
    fn block(&self, commands: &[Command], mut threads: Vec<SuccessorState>) -> Threads {
        for command in commands {
            let mut next = Vec::new();
            for thread in threads {
                next.extend(self.command(command, thread)?);
                refuse_too_many(&next)?;
            }
            threads = next;
        }
        Ok(threads)
    }

    fn command(&self, command: &Command, thread: SuccessorState) -> Threads {
        match command {
            Command::Require(formula, span) => {
                if evaluate_formula(&thread.state, &self.valuation, formula)? {
                    return Ok(vec![thread]);
                }
                self.note(|| Blocked::Require(formula.clone(), *span, Box::new(thread.state)));
                Ok(Vec::new())
            }
            Command::Assign(assignment) => match &assignment.value {
                RightSide::Havoc(choice) => self.havoc(assignment, *choice, thread),
                RightSide::Formula(_) | RightSide::Term(_) => {
                    Ok(vec![self.assign(assignment, thread)?])
                }
            },
            Command::Together(assignments, _) => {
                let SuccessorState { choices, state } = thread;
                let mut after = state.clone();
                for assignment in assignments {
                    self.write(assignment, &state, &choices, &mut after)?;
                }
                Ok(vec![SuccessorState { choices, state: after }])
            }
            Command::If(condition, then, otherwise, _) => {
                let holds = evaluate_formula(&thread.state, &self.valuation, condition)?;
                self.block(if holds { then } else { otherwise }, vec![thread])
            }
            Command::Relate(targets, formula, span) => {
                let mut threads = vec![thread.clone()];
                for (symbol, choice) in targets {
                    let mut next = Vec::new();
                    for thread in threads {
                        let picks = |extents: &[Extent]| Ok(everywhere(extents));
                        for table in self.pick(*choice, *symbol, &thread.state, picks)? {
                            let mut thread = thread.clone();
                            thread.state.tables.insert(*symbol, table.clone());
                            thread.choices.insert(*choice, table);
                            next.push(thread);
                        }
                        refuse_too_many(&next)?;
                    }
                    threads = next;
                }
                let before = thread.state;
                let mut kept = Vec::new();
                for thread in threads {
                    let both = two_states(&before, &thread.state);
                    if related(&both, &self.valuation, formula)? {
                        kept.push(thread);
                    } else {
                        self.note(|| Blocked::Relation(formula.clone(), *span, Box::new(both)));
                    }
                }
                Ok(kept)
            }
        }
    }

    /// Keeps the first condition that fails, where a way to a given state is looked for.
    fn note(&self, blocked: impl FnOnce() -> Blocked) {
        if let Picking::To(goal) = self.picking {
            goal.note(blocked);
        }
    }

    fn assign(
        &self,
        assignment: &Assignment,
        thread: SuccessorState,
    ) -> Result<SuccessorState, ExecutionError> {
        let SuccessorState { choices, state } = thread;
        let mut after = state.clone();
        self.write(assignment, &state, &choices, &mut after)?;
        Ok(SuccessorState { choices, state: after })
    }

    /// Writes to `after` what an assignment reads in `before`.
    fn write(
        &self,
        assignment: &Assignment,
        before: &State,
        choices: &ChoiceValues,
        after: &mut State,
    ) -> Result<(), ExecutionError> {
        for (valuation, location) in self.locations(assignment, before)? {
            let value = match &assignment.value {
                RightSide::Formula(formula) => {
                    Value::Bool(evaluate_formula(before, &valuation, formula)?)
                }
                RightSide::Term(term) => evaluate_term(before, &valuation, term)?,
                RightSide::Havoc(choice) => {
                    let picked = choices.get(choice);
                    let picked =
                        picked.ok_or_else(|| EvaluationError::Missing("a choice".to_owned()))?;
                    let vars = assignment.pattern_vars();
                    let args: Vec<Value> = vars.iter().map(|var| valuation[var]).collect();
                    picked.get(&args).ok_or(EvaluationError::OutsideWindow)?
                }
            };
            if let Some(table) = after.tables.get_mut(&assignment.target) {
                table.set(&location, value);
            }
        }
        Ok(())
    }

    fn havoc(&self, assignment: &Assignment, choice: ChoiceId, thread: SuccessorState) -> Threads {
        let mut all = Vec::new();
        let picks = |_: &[Extent]| self.picks(assignment, &thread.state);
        for table in self.pick(choice, assignment.target, &thread.state, picks)? {
            let mut thread = thread.clone();
            thread.choices.insert(choice, table);
            all.push(self.assign(assignment, thread)?);
        }
        Ok(all)
    }

    /// Every match of the left side: the pattern variables' values and the location.
    fn locations(
        &self,
        assignment: &Assignment,
        state: &State,
    ) -> Result<Vec<Location>, ExecutionError> {
        let vars = assignment.pattern_vars();
        let extents: Vec<Extent> = vars.iter().map(|var| state.extents[&var.sort]).collect();
        let mut all = Vec::new();
        for tuple in tuples(&extents) {
            let mut valuation = self.valuation.clone();
            valuation.extend(vars.iter().cloned().zip(tuple));
            let location = assignment.arguments.iter().map(|argument| match argument {
                Argument::At(term) => evaluate_term(state, &self.valuation, term),
                Argument::Every(var) => Ok(valuation[var]),
            });
            let location = location.collect::<Result<Vec<_>, _>>()?;
            all.push((valuation, location));
        }
        Ok(all)
    }

    /// Every match of the left side: the pattern variables' values in the order of the choice, and
    /// the location.
    fn picks(&self, assignment: &Assignment, state: &State) -> Result<Vec<Pick>, ExecutionError> {
        let vars = assignment.pattern_vars();
        let args =
            |valuation: &Valuation<OneState>| vars.iter().map(|var| valuation[var]).collect();
        let locations = self.locations(assignment, state)?.into_iter();
        Ok(locations.map(|(valuation, location)| (args(&valuation), location)).collect())
    }

    /// The tables a havoc of a symbol may pick.
    fn pick(
        &self,
        choice: ChoiceId,
        target: SymbolId,
        state: &State,
        picks: impl Fn(&[Extent]) -> Result<Vec<Pick>, ExecutionError>,
    ) -> Result<Vec<Table>, ExecutionError> {
        let rank = &self.action.choices[choice.0 as usize];
        let extents: Vec<Extent> = rank.params.iter().map(|sort| state.extents[sort]).collect();
        match self.picking {
            Picking::All => {}
            Picking::Given(given) => {
                let table = given.get(&choice);
                let table = table.ok_or_else(|| EvaluationError::Missing("a choice".to_owned()))?;
                return Ok(vec![table.clone()]);
            }
            Picking::To(goal) => return Ok(vec![goal.table(target, rank, &picks(&extents)?)]),
        }
        let values: Vec<Value> = match rank.result {
            None => vec![Value::Bool(false), Value::Bool(true)],
            Some(Sort::Int) => return Err(ExecutionError::IntegerChoice),
            Some(sort) => state.extents[&sort].values().collect(),
        };
        all_tables(&extents, &values)
    }
}

fn all_tables(extents: &[Extent], values: &[Value]) -> Result<Vec<Table>, ExecutionError> {
    let mut tables = vec![Table::constant(extents.to_vec(), values[0])];
    for location in tuples(extents) {
        if tables.len() * values.len() > MAX_CHOICES {
            return Err(ExecutionError::TooManyChoices(MAX_CHOICES));
        }
        let vary = |table: Table| {
            values.iter().map({
                let location = location.clone();
                move |value| {
                    let mut table = table.clone();
                    table.set(&location, *value);
                    table
                }
            })
        };
        tables = tables.into_iter().flat_map(vary).collect();
    }
    Ok(tables)
}

/// The states before and after a step as one structure.
fn two_states(before: &State, after: &State) -> Structure<TwoStates> {
    let mut both = Structure::new(before.extents.clone());
    for (symbol, table) in &before.tables {
        both.tables.insert(StepSymbol::Pre(*symbol), table.clone());
    }
    for (symbol, table) in &after.tables {
        both.tables.insert(StepSymbol::Post(*symbol), table.clone());
    }
    both
}

/// Whether a two-state formula holds between two states.
fn related(
    both: &Structure<TwoStates>,
    valuation: &Valuation<OneState>,
    formula: &super::StepFormula,
) -> Result<bool, ExecutionError> {
    let valuation = valuation
        .iter()
        .map(|(var, value)| (super::StepVar::new(var.name.clone(), var.sort), *value))
        .collect();
    Ok(evaluate_formula(both, &valuation, formula)?)
}
