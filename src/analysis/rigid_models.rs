//! A search for small finite models of rigid formulas, by lazy assignment and three-valued truth.
//!
//! For heuristics only: it answers within a budget, and knows nothing of integers.

use std::collections::BTreeMap;

use crate::logic::{FormulaKind, Quantifier, TermKind};
use crate::protocol::{
    Signature, Size, Sort, StateFormula, StateTerm, StateVar, SymbolId, element_count,
};

/// The outcome of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ModelAnswer {
    /// There is a model.
    Model,
    /// There is none.
    NoModel,
    /// The budget ran out, or something is outside what can be searched.
    Unknown,
}

/// A formula with values for its free variables.
#[derive(Clone, Debug)]
pub(super) struct Constraint {
    /// The formula.
    pub(super) formula: StateFormula,
    /// The elements its free variables stand for.
    pub(super) scope: ModelScope,
}

/// Values of variables.
pub(super) type ModelScope = BTreeMap<StateVar, u32>;

/// Looks for an interpretation of the given size that satisfies all constraints, trying at most
/// `budget` assignments.
pub(super) fn find_model(
    signature: &Signature,
    size: &Size,
    constraints: Vec<Constraint>,
    budget: usize,
) -> ModelAnswer {
    let mut search = ModelSearch { signature, size, cells: BTreeMap::new(), budget };
    let mut instances = Vec::new();
    for constraint in constraints {
        if search.instances(constraint, &mut instances).is_none() {
            return ModelAnswer::Unknown;
        }
    }
    search.solve(&instances)
}

/// A symbol at arguments.
type ModelCell = (SymbolId, Vec<u32>);

/// A value that may depend on a cell that has none yet.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Partial<T> {
    Known(T),
    Open(ModelCell),
    /// Integers, or a sort without a size.
    Beyond,
}

struct ModelSearch<'a> {
    signature: &'a Signature,
    /// The numbers of elements of the sorts that take part.
    size: &'a Size,
    cells: BTreeMap<ModelCell, u32>,
    budget: usize,
}

