//! Recursion over terms and formulas, written once: a fold-and-rebuild and a visit of children.

use std::collections::BTreeSet;

use super::{Formula, FormulaKind, Name, Term, TermKind, Var, Vocabulary};

/// What a rewriting does at the leaves; [`rewrite_term`] and [`rewrite_formula`] do the rest.
///
/// Symbols receive their arguments already rewritten. Binders are announced, so that a rewriting
/// that inserts open terms can rename them.
pub trait Rewrite<V: Vocabulary, W: Vocabulary> {
    /// The sort in the new vocabulary.
    fn sort(&mut self, sort: V::Sort) -> W::Sort;
    /// A free or bound variable.
    fn var(&mut self, var: &Var<V>) -> Term<W>;
    /// A function application.
    fn apply(&mut self, symbol: V::Symbol, args: Vec<Term<W>>, sort: W::Sort) -> Term<W>;
    /// A relation application.
    fn holds(&mut self, symbol: V::Symbol, args: Vec<Term<W>>) -> Formula<W>;
    /// Entering a quantifier: the binders to use in the new formula.
    fn bind(&mut self, vars: &[Var<V>]) -> Vec<Var<W>>;
    /// Leaving the quantifier entered last.
    fn unbind(&mut self, vars: &[Var<V>]);
}

/// Rebuilds a term bottom-up.
pub fn rewrite_term<V: Vocabulary, W: Vocabulary>(
    with: &mut impl Rewrite<V, W>,
    term: &Term<V>,
) -> Term<W> {
    match term.kind() {
        TermKind::Var(var) => with.var(var),
        TermKind::Apply(symbol, args, sort) => {
            let args = args.iter().map(|arg| rewrite_term(with, arg)).collect();
            let sort = with.sort(*sort);
            with.apply(*symbol, args, sort)
        }
        TermKind::Integer(value, sort) => Term::integer(*value, with.sort(*sort)),
        TermKind::Element(index, sort) => Term::element(*index, with.sort(*sort)),
        TermKind::Add(left, right) => {
            Term::add(rewrite_term(with, left), rewrite_term(with, right))
        }
        TermKind::Subtract(left, right) => {
            Term::subtract(rewrite_term(with, left), rewrite_term(with, right))
        }
        TermKind::If(condition, then, otherwise) => Term::if_then_else(
            rewrite_formula(with, condition),
            rewrite_term(with, then),
            rewrite_term(with, otherwise),
        ),
    }
}

/// Rebuilds a formula bottom-up.
pub fn rewrite_formula<V: Vocabulary, W: Vocabulary>(
    with: &mut impl Rewrite<V, W>,
    formula: &Formula<V>,
) -> Formula<W> {
    match formula.kind() {
        FormulaKind::Truth(value) => Formula::truth(*value),
        FormulaKind::Holds(symbol, args) => {
            let args = args.iter().map(|arg| rewrite_term(with, arg)).collect();
            with.holds(*symbol, args)
        }
        FormulaKind::Equal(left, right) => {
            Formula::equal(rewrite_term(with, left), rewrite_term(with, right))
        }
        FormulaKind::Compare(comparison, left, right) => {
            Formula::compare(*comparison, rewrite_term(with, left), rewrite_term(with, right))
        }
        FormulaKind::Not(inner) => rewrite_formula(with, inner).negate(),
        FormulaKind::And(parts) => {
            Formula::and(parts.iter().map(|part| rewrite_formula(with, part)).collect::<Vec<_>>())
        }
        FormulaKind::Or(parts) => {
            Formula::or(parts.iter().map(|part| rewrite_formula(with, part)).collect::<Vec<_>>())
        }
        FormulaKind::Implies(premise, conclusion) => {
            Formula::implies(rewrite_formula(with, premise), rewrite_formula(with, conclusion))
        }
        FormulaKind::Iff(left, right) => {
            Formula::iff(rewrite_formula(with, left), rewrite_formula(with, right))
        }
        FormulaKind::If(condition, then, otherwise) => Formula::if_then_else(
            rewrite_formula(with, condition),
            rewrite_formula(with, then),
            rewrite_formula(with, otherwise),
        ),
        FormulaKind::Quantified(quantifier, vars, body) => {
            let binders = with.bind(vars);
            let body = rewrite_formula(with, body);
            with.unbind(vars);
            Formula::quantified(*quantifier, binders, body)
        }
    }
}

