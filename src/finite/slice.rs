//! Which symbols a question is about, by the slicing rule: what the allowed actions' guards,
//! conditions, right sides and left arguments read, and every symbol of the claims.
//!
//! A symbol that is left out is never given a value: initial states and instances are projected.

use std::collections::BTreeSet;

use super::question::{Question, Slicing};
use crate::logic::{Node, symbols};
use crate::protocol::{
    Argument, Assignment, Command, OneState, RightSide, Rigidity, StepFormula, StepSymbol, SymbolId,
};

/// The symbols of a protocol, sorted by their part in a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Slice {
    /// The mutable symbols that make up the state.
    pub(super) state: BTreeSet<SymbolId>,
    /// The rigid symbols that make up the instance.
    pub(super) rigid: BTreeSet<SymbolId>,
    /// The symbols that are left out.
    pub(super) left_out: BTreeSet<SymbolId>,
}

/// The slice that a question asks for.
pub(super) fn slice(question: &Question<'_>) -> Slice {
    let kept = match question.slicing {
        Slicing::Sliced => read_symbols(question),
        Slicing::Whole => question.protocol.signature.symbols().map(|(id, _)| id).collect(),
    };
    let mut slice =
        Slice { state: BTreeSet::new(), rigid: BTreeSet::new(), left_out: BTreeSet::new() };
    for (id, symbol) in question.protocol.signature.symbols() {
        let part = match symbol.rigidity {
            _ if !kept.contains(&id) => &mut slice.left_out,
            Rigidity::Rigid => &mut slice.rigid,
            Rigidity::Mutable => &mut slice.state,
        };
        part.insert(id);
    }
    slice
}

fn read_symbols(question: &Question<'_>) -> BTreeSet<SymbolId> {
    let mut read = BTreeSet::new();
    for claim in &question.claims {
        read.extend(claim.matrix.symbols());
    }
    for action in &question.actions {
        block(&question.protocol.actions[*action].body, &mut read);
    }
    read
}

fn block(commands: &[Command], read: &mut BTreeSet<SymbolId>) {
    for command in commands {
        match command {
            Command::Require(formula, _) => read.extend(formula.symbols()),
            Command::Assign(assignment) => assigned(assignment, read),
            Command::If(condition, then, otherwise, _) => {
                read.extend(condition.symbols());
                block(then, read);
                block(otherwise, read);
            }
            Command::Relate(_, formula, _) => read.extend(related(formula)),
        }
    }
}

fn assigned(assignment: &Assignment, read: &mut BTreeSet<SymbolId>) {
    for argument in &assignment.arguments {
        match argument {
            Argument::At(term) => read.extend(term.symbols()),
            Argument::Every(_) => {}
        }
    }
    match &assignment.value {
        RightSide::Formula(formula) => read.extend(symbols::<OneState>(Node::Formula(formula))),
        RightSide::Term(term) => read.extend(term.symbols()),
        RightSide::Havoc(_) => {}
    }
}

fn related(formula: &StepFormula) -> impl Iterator<Item = SymbolId> + use<> {
    formula.symbols().into_iter().filter_map(|symbol| match symbol {
        StepSymbol::Pre(symbol) | StepSymbol::Post(symbol) => Some(symbol),
        StepSymbol::Choice(_) => None,
    })
}