impl ModelSearch<'_> {
    /// Splits universal constraints into instances, so that they fail one by one.
    fn instances(&self, constraint: Constraint, instances: &mut Vec<Constraint>) -> Option<()> {
        let Constraint { formula, scope } = constraint;
        match formula.kind() {
            FormulaKind::And(parts) => {
                for part in parts {
                    let part = Constraint { formula: part.clone(), scope: scope.clone() };
                    self.instances(part, instances)?;
                }
            }
            FormulaKind::Quantified(Quantifier::Forall, vars, body) => {
                for scope in self.scopes(&scope, vars)? {
                    self.instances(Constraint { formula: body.clone(), scope }, instances)?;
                }
            }
            _ => instances.push(Constraint { formula, scope }),
        }
        Some(())
    }

    /// The scope extended by every choice of values for the variables.
    fn scopes(&self, scope: &ModelScope, vars: &[StateVar]) -> Option<Vec<ModelScope>> {
        let mut scopes = vec![scope.clone()];
        for var in vars {
            let size = self.element_count(var.sort)?;
            let extend = |scope: ModelScope| {
                (0..size).map(move |value| {
                    let mut scope = scope.clone();
                    scope.insert(var.clone(), value);
                    scope
                })
            };
            scopes = scopes.into_iter().flat_map(extend).collect();
        }
        Some(scopes)
    }

    /// How many elements a sort has, if it takes part.
    fn element_count(&self, sort: Sort) -> Option<u32> {
        match sort {
            Sort::Declared(sort) => element_count(self.signature, self.size, sort),
            Sort::Int => None,
        }
    }

    /// Assigns the first open cell of a constraint that is not decided yet, and so on.
    fn solve(&mut self, constraints: &[Constraint]) -> ModelAnswer {
        let mut undecided = Vec::new();
        let mut open = None;
        for constraint in constraints {
            match self.formula(&constraint.formula, &constraint.scope) {
                Partial::Known(true) => {}
                Partial::Known(false) => return ModelAnswer::NoModel,
                Partial::Beyond => return ModelAnswer::Unknown,
                Partial::Open(cell) => {
                    undecided.push(constraint.clone());
                    open.get_or_insert(cell);
                }
            }
        }
        match open {
            None => ModelAnswer::Model,
            Some(cell) => self.branch(&cell, &undecided),
        }
    }

    fn branch(&mut self, cell: &ModelCell, constraints: &[Constraint]) -> ModelAnswer {
        let values = match self.signature.symbol(cell.0).result {
            None => Some(2),
            Some(sort) => self.element_count(sort),
        };
        let Some(values) = values else { return ModelAnswer::Unknown };
        for value in 0..values {
            if self.budget == 0 {
                return ModelAnswer::Unknown;
            }
            self.budget -= 1;
            self.cells.insert(cell.clone(), value);
            let answer = self.solve(constraints);
            self.cells.remove(cell);
            if answer != ModelAnswer::NoModel {
                return answer;
            }
        }
        ModelAnswer::NoModel
    }

    fn lookup(&self, symbol: SymbolId, args: &[StateTerm], scope: &ModelScope) -> Partial<u32> {
        let mut values = Vec::new();
        for arg in args {
            match self.term(arg, scope) {
                Partial::Known(value) => values.push(value),
                other @ (Partial::Open(_) | Partial::Beyond) => return other,
            }
        }
        let cell = (symbol, values);
        match self.cells.get(&cell) {
            Some(value) => Partial::Known(*value),
            None => Partial::Open(cell),
        }
    }

    fn term(&self, term: &StateTerm, scope: &ModelScope) -> Partial<u32> {
        match term.kind() {
            TermKind::Var(var) => scope.get(var).map_or(Partial::Beyond, |it| Partial::Known(*it)),
            TermKind::Apply(symbol, args, _) => self.lookup(*symbol, args, scope),
            TermKind::If(condition, then, otherwise) => match self.formula(condition, scope) {
                Partial::Known(true) => self.term(then, scope),
                Partial::Known(false) => self.term(otherwise, scope),
                Partial::Open(cell) => Partial::Open(cell),
                Partial::Beyond => Partial::Beyond,
            },
            TermKind::Element(index, _) => Partial::Known(*index),
            TermKind::Integer(..) | TermKind::Add(..) | TermKind::Subtract(..) => Partial::Beyond,
        }
    }

    fn formula(&self, formula: &StateFormula, scope: &ModelScope) -> Partial<bool> {
        let all = |parts: &[StateFormula], decisive: bool| {
            let parts = parts.iter().map(|part| self.formula(part, scope));
            first_decisive(parts, decisive)
        };
        match formula.kind() {
            FormulaKind::Truth(value) => Partial::Known(*value),
            FormulaKind::Holds(symbol, args) => {
                self.lookup(*symbol, args, scope).map(|value| value == 1)
            }
            FormulaKind::Equal(left, right) => {
                let right = |left| self.term(right, scope).map(|right| left == right);
                self.term(left, scope).then(right)
            }
            FormulaKind::Compare(..) => Partial::Beyond,
            FormulaKind::Not(inner) => self.formula(inner, scope).map(|value| !value),
            FormulaKind::And(parts) => all(parts, false),
            FormulaKind::Or(parts) => all(parts, true),
            FormulaKind::Implies(premise, conclusion) => {
                let denied = self.formula(premise, scope).map(|value| !value);
                first_decisive([denied, self.formula(conclusion, scope)].into_iter(), true)
            }
            FormulaKind::Iff(left, right) => {
                let right = |left| self.formula(right, scope).map(|right| left == right);
                self.formula(left, scope).then(right)
            }
            FormulaKind::If(condition, then, otherwise) => {
                let branch = |holds| self.formula(if holds { then } else { otherwise }, scope);
                self.formula(condition, scope).then(branch)
            }
            FormulaKind::Quantified(quantifier, vars, body) => {
                let Some(scopes) = self.scopes(scope, vars) else { return Partial::Beyond };
                let parts = scopes.iter().map(|scope| self.formula(body, scope));
                first_decisive(parts, *quantifier == Quantifier::Exists)
            }
        }
    }
}

impl<T> Partial<T> {
    fn map<U>(self, f: impl FnOnce(T) -> U) -> Partial<U> {
        self.then(|value| Partial::Known(f(value)))
    }

    fn then<U>(self, f: impl FnOnce(T) -> Partial<U>) -> Partial<U> {
        match self {
            Partial::Known(value) => f(value),
            Partial::Open(cell) => Partial::Open(cell),
            Partial::Beyond => Partial::Beyond,
        }
    }
}

/// The decisive value as soon as one part has it; open if a part is; else the other value.
fn first_decisive(parts: impl Iterator<Item = Partial<bool>>, decisive: bool) -> Partial<bool> {
    let mut open = None;
    for part in parts {
        match part {
            Partial::Known(value) if value == decisive => return Partial::Known(decisive),
            Partial::Known(_) => {}
            Partial::Open(cell) => {
                open.get_or_insert(cell);
            }
            Partial::Beyond => return Partial::Beyond,
        }
    }
    open.map_or(Partial::Known(!decisive), Partial::Open)
}
