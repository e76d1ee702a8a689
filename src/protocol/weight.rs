//! How large the symbolic meaning of an action would be, told without building it.

use std::collections::BTreeMap;

use crate::logic::{
    Formula, FormulaKind, Node, Term, TermKind, Translation, Var, translate_formula,
};

use super::{
    Action, Argument, Assignment, Command, OneState, RightSide, Sort, StateFormula, StepFormula,
    StepSymbol, SymbolId, TwoStates,
};

/// The most that the meaning of an action, or of a sequence of them, may weigh: assignments that
/// read what they write can double it again and again.
pub const HEAVIEST: u64 = 1 << 22;

/// A bound on the size of an action's guard.
pub fn guard_weight(action: &Action) -> u64 {
    let mut weight = Weight::default();
    weight.act(action);
    weight.guard
}

/// A bound on the size of the guards and updates of actions that follow one another.
#[derive(Clone, Debug, Default)]
pub struct Weight {
    /// What a mention of a symbol stands for by now; 1 if it was not assigned.
    symbols: BTreeMap<SymbolId, u64>,
    guard: u64,
}

impl Weight {
    /// The action happens next.
    pub fn act(&mut self, action: &Action) {
        self.block(&action.body);
    }

    /// The action happens next if it is possible: what it changes depends on its guard.
    pub fn attempt(&mut self, action: &Action) {
        let before = self.clone();
        self.guard = 0;
        self.block(&action.body);
        for (symbol, size) in &mut self.symbols {
            let otherwise = before.symbols.get(symbol).copied().unwrap_or(1);
            *size = size.saturating_add(otherwise).saturating_add(self.guard);
        }
        self.guard = self.guard.saturating_add(before.guard);
    }

    /// The bound.
    pub fn total(&self) -> u64 {
        self.symbols.values().copied().fold(self.guard, u64::saturating_add)
    }

    fn block(&mut self, commands: &[Command]) {
        for command in commands {
            match command {
                Command::Require(formula, _) => self.requires(Node::Formula(formula)),
                Command::Assign(assignment) => self.assign(assignment),
                Command::If(condition, then, otherwise, _) => {
                    self.requires(Node::Formula(condition));
                    let condition = self.size(Node::Formula(condition));
                    self.block(then);
                    self.block(otherwise);
                    for size in self.symbols.values_mut() {
                        *size = size.saturating_add(condition);
                    }
                }
                // Its own formula speaks of both states: each may be read in either.
                Command::Relate(_, formula, _) => self.requires_step(formula),
            }
        }
    }

    fn requires(&mut self, node: Node<'_, OneState>) {
        self.guard = self.guard.saturating_add(self.size(node));
    }

    fn requires_step(&mut self, formula: &StepFormula) {
        let formula = translate_formula(formula, BTreeMap::new(), Either);
        self.requires(Node::Formula(&formula));
    }

    fn assign(&mut self, assignment: &Assignment) {
        let mut size = self.symbols.get(&assignment.target).copied().unwrap_or(1);
        for argument in &assignment.arguments {
            if let Argument::At(term) = argument {
                size = size.saturating_add(self.size(Node::Term(term)));
            }
        }
        size = size.saturating_add(match &assignment.value {
            RightSide::Formula(formula) => self.size(Node::Formula(formula)),
            RightSide::Term(term) => self.size(Node::Term(term)),
            RightSide::Havoc(_) => 1,
        });
        self.symbols.insert(assignment.target, size);
    }

    fn size(&self, node: Node<'_, OneState>) -> u64 {
        let below = node.children().into_iter().map(|child| self.size(child));
        let below = below.fold(0, u64::saturating_add);
        let symbol = match node {
            Node::Term(term) => match term.kind() {
                TermKind::Apply(symbol, ..) => Some(symbol),
                _ => None,
            },
            Node::Formula(formula) => match formula.kind() {
                FormulaKind::Holds(symbol, _) => Some(symbol),
                _ => None,
            },
        };
        let own = symbol.and_then(|symbol| self.symbols.get(symbol)).copied().unwrap_or(1);
        // A definition may mention each of its arguments as often as it is long.
        own.saturating_mul(below.saturating_add(1))
    }
}

/// Forgets which state a symbol is read in.
struct Either;

impl Translation<TwoStates, OneState> for Either {
    fn sort(&self, sort: Sort) -> Sort {
        sort
    }

    fn apply(&self, symbol: StepSymbol, args: Vec<Term<OneState>>, sort: Sort) -> Term<OneState> {
        match symbol {
            StepSymbol::Pre(id) | StepSymbol::Post(id) => Term::apply(id, args, sort),
            StepSymbol::Choice(_) => Term::var(Var::new("choice", sort)),
        }
    }

    fn holds(&self, symbol: StepSymbol, args: Vec<Term<OneState>>) -> StateFormula {
        match symbol {
            StepSymbol::Pre(id) | StepSymbol::Post(id) => Formula::holds(id, args),
            StepSymbol::Choice(_) => Formula::truth(true),
        }
    }
}
