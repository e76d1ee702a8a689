//! How large the symbolic meaning of an action would be, found without building it.

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
const HEAVIEST: u64 = 1 << 22;

/// How deep the meaning of an action, or of a sequence of them, may be: every statement that
/// changes a symbol once more wraps what it was before.
const DEEPEST: u64 = 600;

/// A bound on the size of an action's guard.
pub fn guard_weight(action: &Action) -> u64 {
    let mut weight = Weight::default();
    weight.act(action);
    weight.guard.size
}

/// Bounds on a formula or term.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct FormulaSize {
    size: u64,
    depth: u64,
}

impl FormulaSize {
    /// A symbol that was not assigned, a constant or a variable.
    const ONE: FormulaSize = FormulaSize { size: 1, depth: 1 };

    /// Both, below one more operator.
    fn joined(self, other: FormulaSize) -> FormulaSize {
        let size = self.size.saturating_add(other.size);
        FormulaSize { size, depth: self.depth.max(other.depth).saturating_add(1) }
    }

    /// Both, side by side below the operator that is there already.
    fn beside(self, other: FormulaSize) -> FormulaSize {
        let size = self.size.saturating_add(other.size);
        FormulaSize { size, depth: self.depth.max(other.depth) }
    }
}

/// A bound on the size and the depth of the guards and updates of actions that follow one another.
#[derive(Clone, Debug, Default)]
pub struct Weight {
    /// What a mention of a symbol stands for by now; one if it was not assigned.
    symbols: BTreeMap<SymbolId, FormulaSize>,
    guard: FormulaSize,
}

impl Weight {
    /// The action happens next.
    pub fn act(&mut self, action: &Action) {
        self.block(&action.body);
    }

    /// The action happens next if it is possible: what it changes depends on its guard.
    pub fn attempt(&mut self, action: &Action) {
        let before = self.clone();
        self.guard = FormulaSize::default();
        self.block(&action.body);
        for (symbol, measure) in &mut self.symbols {
            let otherwise = before.symbols.get(symbol).copied().unwrap_or(FormulaSize::ONE);
            *measure = measure.beside(otherwise).joined(self.guard);
        }
        self.guard = self.guard.beside(before.guard);
    }

    /// Whether it is small enough to be written down.
    pub fn is_light(&self) -> bool {
        self.total() <= HEAVIEST && self.depth() <= DEEPEST
    }

    /// The bound on the size.
    pub fn total(&self) -> u64 {
        let sizes = self.symbols.values().map(|measure| measure.size);
        sizes.fold(self.guard.size, u64::saturating_add)
    }

    /// The bound on the depth.
    pub fn depth(&self) -> u64 {
        let depths = self.symbols.values().map(|measure| measure.depth);
        depths.fold(self.guard.depth, u64::max)
    }

    fn block(&mut self, commands: &[Command]) {
        for command in commands {
            match command {
                Command::Require(formula, _) => self.requires(Node::Formula(formula)),
                Command::Assign(assignment) => {
                    let measure = self.assigned(assignment);
                    self.symbols.insert(assignment.target, measure);
                }
                Command::Together(assignments, _) => {
                    let assigned = assignments.iter();
                    let assigned = assigned.map(|assignment| {
                        let measure = self.assigned(assignment);
                        (assignment.target, measure)
                    });
                    let assigned: Vec<_> = assigned.collect();
                    self.symbols.extend(assigned);
                }
                Command::If(condition, then, otherwise, _) => {
                    self.requires(Node::Formula(condition));
                    let condition = self.measure(Node::Formula(condition));
                    self.block(then);
                    self.block(otherwise);
                    for measure in self.symbols.values_mut() {
                        *measure = measure.joined(condition);
                    }
                }
                // Its own formula speaks of both states: each may be read in either.
                Command::Relate(_, formula, _) => self.requires_step(formula),
            }
        }
    }

    fn requires(&mut self, node: Node<'_, OneState>) {
        self.guard = self.guard.beside(self.measure(node));
    }

    fn requires_step(&mut self, formula: &StepFormula) {
        let formula = translate_formula(formula, BTreeMap::new(), Either);
        self.requires(Node::Formula(&formula));
    }

    /// What the target of an assignment stands for after it.
    fn assigned(&self, assignment: &Assignment) -> FormulaSize {
        let mut matched = FormulaSize::default();
        for argument in &assignment.arguments {
            if let Argument::At(term) = argument {
                matched = matched.beside(self.measure(Node::Term(term)));
            }
        }
        let value = match &assignment.value {
            RightSide::Formula(formula) => self.measure(Node::Formula(formula)),
            RightSide::Term(term) => self.measure(Node::Term(term)),
            RightSide::Havoc(_) => FormulaSize::ONE,
        };
        let old = self.symbols.get(&assignment.target).copied().unwrap_or(FormulaSize::ONE);
        matched.beside(value).joined(old)
    }

    fn measure(&self, node: Node<'_, OneState>) -> FormulaSize {
        let below = node.children().into_iter().map(|child| self.measure(child));
        let below = below.fold(FormulaSize::default(), FormulaSize::beside);
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
        let own = symbol.and_then(|symbol| self.symbols.get(symbol)).copied();
        let own = own.unwrap_or(FormulaSize::ONE);
        // A definition may mention each of its arguments as often as it is long.
        let size = own.size.saturating_mul(below.size.saturating_add(1));
        FormulaSize { size, depth: own.depth.saturating_add(below.depth) }
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
