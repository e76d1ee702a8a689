//! Expressions whose sorts are still being inferred, and the step to sorted terms and formulas.

use std::collections::BTreeSet;

use crate::frontend::syntax::surface::{Arithmetic, Connective};
use crate::logic::{
    Comparison, Formula, Name, Quantifier, Term, Var, Vocabulary, substitute_apart,
};

use super::slots::{Slot, Slots};
use crate::elaborate::resolve::{NameCandidate, NamedFormula};

/// A term with the slot of its sort, or a formula.
pub(crate) enum Draft<V: Vocabulary> {
    Term(DraftTerm<V>, Slot),
    Formula(DraftFormula<V>),
}

pub(crate) enum DraftTerm<V: Vocabulary> {
    Var(DraftVar),
    Apply(DraftSymbol<V>, Vec<DraftTerm<V>>, Slot),
    Integer(i64),
    Element(u32, Slot),
    Arithmetic(Arithmetic, Box<(DraftTerm<V>, DraftTerm<V>)>),
    If(Box<(DraftFormula<V>, DraftTerm<V>, DraftTerm<V>)>),
}

pub(crate) enum DraftFormula<V: Vocabulary> {
    Truth(bool),
    Holds(DraftSymbol<V>, Vec<DraftTerm<V>>),
    Defined(Box<NamedFormula<V>>, Vec<DraftTerm<V>>),
    Equal(Box<(DraftTerm<V>, DraftTerm<V>)>),
    Compare(Comparison, Box<(DraftTerm<V>, DraftTerm<V>)>),
    Not(Box<DraftFormula<V>>),
    And(Vec<DraftFormula<V>>),
    Or(Vec<DraftFormula<V>>),
    Connective(Connective, Box<(DraftFormula<V>, DraftFormula<V>)>),
    If(Box<(DraftFormula<V>, DraftFormula<V>, DraftFormula<V>)>),
    Quantified(Quantifier, Vec<DraftVar>, Box<DraftFormula<V>>),
}

/// A variable and the slot of its sort.
#[derive(Clone)]
pub(crate) struct DraftVar {
    pub(crate) name: Name,
    pub(crate) slot: Slot,
}

/// A symbol, or an overloaded name by its position among those of the statement.
pub(crate) enum DraftSymbol<V: Vocabulary> {
    Fixed(V::Symbol),
    Overloaded(usize),
}

/// The complete result of inference.
pub(crate) struct Solution<'a, V: Vocabulary> {
    pub(crate) slots: &'a Slots<V>,
    /// The candidate chosen for each overloaded name.
    pub(crate) chosen: &'a [NameCandidate<V>],
    pub(crate) integers: V::Sort,
    /// Names that the variables of a definition must not have where it is written out.
    pub(crate) taken: &'a BTreeSet<Name>,
}

impl<V: Vocabulary> Solution<'_, V> {
    fn sort(&self, slot: Slot) -> V::Sort {
        self.slots.get(slot).expect("inference has checked that every sort is known").sort
    }

    fn symbol(&self, symbol: &DraftSymbol<V>) -> V::Symbol {
        match symbol {
            DraftSymbol::Fixed(symbol) => *symbol,
            DraftSymbol::Overloaded(index) => self.chosen[*index].symbol,
        }
    }

    pub(crate) fn var(&self, var: &DraftVar) -> Var<V> {
        Var::new(var.name.clone(), self.sort(var.slot))
    }

    fn terms(&self, drafts: &[DraftTerm<V>]) -> Vec<Term<V>> {
        drafts.iter().map(|draft| self.term(draft)).collect()
    }

    pub(crate) fn term(&self, draft: &DraftTerm<V>) -> Term<V> {
        match draft {
            DraftTerm::Var(var) => Term::var(self.var(var)),
            DraftTerm::Apply(symbol, args, slot) => {
                Term::apply(self.symbol(symbol), self.terms(args), self.sort(*slot))
            }
            DraftTerm::Integer(value) => Term::integer(*value, self.integers),
            DraftTerm::Element(index, slot) => Term::element(*index, self.sort(*slot)),
            DraftTerm::Arithmetic(operation, operands) => {
                let (left, right) = (self.term(&operands.0), self.term(&operands.1));
                match operation {
                    Arithmetic::Add => Term::add(left, right),
                    Arithmetic::Subtract => Term::subtract(left, right),
                }
            }
            DraftTerm::If(parts) => {
                Term::if_then_else(self.formula(&parts.0), self.term(&parts.1), self.term(&parts.2))
            }
        }
    }

    fn formulas(&self, drafts: &[DraftFormula<V>]) -> Vec<Formula<V>> {
        drafts.iter().map(|draft| self.formula(draft)).collect()
    }

    pub(crate) fn formula(&self, draft: &DraftFormula<V>) -> Formula<V> {
        match draft {
            DraftFormula::Truth(value) => Formula::truth(*value),
            DraftFormula::Holds(symbol, args) => {
                Formula::holds(self.symbol(symbol), self.terms(args))
            }
            DraftFormula::Defined(definition, args) => {
                let args = self.terms(args);
                let bindings = definition.params.iter().cloned().zip(args).collect();
                substitute_apart(&definition.formula, bindings, self.taken)
            }
            DraftFormula::Equal(sides) => Formula::equal(self.term(&sides.0), self.term(&sides.1)),
            DraftFormula::Compare(comparison, sides) => {
                Formula::compare(*comparison, self.term(&sides.0), self.term(&sides.1))
            }
            DraftFormula::Not(inner) => self.formula(inner).negate(),
            DraftFormula::And(parts) => Formula::and(self.formulas(parts)),
            DraftFormula::Or(parts) => Formula::or(self.formulas(parts)),
            DraftFormula::Connective(connective, sides) => {
                let (left, right) = (self.formula(&sides.0), self.formula(&sides.1));
                match connective {
                    Connective::Implies => Formula::implies(left, right),
                    Connective::Iff => Formula::iff(left, right),
                }
            }
            DraftFormula::If(parts) => Formula::if_then_else(
                self.formula(&parts.0),
                self.formula(&parts.1),
                self.formula(&parts.2),
            ),
            DraftFormula::Quantified(quantifier, vars, body) => {
                let vars = vars.iter().map(|var| self.var(var)).collect();
                Formula::quantified(*quantifier, vars, self.formula(body))
            }
        }
    }
}
