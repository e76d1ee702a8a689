//! Every protocol that differs from a given one by one small change, as a text that reads back.
//!
//! Changes are made to the protocol and not to its text, so that almost all of them make sense.

use std::collections::{BTreeMap, BTreeSet};

use rmlcut::logic::{Term, Var, substitute_formula, substitute_term};
use rmlcut::pipeline::read_protocol;
use rmlcut::protocol::{
    Action, Argument, Assignment, Command, Protocol, RightSide, StateFormula, StateTerm, StateVar,
    Statement, print_protocol,
};
use rmlcut::source::SourceFile;

use crate::campaign::edits::{Kind, of_formula, of_term, without_one};

/// A protocol with one change.
#[derive(Clone)]
pub(crate) struct Mutant {
    /// What was changed.
    pub(crate) kind: Kind,
    /// The whole text.
    pub(crate) text: String,
    /// The text as a protocol.
    pub(crate) protocol: Protocol,
}

/// Every distinct mutant that the reader accepts, in a fixed order.
pub(crate) fn mutants(original: &Protocol) -> Vec<Mutant> {
    let mut seen = BTreeSet::from([print_protocol(original)]);
    let mut found = Vec::new();
    for (kind, changed) in changes(original) {
        let text = print_protocol(&changed);
        if !seen.insert(text.clone()) {
            continue;
        }
        let source = SourceFile::new(format!("{}.rml", original.name), text.as_str());
        // A change that leaves no well-sorted text, such as one without a property, is none.
        if let Ok((protocol, _)) = read_protocol(&source) {
            found.push(Mutant { kind, text, protocol });
        }
    }
    found
}

/// Every change, whether the reader accepts what it leaves or not.
pub(crate) fn changes(original: &Protocol) -> Vec<(Kind, Protocol)> {
    let mut found = Vec::new();
    let with = |change: &dyn Fn(&mut Protocol)| {
        let mut changed = original.clone();
        change(&mut changed);
        changed
    };
    for (kind, axioms) in statements("drop an axiom", &original.axioms) {
        found.push((kind, with(&|changed| changed.axioms.clone_from(&axioms))));
    }
    for (kind, init) in statements("drop an initial condition", &original.init) {
        found.push((kind, with(&|changed| changed.init.clone_from(&init))));
    }
    for (index, action) in original.actions.iter().enumerate() {
        for (kind, action) in actions(action) {
            found.push((kind, with(&|changed| changed.actions[index] = action.clone())));
        }
    }
    for (index, property) in original.properties.iter().enumerate() {
        for (_, matrix) in of_formula(&property.matrix) {
            let change = |changed: &mut Protocol| {
                let free = matrix.free_vars();
                changed.properties[index].vars.retain(|var| free.contains(var));
                changed.properties[index].matrix = matrix.clone();
            };
            found.push(("change the property", with(&change)));
        }
    }
    found
}

fn statements(dropped: Kind, lines: &[Statement]) -> Vec<(Kind, Vec<Statement>)> {
    let mut found: Vec<(Kind, Vec<Statement>)> =
        without_one(lines).into_iter().map(|fewer| (dropped, fewer)).collect();
    for (index, line) in lines.iter().enumerate() {
        for (kind, formula) in of_formula(&line.formula) {
            let mut changed = lines.to_vec();
            changed[index].formula = formula;
            found.push((kind, changed));
        }
    }
    found
}

fn actions(action: &Action) -> Vec<(Kind, Action)> {
    let with = |(kind, body)| (kind, Action { body, ..action.clone() });
    let mut found: Vec<(Kind, Action)> = blocks(&action.body).into_iter().map(with).collect();
    for (first, one) in action.params.iter().enumerate() {
        for other in action.params.iter().skip(first + 1).filter(|other| other.sort == one.sort) {
            let mut merged = action.clone();
            merged.params.retain(|param| param != other);
            let one = BTreeMap::from([(other.clone(), Term::var(one.clone()))]);
            merged.body = action.body.iter().map(|command| renamed(command, &one)).collect();
            found.push(("merge two parameters", merged));
        }
    }
    found
}

/// Every block that differs by one change.
fn blocks(body: &[Command]) -> Vec<(Kind, Vec<Command>)> {
    let mut found: Vec<(Kind, Vec<Command>)> = Vec::new();
    for (index, command) in body.iter().enumerate() {
        let mut without = body.to_vec();
        without.remove(index);
        found.push((deletion(command), without));
        let mut twice = body.to_vec();
        twice.push(command.clone());
        found.push(("repeat a statement at the end", twice));
        if index > 0 {
            let mut swapped = body.to_vec();
            swapped.swap(index - 1, index);
            found.push(("swap two statements", swapped));
        }
        for (kind, command) in commands(command) {
            let mut changed = body.to_vec();
            changed[index] = command;
            found.push((kind, changed));
        }
    }
    found
}

