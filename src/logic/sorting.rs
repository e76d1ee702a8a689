//! An independent check that terms and formulas are well-sorted: the last gate before a prover.

use super::{Declarations, Domain, Formula, FormulaKind, Node, Term, TermKind, Vocabulary};

/// Whether a term is well-sorted.
pub fn well_sorted_term<V: Vocabulary>(names: &dyn Declarations<V>, term: &Term<V>) -> bool {
    ill_sorted_part(names, Node::Term(term)).is_none()
}

/// Whether a formula is well-sorted.
pub fn well_sorted_formula<V: Vocabulary>(
    names: &dyn Declarations<V>,
    formula: &Formula<V>,
) -> bool {
    ill_sorted_part(names, Node::Formula(formula)).is_none()
}

/// The first part, from the outside, that does not fit what it is made of.
pub fn ill_sorted_part<'a, V: Vocabulary>(
    names: &dyn Declarations<V>,
    node: Node<'a, V>,
) -> Option<Node<'a, V>> {
    if !fits_its_parts(names, node) {
        return Some(node);
    }
    node.children().into_iter().find_map(|child| ill_sorted_part(names, child))
}

fn fits_its_parts<V: Vocabulary>(names: &dyn Declarations<V>, node: Node<'_, V>) -> bool {
    let is_int = |term: &Term<V>| names.sort(term.sort()).domain == Domain::Int;
    match node {
        Node::Term(term) => match term.kind() {
            TermKind::Var(_) => true,
            TermKind::Integer(..) => is_int(term),
            TermKind::Element(index, sort) => match names.sort(*sort).domain {
                Domain::Enumeration(elements) => (*index as usize) < elements.len(),
                Domain::Finite | Domain::Int => false,
            },
            TermKind::Apply(symbol, args, sort) => is_ranked(names, *symbol, args, Some(*sort)),
            TermKind::Add(left, right) | TermKind::Subtract(left, right) => {
                left.sort() == right.sort() && is_int(left)
            }
            TermKind::If(_, then, otherwise) => then.sort() == otherwise.sort(),
        },
        Node::Formula(formula) => match formula.kind() {
            FormulaKind::Holds(symbol, args) => is_ranked(names, *symbol, args, None),
            FormulaKind::Equal(left, right) => left.sort() == right.sort(),
            FormulaKind::Compare(_, left, right) => is_int(left) && is_int(right),
            // Over no elements at all, `forall` would be true and `exists` false.
            FormulaKind::Quantified(_, bound, _) => bound.iter().all(|var| {
                let domain = names.sort(var.sort).domain;
                !matches!(domain, Domain::Enumeration(elements) if elements.is_empty())
            }),
            FormulaKind::Truth(_)
            | FormulaKind::Not(_)
            | FormulaKind::And(_)
            | FormulaKind::Or(_)
            | FormulaKind::Implies(..)
            | FormulaKind::Iff(..)
            | FormulaKind::If(..) => true,
        },
    }
}

fn is_ranked<V: Vocabulary>(
    names: &dyn Declarations<V>,
    symbol: V::Symbol,
    args: &[Term<V>],
    result: Option<V::Sort>,
) -> bool {
    let rank = names.symbol(symbol).rank;
    rank.result == result && args.iter().map(Term::sort).eq(rank.params)
}
