//! Truth in a structure whose cells are wires: formulas and terms become circuits.
//!
//! Follows `logic::evaluate` step by step, also in what is left unevaluated: where that function
//! reports an error, the wire `undefined` is true here.

use std::collections::BTreeMap;

use super::cells::{CaseSum, Cases, Cell, CellTable, SymbolicState};
use super::circuit::{Circuit, Wire};
use crate::logic::{
    Comparison, Extent, Formula, FormulaKind, Quantifier, Term, TermKind, Value, Var, Vocabulary,
    tuples,
};
use crate::protocol::{OneState, Sort, SymbolId};

/// What the symbols of a vocabulary are.
pub(crate) trait Interpretation<V: Vocabulary> {
    /// The cells of a symbol, if it has any here.
    fn table(&self, symbol: V::Symbol) -> Option<&CellTable>;
}

impl Interpretation<OneState> for SymbolicState {
    fn table(&self, symbol: SymbolId) -> Option<&CellTable> {
        self.tables.get(&symbol).map(|table| &**table)
    }
}

/// Why a formula has no circuit.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GroundError {
    /// A quantifier ranges over the integers.
    #[error("a quantifier over int cannot be evaluated over a range")]
    IntegerQuantifier,
    /// A symbol or variable has no meaning here.
    #[error("`{0}` has no meaning in this instance")]
    Missing(String),
}

/// The truth of a formula, and when it has none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Truth {
    /// Its value where it is defined.
    pub(crate) value: Wire,
    /// Where an integer outside the window was needed.
    pub(crate) undefined: Wire,
}

/// The value of a term, and when it has none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Denotation {
    pub(crate) cases: Cases,
    pub(crate) undefined: Wire,
}

/// Values of variables, innermost last.
pub(crate) type GroundScope<V> = Vec<(Var<V>, Value)>;

/// Turns formulas over one interpretation into wires.
pub(crate) struct Grounder<'a, V: Vocabulary, I> {
    pub(crate) circuit: &'a mut Circuit,
    pub(crate) extents: &'a BTreeMap<Sort, Extent>,
    pub(crate) interpretation: &'a I,
    pub(crate) scope: GroundScope<V>,
}

