//! What a symbol says of its arguments alone: a relation that it holds, a function into an
//! enumeration which element it has there.

use crate::logic::{Formula, Name, Term, Vocabulary};
use crate::protocol::{Signature, Sort, SymbolId};

/// A relation, or a function into an enumeration together with one of its elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Predicate {
    /// The relation or function.
    pub(crate) symbol: SymbolId,
    /// The element that the function has as its value, by its position.
    element: Option<u32>,
}

impl Predicate {
    /// The predicates of a symbol; none for a function into another sort.
    pub(crate) fn of(signature: &Signature, symbol: SymbolId) -> Vec<Predicate> {
        let elements = match signature.symbol(symbol).result {
            None => return vec![Predicate { symbol, element: None }],
            Some(Sort::Declared(sort)) => signature.elements(sort).unwrap_or_default(),
            Some(Sort::Int) => &[],
        };
        let elements = (0..).zip(elements);
        elements.map(|(index, _)| Predicate { symbol, element: Some(index) }).collect()
    }

    /// A relation.
    pub(crate) fn relation(symbol: SymbolId) -> Predicate {
        Predicate { symbol, element: None }
    }

    /// That a state has it at arguments, which are given as the vocabulary has the symbol: the
    /// symbol itself, and the sort of its value.
    pub(crate) fn at<V: Vocabulary>(
        self,
        symbol: V::Symbol,
        args: Vec<Term<V>>,
        sort: impl FnOnce() -> Option<V::Sort>,
    ) -> Formula<V> {
        match self.element.zip(sort()) {
            None => Formula::holds(symbol, args),
            Some((element, sort)) => {
                Formula::equal(Term::apply(symbol, args, sort), Term::element(element, sort))
            }
        }
    }

    /// The number of the value that the symbol has where this holds: of a truth value or of an
    /// element.
    pub(crate) fn value(self) -> u32 {
        self.element.unwrap_or(1)
    }

    /// A name for clauses about it.
    pub(crate) fn name(self, signature: &Signature) -> Name {
        let symbol = signature.symbol(self.symbol);
        let element = match (self.element, symbol.result) {
            (Some(index), Some(Sort::Declared(sort))) => {
                signature.elements(sort).map(|all| (all, index))
            }
            _ => None,
        };
        match element {
            Some((all, index)) => format!("{}_{}", symbol.name, all[index as usize]).into(),
            None => symbol.name.clone(),
        }
    }
}
