//! Formulas about two states as statements, for languages that have none: what changes is copied,
//! becomes anything, and must then be related to its copy as the formula says.
//!
//! The copies are new symbols. Nothing reads them but the statement itself, so what the protocol
//! does with its own symbols is the same.

use std::collections::BTreeMap;

use crate::logic::{Formula, Name, Term, Translation, Var, fresh_name, translate_formula};
use crate::protocol::{
    Action, Argument, Assignment, ChoiceId, Command, OneState, Protocol, RightSide, Rigidity,
    Signature, Sort, StateFormula, StateTerm, StepFormula, StepSymbol, Symbol, SymbolId, TwoStates,
};

/// The same protocol without formulas about two states.
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

    fn copy(&mut self, symbol: SymbolId) -> SymbolId {
        if let Some(copy) = self.of.get(&symbol) {
            return *copy;
        }
        let declared = self.signature.symbol(symbol).clone();
        let wish = Name::from(format!("{}_before", declared.name));
        let taken = |name: &Name| {
            self.signature.find_symbol(name).is_some() || self.signature.find_sort(name).is_some()
        };
        let name = fresh_name(&wish, taken);
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
