//! Formulas about two states and simultaneous assignments as single assignments, for languages
//! that have neither: what changes is copied, becomes anything, and must then be related to its
//! copy as the formula says; what is read after it was written is read from its copy.
//!
//! The copies are new symbols. Nothing reads them but the statement itself, so what the protocol
//! does with its own symbols is the same.

use std::collections::{BTreeMap, BTreeSet};

use crate::logic::{
    Formula, Name, Term, Translation, Var, fresh_name, translate_formula, translate_term,
};
use crate::protocol::{
    Action, Argument, Assignment, ChoiceId, Command, OneState, Protocol, RightSide, Rigidity,
    Signature, Sort, StateFormula, StateTerm, StepFormula, StepSymbol, Symbol, SymbolId, TwoStates,
    symbols_read,
};

/// The same protocol without formulas about two states and simultaneous assignments.
pub fn without_relations(protocol: &Protocol) -> Protocol {
    let mut result = protocol.clone();
    let mut copies = CopiedSymbols { signature: result.signature.clone(), of: BTreeMap::new() };
    for action in &mut result.actions {
        let body = std::mem::take(&mut action.body);
        action.body = copies.block(&body, action);
    }
    result.signature = copies.signature;
    result
}

struct CopiedSymbols {
    signature: Signature,
    of: BTreeMap<SymbolId, SymbolId>,
}

impl CopiedSymbols {
    fn block(&mut self, commands: &[Command], action: &Action) -> Vec<Command> {
        commands.iter().flat_map(|command| self.command(command, action)).collect()
    }

    fn command(&mut self, command: &Command, action: &Action) -> Vec<Command> {
        match command {
            Command::Require(..) | Command::Assign(_) => vec![command.clone()],
            Command::Together(assignments, _) => self.one_by_one(assignments),
            Command::If(condition, then, otherwise, span) => vec![Command::If(
                condition.clone(),
                self.block(then, action),
                self.block(otherwise, action),
                *span,
            )],
            Command::Relate(targets, formula, span) => {
                let mut commands = Vec::new();
                for (symbol, _) in targets {
                    let copy = self.copy(*symbol);
                    let value = self.everywhere(*symbol);
                    commands.push(self.assign(copy, value, *span));
                }
                for (symbol, choice) in targets {
                    commands.push(self.assign(*symbol, RightSide::Havoc(*choice), *span));
                }
                let related = self.related(targets, formula);
                commands.push(Command::Require(related, *span));
                commands
            }
        }
    }

    /// Simultaneous assignments one after the other: what an earlier one writes and a later one
    /// reads is copied first.
    fn one_by_one(&mut self, assignments: &[Assignment]) -> Vec<Command> {
        let mut written: Vec<SymbolId> = Vec::new();
        let (mut before, mut commands) = (Vec::new(), Vec::new());
        let mut copied = BTreeSet::new();
        for assignment in assignments {
            let single = Command::Assign(assignment.clone());
            let read = symbols_read(std::slice::from_ref(&single));
            let stale: Vec<SymbolId> =
                written.iter().copied().filter(|symbol| read.contains(symbol)).collect();
            for symbol in &stale {
                let copy = self.copy(*symbol);
                if copied.insert(*symbol) {
                    before.push(self.assign(copy, self.everywhere(*symbol), assignment.span));
                }
            }
            commands.push(Command::Assign(self.reading_copies(assignment, &stale)));
            written.push(assignment.target);
        }
        before.extend(commands);
        before
    }

    /// The assignment with copies in place of some symbols that it reads.
    fn reading_copies(&self, assignment: &Assignment, stale: &[SymbolId]) -> Assignment {
        let copies = || BeforeWrites { copies: &self.of, stale };
        let term = |term: &StateTerm| translate_term(term, BTreeMap::new(), copies());
        let arguments = assignment.arguments.iter().map(|argument| match argument {
            Argument::At(place) => Argument::At(term(place)),
            Argument::Every(var) => Argument::Every(var.clone()),
        });
        let value = match &assignment.value {
            RightSide::Formula(formula) => {
                RightSide::Formula(translate_formula(formula, BTreeMap::new(), copies()))
            }
            RightSide::Term(value) => RightSide::Term(term(value)),
            RightSide::Havoc(choice) => RightSide::Havoc(*choice),
        };
        Assignment { arguments: arguments.collect(), value, ..assignment.clone() }
    }