fn deletion(command: &Command) -> Kind {
    match command {
        Command::Require(..) => "delete a guard",
        Command::Assign(_) | Command::Together(..) | Command::Relate(..) => "delete an update",
        Command::If(..) => "delete a branch",
    }
}

fn commands(command: &Command) -> Vec<(Kind, Command)> {
    match command {
        Command::Require(formula, span) => of_formula(formula)
            .into_iter()
            .map(|(kind, formula)| (kind, Command::Require(formula, *span)))
            .collect(),
        Command::Assign(assignment) => assignments(assignment)
            .into_iter()
            .map(|(kind, assignment)| (kind, Command::Assign(assignment)))
            .collect(),
        Command::If(condition, then, otherwise, span) => {
            let with = |condition, then, otherwise| Command::If(condition, then, otherwise, *span);
            let conditions = of_formula(condition)
                .into_iter()
                .map(|(kind, condition)| (kind, with(condition, then.clone(), otherwise.clone())));
            let thens = blocks(then)
                .into_iter()
                .map(|(kind, then)| (kind, with(condition.clone(), then, otherwise.clone())));
            let others = blocks(otherwise)
                .into_iter()
                .map(|(kind, otherwise)| (kind, with(condition.clone(), then.clone(), otherwise)));
            conditions.chain(thens).chain(others).collect()
        }
        Command::Together(parts, span) => {
            let mut found = Vec::new();
            for index in 0..parts.len() {
                for (kind, changed) in assignments(&parts[index]) {
                    let mut parts = parts.clone();
                    parts[index] = changed;
                    found.push((kind, Command::Together(parts, *span)));
                }
            }
            let one_by_one = parts.iter().cloned().map(Command::Assign).collect();
            let always = StateFormula::truth(true);
            let in_turn = Command::If(always, one_by_one, Vec::new(), *span);
            found.push(("assign one after the other", in_turn));
            found
        }
        // No protocol text has one.
        Command::Relate(..) => Vec::new(),
    }
}

fn assignments(assignment: &Assignment) -> Vec<(Kind, Assignment)> {
    let mut found = Vec::new();
    for (index, argument) in assignment.arguments.iter().enumerate() {
        let Argument::At(term) = argument else { continue };
        let mut widened = assignment.clone();
        // The reader numbers the stars.
        widened.arguments[index] = Argument::Every(Var::new("*1", term.sort()));
        found.push(("widen a pattern", widened));
    }
    for (left, right) in pairs(assignment.arguments.len()) {
        let mut swapped = assignment.clone();
        swapped.arguments.swap(left, right);
        found.push(("swap two arguments", swapped));
    }
    match &assignment.value {
        RightSide::Formula(formula) => {
            for (kind, formula) in of_formula(formula) {
                found.push((kind, with_value(assignment, RightSide::Formula(formula))));
            }
        }
        RightSide::Term(term) => {
            for (kind, term) in of_term(term) {
                found.push((kind, with_value(assignment, RightSide::Term(term))));
            }
        }
        RightSide::Havoc(_) => {}
    }
    found
}

fn with_value(assignment: &Assignment, value: RightSide) -> Assignment {
    Assignment { value, ..assignment.clone() }
}

fn pairs(count: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..count).flat_map(move |left| (left + 1..count).map(move |right| (left, right)))
}

fn renamed(command: &Command, to: &BTreeMap<StateVar, StateTerm>) -> Command {
    let block = |commands: &[Command]| commands.iter().map(|inner| renamed(inner, to)).collect();
    match command {
        Command::Require(formula, span) => Command::Require(substitute_formula(formula, to), *span),
        Command::If(condition, then, otherwise, span) => {
            Command::If(substitute_formula(condition, to), block(then), block(otherwise), *span)
        }
        Command::Assign(assignment) => Command::Assign(renamed_assignment(assignment, to)),
        Command::Together(parts, span) => {
            let parts = parts.iter().map(|part| renamed_assignment(part, to)).collect();
            Command::Together(parts, *span)
        }
        Command::Relate(..) => command.clone(),
    }
}

fn renamed_assignment(assignment: &Assignment, to: &BTreeMap<StateVar, StateTerm>) -> Assignment {
    let argument = |argument: &Argument| match argument {
        Argument::At(term) => Argument::At(substitute_term(term, to)),
        Argument::Every(var) => Argument::Every(var.clone()),
    };
    let value = match &assignment.value {
        RightSide::Formula(formula) => RightSide::Formula(substitute_formula(formula, to)),
        RightSide::Term(term) => RightSide::Term(substitute_term(term, to)),
        RightSide::Havoc(choice) => RightSide::Havoc(*choice),
    };
    let arguments = assignment.arguments.iter().map(argument).collect();
    Assignment { arguments, value, ..assignment.clone() }
}