impl<V: Vocabulary<Sort = Sort>, I: Interpretation<V>> Grounder<'_, V, I> {
    /// The circuit of a term.
    pub(crate) fn term(&mut self, term: &Term<V>) -> Result<Denotation, GroundError> {
        match term.kind() {
            TermKind::Var(var) => self.variable(var),
            TermKind::Apply(symbol, args, _) => self.application(*symbol, args),
            TermKind::Integer(value, _) => Ok(known(Value::Int(*value))),
            TermKind::Element(index, _) => Ok(known(Value::Element(*index))),
            TermKind::Add(left, right) => self.arithmetic(left, right, i64::checked_add),
            TermKind::Subtract(left, right) => self.arithmetic(left, right, i64::checked_sub),
            TermKind::If(condition, then, otherwise) => {
                let condition = self.formula(condition)?;
                match condition.value.as_constant() {
                    Some(true) if condition.undefined == Wire::FALSE => return self.term(then),
                    Some(false) if condition.undefined == Wire::FALSE => {
                        return self.term(otherwise);
                    }
                    _ => {}
                }
                let (then, otherwise) = (self.term(then)?, self.term(otherwise)?);
                Ok(self.choose_term(condition, &then, &otherwise))
            }
        }
    }

    fn variable(&self, var: &Var<V>) -> Result<Denotation, GroundError> {
        let bound = self.scope.iter().rev().find(|(bound, _)| bound == var);
        let bound = bound.ok_or_else(|| GroundError::Missing(var.name.to_string()))?;
        Ok(known(bound.1))
    }

    fn choose_term(&mut self, condition: Truth, then: &Denotation, no: &Denotation) -> Denotation {
        let mut cases = CaseSum::default();
        for (side, wire) in [(then, condition.value), (no, !condition.value)] {
            for (value, case) in &side.cases {
                let case = self.circuit.and(wire, *case);
                cases.add(self.circuit, *value, case);
            }
        }
        let below = self.circuit.choose(condition.value, then.undefined, no.undefined);
        let undefined = self.circuit.or(condition.undefined, below);
        Denotation { cases: cases.finish(), undefined }
    }

    fn arithmetic(
        &mut self,
        left: &Term<V>,
        right: &Term<V>,
        operation: fn(i64, i64) -> Option<i64>,
    ) -> Result<Denotation, GroundError> {
        let (left, right) = (self.term(left)?, self.term(right)?);
        let mut undefined = self.circuit.or(left.undefined, right.undefined);
        let mut cases = CaseSum::default();
        for ((one, first), (other, second)) in pairs(&left.cases, &right.cases) {
            let both = self.circuit.and(first, second);
            match operation(integer(one), integer(other)) {
                Some(result) => cases.add(self.circuit, Value::Int(result), both),
                None => undefined = self.circuit.or(undefined, both),
            }
        }
        Ok(Denotation { cases: cases.finish(), undefined })
    }

    fn application(
        &mut self,
        symbol: V::Symbol,
        args: &[Term<V>],
    ) -> Result<Denotation, GroundError> {
        let (places, undefined) = self.places(symbol, args)?;
        let mut cases = CaseSum::default();
        for (position, wire) in places {
            let Cell::Cases(inner) = self.cell(symbol, position)? else {
                return Err(GroundError::Missing(format!("{symbol:?}")));
            };
            for (value, case) in inner {
                let case = self.circuit.and(wire, case);
                cases.add(self.circuit, value, case);
            }
        }
        Ok(Denotation { cases: cases.finish(), undefined })
    }

    fn holds(&mut self, symbol: V::Symbol, args: &[Term<V>]) -> Result<Truth, GroundError> {
        let (places, undefined) = self.places(symbol, args)?;
        let mut value = Wire::FALSE;
        for (position, wire) in places {
            let Cell::Truth(cell) = self.cell(symbol, position)? else {
                return Err(GroundError::Missing(format!("{symbol:?}")));
            };
            let here = self.circuit.and(wire, cell);
            value = self.circuit.or(value, here);
        }
        Ok(Truth { value, undefined })
    }

    fn cell(&self, symbol: V::Symbol, position: usize) -> Result<Cell, GroundError> {
        let table = self.interpretation.table(symbol);
        let cell = table.and_then(|table| table.cells.get(position));
        cell.cloned().ok_or_else(|| GroundError::Missing(format!("{symbol:?}")))
    }

    /// Where a symbol is read: every position that the arguments can name, with its condition.
    fn places(
        &mut self,
        symbol: V::Symbol,
        args: &[Term<V>],
    ) -> Result<(Vec<(usize, Wire)>, Wire), GroundError> {
        let mut undefined = Wire::FALSE;
        let mut combinations = vec![(Vec::new(), Wire::TRUE)];
        for arg in args {
            let arg = self.term(arg)?;
            undefined = self.circuit.or(undefined, arg.undefined);
            let mut longer = Vec::with_capacity(combinations.len() * arg.cases.len());
            for (prefix, wire) in combinations {
                for (value, case) in &arg.cases {
                    let wire = self.circuit.and(wire, *case);
                    if wire != Wire::FALSE {
                        let mut tuple: Vec<Value> = prefix.clone();
                        tuple.push(*value);
                        longer.push((tuple, wire));
                    }
                }
            }
            combinations = longer;
        }
        let table = self.interpretation.table(symbol);
        let table = table.ok_or_else(|| GroundError::Missing(format!("{symbol:?}")))?;
        let mut places = Vec::new();
        for (tuple, wire) in combinations {
            match table.position(&tuple) {
                Some(position) => places.push((position, wire)),
                None => undefined = self.circuit.or(undefined, wire),
            }
        }
        Ok((places, undefined))
    }

    /// The circuit of a formula.
    pub(crate) fn formula(&mut self, formula: &Formula<V>) -> Result<Truth, GroundError> {
        match formula.kind() {
            FormulaKind::Truth(value) => Ok(defined(Wire::constant(*value))),
            FormulaKind::Holds(symbol, args) => self.holds(*symbol, args),
            FormulaKind::Equal(left, right) => self.compare(left, right, |one, other| one == other),
            FormulaKind::Compare(Comparison::Less, left, right) => {
                self.compare(left, right, |one, other| integer(one) < integer(other))
            }
            FormulaKind::Compare(Comparison::LessEqual, left, right) => {
                self.compare(left, right, |one, other| integer(one) <= integer(other))
            }
            FormulaKind::Not(inner) => self.formula(inner).map(negate),
            FormulaKind::And(parts) => self.sequence(parts),
            FormulaKind::Or(parts) => {
                let parts: Vec<_> = parts.iter().map(Formula::negate).collect();
                self.sequence(&parts).map(negate)
            }
            FormulaKind::Implies(premise, conclusion) => {
                self.sequence(&[premise.clone(), conclusion.negate()]).map(negate)
            }
            FormulaKind::Iff(left, right) => {
                let (left, right) = (self.formula(left)?, self.formula(right)?);
                let undefined = self.circuit.or(left.undefined, right.undefined);
                Ok(Truth { value: self.circuit.iff(left.value, right.value), undefined })
            }
            FormulaKind::If(condition, then, otherwise) => {
                let condition = self.formula(condition)?;
                let (then, otherwise) = (self.formula(then)?, self.formula(otherwise)?);
                let value = self.circuit.choose(condition.value, then.value, otherwise.value);
                let below =
                    self.circuit.choose(condition.value, then.undefined, otherwise.undefined);
                Ok(Truth { value, undefined: self.circuit.or(condition.undefined, below) })
            }
            FormulaKind::Quantified(Quantifier::Forall, vars, body) => self.forall(vars, body),
            FormulaKind::Quantified(Quantifier::Exists, vars, body) => {
                self.forall(vars, &body.negate()).map(negate)
            }
        }
    }

    fn compare(
        &mut self,
        left: &Term<V>,
        right: &Term<V>,
        related: fn(Value, Value) -> bool,
    ) -> Result<Truth, GroundError> {
        let (left, right) = (self.term(left)?, self.term(right)?);
        let undefined = self.circuit.or(left.undefined, right.undefined);
        let mut value = Wire::FALSE;
        for ((one, first), (other, second)) in pairs(&left.cases, &right.cases) {
            if related(one, other) {
                let both = self.circuit.and(first, second);
                value = self.circuit.or(value, both);
            }
        }
        Ok(Truth { value, undefined })
    }

    /// A conjunction from left to right: what follows a false part is not evaluated.
    fn sequence(&mut self, parts: &[Formula<V>]) -> Result<Truth, GroundError> {
        let mut sum = defined(Wire::TRUE);
        for part in parts {
            if sum.value == Wire::FALSE {
                break;
            }
            let part = self.formula(part)?;
            sum = self.conjoin(sum, part);
        }
        Ok(sum)
    }

    fn conjoin(&mut self, sum: Truth, part: Truth) -> Truth {
        let reached = self.circuit.and(sum.value, part.undefined);
        Truth {
            value: self.circuit.and(sum.value, part.value),
            undefined: self.circuit.or(sum.undefined, reached),
        }
    }

    fn forall(&mut self, vars: &[Var<V>], body: &Formula<V>) -> Result<Truth, GroundError> {
        if vars.iter().any(|var| var.sort == Sort::Int) {
            return Err(GroundError::IntegerQuantifier);
        }
        let extents: Vec<Extent> = vars.iter().map(|var| self.extents[&var.sort]).collect();
        let depth = self.scope.len();
        let mut sum = defined(Wire::TRUE);
        for tuple in tuples(&extents) {
            if sum.value == Wire::FALSE {
                break;
            }
            self.scope.extend(vars.iter().cloned().zip(tuple));
            let part = self.formula(body);
            self.scope.truncate(depth);
            sum = self.conjoin(sum, part?);
        }
        Ok(sum)
    }
}

fn pairs<'a>(
    left: &'a Cases,
    right: &'a Cases,
) -> impl Iterator<Item = ((Value, Wire), (Value, Wire))> + 'a {
    left.iter().flat_map(move |one| right.iter().map(move |other| (*one, *other)))
}

fn known(value: Value) -> Denotation {
    Denotation { cases: vec![(value, Wire::TRUE)], undefined: Wire::FALSE }
}

fn defined(value: Wire) -> Truth {
    Truth { value, undefined: Wire::FALSE }
}

fn negate(truth: Truth) -> Truth {
    Truth { value: !truth.value, ..truth }
}

/// Integers are compared with and added to integers only; elaboration saw to that.
fn integer(value: Value) -> i64 {
    match value {
        Value::Int(int) => int,
        Value::Element(element) => i64::from(element),
        Value::Bool(truth) => i64::from(truth),
    }
}