    fn copy(&mut self, symbol: SymbolId) -> SymbolId {
        if let Some(copy) = self.of.get(&symbol) {
            return *copy;
        }
        let declared = self.signature.symbol(symbol).clone();
        let wish = Name::from(format!("{}_before", declared.name));
        let name = fresh_name(&wish, |name| self.signature.declares(name));
        let copy = Symbol { name, rigidity: Rigidity::Mutable, ..declared };
        let copy = self.signature.add_symbol(copy);
        self.of.insert(symbol, copy);
        copy
    }

    fn vars(&self, symbol: SymbolId) -> Vec<Var<OneState>> {
        let params = &self.signature.symbol(symbol).params;
        let named = params.iter().enumerate();
        named.map(|(index, sort)| Var::new(format!("X{}", index + 1), *sort)).collect()
    }

    fn everywhere(&self, symbol: SymbolId) -> RightSide {
        let args: Vec<StateTerm> = self.vars(symbol).into_iter().map(Term::var).collect();
        match self.signature.symbol(symbol).result {
            None => RightSide::Formula(Formula::holds(symbol, args)),
            Some(sort) => RightSide::Term(Term::apply(symbol, args, sort)),
        }
    }

    fn assign(&self, target: SymbolId, value: RightSide, span: crate::source::Span) -> Command {
        let arguments = self.vars(target).into_iter().map(Argument::Every).collect();
        Command::Assign(Assignment { target, arguments, value, span })
    }

    fn related(&self, targets: &[(SymbolId, ChoiceId)], formula: &StepFormula) -> StateFormula {
        let targets: Vec<SymbolId> = targets.iter().map(|(symbol, _)| *symbol).collect();
        translate_formula(
            formula,
            BTreeMap::new(),
            AfterStep { copies: &self.of, targets: &targets },
        )
    }
}

/// Reads a formula about two states after the step: the state before is in the copies.
struct AfterStep<'a> {
    copies: &'a BTreeMap<SymbolId, SymbolId>,
    targets: &'a [SymbolId],
}

impl AfterStep<'_> {
    fn symbol(&self, symbol: StepSymbol) -> SymbolId {
        match symbol {
            StepSymbol::Pre(symbol) if self.targets.contains(&symbol) => self.copies[&symbol],
            StepSymbol::Pre(symbol) | StepSymbol::Post(symbol) => symbol,
            StepSymbol::Choice(_) => unreachable!("a formula of the text names no choice"),
        }
    }
}

impl Translation<TwoStates, OneState> for AfterStep<'_> {
    fn sort(&self, sort: Sort) -> Sort {
        sort
    }

    fn apply(&self, symbol: StepSymbol, args: Vec<StateTerm>, sort: Sort) -> StateTerm {
        Term::apply(self.symbol(symbol), args, sort)
    }

    fn holds(&self, symbol: StepSymbol, args: Vec<StateTerm>) -> StateFormula {
        Formula::holds(self.symbol(symbol), args)
    }
}

/// Reads the copies of symbols that were written already.
struct BeforeWrites<'a> {
    copies: &'a BTreeMap<SymbolId, SymbolId>,
    stale: &'a [SymbolId],
}

impl BeforeWrites<'_> {
    fn symbol(&self, symbol: SymbolId) -> SymbolId {
        if self.stale.contains(&symbol) { self.copies[&symbol] } else { symbol }
    }
}

impl Translation<OneState, OneState> for BeforeWrites<'_> {
    fn sort(&self, sort: Sort) -> Sort {
        sort
    }

    fn apply(&self, symbol: SymbolId, args: Vec<StateTerm>, sort: Sort) -> StateTerm {
        Term::apply(self.symbol(symbol), args, sort)
    }

    fn holds(&self, symbol: SymbolId, args: Vec<StateTerm>) -> StateFormula {
        Formula::holds(self.symbol(symbol), args)
    }
}
