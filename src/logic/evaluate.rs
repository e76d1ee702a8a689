//! Truth in a finite structure. Integers are mathematical: leaving the window is an error, and a
//! quantifier over them is never evaluated.

use std::collections::BTreeMap;

use super::structure::tuples;
use super::{
    Comparison, Extent, Formula, FormulaKind, Quantifier, Structure, Term, TermKind, Value, Var,
    Vocabulary,
};

/// Why a formula has no value in a structure.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EvaluationError {
    /// A symbol was read at an integer argument outside the window.
    #[error("a value outside the integer window is needed")]
    OutsideWindow,
    /// A quantifier ranges over the integers.
    #[error("a quantifier over int cannot be evaluated over a window")]
    IntegerQuantifier,
    /// Integer arithmetic left the 64-bit range.
    #[error("integer overflow")]
    Overflow,
    /// A sort, symbol or variable has no value in this structure.
    #[error("`{0}` has no value in the structure")]
    Missing(String),
}

/// Values of free variables.
pub type VariableAssignment<V> = BTreeMap<Var<V>, Value>;

/// The truth of a formula.
///
/// # Errors
/// When the value depends on something the structure does not give.
pub fn evaluate_formula<V: Vocabulary>(
    structure: &Structure<V>,
    assignment: &VariableAssignment<V>,
    formula: &Formula<V>,
) -> Result<bool, EvaluationError> {
    Evaluator { structure, scope: assignment.clone() }.formula(formula)
}

/// The value of a term.
///
/// # Errors
/// When the value depends on something the structure does not give.
pub fn evaluate_term<V: Vocabulary>(
    structure: &Structure<V>,
    assignment: &VariableAssignment<V>,
    term: &Term<V>,
) -> Result<Value, EvaluationError> {
    Evaluator { structure, scope: assignment.clone() }.term(term)
}

struct Evaluator<'a, V: Vocabulary> {
    structure: &'a Structure<V>,
    scope: VariableAssignment<V>,
}

impl<V: Vocabulary> Evaluator<'_, V> {
    fn term(&mut self, term: &Term<V>) -> Result<Value, EvaluationError> {
        match term.kind() {
            TermKind::Var(var) => self
                .scope
                .get(var)
                .copied()
                .ok_or_else(|| EvaluationError::Missing(var.name.to_string())),
            TermKind::Apply(symbol, args, _) => self.lookup(*symbol, args),
            TermKind::Integer(value, _) => Ok(Value::Int(*value)),
            TermKind::Element(index, _) => Ok(Value::Element(*index)),
            TermKind::Add(left, right) => self.arithmetic(left, right, i64::checked_add),
            TermKind::Subtract(left, right) => self.arithmetic(left, right, i64::checked_sub),
            TermKind::If(condition, then, otherwise) => {
                if self.formula(condition)? {
                    self.term(then)
                } else {
                    self.term(otherwise)
                }
            }
        }
    }

    fn arithmetic(
        &mut self,
        left: &Term<V>,
        right: &Term<V>,
        operation: fn(i64, i64) -> Option<i64>,
    ) -> Result<Value, EvaluationError> {
        let (left, right) = (self.integer(left)?, self.integer(right)?);
        operation(left, right).map(Value::Int).ok_or(EvaluationError::Overflow)
    }

    fn integer(&mut self, term: &Term<V>) -> Result<i64, EvaluationError> {
        match self.term(term)? {
            Value::Int(int) => Ok(int),
            Value::Bool(_) | Value::Element(_) => {
                Err(EvaluationError::Missing("an integer".to_owned()))
            }
        }
    }

    fn lookup(&mut self, symbol: V::Symbol, args: &[Term<V>]) -> Result<Value, EvaluationError> {
        let args = args.iter().map(|arg| self.term(arg)).collect::<Result<Vec<_>, _>>()?;
        let table = self.structure.tables.get(&symbol);
        let table = table.ok_or_else(|| EvaluationError::Missing(format!("{symbol:?}")))?;
        table.get(&args).ok_or(EvaluationError::OutsideWindow)
    }

    fn formula(&mut self, formula: &Formula<V>) -> Result<bool, EvaluationError> {
        match formula.kind() {
            FormulaKind::Truth(value) => Ok(*value),
            FormulaKind::Holds(symbol, args) => {
                Ok(self.lookup(*symbol, args)? == Value::Bool(true))
            }
            FormulaKind::Equal(left, right) => Ok(self.term(left)? == self.term(right)?),
            FormulaKind::Compare(comparison, left, right) => {
                let (left, right) = (self.integer(left)?, self.integer(right)?);
                Ok(match comparison {
                    Comparison::Less => left < right,
                    Comparison::LessEqual => left <= right,
                })
            }
            FormulaKind::Not(inner) => Ok(!self.formula(inner)?),
            FormulaKind::And(parts) => self.all(parts, true),
            FormulaKind::Or(parts) => self.all(parts, false).map(|none| !none),
            FormulaKind::Implies(premise, conclusion) => {
                Ok(!self.formula(premise)? || self.formula(conclusion)?)
            }
            FormulaKind::Iff(left, right) => Ok(self.formula(left)? == self.formula(right)?),
            FormulaKind::If(condition, then, otherwise) => {
                if self.formula(condition)? {
                    self.formula(then)
                } else {
                    self.formula(otherwise)
                }
            }
            FormulaKind::Quantified(quantifier, vars, body) => {
                self.quantified(*quantifier, vars, body)
            }
        }
    }

    /// Whether all parts have the given truth value, from left to right.
    fn all(&mut self, parts: &[Formula<V>], expected: bool) -> Result<bool, EvaluationError> {
        for part in parts {
            if self.formula(part)? != expected {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn quantified(
        &mut self,
        quantifier: Quantifier,
        vars: &[Var<V>],
        body: &Formula<V>,
    ) -> Result<bool, EvaluationError> {
        let extents =
            vars.iter().map(|var| self.finite_extent(var)).collect::<Result<Vec<_>, _>>()?;
        let hidden: Vec<_> = vars.iter().map(|var| self.scope.get(var).copied()).collect();
        let decided = self.search(quantifier, vars, body, &extents);
        for (var, hidden) in vars.iter().zip(hidden) {
            match hidden {
                Some(value) => self.scope.insert(var.clone(), value),
                None => self.scope.remove(var),
            };
        }
        decided
    }

    fn finite_extent(&self, var: &Var<V>) -> Result<Extent, EvaluationError> {
        match self.structure.extent(var.sort) {
            Some(extent @ Extent::Elements(_)) => Ok(extent),
            Some(Extent::Window { .. }) => Err(EvaluationError::IntegerQuantifier),
            None => Err(EvaluationError::Missing(format!("{:?}", var.sort))),
        }
    }

    fn search(
        &mut self,
        quantifier: Quantifier,
        vars: &[Var<V>],
        body: &Formula<V>,
        extents: &[Extent],
    ) -> Result<bool, EvaluationError> {
        let decisive = quantifier == Quantifier::Exists;
        for tuple in tuples(extents) {
            for (var, value) in vars.iter().zip(tuple) {
                self.scope.insert(var.clone(), value);
            }
            if self.formula(body)? == decisive {
                return Ok(decisive);
            }
        }
        Ok(!decisive)
    }
}
