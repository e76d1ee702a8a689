//! Sorts whose elements are fixed: the axioms say that certain constants are all of them, and that
//! they are distinct.
//!
//! The axioms stay what every proof rests on. What is read off them here is how many elements such
//! a sort has in every instance, and what to call them.

use std::collections::BTreeSet;

use super::{OneState, Protocol, Rigidity, Size, Sort, SortId, StateFormula, SymbolId};
use crate::logic::{FormulaKind, Quantifier, Term, TermKind, Var};

impl Protocol {
    /// The constants that are the elements of a sort, in the order declared; `None` if the axioms
    /// do not say so.
    pub fn enumeration(&self, sort: SortId) -> Option<Vec<SymbolId>> {
        let mut facts = Vec::new();
        self.axioms.iter().for_each(|axiom| conjuncts(&axiom.formula, &mut facts));
        let distinct: BTreeSet<(SymbolId, SymbolId)> =
            facts.iter().filter_map(|fact| self.distinct(fact)).collect();
        let all_distinct = |elements: &BTreeSet<SymbolId>| {
            elements.iter().all(|one| {
                elements.iter().all(|other| other <= one || distinct.contains(&(*one, *other)))
            })
        };
        let mut listed = facts.iter().filter_map(|fact| self.exhaustive(fact, sort));
        listed.find(all_distinct).map(|elements| elements.into_iter().collect())
    }

    /// A size for every sort: what is fixed, and otherwise as given.
    pub fn sizes(&self, count: impl Fn(SortId) -> u32) -> Size {
        let size = |sort| self.fixed_size(sort).unwrap_or_else(|| count(sort));
        self.signature.sized_sorts().map(|sort| (sort, size(sort))).collect()
    }

    /// How many elements a sort has in every instance, if its declaration or the axioms fix it.
    pub fn fixed_size(&self, sort: SortId) -> Option<u32> {
        let count = match self.signature.elements(sort) {
            Some(elements) => elements.len(),
            None => self.enumeration(sort)?.len(),
        };
        u32::try_from(count).ok()
    }

    /// `forall X. X = a | X = b | …` over a sort: the constants.
    fn exhaustive(&self, fact: &StateFormula, sort: SortId) -> Option<BTreeSet<SymbolId>> {
        let FormulaKind::Quantified(Quantifier::Forall, vars, body) = fact.kind() else {
            return None;
        };
        let [var] = &vars[..] else { return None };
        if var.sort != Sort::Declared(sort) {
            return None;
        }
        match body.kind() {
            FormulaKind::Or(cases) => cases.iter().map(|case| self.named(case, var)).collect(),
            _ => self.named(body, var).map(|constant| BTreeSet::from([constant])),
        }
    }

    /// `X = a` or `a = X`: the constant.
    fn named(&self, case: &StateFormula, var: &Var<OneState>) -> Option<SymbolId> {
        let FormulaKind::Equal(left, right) = case.kind() else { return None };
        let is_var =
            |term: &Term<OneState>| matches!(term.kind(), TermKind::Var(own) if own == var);
        if is_var(left) {
            self.constant(right)
        } else if is_var(right) {
            self.constant(left)
        } else {
            None
        }
    }

    /// `a != b`: the two, the one declared first first.
    fn distinct(&self, fact: &StateFormula) -> Option<(SymbolId, SymbolId)> {
        let FormulaKind::Not(inner) = fact.kind() else { return None };
        let FormulaKind::Equal(left, right) = inner.kind() else { return None };
        let (left, right) = (self.constant(left)?, self.constant(right)?);
        Some((left.min(right), left.max(right)))
    }

    /// The rigid constant that a term is.
    fn constant(&self, term: &Term<OneState>) -> Option<SymbolId> {
        match term.kind() {
            TermKind::Apply(symbol, args, _) if args.is_empty() => {
                let rigid = self.signature.symbol(*symbol).rigidity == Rigidity::Rigid;
                rigid.then_some(*symbol)
            }
            _ => None,
        }
    }
}

fn conjuncts<'a>(formula: &'a StateFormula, found: &mut Vec<&'a StateFormula>) {
    match formula.kind() {
        FormulaKind::And(parts) => parts.iter().for_each(|part| conjuncts(part, found)),
        _ => found.push(formula),
    }
}
