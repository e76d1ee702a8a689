//! What commands read and what they may change.

use std::collections::BTreeSet;

use super::{Argument, Assignment, Command, RightSide, StepSymbol, SymbolId};

/// Every symbol that commands read: in guards, conditions, right sides and left arguments.
pub fn symbols_read(commands: &[Command]) -> BTreeSet<SymbolId> {
    let mut read = BTreeSet::new();
    for command in commands {
        match command {
            Command::Require(formula, _) => read.extend(formula.symbols()),
            Command::Assign(assignment) => read.extend(read_by(assignment)),
            Command::Together(assignments, _) => read.extend(assignments.iter().flat_map(read_by)),
            Command::If(condition, then, otherwise, _) => {
                read.extend(condition.symbols());
                read.extend(symbols_read(then));
                read.extend(symbols_read(otherwise));
            }
            Command::Relate(_, formula, _) => {
                read.extend(formula.symbols().into_iter().filter_map(|symbol| match symbol {
                    StepSymbol::Pre(symbol) | StepSymbol::Post(symbol) => Some(symbol),
                    StepSymbol::Choice(_) => None,
                }));
            }
        }
    }
    read
}

/// Every symbol that commands may change.
pub fn symbols_written(commands: &[Command]) -> BTreeSet<SymbolId> {
    let mut written = BTreeSet::new();
    for command in commands {
        match command {
            Command::Require(..) => {}
            Command::Assign(assignment) => {
                written.insert(assignment.target);
            }
            Command::Together(assignments, _) => {
                written.extend(assignments.iter().map(|assignment| assignment.target));
            }
            Command::If(_, then, otherwise, _) => {
                written.extend(symbols_written(then));
                written.extend(symbols_written(otherwise));
            }
            Command::Relate(targets, _, _) => {
                written.extend(targets.iter().map(|(symbol, _)| *symbol));
            }
        }
    }
    written
}

fn read_by(assignment: &Assignment) -> BTreeSet<SymbolId> {
    let mut read = match &assignment.value {
        RightSide::Formula(formula) => formula.symbols(),
        RightSide::Term(term) => term.symbols(),
        RightSide::Havoc(_) => BTreeSet::new(),
    };
    for argument in &assignment.arguments {
        match argument {
            Argument::At(term) => read.extend(term.symbols()),
            Argument::Every(_) => {}
        }
    }
    read
}
