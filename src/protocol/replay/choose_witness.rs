//! Looking for choices of an action that lead to a given state.
//!
//! A havoc of a symbol that the action writes nowhere else must pick what the state afterwards has:
//! there is nothing to search. Where the symbol is written again, that pick is tried first, and then
//! every other one.

use std::cell::RefCell;
use std::collections::BTreeMap;

use crate::logic::{Extent, Structure, Table, Value};
use crate::source::Span;

use crate::protocol::execute::{Picking, run};
use crate::protocol::{
    Choice, ChoiceValues, Command, ExecutionError, Invocation, Protocol, Sort, State, StateFormula,
    StepFormula, SymbolId, TwoStates,
};

/// Where an invocation leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReachedState {
    /// To the given state, with these choices.
    Given(ChoiceValues),
    /// To other states only; one of them.
    Other(Box<State>),
    /// It is not possible. The first condition that fails, with the choices that were
    /// tried first.
    Impossible(Option<Blocked>),
}

/// A condition that does not hold where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Blocked {
    /// A `require`, and the state in which it fails: after the statements before it.
    Require(StateFormula, Span, Box<State>),
    /// A relation between the states before and after the step, and both states.
    Relation(StepFormula, Span, Box<Structure<TwoStates>>),
}

impl Blocked {
    /// Where the condition was written.
    pub fn span(&self) -> Span {
        match self {
            Blocked::Require(_, span, _) | Blocked::Relation(_, span, _) => *span,
        }
    }
}

/// Looks for choices with which an invocation leads from one state to another; also says how many
/// were tried.
///
/// # Errors
/// When an expression has no value, or nothing is found and not everything could be tried.
pub fn execute_to(
    protocol: &Protocol,
    state: &State,
    invocation: &Invocation,
    after: &State,
    most: u64,
) -> Result<(ReachedState, u64), ExecutionError> {
    let mut writers = BTreeMap::new();
    count_writers(&protocol.actions[invocation.action].body, &mut writers);
    let goal = Goal { after, writers, tape: RefCell::default(), blocked: RefCell::default() };
    let mut other = None;
    for tried in 1..=most {
        let successors = run(protocol, state, invocation, Picking::To(&goal))?;
        for successor in successors {
            if successor.state == *after {
                return Ok((ReachedState::Given(successor.choices), tried));
            }
            other = Some(Box::new(successor.state));
        }
        let tape = &mut *goal.tape.borrow_mut();
        if !tape.advance() {
            if tape.cut_short {
                return Err(ExecutionError::IntegerChoice);
            }
            let impossible = || ReachedState::Impossible(goal.blocked.take());
            return Ok((other.map_or_else(impossible, ReachedState::Other), tried));
        }
    }
    Err(ExecutionError::TooManyChoices(usize::try_from(most).unwrap_or(usize::MAX)))
}

/// How many commands write each symbol.
fn count_writers(commands: &[Command], writers: &mut BTreeMap<SymbolId, usize>) {
    for command in commands {
        match command {
            Command::Require(..) => {}
            Command::Assign(assignment) => *writers.entry(assignment.target).or_default() += 1,
            Command::Together(assignments, _) => {
                for assignment in assignments {
                    *writers.entry(assignment.target).or_default() += 1;
                }
            }
            Command::If(_, then, otherwise, _) => {
                count_writers(then, writers);
                count_writers(otherwise, writers);
            }
            Command::Relate(targets, ..) => {
                for (symbol, _) in targets {
                    *writers.entry(*symbol).or_default() += 1;
                }
            }
        }
    }
}

/// One value that a havoc picks: where it stands among the choices, and where it is written to.
pub(crate) type Pick = (Vec<Value>, Vec<Value>);

/// The state to be reached, and what has been tried.
pub(crate) struct Goal<'a> {
    after: &'a State,
    writers: BTreeMap<SymbolId, usize>,
    tape: RefCell<Tape>,
    /// The first condition that failed.
    blocked: RefCell<Option<Blocked>>,
}

impl Goal<'_> {
    /// Keeps a condition that fails, if it is the first one.
    pub(crate) fn note(&self, blocked: impl FnOnce() -> Blocked) {
        self.blocked.borrow_mut().get_or_insert_with(blocked);
    }

    /// The table that a havoc picks in this attempt.
    pub(crate) fn table(&self, target: SymbolId, choice: &Choice, picks: &[Pick]) -> Table {
        let extents = choice.params.iter().map(|sort| self.after.extents[sort]).collect();
        let values = values(choice, self.after);
        let any = values.first().copied().unwrap_or(Value::Int(0));
        let mut table = Table::constant(extents, any);
        let tape = &mut *self.tape.borrow_mut();
        let count = if self.writers.get(&target) == Some(&1) {
            1
        } else if choice.result == Some(Sort::Int) {
            tape.cut_short = true;
            1
        } else {
            let places = u32::try_from(picks.len()).unwrap_or(u32::MAX);
            (values.len() as u128).saturating_pow(places).saturating_add(1)
        };
        let index = tape.next(count);
        let mut rest = index.saturating_sub(1);
        for (args, location) in picks {
            let value = if index == 0 {
                // What is written outside the window is never read.
                self.after.tables.get(&target).and_then(|table| table.get(location))
            } else {
                let radix = values.len().max(1) as u128;
                let digit = usize::try_from(rest % radix).ok();
                rest /= radix;
                digit.and_then(|digit| values.get(digit)).copied()
            };
            table.set(args, value.unwrap_or(any));
        }
        table
    }
}

/// The values a havoc may pick at one place; none are listed for an integer.
fn values(choice: &Choice, state: &State) -> Vec<Value> {
    match choice.result {
        None => vec![Value::Bool(false), Value::Bool(true)],
        Some(Sort::Int) => Vec::new(),
        Some(sort) => state.extents.get(&sort).map_or_else(Vec::new, |all| all.values().collect()),
    }
}

/// Which of its tables every havoc on the path picks, in the order in which they come.
#[derive(Default)]
struct Tape {
    picked: Vec<ChoicePosition>,
    at: usize,
    /// Whether some havoc has tables that are not listed.
    cut_short: bool,
}

struct ChoicePosition {
    index: u128,
    count: u128,
}

impl Tape {
    /// The pick of the next havoc, which has so many.
    fn next(&mut self, count: u128) -> u128 {
        if self.at == self.picked.len() {
            self.picked.push(ChoicePosition { index: 0, count });
        }
        self.at += 1;
        self.picked[self.at - 1].index
    }

    /// Turns to the next attempt; `false` if there is none.
    fn advance(&mut self) -> bool {
        self.at = 0;
        while let Some(last) = self.picked.last_mut() {
            last.index += 1;
            if last.index < last.count {
                return true;
            }
            self.picked.pop();
        }
        false
    }
}

/// Every place of a table, written where it stands.
pub(crate) fn everywhere(extents: &[Extent]) -> Vec<Pick> {
    crate::logic::tuples(extents).map(|args| (args.clone(), args)).collect()
}
