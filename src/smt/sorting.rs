//! Checks that a formula respects the declared ranks, before a solver sees it.
//!
//! Elaboration already guarantees this for everything a user writes; here it protects us from our
//! own mistakes, which the solver would answer with an abrupt end or, worse, a silent conversion.

use thiserror::Error;

use crate::logic::{
    Declarations, Domain, Formula, FormulaKind, Node, Term, TermKind, Vocabulary, print_formula,
    print_term,
};

/// A term or formula that is not well-sorted.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("ill-sorted query: `{0}`")]
pub struct IllSorted(String);

/// Refuses a formula with an ill-sorted part.
pub(super) fn check<V: Vocabulary>(
    declarations: &dyn Declarations<V>,
    formula: &Formula<V>,
) -> Result<(), IllSorted> {
    let mut wrong = None;
    Node::Formula(formula).visit(&mut |node| {
        if wrong.is_none() && !is_well_sorted(declarations, node) {
            wrong = Some(match node {
                Node::Term(term) => print_term(declarations, term),
                Node::Formula(formula) => print_formula(declarations, formula),
            });
        }
    });
    wrong.map_or(Ok(()), |text| Err(IllSorted(text)))
}

/// Whether a node fits its children.
fn is_well_sorted<V: Vocabulary>(declarations: &dyn Declarations<V>, node: Node<'_, V>) -> bool {
    let is_int = |term: &Term<V>| declarations.sort(term.sort()).domain == Domain::Int;
    match node {
        Node::Term(term) => match term.kind() {
            TermKind::Var(_) => true,
            TermKind::Apply(symbol, args, sort) => {
                is_ranked(declarations, *symbol, args, Some(*sort))
            }
            TermKind::Integer(..) => is_int(term),
            TermKind::Add(left, right) | TermKind::Subtract(left, right) => {
                left.sort() == right.sort() && is_int(left)
            }
            TermKind::If(_, then, otherwise) => then.sort() == otherwise.sort(),
        },
        Node::Formula(formula) => match formula.kind() {
            FormulaKind::Holds(symbol, args) => is_ranked(declarations, *symbol, args, None),
            FormulaKind::Equal(left, right) => left.sort() == right.sort(),
            FormulaKind::Compare(_, left, right) => is_int(left) && is_int(right),
            FormulaKind::Truth(_)
            | FormulaKind::Not(_)
            | FormulaKind::And(_)
            | FormulaKind::Or(_)
            | FormulaKind::Implies(..)
            | FormulaKind::Iff(..)
            | FormulaKind::If(..) => true,
            // Over no elements at all, `forall` would be true and `exists` false.
            FormulaKind::Quantified(_, bound, _) => bound.iter().all(|var| {
                let domain = declarations.sort(var.sort).domain;
                !matches!(domain, Domain::Enumeration(elements) if elements.is_empty())
            }),
        },
    }
}

fn is_ranked<V: Vocabulary>(
    declarations: &dyn Declarations<V>,
    symbol: V::Symbol,
    args: &[Term<V>],
    result: Option<V::Sort>,
) -> bool {
    let rank = declarations.symbol(symbol).rank;
    rank.result == result && rank.params.iter().copied().eq(args.iter().map(Term::sort))
}