/// A term or a formula: the children of either.
#[derive(Clone, Copy, Debug)]
pub enum Node<'a, V: Vocabulary> {
    /// A term.
    Term(&'a Term<V>),
    /// A formula.
    Formula(&'a Formula<V>),
}

impl<'a, V: Vocabulary> Node<'a, V> {
    /// The direct children, from left to right.
    pub fn children(self) -> Vec<Node<'a, V>> {
        match self {
            Node::Term(term) => match term.kind() {
                TermKind::Var(_) | TermKind::Integer(..) | TermKind::Element(..) => Vec::new(),
                TermKind::Apply(_, args, _) => args.iter().map(Node::Term).collect(),
                TermKind::Add(left, right) | TermKind::Subtract(left, right) => {
                    vec![Node::Term(left), Node::Term(right)]
                }
                TermKind::If(condition, then, otherwise) => {
                    vec![Node::Formula(condition), Node::Term(then), Node::Term(otherwise)]
                }
            },
            Node::Formula(formula) => formula_children(formula),
        }
    }

    /// Visits this node and everything below it, parents first.
    pub fn visit(self, visitor: &mut impl FnMut(Node<'a, V>)) {
        visitor(self);
        for child in self.children() {
            child.visit(visitor);
        }
    }
}

fn formula_children<V: Vocabulary>(formula: &Formula<V>) -> Vec<Node<'_, V>> {
    match formula.kind() {
        FormulaKind::Truth(_) => Vec::new(),
        FormulaKind::Holds(_, args) => args.iter().map(Node::Term).collect(),
        FormulaKind::Equal(left, right) | FormulaKind::Compare(_, left, right) => {
            vec![Node::Term(left), Node::Term(right)]
        }
        FormulaKind::Not(inner) | FormulaKind::Quantified(_, _, inner) => {
            vec![Node::Formula(inner)]
        }
        FormulaKind::And(parts) | FormulaKind::Or(parts) => {
            parts.iter().map(Node::Formula).collect()
        }
        FormulaKind::Implies(left, right) | FormulaKind::Iff(left, right) => {
            vec![Node::Formula(left), Node::Formula(right)]
        }
        FormulaKind::If(condition, then, otherwise) => {
            vec![Node::Formula(condition), Node::Formula(then), Node::Formula(otherwise)]
        }
    }
}

impl<V: Vocabulary> Term<V> {
    /// The free variables, sorted.
    pub fn free_vars(&self) -> BTreeSet<Var<V>> {
        free_vars(Node::Term(self))
    }

    /// Every symbol that occurs.
    pub fn symbols(&self) -> BTreeSet<V::Symbol> {
        symbols(Node::Term(self))
    }
}

impl<V: Vocabulary> Formula<V> {
    /// The free variables, sorted.
    pub fn free_vars(&self) -> BTreeSet<Var<V>> {
        free_vars(Node::Formula(self))
    }

    /// Every symbol that occurs.
    pub fn symbols(&self) -> BTreeSet<V::Symbol> {
        symbols(Node::Formula(self))
    }
}

/// The free variables of a node, sorted.
pub fn free_vars<V: Vocabulary>(node: Node<'_, V>) -> BTreeSet<Var<V>> {
    let mut free = BTreeSet::new();
    collect_free(node, &mut Vec::new(), &mut free);
    free
}

/// Adds the variables of a node that are not bound around it.
fn collect_free<'a, V: Vocabulary>(
    node: Node<'a, V>,
    bound: &mut Vec<&'a Var<V>>,
    free: &mut BTreeSet<Var<V>>,
) {
    let around = bound.len();
    match node {
        Node::Term(term) => {
            if let TermKind::Var(var) = term.kind()
                && !bound.contains(&var)
                && !free.contains(var)
            {
                free.insert(var.clone());
            }
        }
        Node::Formula(formula) => {
            if let FormulaKind::Quantified(_, vars, _) = formula.kind() {
                bound.extend(vars);
            }
        }
    }
    for child in node.children() {
        collect_free(child, bound, free);
    }
    bound.truncate(around);
}

/// Every symbol that occurs in a node.
pub fn symbols<V: Vocabulary>(node: Node<'_, V>) -> BTreeSet<V::Symbol> {
    let mut found = BTreeSet::new();
    node.visit(&mut |node| match node {
        Node::Term(term) => {
            if let TermKind::Apply(symbol, _, _) = term.kind() {
                found.insert(*symbol);
            }
        }
        Node::Formula(formula) => {
            if let FormulaKind::Holds(symbol, _) = formula.kind() {
                found.insert(*symbol);
            }
        }
    });
    found
}

/// The sorts that a node quantifies over.
pub fn bound_sorts<V: Vocabulary>(node: Node<'_, V>) -> BTreeSet<V::Sort> {
    let mut found = BTreeSet::new();
    node.visit(&mut |node| {
        if let Node::Formula(formula) = node
            && let FormulaKind::Quantified(_, bound, _) = formula.kind()
        {
            found.extend(bound.iter().map(|var| var.sort));
        }
    });
    found
}

/// Every variable name that occurs in a node, free or bound.
pub fn variable_names<V: Vocabulary>(node: Node<'_, V>) -> BTreeSet<Name> {
    let mut found = BTreeSet::new();
    node.visit(&mut |node| match node {
        Node::Term(term) => {
            if let TermKind::Var(var) = term.kind() {
                found.insert(var.name.clone());
            }
        }
        Node::Formula(formula) => {
            if let FormulaKind::Quantified(_, bound, _) = formula.kind() {
                found.extend(bound.iter().map(|var| var.name.clone()));
            }
        }
    });
    found
}
