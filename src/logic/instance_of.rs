//! Whether a formula is an instance of another one: the same but for terms in place of parameters
//! and the names of bound variables. Printers use it to write names of definitions.

use std::collections::BTreeMap;

use super::{Formula, FormulaKind, Term, TermKind, Var, Vocabulary};

/// The terms that make `body` with `params` this formula; `None` if there are none, or if a
/// parameter does not occur. A single atom is an instance of nothing: its own name says more.
pub fn instance_of<V: Vocabulary>(
    params: &[Var<V>],
    body: &Formula<V>,
    formula: &Formula<V>,
) -> Option<Vec<Term<V>>> {
    if matches!(body.kind(), FormulaKind::Truth(_) | FormulaKind::Holds(..)) {
        return None;
    }
    let mut matching = Matching { params, found: BTreeMap::new(), bound: Vec::new() };
    if !matching.formula(body, formula) {
        return None;
    }
    params.iter().map(|param| matching.found.remove(param)).collect()
}

struct Matching<'a, V: Vocabulary> {
    params: &'a [Var<V>],
    found: BTreeMap<&'a Var<V>, Term<V>>,
    /// Variables bound around the place at hand: in the pattern and in the formula.
    bound: Vec<(&'a Var<V>, &'a Var<V>)>,
}

impl<'a, V: Vocabulary> Matching<'a, V> {
    fn formula(&mut self, pattern: &'a Formula<V>, formula: &'a Formula<V>) -> bool {
        match (pattern.kind(), formula.kind()) {
            (FormulaKind::Truth(left), FormulaKind::Truth(right)) => left == right,
            (FormulaKind::Holds(symbol, args), FormulaKind::Holds(other, others)) => {
                symbol == other && self.terms(args, others)
            }
            (FormulaKind::Equal(left, right), FormulaKind::Equal(one, two)) => {
                self.term(left, one) && self.term(right, two)
            }
            (FormulaKind::Compare(sign, left, right), FormulaKind::Compare(other, one, two)) => {
                sign == other && self.term(left, one) && self.term(right, two)
            }
            (FormulaKind::Not(inner), FormulaKind::Not(other)) => self.formula(inner, other),
            (FormulaKind::And(parts), FormulaKind::And(others))
            | (FormulaKind::Or(parts), FormulaKind::Or(others)) => {
                parts.len() == others.len()
                    && parts.iter().zip(others).all(|(part, other)| self.formula(part, other))
            }
            (FormulaKind::Implies(left, right), FormulaKind::Implies(one, two))
            | (FormulaKind::Iff(left, right), FormulaKind::Iff(one, two)) => {
                self.formula(left, one) && self.formula(right, two)
            }
            (
                FormulaKind::If(condition, then, otherwise),
                FormulaKind::If(other, other_then, other_else),
            ) => {
                self.formula(condition, other)
                    && self.formula(then, other_then)
                    && self.formula(otherwise, other_else)
            }
            (
                FormulaKind::Quantified(quantifier, vars, body),
                FormulaKind::Quantified(other, others, inner),
            ) => {
                let same_sorts = vars.iter().map(|var| var.sort).eq(others.iter().map(|o| o.sort));
                if quantifier != other || !same_sorts {
                    return false;
                }
                let outside = self.bound.len();
                self.bound.extend(vars.iter().zip(others));
                let matches = self.formula(body, inner);
                self.bound.truncate(outside);
                matches
            }
            _ => false,
        }
    }

    fn terms(&mut self, patterns: &'a [Term<V>], terms: &'a [Term<V>]) -> bool {
        patterns.len() == terms.len()
            && patterns.iter().zip(terms).all(|(pattern, term)| self.term(pattern, term))
    }

    fn term(&mut self, pattern: &'a Term<V>, term: &'a Term<V>) -> bool {
        match (pattern.kind(), term.kind()) {
            (TermKind::Var(var), _) => self.variable(var, term),
            (TermKind::Apply(symbol, args, _), TermKind::Apply(other, others, _)) => {
                symbol == other && self.terms(args, others)
            }
            (TermKind::Integer(value, _), TermKind::Integer(other, _)) => value == other,
            (TermKind::Element(element, sort), TermKind::Element(other, other_sort)) => {
                element == other && sort == other_sort
            }
            (TermKind::Add(left, right), TermKind::Add(one, two))
            | (TermKind::Subtract(left, right), TermKind::Subtract(one, two)) => {
                self.term(left, one) && self.term(right, two)
            }
            (
                TermKind::If(condition, then, otherwise),
                TermKind::If(other, other_then, other_else),
            ) => {
                self.formula(condition, other)
                    && self.term(then, other_then)
                    && self.term(otherwise, other_else)
            }
            _ => false,
        }
    }

    /// A bound variable matches the one bound at the same place; a parameter any term whose
    /// variables are all bound outside the formula, and always the same one.
    fn variable(&mut self, var: &'a Var<V>, term: &Term<V>) -> bool {
        if let Some(place) = self.bound.iter().rposition(|(own, _)| *own == var) {
            let TermKind::Var(other) = term.kind() else { return false };
            return self.bound.iter().rposition(|(_, theirs)| *theirs == other) == Some(place);
        }
        let free = term.free_vars();
        if !self.params.contains(var)
            || self.bound.iter().any(|(_, theirs)| free.contains(*theirs))
            || term.sort() != var.sort
        {
            return false;
        }
        self.found.entry(var).or_insert_with(|| term.clone()) == term
    }
}
