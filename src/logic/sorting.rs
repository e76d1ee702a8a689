//! An independent check that terms and formulas are well-sorted: the last gate before a prover.

use super::{Declarations, Formula, FormulaKind, Node, Term, TermKind, Vocabulary};

/// Whether a term is well-sorted.
pub fn well_sorted_term<V: Vocabulary>(names: &dyn Declarations<V>, term: &Term<V>) -> bool {
    well_sorted(names, Node::Term(term))
}

/// Whether a formula is well-sorted.
pub fn well_sorted_formula<V: Vocabulary>(
    names: &dyn Declarations<V>,
    formula: &Formula<V>,
) -> bool {
    well_sorted(names, Node::Formula(formula))
}

fn well_sorted<V: Vocabulary>(names: &dyn Declarations<V>, node: Node<'_, V>) -> bool {
    let here = match node {
        Node::Term(term) => match term.kind() {
            TermKind::Var(_) => true,
            TermKind::Integer(_, sort) => is_int(names, *sort),
            TermKind::Apply(symbol, args, sort) => applies(names, *symbol, args, Some(*sort)),
            TermKind::Add(left, right) | TermKind::Subtract(left, right) => {
                is_int(names, left.sort()) && is_int(names, right.sort())
            }
            TermKind::If(_, then, otherwise) => then.sort() == otherwise.sort(),
        },
        Node::Formula(formula) => match formula.kind() {
            FormulaKind::Holds(symbol, args) => applies(names, *symbol, args, None),
            FormulaKind::Equal(left, right) => left.sort() == right.sort(),
            FormulaKind::Compare(_, left, right) => {
                is_int(names, left.sort()) && is_int(names, right.sort())
            }
            FormulaKind::Truth(_)
            | FormulaKind::Not(_)
            | FormulaKind::And(_)
            | FormulaKind::Or(_)
            | FormulaKind::Implies(..)
            | FormulaKind::Iff(..)
            | FormulaKind::If(..)
            | FormulaKind::Quantified(..) => true,
        },
    };
    here && node.children().into_iter().all(|child| well_sorted(names, child))
}

fn applies<V: Vocabulary>(
    names: &dyn Declarations<V>,
    symbol: V::Symbol,
    args: &[Term<V>],
    result: Option<V::Sort>,
) -> bool {
    let rank = names.symbol(symbol).rank;
    rank.result == result && args.iter().map(Term::sort).eq(rank.params)
}

fn is_int<V: Vocabulary>(names: &dyn Declarations<V>, sort: V::Sort) -> bool {
    names.sort(sort).domain == super::Domain::Int
}
